#include "saltus/solvers/interior_point_factor.hpp"

#include "saltus/solvers/dense_lu.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr Index plain_loops = 128;  // rows up to which dense_lu serves
constexpr double singular = 1e-15;  // reciprocal condition of a larger dense factor

}  // namespace

void ShiftedFactor::load(const BlockSparse& W) {
  n_ = W.rows();
  size_ = W.max_abs_diagonal();
  if (!(size_ > 0)) size_ = 1;
  dense_ = 4 * W.nonzeros() >= n_ * n_;
  if (dense_) {
    matrix_.resize(n_, n_);
    shifted_.resize(n_, n_);
    W.copy_to(matrix_);
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

void ShiftedFactor::scale_dense(ConstVectorRef shift) {
  for (Index j = 0; j < n_; ++j) shifted_.col(j) = scale_[j] * scale_.cwiseProduct(matrix_.col(j));
  shifted_.diagonal() += shift.cwiseProduct(scale_.cwiseAbs2());
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

bool ShiftedFactor::factorise_dense() {
  if (n_ > plain_loops) {
    lu_.compute(shifted_);
    return lu_.rcond() > singular;
  }
  rows_.resize(static_cast<std::size_t>(n_ * n_));
  pivots_.resize(static_cast<std::size_t>(n_));
  for (Index i = 0; i < n_; ++i)
    for (Index j = 0; j < n_; ++j) rows_[i * n_ + j] = shifted_(i, j);
  return lu_factorise(n_, rows_.data(), pivots_.data());
}

bool ShiftedFactor::factorise(ConstVectorRef shift) {
  scale_ = (shift.array() + size_).sqrt().inverse();
  if (dense_) {
    scale_dense(shift);
    return factorise_dense();
  }
  scale_sparse(shift);
  factor_.analyse(scaled_);
  return factor_.factorise(scaled_, everything_, 0);
}

bool ShiftedFactor::factorise(std::span<const std::uint8_t> in_set, double shift) {
  scale_.setOnes(n_);
  if (dense_) {
    shifted_.setIdentity();
    for (Index j = 0; j < n_; ++j) {
      if (in_set[j] == 0) continue;
      for (Index i = 0; i < n_; ++i)
        if (in_set[i] != 0) shifted_(i, j) = matrix_(i, j) + (i == j ? shift : 0);
    }
    return factorise_dense();
  }
  factor_.analyse(sparse_);
  return factor_.factorise(sparse_, in_set, shift);
}

void ShiftedFactor::solve(VectorRef x) {
  x.array() *= scale_.array();
  if (!dense_)
    factor_.solve(x.data());
  else if (n_ > plain_loops)
    x = lu_.solve(x).eval();
  else
    lu_solve(n_, rows_.data(), pivots_.data(), x.data());
  x.array() *= scale_.array();
}

}  // namespace saltus
