#include "saltus/solvers/active_set.hpp"

#include "saltus/solvers/active_set_factors.hpp"
#include "saltus/solvers/dual_active_set.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The state of the method at a feasible z.
struct Primal {
  const Qp& qp;
  const ConstraintRows& rows;
  WorkingSet set;
  Vector z;
  std::vector<std::uint8_t> working;  // of the problem's rows
  Index zero_steps = 0;

  [[nodiscard]] Vector gradient() const { return qp.Q * z + qp.p; }
  /// Rounding of the gradient.
  [[nodiscard]] double rounding(const Vector& g) const {
    return 1e-12 * std::max({1e-300, g.lpNorm<Eigen::Infinity>(), qp.p.lpNorm<Eigen::Infinity>()});
  }
  [[nodiscard]] bool bland() const { return zero_steps > z.size(); }
  bool take_in(Index row) {
    if (working[row] != 0 || !set.add(row, rows.row(row))) return false;
    working[row] = 1;
    return true;
  }
  void start(const std::vector<Index>& active) {
    for (Index i : active) take_in(i);
    const Vector slack = rows.H * z - rows.g;
    const double size = z.size() > 0 ? z.lpNorm<Eigen::Infinity>() : 0;
    for (Index i = rows.equalities; i < rows.size(); ++i)
      if (std::abs(slack[i]) <= 100 * rows.rounding(i, size)) take_in(i);
    set.start_curvature(rows.size());
  }
  /// The position in the working set that may leave: most negative multiplier, by Bland's rule the
  /// lowest row; artificial rows first; −1: optimal.
  [[nodiscard]] Index leaving(const Vector& lambda, double zero) const {
    Index found = -1;
    for (Index k = 0; k < set.count(); ++k) {
      const Index row = set.rows[k];
      if (row >= rows.size()) {
        if (std::abs(lambda[k]) > zero) return k;
        continue;
      }
      if (row < rows.equalities || !(lambda[k] < -zero)) continue;
      if (found < 0 || (bland() ? row < set.rows[found] : lambda[k] < lambda[found])) found = k;
    }
    return found;
  }
  /// Step to the first row met along r, and that row (−1: none before `step`).
  [[nodiscard]] Index blocking(const Vector& r, double& step) const {
    const Vector slope = rows.H * r, slack = rows.H * z - rows.g;
    const double size = r.lpNorm<Eigen::Infinity>();
    Index found = -1;
    for (Index i = rows.equalities; i < rows.size(); ++i) {
      if (working[i] != 0 || !(slope[i] < -1e-12 * rows.norm1[i] * size)) continue;
      const double ratio = std::max(0.0, slack[i]) / -slope[i];
      if (ratio < step) {
        step = ratio;
        found = i;
      }
    }
    return found;
  }
};

/// Changes the working set until the point is optimal, a proof is found or the limit is reached.
Outcome iterate(Primal& state, int limit, Workspace& work) {
  Outcome outcome{SolveStatus::max_iterations, 0};
  bool minimum = false;
  while (outcome.iterations < limit) {
    const Vector g = state.gradient();
    const double zero = state.rounding(g);
    if (minimum || state.set.free() == 0 ||
        (!state.set.flat() && state.set.reduced(g).lpNorm<Eigen::Infinity>() <= zero)) {
      const Vector lambda = state.set.multipliers(g);
      const Index k = state.leaving(lambda, zero);
      if (k < 0) return {SolveStatus::converged, outcome.iterations};
      if (state.set.rows[k] < state.rows.size()) state.working[state.set.rows[k]] = 0;
      state.set.drop(k);
    }
    ++outcome.iterations;
    const Vector r = state.set.step(g);
    double alpha = state.set.flat() ? inf : 1;
    const Index row = state.blocking(r, alpha);
    if (alpha == inf) {
      work.certificate = r / r.lpNorm<Eigen::Infinity>();
      const bool proof = proves_unbounded(state.qp, work.certificate);
      return {proof ? SolveStatus::unbounded : SolveStatus::stalled, outcome.iterations};
    }
    if (!std::isfinite(alpha) || !r.allFinite())
      return {SolveStatus::numerical_error, outcome.iterations};
    state.z += alpha * r;
    state.zero_steps = alpha > 0 ? 0 : state.zero_steps + 1;
    minimum = row < 0;
    if (row >= 0 && !state.take_in(row)) return {SolveStatus::stalled, outcome.iterations};
  }
  return outcome;
}

}  // namespace

SolveReport solve(const Qp& problem, QpPoint& point, const ActiveSet& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  const Qp qp = completed(problem);
  resize(qp, point);
  work.certificate.resize(0);
  const double goal = qp_threshold(qp, options.tolerance);
  if (curvature(qp.Q) == Curvature::indefinite)
    return judge({SolveStatus::nonconvex, 0}, residual(qp, point), -1, clock);
  const ConstraintRows rows = constraint_rows(qp);
  const Index n = qp.p.size();
  const int limit = options.max_iterations > 0 ? options.max_iterations
                                               : 100 * (static_cast<int>(n + rows.size()) + 10);
  if (!point.z.allFinite()) point.z.setZero();
  const auto feasible = dual_active_set(rows, Matrix::Identity(n, n), point.z, limit);
  point.z = feasible.z;
  if (feasible.status != SolveStatus::converged) {
    Outcome outcome{feasible.status, feasible.iterations};
    if (feasible.status == SolveStatus::infeasible) {
      work.certificate = rows.proof(feasible.multipliers);
      if (!proves_infeasible(qp, work.certificate)) outcome.status = SolveStatus::stalled;
    }
    return judge(outcome, residual(qp, point), goal, clock);
  }
  Primal state{qp, rows, WorkingSet(qp.Q, n), feasible.z,
               std::vector<std::uint8_t>(static_cast<std::size_t>(rows.size()), 0)};
  state.start(feasible.active);
  const Outcome outcome = iterate(state, limit, work);
  point.z = state.z;
  Vector multipliers = Vector::Zero(rows.size());
  const Vector lambda = state.set.multipliers(state.gradient());
  for (Index k = 0; k < state.set.count(); ++k)
    if (state.set.rows[k] < rows.size()) multipliers[state.set.rows[k]] = lambda[k];
  rows.distribute(multipliers, point);
  return judge(outcome, residual(qp, point), goal, clock);
}

}  // namespace saltus
