#pragma once

#include "saltus/solvers/vi_threshold.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

// What the smoothing methods for MCP and VI share.

/// p_ε(s) = (s + √(s² + 4ε²))/2 → max(s, 0), without cancellation.
[[nodiscard]] inline double smooth_plus(double s, double epsilon) {
  if (s == -inf) return 0;
  const double root = std::hypot(s, 2 * epsilon);
  return s < 0 ? 2 * epsilon * epsilon / (root - s) : (s + root) / 2;
}
/// p_ε'(s)
[[nodiscard]] inline double smooth_plus_slope(double s, double epsilon) {
  if (s == -inf) return 0;
  const double root = std::hypot(s, 2 * epsilon);
  return s < 0 ? 2 * epsilon * epsilon / (root * (root - s)) : (1 + s / root) / 2;
}

/// −H⁻¹Φ, with the diagonal of a singular H shifted.
[[nodiscard]] inline Vector shifted_newton_direction(Matrix H, const Vector& phi) {
  const double size = std::max(H.cwiseAbs().maxCoeff(), 1.0);
  for (double shift = 0; shift <= size; shift = std::max(100 * shift, 1e-8 * size)) {
    H.diagonal().array() += shift;
    const Eigen::PartialPivLU<Matrix> lu(H);
    if (lu.rcond() > 1e-14) return -lu.solve(phi);
  }
  return Vector::Zero(phi.size());
}

/// Newton's method with Armijo's line search on ½‖Φ_ε‖² while ε → 0: after each accepted step
/// ε ← min(`shrink` ε, ‖Φ_0‖²) when ‖Φ_ε‖ ≤ ε. `map(z, F, ε)` is Φ_ε, `jacobian(z, F, ε)` its
/// derivative; options: tolerance, max_iterations, epsilon, shrink.
template <class Problem, class Options, class Map, class Derivative>
SolveReport solve_by_smoothing(const Problem& problem, VectorRef z, const Options& options,
                               Map&& map, Derivative&& jacobian) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = z;
  double epsilon = options.epsilon, error = residual(problem, x);
  const double floor = 1e-3 * limit;  // ε of the order of the residual that is asked for
  const auto search = [&](const Vector& d, double before) {
    for (double t = 1; t > 1e-10; t /= 2) {
      const Vector trial = x + t * d, phi = map(trial, evaluate(problem.F, trial), epsilon);
      if (!phi.allFinite() || phi.norm() > (1 - 1e-4 * t) * before) continue;
      x = trial;
      return true;
    }
    return false;
  };
  while (error > limit && error < inf && outcome.iterations < options.max_iterations) {
    const Vector F = evaluate(problem.F, x), phi = map(x, F, epsilon);
    ++outcome.iterations;
    const Vector d = shifted_newton_direction(jacobian(x, F, epsilon), phi);
    const bool moved = d.allFinite() && search(d, phi.norm());
    error = residual(problem, x);
    const double now = map(x, evaluate(problem.F, x), epsilon).norm();
    if (!moved && epsilon <= floor) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    if (!moved || now <= epsilon)
      epsilon = std::max(floor, std::min(options.shrink * epsilon, error * error));
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
