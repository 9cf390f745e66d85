#include "saltus/solvers/projection_methods.hpp"

#include <Eigen/SVD>

#include <cmath>

namespace saltus {

namespace {

constexpr double vanished = 1e-14;  // a step this small makes no progress in double precision

Vector projected(const Vi& problem, const Vector& x) {
  Vector p(problem.n);
  project(problem.X, x, p);
  return p;
}

/// The loop of every method: step(z, F(z)) moves z; false stops the run as stalled. Starts in X.
template <class Options, class Step>
SolveReport iterate(const Vi& problem, VectorRef z, const Options& options, Step&& step) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector x = projected(problem, z);
  while (outcome.iterations < options.max_iterations) {
    const Vector F = evaluate(problem.F, x);
    if (!F.allFinite() || natural_residual(problem.X, x, F) <= limit) break;
    ++outcome.iterations;
    if (!step(x, F)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  if (x.allFinite()) z = x;
  double error = residual(problem, z);
  const Vector inside = x.allFinite() ? projected(problem, x) : Vector(z);
  if (inside != z && residual(problem, inside) <= std::max(error, limit)) {
    z = inside;
    error = residual(problem, z);
  }
  return judge(outcome, error, limit, clock);
}

/// z̄ = P_X(z − γF) with γ halved until γ‖F(z) − F(z̄)‖ ≤ 0.9‖z − z̄‖ (S:B10).
struct Trial {
  Vector point, F;
};
bool self_adapt(const Vi& problem, const Vector& z, const Vector& F, double& gamma, Trial& trial) {
  for (; gamma > vanished; gamma /= 2) {
    trial.point = projected(problem, z - gamma * F);
    trial.F = evaluate(problem.F, trial.point);
    if (trial.F.allFinite() && gamma * (F - trial.F).norm() <= 0.9 * (z - trial.point).norm())
      return true;
  }
  return false;
}
void grow(const Vector& z, const Vector& F, const Trial& trial, double& gamma) {
  if (gamma * (F - trial.F).norm() < 0.3 * (z - trial.point).norm()) gamma *= 1.5;
}

}  // namespace

SolveReport solve(const Vi& problem, VectorRef z, const ViFixedPoint& options, Workspace&) {
  return iterate(problem, z, options, [&](Vector& x, const Vector& F) {
    x = projected(problem, x - options.gamma * F);
    return x.allFinite();
  });
}

SolveReport solve(const Vi& problem, VectorRef z, const ViDiminishingStep& options, Workspace&) {
  double k = 0;
  return iterate(problem, z, options, [&](Vector& x, const Vector& F) {
    const double gamma = options.gamma / std::pow(++k, options.power);
    x = projected(problem, x - gamma / std::max(1.0, F.norm()) * F);
    return x.allFinite();
  });
}

SolveReport solve(const Vi& problem, VectorRef z, const ViVariableStep& options, Workspace&) {
  double gamma = options.gamma;
  return iterate(problem, z, options, [&](Vector& x, const Vector& F) {
    for (; gamma > vanished; gamma /= 2) {
      const Vector next = projected(problem, x - gamma * F);
      const Vector change = F - evaluate(problem.F, next);
      const double square = change.squaredNorm();
      if (!std::isfinite(square)) continue;
      const double c = square > 0 ? change.dot(x - next) / square : inf;
      if (gamma > 1.8 * c) continue;
      x = next;
      if (gamma < 0.6 * c) gamma *= 1.5;
      return true;
    }
    return false;
  });
}

SolveReport solve(const Vi& problem, VectorRef z, const ViExtragradient& options, Workspace&) {
  double gamma = options.gamma;
  return iterate(problem, z, options, [&](Vector& x, const Vector& F) {
    Trial trial;
    if (options.adaptive) {
      if (!self_adapt(problem, x, F, gamma, trial)) return false;
    } else {
      trial.point = projected(problem, x - gamma * F);
      trial.F = evaluate(problem.F, trial.point);
    }
    const Vector old = x;
    x = projected(problem, x - gamma * trial.F);
    if (options.adaptive) grow(old, F, trial, gamma);
    return x.allFinite();
  });
}

SolveReport solve(const Vi& problem, VectorRef z, const ViSolodovTseng& options, Workspace&) {
  double gamma = options.gamma;
  return iterate(problem, z, options, [&](Vector& x, const Vector& F) {
    Trial trial;
    if (!self_adapt(problem, x, F, gamma, trial)) return false;
    const Vector gap = x - trial.point, difference = gap - gamma * (F - trial.F);
    const double square = difference.squaredNorm();
    if (!(square > 0)) return false;
    const Vector old = x;
    x -= options.theta * gap.dot(difference) / square * difference;
    grow(old, F, trial, gamma);
    return x.allFinite();
  });
}

SolveReport solve(const Vi& problem, VectorRef z, const ViHyperplane& options, Workspace&) {
  return iterate(problem, z, options, [&](Vector& x, const Vector& F) {
    const Vector gap = x - projected(problem, x - options.tau * F);
    const double least = options.sigma / options.tau * gap.squaredNorm();
    for (double t = 1; t > vanished; t /= 2) {
      const Vector Ft = evaluate(problem.F, x - t * gap);
      if (!Ft.allFinite() || Ft.dot(gap) < least) continue;
      const double square = Ft.squaredNorm();
      if (!(square > 0)) return false;
      x = projected(problem, x - t * Ft.dot(gap) / square * Ft);
      return true;
    }
    return false;
  });
}

namespace {

/// A factor of X: rows first … first + size − 1.
struct Piece {
  Set set;
  Index first, size;
  double scale;  ///< ‖M_ff‖₂
};

void add_pieces(const Set& X, Index first, Index n, std::vector<Piece>& pieces) {
  if (const Product* product = std::get_if<Product>(&X)) {
    for (const Factor& factor : product->factors) {
      add_pieces(factor.set, first, factor.dimension, pieces);
      first += factor.dimension;
    }
    return;
  }
  Vector lower(n), upper(n);
  if (!box_bounds(X, lower, upper)) {
    pieces.push_back({X, first, n, 0});
    return;
  }
  for (Index i = 0; i < n; ++i) pieces.push_back({Interval{lower[i], upper[i]}, first + i, 1, 0});
}

}  // namespace

SolveReport solve(const Avi& problem, VectorRef z, const AviSplitting& options, Workspace&) {
  const Stopwatch clock;
  validate(options);
  validate(problem);
  require(z.size() == problem.q.size(), "AviSplitting: z has size {}, the problem {}", z.size(),
          problem.q.size());
  require(z.allFinite(), "AviSplitting: the initial guess holds NaN or infinity");
  const double limit = threshold(options.tolerance, problem.q);
  const Matrix M = problem.M.to_dense();
  std::vector<Piece> pieces;
  add_pieces(problem.X, 0, z.size(), pieces);
  Outcome outcome{SolveStatus::max_iterations, 0};
  for (Piece& p : pieces) {
    const Matrix block = M.block(p.first, p.first, p.size, p.size);
    p.scale = Eigen::JacobiSVD<Matrix>(block).singularValues()[0];
    if (p.scale == 0)
      return judge({SolveStatus::numerical_error, 0}, residual(problem, z), limit, clock);
  }
  while (residual(problem, z) > limit && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    for (const Piece& p : pieces) {
      auto part = z.segment(p.first, p.size);
      const Vector u = M.middleRows(p.first, p.size) * z + problem.q.segment(p.first, p.size);
      const Vector target = part - options.omega / p.scale * u;
      project(p.set, target, part);
    }
    if (!z.allFinite()) break;
  }
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
