#include "saltus/solvers/nlp_projection.hpp"
#include "saltus/solvers/nlp_threshold.hpp"

#include <Eigen/QR>

#include <cmath>
#include <vector>

namespace saltus {

namespace {

constexpr double on_face = 1e-12;  // a slack this small, in units of max(1, ‖z‖∞), is zero

/// Error unless the point is feasible and the constraints are affine (equal gradients at z and at
/// z + (1 … 1), up to the error of differences).
void require_affine_feasible(const Nlp& problem, const Vector& z) {
  const NlpValues here = evaluate(problem, z);
  const NlpValues there = evaluate(problem, z + Vector::Ones(problem.n));
  const auto same = [](const Matrix& a, const Matrix& b) {
    return a.size() == 0 ||
           (a - b).cwiseAbs().maxCoeff() <= 1e-6 * std::max(1.0, a.cwiseAbs().maxCoeff());
  };
  require(same(here.G, there.G) && same(here.H, there.H),
          "NlpRosen: the gradients of the constraints change, expected affine constraints");
  for (Index i = 0; i < problem.m; ++i)
    require(here.g[i] >= -1e-10, "NlpRosen: g_{} is {} at the initial guess, expected >= 0", i,
            here.g[i]);
  for (Index i = 0; i < problem.p; ++i)
    require(std::abs(here.h[i]) <= 1e-10, "NlpRosen: h_{} is {} at the initial guess, expected 0",
            i, here.h[i]);
}

/// The direction in the tangent space of the working rows, and their multipliers.
struct Tangent {
  Vector d, lambda, mu;
};
Tangent tangent(const NlpValues& v, const std::vector<Index>& working) {
  const Index m = v.g.size(), p = v.h.size(), k = static_cast<Index>(working.size());
  Tangent t{-v.gradient, Vector::Zero(m), Vector::Zero(p)};
  if (p + k == 0) return t;
  Matrix N(p + k, v.gradient.size());
  N.topRows(p) = v.H;
  for (Index i = 0; i < k; ++i) N.row(p + i) = v.G.row(working[static_cast<std::size_t>(i)]);
  const Vector y = N.transpose().completeOrthogonalDecomposition().solve(v.gradient);
  t.d += N.transpose() * y;
  t.mu = y.head(p);
  for (Index i = 0; i < k; ++i) t.lambda[working[static_cast<std::size_t>(i)]] = y[p + i];
  return t;
}

/// The row with the most negative multiplier, or working.size().
std::size_t leaving(const std::vector<Index>& working, const Vector& lambda, double tolerance) {
  std::size_t row = working.size();
  double least = -tolerance;
  for (std::size_t i = 0; i < working.size(); ++i)
    if (lambda[working[i]] < least) {
      least = lambda[working[i]];
      row = i;
    }
  return row;
}

/// Largest step along d with g ≥ 0, and the row that stops it (−1: none).
double to_next_face(const NlpValues& v, const Vector& d, const std::vector<Index>& working,
                    Index& row) {
  double t = inf;
  row = -1;
  for (Index i = 0; i < v.g.size(); ++i) {
    if (std::find(working.begin(), working.end(), i) != working.end()) continue;
    const double slope = v.G.row(i).dot(d);
    if (!(slope < -1e-14 * v.G.row(i).norm() * d.norm())) continue;
    const double here = std::max(0.0, v.g[i]) / -slope;
    if (here < t) {
      t = here;
      row = i;
    }
  }
  return t;
}

}  // namespace

SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpRosen& options, Workspace&) {
  const Stopwatch clock;
  prepare(problem, point, options);
  require_affine_feasible(problem, point.z);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  std::vector<Index> working;
  double trial = 1;
  while (outcome.iterations < options.max_iterations) {
    const NlpValues v = evaluate(problem, point.z);
    const Tangent s = tangent(v, working);
    if (!s.d.allFinite()) {
      outcome.status = SolveStatus::numerical_error;
      break;
    }
    point.lambda = s.lambda.cwiseMax(0);
    point.mu = s.mu;
    if (residual(problem, point) <= limit) break;
    ++outcome.iterations;
    if (s.d.lpNorm<Eigen::Infinity>() <= 0.5 * limit) {
      const std::size_t row = leaving(working, s.lambda, 0.5 * limit);
      if (row == working.size()) {
        outcome.status = SolveStatus::stalled;
        break;
      }
      working.erase(working.begin() + static_cast<std::ptrdiff_t>(row));
      continue;
    }
    Index row = -1;
    const double longest = to_next_face(v, s.d, working, row);
    const double size = on_face * std::max(1.0, point.z.lpNorm<Eigen::Infinity>());
    if (longest * s.d.norm() <= size) {  // already on that face
      working.push_back(row);
      continue;
    }
    double t = std::min(longest, 2 * trial);
    const double square = s.d.squaredNorm(), slack = 1e-15 * std::abs(v.f);
    while (t > 1e-14 && !(problem.f(point.z + t * s.d) <= v.f - 1e-4 * t * square + slack)) t /= 2;
    if (t <= 1e-14) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    point.z += t * s.d;
    trial = t;
    if (t == longest) working.push_back(row);
  }
  return judge(outcome, residual(problem, point), limit, clock);
}

}  // namespace saltus
