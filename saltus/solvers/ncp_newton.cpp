#include "saltus/solvers/ncp_newton.hpp"

#include "saltus/problems/mcp_merit.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// Everything at one iterate.
struct Point {
  explicit Point(Index n) : F(n), phi(n), gradient(n), J(n, n), H(n, n) {}
  Vector F, phi, gradient;
  Matrix J, H;
  double merit = inf;
};

/// Ψ(z), infinite where F is not defined.
double merit(const Mcp& problem, const Vector& z, double lambda, Vector& F, Vector& phi) {
  problem.F(z, F);
  if (!F.allFinite()) return inf;
  fischer_map(problem, z, F, lambda, phi);
  return phi.allFinite() ? phi.squaredNorm() / 2 : inf;
}

Vector levenberg_marquardt(const Point& p, double shift) {
  Matrix A = p.H.transpose() * p.H;
  A.diagonal().array() += shift;
  return -A.ldlt().solve(p.gradient);
}

Vector newton(const Point& p) {
  const Eigen::PartialPivLU<Matrix> lu(p.H);
  const Vector d = -lu.solve(p.phi);
  // B9: κ = 1e-9, p = 2.1
  if (d.allFinite() && p.gradient.dot(d) <= -1e-9 * std::pow(d.norm(), 2.1)) return d;
  const double scale = std::max(1.0, p.H.squaredNorm() / static_cast<double>(p.H.rows()));
  return levenberg_marquardt(p, 1e-6 * scale * std::min(1.0, p.phi.norm()));
}

/// Conjugate gradients on HᵀH d = −HᵀΦ until ‖H d + Φ‖ ≤ eta ‖Φ‖ or 2n steps.
Vector conjugate_gradients(const Point& p, double eta) {
  const double target = eta * p.phi.norm();
  Vector d = Vector::Zero(p.phi.size()), r = -p.phi, s = -p.gradient, direction = s;
  double gamma = s.squaredNorm();
  for (Index k = 0; k < 2 * d.size() && r.norm() > target && gamma > 0; ++k) {
    const Vector image = p.H * direction;
    const double alpha = gamma / image.squaredNorm();
    if (!std::isfinite(alpha)) break;
    d += alpha * direction;
    r -= alpha * image;
    s = p.H.transpose() * r;
    const double next = s.squaredNorm();
    direction = s + next / gamma * direction;
    gamma = next;
  }
  return d;
}

/// Armijo's test on Ψ along d: z, F, Φ and Ψ of the accepted point; false if no step is accepted.
bool search(const Mcp& problem, Vector& z, const Vector& d, double lambda, Point& p) {
  const double slope = p.gradient.dot(d);
  if (!(slope < 0)) return false;
  Vector trial(z.size());
  const double before = p.merit;
  for (double t = 1; t > 1e-12; t /= 2) {
    trial = z + t * d;
    const double value = merit(problem, trial, lambda, p.F, p.phi);
    if (value <= before + 1e-4 * t * slope) {
      z = trial;
      p.merit = value;
      return true;
    }
  }
  return false;
}

template <class Options, class Direction>
SolveReport iterate(const Mcp& problem, VectorRef z, const Options& options, double lambda,
                    Direction&& direction) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Point p(problem.n);
  Vector x = z;
  p.merit = merit(problem, x, lambda, p.F, p.phi);
  const auto natural = [&] {
    return natural_map(problem, x, p.F).template lpNorm<Eigen::Infinity>();
  };
  if (problem.n == 0) return judge(outcome, residual(problem, z), limit, clock);
  while (p.merit < inf && natural() > limit && outcome.iterations < options.max_iterations) {
    evaluate_jacobian(problem.F, problem.jacobian, x, p.J);
    fischer_jacobian(problem, x, p.F, p.J, lambda, p.H);
    p.gradient = p.H.transpose() * p.phi;
    ++outcome.iterations;
    const Vector d = direction(p);
    if (!d.allFinite() || !search(problem, x, d, lambda, p)) {
      if (!search(problem, x, -p.gradient, lambda, p)) {
        outcome.status = SolveStatus::stalled;
        break;
      }
    }
    z = x;
  }
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NcpNewton& options, Workspace&) {
  return iterate(problem, z, options, options.lambda, [](const Point& p) { return newton(p); });
}

SolveReport solve(const Mcp& problem, VectorRef z, const NcpLevenbergMarquardt& options,
                  Workspace&) {
  return iterate(problem, z, options, 1, [&](const Point& p) {
    return levenberg_marquardt(p, options.factor * std::min(1.0, p.phi.squaredNorm()));
  });
}

SolveReport solve(const Mcp& problem, VectorRef z, const NcpInexactNewton& options, Workspace&) {
  return iterate(problem, z, options, 1, [&](const Point& p) {
    return conjugate_gradients(p, std::min(options.forcing, p.phi.norm()));
  });
}

}  // namespace saltus
