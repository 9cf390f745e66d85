#include "saltus/problems/certificates.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/report.hpp"

#include <cmath>

namespace saltus {

namespace {

/// size_j = Σ_i |W_ij y_i|
Vector column_sizes(const BlockSparse& W, ConstVectorRef y) {
  Vector size = Vector::Zero(W.cols());
  for (Index i = 0; i < W.block_rows(); ++i)
    for (Index k = W.row_begin(i); k < W.row_begin(i + 1); ++k) {
      const Index j = W.column(k);
      size.segment(W.column_offset(j), W.column_size(j)) +=
          W.block(i, k).cwiseAbs().transpose() *
          y.segment(W.row_offset(i), W.row_size(i)).cwiseAbs();
    }
  return size;
}

/// y_i has the sign that the requirement on w_i gives it.
bool sign_fits(double y, double lower, double upper) {
  if (!std::isfinite(y)) return false;
  if (lower > -inf && upper < inf) return y == 0;
  return (y >= 0 || lower == -inf) && (y <= 0 || upper == inf);
}

}  // namespace

bool proves_infeasible(const BlockSparse& W, ConstVectorRef q, ConstVectorRef lower,
                       ConstVectorRef upper, ConstVectorRef y, double tolerance) {
  const Index n = q.size();
  require(W.rows() == n && W.cols() == n && lower.size() == n && upper.size() == n,
          "proves_infeasible: the matrix is {}x{}, q has size {}, the bounds {} and {}", W.rows(),
          W.cols(), n, lower.size(), upper.size());
  if (y.size() != n) return false;
  for (Index i = 0; i < n; ++i)
    if (!sign_fits(y[i], lower[i], upper[i])) return false;
  Vector g(n);
  W.multiply_transposed(y, g);
  const Vector size = column_sizes(W, y);
  double value = 0, terms = 0;
  const auto add = [&](double term) {
    value += term;
    terms += std::abs(term);
  };
  for (Index i = 0; i < n; ++i) {
    add(q[i] * y[i]);
    if (!std::isfinite(g[i])) return false;
    if (g[i] == 0) continue;
    const double bound = g[i] > 0 ? upper[i] : lower[i];
    if (std::isfinite(bound))
      add(g[i] * bound);
    else if (std::abs(g[i]) > tolerance * size[i])
      return false;
  }
  return value < -tolerance * terms;
}

bool proves_infeasible(LcpView problem, ConstVectorRef y, double tolerance) {
  const Index n = problem.q.size();
  return proves_infeasible(problem.M, problem.q, Vector::Zero(n), Vector::Constant(n, inf), y,
                           tolerance);
}

bool proves_infeasible(const Mlcp& problem, ConstVectorRef y, double tolerance) {
  const Index n = problem.q.size();
  Vector lower = Vector::Zero(n);
  for (Index i : problem.equalities) lower[i] = -inf;
  return proves_infeasible(problem.M, problem.q, lower, Vector::Constant(n, inf), y, tolerance);
}

bool proves_infeasible(const BlockForm& problem, ConstVectorRef y, double tolerance) {
  const Index n = problem.q.size();
  Vector lower(n), upper(n);
  if (has_friction(problem)) return false;
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const auto bound = [&](double from, double to) {
      lower.segment(problem.W.row_offset(b), problem.W.row_size(b)).setConstant(from);
      upper.segment(problem.W.row_offset(b), problem.W.row_size(b)).setConstant(to);
    };
    std::visit(Overloaded{[&](const Reals&) { bound(-inf, inf); },
                          [&](const NonNegative&) { bound(0, inf); },
                          [&](const Interval& K) { bound(K.lower, K.upper); }, [&](const auto&) {}},
               problem.K[b]);
  }
  return proves_infeasible(problem.W, problem.q, lower, upper, y, tolerance);
}

}  // namespace saltus
