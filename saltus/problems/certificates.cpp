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

/// Σ of terms that must be negative by more than a fraction of them.
struct Sum {
  double value = 0, terms = 0;
  void add(double term) {
    value += term;
    terms += std::abs(term);
  }
  [[nodiscard]] bool negative(double tolerance) const { return value < -tolerance * terms; }
};

/// y ≥ 0 against every u that the law of the block admits.
bool admits(const BlockSet& set, ConstVectorRef y) {
  const auto each_row = [&](double lower, double upper) {
    for (Index i = 0; i < y.size(); ++i)
      if (!sign_fits(y[i], lower, upper)) return false;
    return true;
  };
  return std::visit(Overloaded{[&](const Reals&) { return each_row(-inf, inf); },
                               [&](const NonNegative&) { return each_row(0, inf); },
                               [&](const Interval& K) { return each_row(K.lower, K.upper); },
                               [&](const SecondOrderCone& K) {
                                 const double t = y.tail(y.size() - 1).norm();
                                 return y[0] >= 0 && (t == 0 || t <= K.mu * y[0] * (1 + 1e-15));
                               },
                               [&](const auto&) {
                                 return y[0] >= 0 && (y.tail(y.size() - 1).array() == 0).all();
                               }},
                    set);
}

/// sup {gᵀr : r ∈ K}
double support(const BlockSet& set, ConstVectorRef g) {
  if (g.isZero(0)) return 0;
  return std::visit(Overloaded{[&](const Interval& K) {
                                 double sum = 0;
                                 for (Index i = 0; i < g.size(); ++i)
                                   if (g[i] != 0) sum += g[i] * (g[i] > 0 ? K.upper : K.lower);
                                 return sum;
                               },
                               [&](const FrictionCylinder& K) {
                                 return g[0] > 0 ? inf : K.radius * g.tail(g.size() - 1).norm();
                               },
                               [&](const auto&) {  // a cone: 0 if −g ∈ K*
                                 Vector p(g.size());
                                 project(set, g, p);
                                 return p.isZero(0) ? 0 : inf;
                               }},
                    set);
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
  Sum sum;
  for (Index i = 0; i < n; ++i) {
    sum.add(q[i] * y[i]);
    if (!std::isfinite(g[i])) return false;
    if (g[i] == 0) continue;
    const double bound = g[i] > 0 ? upper[i] : lower[i];
    if (std::isfinite(bound))
      sum.add(g[i] * bound);
    else if (std::abs(g[i]) > tolerance * size[i])
      return false;
  }
  return sum.negative(tolerance);
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
  if (y.size() != n || !y.allFinite()) return false;
  Vector g(n);
  problem.W.multiply_transposed(y, g);
  if (!g.allFinite()) return false;
  const Vector size = column_sizes(problem.W, y);
  for (Index j = 0; j < n; ++j)
    if (std::abs(g[j]) <= tolerance * size[j]) g[j] = 0;
  Sum sum;
  for (Index b = 0; b < problem.W.block_rows(); ++b) {
    const Index first = problem.W.row_offset(b), rows = problem.W.row_size(b);
    if (!admits(problem.K[b], y.segment(first, rows))) return false;
    for (Index i = first; i < first + rows; ++i) sum.add(problem.q[i] * y[i]);
    sum.add(support(problem.K[b], g.segment(first, rows)));
  }
  return sum.negative(tolerance);
}

bool proves_infeasible(const GlobalBlockForm& problem, ConstVectorRef y, double tolerance) {
  if (y.size() != problem.w.size() || !y.allFinite()) return false;
  const Vector g = problem.H * y, size = problem.H.cwiseAbs() * y.cwiseAbs();
  for (Index k = 0; k < g.size(); ++k)
    if (!(std::abs(g[k]) <= tolerance * size[k])) return false;
  Sum sum;
  Index first = 0;
  for (std::size_t b = 0; b < problem.K.size(); first += problem.sizes[b], ++b) {
    if (!admits(problem.K[b], y.segment(first, problem.sizes[b]))) return false;
    for (Index i = first; i < first + problem.sizes[b]; ++i) sum.add(problem.w[i] * y[i]);
  }
  return sum.negative(tolerance);
}

}  // namespace saltus
