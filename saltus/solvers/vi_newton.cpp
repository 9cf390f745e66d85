#include "saltus/solvers/vi_newton.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

Vector direction(const Matrix& H, const Vector& phi, const Vector& gradient) {
  const Vector d = -Eigen::PartialPivLU<Matrix>(H).solve(phi);
  if (d.allFinite() && gradient.dot(d) <= -1e-9 * std::pow(d.norm(), 2.1)) return d;
  Matrix A = H.transpose() * H;
  A.diagonal().array() += 1e-4 * std::min(1.0, phi.norm());
  return -A.ldlt().solve(gradient);
}

/// Newton with line search on ½‖Φ‖²: map(x) = Φ(x), jacobian(x) ∈ ∂Φ(x), error(x) = the residual at
/// x.
template <class Map, class Jacobian, class Error>
Outcome newton(Vector& x, double limit, int max_iterations, Map&& map, Jacobian&& jacobian,
               Error&& error) {
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector phi = map(x);
  while (phi.allFinite() && error(x) > limit && outcome.iterations < max_iterations) {
    const Matrix H = jacobian(x);
    const Vector gradient = H.transpose() * phi;
    ++outcome.iterations;
    const Vector d = direction(H, phi, gradient);
    bool moved = false;
    for (double t = 1; d.allFinite() && !moved && t > 1e-10; t /= 2) {
      const Vector trial = x + t * d, value = map(trial);
      moved = value.allFinite() && value.squaredNorm() <= (1 - 2e-4 * t) * phi.squaredNorm();
      if (moved) {
        x = trial;
        phi = value;
      }
    }
    if (!moved) return {SolveStatus::stalled, outcome.iterations};
  }
  return outcome;
}

Matrix map_jacobian(const Vi& problem, const Vector& z) {
  Matrix J(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, z, J);
  return J;
}

}  // namespace

SolveReport solve(const Vi& problem, VectorRef z, const NaturalMapNewton& options, Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  const Index n = problem.n;
  Vector x = z;
  const Outcome outcome = newton(
      x, limit, options.max_iterations,
      [&](const Vector& point) {
        Vector phi(n);
        natural_map(problem, point, phi, options.rho);
        return phi;
      },
      [&](const Vector& point) {
        Matrix slope(n, n);
        projection_jacobian(problem.X, point - options.rho * evaluate(problem.F, point), slope);
        const Matrix inside = Matrix::Identity(n, n) - options.rho * map_jacobian(problem, point);
        return Matrix(Matrix::Identity(n, n) - slope * inside);
      },
      [&](const Vector& point) { return residual(problem, point); });
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

SolveReport solve(const Vi& problem, VectorRef z, const NormalMapNewton& options, Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  const Index n = problem.n;
  const auto projected = [&](const Vector& y) {
    Vector x(n);
    project(problem.X, y, x);
    return x;
  };
  Vector y = projected(z);
  y -= evaluate(problem.F, y);
  const Outcome outcome = newton(
      y, limit, options.max_iterations,
      [&](const Vector& point) {
        Vector phi(n);
        normal_map(problem, point, phi);
        return phi;
      },
      [&](const Vector& point) {
        Matrix slope(n, n);
        projection_jacobian(problem.X, point, slope);
        return Matrix(map_jacobian(problem, projected(point)) * slope + Matrix::Identity(n, n) -
                      slope);
      },
      [&](const Vector& point) { return residual(problem, projected(point)); });
  if (y.allFinite()) z = projected(y);
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
