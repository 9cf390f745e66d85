#pragma once

#include "saltus/problems/vi.hpp"
#include "saltus/solvers/outcome.hpp"

#include <concepts>

namespace saltus {

/// The stopping test of the nonlinear problems: residual(problem, z) ≤ tolerance · max(1, ‖F(z₀)‖∞)
/// with z₀ = P_X(0), so that F = M z + q on a set with 0 gives the test of the linear problems. The
/// factor is 1 if F(z₀) is not finite.
[[nodiscard]] inline double threshold(double tolerance, const Vi& problem) {
  Vector z = Vector::Zero(problem.n);
  project(problem.X, z, z);
  const Vector F = evaluate(problem.F, z);
  return F.size() > 0 && F.allFinite() ? threshold(tolerance, F) : tolerance;
}
[[nodiscard]] inline double threshold(double tolerance, const Mcp& problem) {
  const Vector z = Vector::Zero(problem.n).cwiseMax(problem.lower).cwiseMin(problem.upper);
  const Vector F = evaluate(problem.F, z);
  return F.size() > 0 && F.allFinite() ? threshold(tolerance, F) : tolerance;
}

/// Throws Error unless the options are in range, the problem is sound and z fits and is finite.
template <class Problem, class Options>
void require_valid(const Problem& problem, ConstVectorRef z, const Options& options) {
  validate(options);
  validate(problem);
  require(z.size() == problem.n, "{}: z has size {}, the problem {}", Options::name, z.size(),
          problem.n);
  require(z.allFinite(), "{}: the initial guess holds NaN or infinity", Options::name);
}

}  // namespace saltus
