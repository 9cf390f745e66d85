#include "saltus/solvers/nlp_projection.hpp"

#include "saltus/solvers/vi_threshold.hpp"

#include <Eigen/Cholesky>

#include <cmath>

namespace saltus {

namespace {

/// The direction p of the second-order scaling and the set I⁺.
struct Scaled {
  Vector p;
  std::vector<bool> pushed;
};

/// ∇²f_JJ p_J = ∇f_J, the matrix shifted until it is positive definite.
Vector newton_part(Matrix A, const Vector& g) {
  const double size = std::max(1e-8, A.diagonal().cwiseAbs().maxCoeff());
  for (double shift = 0; shift <= 1e12 * size; shift = std::max(10 * shift, 1e-3 * size)) {
    Matrix shifted = A;
    shifted.diagonal().array() += shift;
    const Eigen::LLT<Matrix> llt(shifted);
    if (llt.info() == Eigen::Success) return llt.solve(g);
  }
  return g;
}

Scaled scaled(const Vi& problem, const Vector& z, const Vector& g, const Vector& lower,
              const Vector& upper, double epsilon) {
  Scaled s{g, std::vector<bool>(static_cast<std::size_t>(problem.n))};
  std::vector<Index> free;
  for (Index i = 0; i < problem.n; ++i) {
    const bool pushed =
        (z[i] <= lower[i] + epsilon && g[i] > 0) || (z[i] >= upper[i] - epsilon && g[i] < 0);
    s.pushed[static_cast<std::size_t>(i)] = pushed;
    if (!pushed) free.push_back(i);
  }
  if (free.empty()) return s;
  Matrix hessian(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, z, hessian);
  const Vector p = newton_part(hessian(free, free), g(free));
  for (std::size_t k = 0; k < free.size(); ++k) s.p[free[k]] = p[static_cast<Index>(k)];
  return s;
}

/// What the test asks f to fall by, for σ = 1.
double predicted(const Scaled& s, const Vector& g, const Vector& z, const Vector& next,
                 double alpha, bool newton) {
  if (!newton) return g.dot(z - next);
  double sum = 0;
  for (Index i = 0; i < g.size(); ++i)
    sum += g[i] * (s.pushed[static_cast<std::size_t>(i)] ? z[i] - next[i] : alpha * s.p[i]);
  return sum;
}

}  // namespace

SolveReport solve(const SetNlp& problem, VectorRef z, const NlpGradientProjection& options,
                  Workspace&) {
  const Stopwatch clock;
  const Vi vi = to_vi(problem);
  require_valid(vi, z, options);
  Vector lower(problem.n), upper(problem.n), x(problem.n), next(problem.n);
  require(!options.newton || box_bounds(problem.X, lower, upper),
          "NlpGradientProjection: the set is {}, expected a box with newton", name(problem.X));
  const double limit = threshold(options.tolerance, vi);
  Outcome outcome{SolveStatus::max_iterations, 0};
  project(problem.X, z, x);
  double error = residual(vi, x);
  while (error > limit && error < inf && outcome.iterations < options.max_iterations) {
    const Vector g = evaluate(vi.F, x);
    const double before = problem.f(x), slack = 1e-15 * std::abs(before);  // rounding of f
    const Scaled s =
        options.newton ? scaled(vi, x, g, lower, upper, std::min(1e-3, error)) : Scaled{g, {}};
    ++outcome.iterations;
    bool moved = false;
    for (double alpha = options.step; alpha > 1e-14 && !moved; alpha *= options.shrink) {
      project(problem.X, x - alpha * s.p, next);
      const double fall = options.sigma * predicted(s, g, x, next, alpha, options.newton);
      moved = before - problem.f(next) >= fall - slack && next != x;
    }
    if (!moved) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    x = next;
    error = residual(vi, x);
  }
  z = x;
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
