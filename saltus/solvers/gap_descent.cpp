#include "saltus/solvers/gap_descent.hpp"

#include <cmath>

namespace saltus {

namespace {

/// The step along d; false if 1e-12 is still too long.
bool gap_search(const Vi& problem, Vector& z, const Vector& d, double alpha, double sigma) {
  const double before = regularised_gap(problem, z, alpha), square = d.squaredNorm();
  for (double t = 1; t > 1e-12; t /= 2) {
    const Vector trial = z + t * d;
    if (regularised_gap(problem, trial, alpha) <= before - sigma * t * square) {
      z = trial;
      return true;
    }
  }
  return false;
}

/// Inverse BFGS update with s = step, y = change of the gradient; skipped unless s·y > 0.
void update(Matrix& B, const Vector& s, const Vector& y) {
  const double sy = s.dot(y);
  if (!(sy > 1e-14 * s.norm() * y.norm())) return;
  const Vector By = B * y;
  const double factor = (1 + y.dot(By) / sy) / sy;
  B += factor * s * s.transpose() - (By * s.transpose() + s * By.transpose()) / sy;
}

bool d_gap_search(const Vi& problem, Vector& z, const Vector& d, double slope,
                  const DGapDescent& options) {
  const double before = d_gap(problem, z, options.alpha, options.beta);
  for (double t = 1; t > 1e-12; t /= 2) {
    const Vector trial = z + t * d;
    if (d_gap(problem, trial, options.alpha, options.beta) <= before + 1e-4 * t * slope) {
      z = trial;
      return true;
    }
  }
  return false;
}

/// The longest t = 1, ½, … with G(z + td) ≤ (1 − σt) G(z); false if 1e-12 is still too long.
bool plain_gap_search(const Vi& problem, Vector& z, const Vector& d, double sigma) {
  const double before = gap(problem, z);
  for (double t = 1; t > 1e-12; t /= 2) {
    const Vector trial = z + t * d;
    if (gap(problem, trial) <= (1 - sigma * t) * before) {
      z = trial;
      return true;
    }
  }
  return false;
}

}  // namespace

SolveReport solve(const Vi& problem, VectorRef z, const GapDescent& options, Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x(problem.n);
  project(problem.X, z, x);
  while (residual(problem, x) > limit && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    const Vector d = gap_point(problem, x) - x;
    if (!d.allFinite() || !plain_gap_search(problem, x, d, options.sigma)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

SolveReport solve(const Vi& problem, VectorRef z, const RegularisedGapDescent& options,
                  Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x(problem.n);
  project(problem.X, z, x);
  double alpha = options.alpha;
  while (residual(problem, x) > limit && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    const Vector d = regularised_gap_point(problem, x, alpha) - x;
    if (d.allFinite() && gap_search(problem, x, d, alpha, options.sigma)) continue;
    alpha /= 2;
    if (alpha < 1e-6 * options.alpha) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

SolveReport solve(const Vi& problem, VectorRef z, const DGapDescent& options, Workspace&) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  require(options.alpha < options.beta,
          "DGapDescent: alpha is {}, beta is {}, expected alpha < beta", options.alpha,
          options.beta);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = z, gradient = d_gap_gradient(problem, x, options.alpha, options.beta);
  Matrix B = Matrix::Identity(problem.n, problem.n);
  bool fresh = true;
  while (residual(problem, x) > limit && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    const Vector d = -B * gradient, old = x;
    const double slope = gradient.dot(d);
    if (slope < 0 && d_gap_search(problem, x, d, slope, options)) {
      const Vector next = d_gap_gradient(problem, x, options.alpha, options.beta);
      update(B, x - old, next - gradient);
      gradient = next;
      fresh = false;
    } else if (fresh) {
      outcome.status = SolveStatus::stalled;
      break;
    } else {
      B.setIdentity();
      fresh = true;
    }
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
