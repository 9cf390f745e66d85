#include "saltus/solvers/cottle_dantzig.hpp"

#include "saltus/solvers/driven_tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

/// What counts as 0 among the values and among the entries of the tableau.
struct Zero {
  double value, slope;
};

/// What stops the driving variable after `step`: row r = the distinguished w_r has reached 0,
/// another row = a variable that was nonnegative; −1: nothing.
struct Block {
  Index row = -1;
  double step = inf;
};

Block blocking(const DrivenTableau& t, const Zero& zero) {
  Block block;
  if (t.state[t.r])  // w_r itself is driven
    block = {t.r, -t.theta};
  else if (-t.at(t.r, t.r) > zero.slope)
    block = {t.r, std::max(0.0, -t.value(t.r) / -t.at(t.r, t.r))};
  for (Index i = 0; i < t.n; ++i) {
    if (i == t.r || !(t.at(i, t.r) > zero.slope)) continue;
    const double now = t.value(i);
    if (now < -zero.value) continue;  // negative before: not protected
    const double ratio = std::max(0.0, now) / t.at(i, t.r);
    // of equals, the largest pivot
    const bool tie =
        block.row >= 0 && block.row != t.r && std::abs(ratio - block.step) <= 1e-12 * block.step;
    if (tie ? t.at(i, i) < t.at(block.row, block.row) : ratio < block.step) block = {i, ratio};
  }
  return block;
}

/// Exchanges (w_s, z_r) and (w_r, z_s), where the diagonal entry of s is zero; from then on w_r is
/// driven, up from its negative value.
bool exchange_pair(DrivenTableau& t, Index s, double smallest) {
  const Index r = t.r;
  if (!(std::abs(t.at(r, s) * t.at(s, r)) > smallest * smallest)) return false;
  const double w_r = t.value(r);
  // two pivots off the diagonal, then the rows and columns change places so that each serves its
  // pair
  pivot(t.T, t.n, t.stride, s, r);
  pivot(t.T, t.n, t.stride, r, s);
  std::swap_ranges(t.T + r * t.stride, t.T + (r + 1) * t.stride, t.T + s * t.stride);
  for (Index i = 0; i < t.n; ++i) std::swap(t.T[i * t.stride + r], t.T[i * t.stride + s]);
  t.state[r] ^= 1;
  t.state[s] ^= 1;
  t.theta = w_r;
  return true;
}

/// Raises the distinguished w_r to 0. Adds to `count`.
SolveStatus raise(DrivenTableau& t, const Zero& zero, Index limit, int& count, Vector& ray) {
  for (;;) {
    const Block block = blocking(t, zero);
    if (block.row < 0) {
      t.read_ray(ray);
      return SolveStatus::stalled;
    }
    if (block.row == t.r && t.state[t.r]) return SolveStatus::converged;
    if (count >= limit) return SolveStatus::max_iterations;
    ++count;
    t.theta += block.step;
    if (std::abs(t.at(block.row, block.row)) > zero.slope) {
      t.exchange(block.row);
      if (block.row == t.r) return SolveStatus::converged;
    } else if (t.state[t.r] || !exchange_pair(t, block.row, zero.slope)) {
      return SolveStatus::numerical_error;
    }
  }
}

Outcome cottle_dantzig(const DenseLcp& lcp, double* z, const CottleDantzig& options,
                       Workspace& work) {
  DrivenTableau t = make_driven_tableau(lcp, work);
  double size = 0;
  for (Index i = 0; i < t.n; ++i) size = std::max(size, std::abs(lcp.q[i]));
  const Zero zero{1e-13 * size, 1e-12 * std::min(1.0, t.largest)};
  const Index limit = pivot_limit(options.max_iterations, t.n);
  Outcome outcome{SolveStatus::converged, 0};
  while (outcome.status == SolveStatus::converged && t.most_negative(zero.value))
    outcome.status = raise(t, zero, limit, outcome.iterations, work.certificate);
  read_principal_tableau(lcp, t.T, z, work);
  return outcome;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const CottleDantzig& options,
                      Workspace& work) {
  return solve_by_tableau(problem, z, options, work,
                          [&](const DenseLcp& lcp, double* solution, Workspace& w) {
                            return cottle_dantzig(lcp, solution, options, w);
                          });
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const CottleDantzig& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const CottleDantzig& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const CottleDantzig& options,
                  Workspace& work) {
  return solve_any(problem, r, options, work);
}

}  // namespace saltus
