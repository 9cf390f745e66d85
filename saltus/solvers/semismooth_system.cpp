#include "saltus/solvers/semismooth_system.hpp"

#include "saltus/solvers/dense_lu.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr Index dense_limit = 64;        // up to here a dense LU is faster than a sparse one
constexpr double negligible_row = 1e-6;  // see the header

using Map = Eigen::Map<Vector>;
using ConstMap = Eigen::Map<const Vector>;

}  // namespace

SemismoothSystem::SemismoothSystem(const BlockSparse& W, const double* a, const double* b,
                                   Workspace& work)
    : W_(W), a_(a), b_(b), work_(work), n_(W.rows()), scale_(W.max_abs_diagonal()) {
  if (scale_ == 0) scale_ = 1;
  if (n_ > dense_limit) copy_pattern();
}

/// W into the matrix of the workspace, with every diagonal block stored.
void SemismoothSystem::copy_pattern() {
  auto& sizes = work_.basis;
  sizes.clear();
  for (Index i = 0; i < W_.block_rows(); ++i) sizes.push_back(W_.row_size(i));
  BlockSparse& A = work_.newton_matrix;
  A.start(sizes, sizes);
  const auto push = [&](Index i, Index k) {
    const Index number = A.push_block(W_.column(k));
    std::copy_n(W_.value(k), W_.row_size(i) * W_.column_size(W_.column(k)), A.value(number));
  };
  for (Index i = 0; i < W_.block_rows(); ++i) {
    Index k = W_.row_begin(i);
    for (; k < W_.row_begin(i + 1) && W_.column(k) < i; ++k) push(i, k);
    if (W_.diagonal(i) < 0) A.push_block(i);
    for (; k < W_.row_begin(i + 1); ++k) push(i, k);
    A.end_row();
  }
}

bool SemismoothSystem::solve(const double* phi, double* d) {
  return n_ <= dense_limit ? solve_dense(phi, d) : solve_sparse(phi, d);
}

bool SemismoothSystem::solve_dense(const double* phi, double* d) {
  double* H = work_.lu.get(n_ * n_);
  work_.lu_pivots.resize(static_cast<std::size_t>(n_));
  std::fill(H, H + n_ * n_, 0.0);
  for (Index i = 0; i < W_.block_rows(); ++i)
    for (Index k = W_.row_begin(i); k < W_.row_begin(i + 1); ++k) {
      const double* value = W_.value(k);
      const Index row = W_.row_offset(i), column = W_.column_offset(W_.column(k));
      for (Index c = 0; c < W_.column_size(W_.column(k)); ++c)
        for (Index r = 0; r < W_.row_size(i); ++r)
          H[(row + r) * n_ + column + c] = a_[row + r] * *value++;
    }
  for (Index i = 0; i < n_; ++i) {
    H[i * n_ + i] += b_[i];
    d[i] = -phi[i];
  }
  if (!lu_factorise(n_, H, work_.lu_pivots.data())) return false;
  lu_solve(n_, H, work_.lu_pivots.data(), d);
  return ConstMap(d, n_).allFinite();
}

bool SemismoothSystem::solve_sparse(const double* phi, double* d) {
  BlockSparse& A = work_.newton_matrix;
  work_.in_set.resize(static_cast<std::size_t>(n_));
  double* Wd = work_.lu_rhs.get(n_);
  for (Index i = 0; i < n_; ++i) {
    const bool inside = std::abs(a_[i]) * scale_ > negligible_row * std::abs(b_[i]);
    if (!inside && b_[i] == 0) return false;
    work_.in_set[i] = inside ? 1 : 0;
    d[i] = inside ? 0.0 : -phi[i] / b_[i];
  }
  for (Index i = 0; i < A.block_rows(); ++i)
    for (Index c = 0, rows = A.row_size(i); c < rows; ++c) {
      const Index row = A.row_offset(i) + c, at = c * rows + c;
      const double w = W_.diagonal(i) < 0 ? 0.0 : W_.value(W_.diagonal(i))[at];
      A.value(A.diagonal(i))[at] = work_.in_set[row] != 0 ? w + b_[row] / a_[row] : scale_;
    }
  work_.factor.analyse(A);
  if (!work_.factor.factorise(A, work_.in_set, 0)) return false;
  W_.multiply(ConstMap(d, n_), Map(Wd, n_));
  for (Index i = 0; i < n_; ++i)
    if (work_.in_set[i] != 0) d[i] = -phi[i] / a_[i] - Wd[i];
  work_.factor.solve(d);
  return ConstMap(d, n_).allFinite();
}

void SemismoothSystem::multiply(const double* x, double* y) const {
  W_.multiply(ConstMap(x, n_), Map(y, n_));
  for (Index i = 0; i < n_; ++i) y[i] = a_[i] * y[i] + b_[i] * x[i];
}

void SemismoothSystem::multiply_transposed(const double* x, double* y) {
  double* ax = work_.lu_rhs.get(n_);
  for (Index i = 0; i < n_; ++i) ax[i] = a_[i] * x[i];
  W_.multiply_transposed(ConstMap(ax, n_), Map(y, n_));
  for (Index i = 0; i < n_; ++i) y[i] += b_[i] * x[i];
}

void SemismoothSystem::levenberg_marquardt(const double* phi, double nu, double* d) {
  Map x(d, n_), r(work_.lcp_vector.get(n_), n_), p(work_.lcp_solution.get(n_), n_);
  Map Hp(work_.free_slope.get(n_), n_), HtHp(work_.free_block.get(n_), n_);
  x.setZero();
  multiply_transposed(phi, r.data());
  r = -r;
  p = r;
  double square = r.squaredNorm();
  const double enough = 1e-20 * square;  // residual 10⁻¹⁰: rounding of the squared condition number
  for (Index k = 0; k < 2 * n_ + 20 && k < 1000 && square > enough; ++k) {
    multiply(p.data(), Hp.data());
    multiply_transposed(Hp.data(), HtHp.data());
    const double alpha = square / (Hp.squaredNorm() + nu * p.squaredNorm());
    x += alpha * p;
    r -= alpha * (HtHp + nu * p);
    const double old = square;
    square = r.squaredNorm();
    p = r + square / old * p;
  }
}

}  // namespace saltus
