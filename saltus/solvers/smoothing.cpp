#include "saltus/solvers/smoothing.hpp"

#include "saltus/solvers/smoothing_iteration.hpp"

namespace saltus {

namespace {

/// Φ_ε(z); NaN where F is not defined.
Vector smoothed_map(const Mcp& problem, const Vector& z, const Vector& F, double epsilon) {
  Vector phi(problem.n);
  for (Index i = 0; i < problem.n; ++i) {
    const double x = z[i] - F[i];
    phi[i] = F[i] - smooth_plus(problem.lower[i] - x, epsilon) +
             smooth_plus(x - problem.upper[i], epsilon);
  }
  return phi;
}

Matrix smoothed_jacobian(const Mcp& problem, const Vector& z, const Vector& F, double epsilon) {
  Matrix J(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, z, J);
  for (Index i = 0; i < problem.n; ++i) {
    const double x = z[i] - F[i];
    const double slope = 1 - smooth_plus_slope(problem.lower[i] - x, epsilon) -
                         smooth_plus_slope(x - problem.upper[i], epsilon);
    J.row(i) *= slope;
    J(i, i) += 1 - slope;
  }
  return J;
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const Smoothing& options, Workspace&) {
  return solve_by_smoothing(
      problem, z, options,
      [&](const Vector& x, const Vector& F, double e) { return smoothed_map(problem, x, F, e); },
      [&](const Vector& x, const Vector& F, double e) {
        return smoothed_jacobian(problem, x, F, e);
      });
}

}  // namespace saltus
