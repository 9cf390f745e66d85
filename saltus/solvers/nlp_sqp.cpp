#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/nlp_methods.hpp"
#include "saltus/solvers/nlp_threshold.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>

namespace saltus {

namespace {

/// Solution of a quadratic program: step and multipliers.
struct Step {
  Vector d, lambda, mu;
};

/// W shifted until it is positive definite where ∇h d = 0: W + c ∇hᵀ∇h is, for some large c.
/// The shift is of the size of W or of the gradient, so that the step is of order 1 at most.
void convexify(Matrix& W, const Matrix& H, double gradient) {
  const double size = std::max({1e-8, gradient, W.cwiseAbs().maxCoeff()});
  const double rows = H.size() == 0 ? 0.0 : H.squaredNorm();
  const double c = rows > 0 ? 1e6 * size / rows : 0.0;
  for (double shift = 0; shift <= 1e3 * size; shift = std::max(10 * shift, 0.1 * size)) {
    Matrix A = W + c * H.transpose() * H;
    A.diagonal().array() += shift - 1e-8 * size;  // definite by more than rounding
    if (Eigen::LLT<Matrix>(A).info() == Eigen::Success) {
      W.diagonal().array() += shift;
      return;
    }
  }
}

/// The KKT matrix of the quadratic program in (d, μ, λ), and its right-hand side.
void kkt(const NlpValues& v, const Matrix& W, Matrix& A, Vector& q) {
  const Index n = W.rows(), p = v.h.size(), m = v.g.size();
  A = Matrix::Zero(n + p + m, n + p + m);
  A.topLeftCorner(n, n) = W;
  A.block(0, n, n, p) = -v.H.transpose();
  A.block(n, 0, p, n) = v.H;
  A.block(0, n + p, n, m) = -v.G.transpose();
  A.block(n + p, 0, m, n) = v.G;
  q.resize(n + p + m);
  q << v.gradient, v.h, v.g;
}

bool quadratic_program(const NlpValues& v, const Matrix& W, Step& step, Workspace& work) {
  const Index n = W.rows(), p = v.h.size(), m = v.g.size();
  Matrix A;
  Vector q, x = Vector::Zero(n + p + m);
  kkt(v, W, A, q);
  if (m == 0) {
    x = -Eigen::PartialPivLU<Matrix>(A).solve(q);
  } else {
    Mlcp mlcp{BlockSparse::dense(A), q, {}};
    for (Index i = 0; i < n + p; ++i) mlcp.equalities.push_back(i);
    const SolveReport report = solve(mlcp, x, Lemke{.tolerance = 1e-10}, work);
    if (!report.converged()) return false;
  }
  step = {x.head(n), x.tail(m), x.segment(n, p)};
  return x.allFinite();
}

double l1_merit(const Nlp& problem, const Vector& z, double nu) {
  Vector g(problem.m), h(problem.p);
  if (problem.m > 0) problem.g(z, g);
  if (problem.p > 0) problem.h(z, h);
  const double value = problem.f(z) + nu * (h.lpNorm<1>() + (-g).cwiseMax(0).lpNorm<1>());
  return std::isfinite(value) ? value : inf;
}

/// Length of the step, 0 if none decreases the merit function.
double step_length(const Nlp& problem, const NlpValues& v, const Vector& z, const Step& s,
                   double nu) {
  const double before = l1_merit(problem, z, nu);
  const double violation = v.h.lpNorm<1>() + (-v.g).cwiseMax(0).lpNorm<1>();
  const double slope = v.gradient.dot(s.d) - nu * violation;
  const double slack = 1e-14 * std::max(1.0, std::abs(before));
  for (double t = 1; t > 1e-10; t /= 2)
    if (l1_merit(problem, z + t * s.d, nu) <= before + 1e-4 * t * std::min(slope, 0.0) + slack)
      return t;
  return 0;
}

/// Powell's damped BFGS update.
void update(Matrix& B, const Vector& s, Vector y) {
  const Vector Bs = B * s;
  const double sBs = s.dot(Bs), sy = s.dot(y);
  if (!(sBs > 0)) return;
  if (sy < 0.2 * sBs) {
    const double theta = 0.8 * sBs / (sBs - sy);
    y = theta * y + (1 - theta) * Bs;
  }
  B += y * y.transpose() / s.dot(y) - Bs * Bs.transpose() / sBs;
}

double largest(const Vector& v) { return v.size() == 0 ? 0.0 : v.lpNorm<Eigen::Infinity>(); }

Vector stationarity(const NlpValues& v, const Step& s) {
  return v.gradient - v.G.transpose() * s.lambda - v.H.transpose() * s.mu;
}

}  // namespace

SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpSqp& options, Workspace& work) {
  const Stopwatch clock;
  prepare(problem, point, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Matrix W = Matrix::Identity(problem.n, problem.n);
  NlpValues v = evaluate(problem, point.z);
  double nu = 0;
  while (residual(problem, point) > limit && outcome.iterations < options.max_iterations) {
    if (!options.bfgs) W = lagrangian_hessian(problem, point.z, point.lambda, point.mu);
    if (options.line_search && !options.bfgs) convexify(W, v.H, largest(v.gradient));
    Step step;
    ++outcome.iterations;
    double t = 1;
    const bool solved = quadratic_program(v, W, step, work);
    if (solved && options.line_search) {
      nu = std::max(nu, 1.5 * std::max(largest(step.lambda), largest(step.mu)));
      t = step_length(problem, v, point.z, step, nu);
    }
    if (!solved || t == 0) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    point = {point.z + t * step.d, point.lambda + t * (step.lambda - point.lambda),
             point.mu + t * (step.mu - point.mu)};
    const NlpValues next = evaluate(problem, point.z);
    if (options.bfgs) update(W, t * step.d, stationarity(next, step) - stationarity(v, step));
    v = next;
  }
  return judge(outcome, residual(problem, point), limit, clock);
}

}  // namespace saltus
