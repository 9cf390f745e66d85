#include "saltus/solvers/newton_factor.hpp"

#include "saltus/solvers/klu_factors.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr double singular = 1e-14;  // a hundred roundings

bool prefers_dense(const BlockSparse& A) {
  const Index n = A.rows();
  return n <= 96 || (n <= 2000 && 4 * A.nonzeros() >= n * n);
}

}  // namespace

/// The rows of A are the columns that KLU sees: it factorises Aᵀ and solves with the transpose.
struct NewtonFactor::Klu : KluFactors {};

NewtonFactor::NewtonFactor() = default;
NewtonFactor::~NewtonFactor() = default;
NewtonFactor::NewtonFactor(NewtonFactor&&) noexcept = default;
NewtonFactor& NewtonFactor::operator=(NewtonFactor&&) noexcept = default;

bool NewtonFactor::scale_rows(const BlockSparse& A) {
  scale_.setZero(A.rows());
  for (Index i = 0; i < A.block_rows(); ++i)
    for (Index k = A.row_begin(i); k < A.row_begin(i + 1); ++k) {
      const double* value = A.value(k);
      for (Index c = 0; c < A.column_size(A.column(k)); ++c)
        for (Index r = 0; r < A.row_size(i); ++r, ++value) {
          double& largest = scale_[A.row_offset(i) + r];
          largest = std::max(largest, std::abs(*value));
        }
    }
  for (Index i = 0; i < scale_.size(); ++i) {
    if (!(scale_[i] > 0) || !std::isfinite(scale_[i])) return false;
    scale_[i] = 1 / scale_[i];
  }
  return true;
}

bool NewtonFactor::factorise(const BlockSparse& A) {
  reciprocal_ = 0;
  if (A.rows() == 0) return true;
  if (!A.all_finite() || !scale_rows(A)) return false;
  dense_ = prefers_dense(A);
  return dense_ ? factorise_dense(A) : factorise_sparse(A);
}

bool NewtonFactor::factorise_dense(const BlockSparse& A) {
  matrix_.resize(A.rows(), A.rows());
  A.copy_to(matrix_);
  matrix_ = scale_.asDiagonal() * matrix_;
  lu_.compute(matrix_);
  reciprocal_ = lu_.rcond();
  return reciprocal_ > singular;
}

bool NewtonFactor::fill(const BlockSparse& A) {
  begin_.assign(1, 0);
  column_.clear();
  values_.clear();
  for (Index i = 0; i < A.block_rows(); ++i)
    for (Index r = 0; r < A.row_size(i); ++r) {
      for (Index k = A.row_begin(i); k < A.row_begin(i + 1); ++k) {
        const double* value = A.value(k) + r;
        const Index first = A.column_offset(A.column(k));
        for (Index c = 0; c < A.column_size(A.column(k)); ++c, value += A.row_size(i)) {
          column_.push_back(static_cast<int>(first + c));
          values_.push_back(*value * scale_[A.row_offset(i) + r]);
        }
      }
      begin_.push_back(static_cast<int>(column_.size()));
    }
  return begin_ == last_begin_ && column_ == last_column_;
}

bool NewtonFactor::factorise_sparse(const BlockSparse& A) {
  if (!fill(A) || !klu_) {
    last_begin_ = begin_;
    last_column_ = column_;
    klu_ = std::make_unique<Klu>();
    klu_->symbolic =
        klu_analyze(static_cast<int>(A.rows()), begin_.data(), column_.data(), &klu_->common);
  }
  if (klu_->symbolic == nullptr) return false;
  klu_free_numeric(&klu_->numeric, &klu_->common);
  klu_->numeric =
      klu_factor(begin_.data(), column_.data(), values_.data(), klu_->symbolic, &klu_->common);
  if (klu_->numeric == nullptr || klu_->common.status != KLU_OK) return false;
  klu_rcond(klu_->symbolic, klu_->numeric, &klu_->common);
  reciprocal_ = klu_->common.rcond;
  return reciprocal_ > singular;
}

bool NewtonFactor::solve(VectorRef x) {
  if (x.size() == 0) return true;
  x = x.cwiseProduct(scale_);
  if (dense_)
    x = lu_.solve(x).eval();
  else
    klu_tsolve(klu_->symbolic, klu_->numeric, static_cast<int>(x.size()), 1, x.data(),
               &klu_->common);
  return x.allFinite();
}

}  // namespace saltus
