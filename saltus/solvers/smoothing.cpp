#include "saltus/solvers/smoothing.hpp"

#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

double plus(double s, double epsilon) {
  if (s == -inf) return 0;
  const double root = std::hypot(s, 2 * epsilon);
  return s < 0 ? 2 * epsilon * epsilon / (root - s) : (s + root) / 2;
}

double plus_slope(double s, double epsilon) {
  if (s == -inf) return 0;
  const double root = std::hypot(s, 2 * epsilon);
  return s < 0 ? 2 * epsilon * epsilon / (root * (root - s)) : (1 + s / root) / 2;
}

/// Φ_ε(z); NaN where F is not defined.
Vector smoothed_map(const Mcp& problem, const Vector& z, const Vector& F, double epsilon) {
  Vector phi(problem.n);
  for (Index i = 0; i < problem.n; ++i) {
    const double x = z[i] - F[i];
    phi[i] = F[i] - plus(problem.lower[i] - x, epsilon) + plus(x - problem.upper[i], epsilon);
  }
  return phi;
}

Matrix smoothed_jacobian(const Mcp& problem, const Vector& z, const Vector& F, double epsilon) {
  Matrix J(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, z, J);
  for (Index i = 0; i < problem.n; ++i) {
    const double x = z[i] - F[i];
    const double slope =
        1 - plus_slope(problem.lower[i] - x, epsilon) - plus_slope(x - problem.upper[i], epsilon);
    J.row(i) *= slope;
    J(i, i) += 1 - slope;
  }
  return J;
}

/// −H⁻¹Φ, with the diagonal of a singular H shifted.
Vector direction(Matrix H, const Vector& phi) {
  const double size = std::max(H.cwiseAbs().maxCoeff(), 1.0);
  for (double shift = 0; shift <= size; shift = std::max(100 * shift, 1e-8 * size)) {
    H.diagonal().array() += shift;
    const Eigen::PartialPivLU<Matrix> lu(H);
    if (lu.rcond() > 1e-14) return -lu.solve(phi);
  }
  return Vector::Zero(phi.size());
}

/// Armijo's test on ½‖Φ_ε‖² along d.
bool search(const Mcp& problem, Vector& z, const Vector& d, double before, double epsilon) {
  for (double t = 1; t > 1e-10; t /= 2) {
    const Vector trial = z + t * d;
    const Vector phi = smoothed_map(problem, trial, evaluate(problem.F, trial), epsilon);
    if (phi.allFinite() && phi.norm() <= (1 - 1e-4 * t) * before) {
      z = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const Smoothing& options, Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = z;
  double epsilon = options.epsilon, error = residual(problem, x);
  const double floor = 1e-3 * limit;  // ε of the order of the residual that is asked for
  while (error > limit && error < inf && outcome.iterations < options.max_iterations) {
    const Vector F = evaluate(problem.F, x);
    const Vector phi = smoothed_map(problem, x, F, epsilon);
    ++outcome.iterations;
    const Vector d = direction(smoothed_jacobian(problem, x, F, epsilon), phi);
    const bool moved = d.allFinite() && search(problem, x, d, phi.norm(), epsilon);
    error = residual(problem, x);
    const double now = smoothed_map(problem, x, evaluate(problem.F, x), epsilon).norm();
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
