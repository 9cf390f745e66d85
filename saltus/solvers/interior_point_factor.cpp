#include "saltus/solvers/interior_point_factor.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr double singular = 1e-15;  // least pivot of a scaled dense matrix

/// Added to a scaled matrix that is singular to rounding (the multipliers of a long chain of rigid
/// links, whose W has a condition number of the fourth power of its length): a proximal term, which
/// the next steps make up for.
constexpr double proximal = 1e-11;

}  // namespace

void ShiftedFactor::load(const BlockSparse& W) {
  n_ = W.rows();
  size_ = W.max_abs_diagonal();
  if (!(size_ > 0)) size_ = 1;
  dense_ = 4 * W.nonzeros() >= n_ * n_;
  if (dense_) {
    matrix_.resize(n_, n_);
    W.copy_to(matrix_);
    symmetric_ = symmetric_by_columns(n_, matrix_.data());
  } else {
    load_sparse(W);
  }
}

void ShiftedFactor::load_sparse(const BlockSparse& W) {
  bool complete = true;
  for (Index b = 0; b < W.block_rows(); ++b) complete = complete && W.diagonal(b) >= 0;
  if (complete) {
    sparse_ = W;
  } else {
    std::vector<Eigen::Triplet<double>> entries;
    const Eigen::SparseMatrix<double> A = W.to_sparse();
    for (Index k = 0; k < A.outerSize(); ++k) {
      entries.emplace_back(static_cast<int>(k), static_cast<int>(k), 0.0);
      for (Eigen::SparseMatrix<double>::InnerIterator it(A, k); it; ++it)
        entries.emplace_back(static_cast<int>(it.row()), static_cast<int>(k), it.value());
    }
    Eigen::SparseMatrix<double> with_diagonal(n_, n_);
    with_diagonal.setFromTriplets(entries.begin(), entries.end());
    sparse_ = BlockSparse::sparse(with_diagonal);
  }
  everything_.assign(static_cast<std::size_t>(n_), 1);
  scaled_ = sparse_;
}

void ShiftedFactor::scale_dense(ConstVectorRef shift, bool lower) {
  Eigen::Map<Matrix> A(dense_factor_.matrix(n_), n_, n_);
  for (Index j = 0; j < n_; ++j) {
    const Index rows = lower ? n_ - j : n_;
    A.col(j).tail(rows) = scale_[j] * scale_.tail(rows).cwiseProduct(matrix_.col(j).tail(rows));
    A(j, j) += shift[j] * scale_[j] * scale_[j];
  }
}

void ShiftedFactor::scale_sparse(ConstVectorRef shift) {
  for (Index b = 0; b < sparse_.block_rows(); ++b)
    for (Index k = sparse_.row_begin(b); k < sparse_.row_begin(b + 1); ++k) {
      const Index first = sparse_.row_offset(b), j = sparse_.column(k);
      const Index column = sparse_.column_offset(j), rows = sparse_.row_size(b);
      for (Index c = 0; c < sparse_.column_size(j); ++c)
        for (Index r = 0; r < rows; ++r) {
          const double own = first + r == column + c ? shift[first + r] : 0.0;
          scaled_.value(k)[c * rows + r] =
              scale_[first + r] * scale_[column + c] * (sparse_.value(k)[c * rows + r] + own);
        }
    }
}

bool ShiftedFactor::factorise(ConstVectorRef shift) {
  scale_ = (shift.array() + size_).sqrt().inverse();
  if (dense_) {
    scale_dense(shift, symmetric_);
    if (symmetric_ && dense_factor_.cholesky()) return true;
    if (symmetric_) scale_dense(shift, false);
    return dense_factor_.lu(singular);
  }
  scale_sparse(shift);
  factor_.analyse(scaled_);
  return factor_.factorise(scaled_, everything_, 0) ||
         factor_.factorise(scaled_, everything_, proximal);
}

bool ShiftedFactor::factorise(std::span<const std::uint8_t> in_set, double shift) {
  scale_.setOnes(n_);
  if (dense_) {
    Eigen::Map<Matrix> A(dense_factor_.matrix(n_), n_, n_);
    A.setIdentity();
    for (Index j = 0; j < n_; ++j) {
      if (in_set[j] == 0) continue;
      for (Index i = 0; i < n_; ++i)
        if (in_set[i] != 0) A(i, j) = matrix_(i, j) + (i == j ? shift : 0);
    }
    return dense_factor_.lu(singular);
  }
  factor_.analyse(sparse_);
  return factor_.factorise(sparse_, in_set, shift);
}

void ShiftedFactor::solve(VectorRef x) {
  x.array() *= scale_.array();
  if (dense_)
    dense_factor_.solve(x.data());
  else
    factor_.solve(x.data());
  x.array() *= scale_.array();
}

}  // namespace saltus
