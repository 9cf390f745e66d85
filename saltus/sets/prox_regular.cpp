#include "saltus/sets/prox_regular.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/sets/nonnegative_least_squares.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr int most_linearisations = 1000;

SolveReport project_out(const BallComplement& ball, ConstVectorRef x, VectorRef p) {
  const Vector z = x - ball.center;
  const double norm = z.norm();
  p = x;
  SolveReport report{.status = SolveStatus::converged, .residual = 0};
  if (norm >= ball.radius) return report;
  if (norm == 0) {
    report.status = SolveStatus::stalled;
    return report;
  }
  p = ball.center + ball.radius / norm * z;
  return report;
}

/// The shortest y with G y ≥ h, by nonnegative least squares on [Gᵀ; hᵀ] u ≈ (0, 1). False if
/// there is none. [Lawson & Hanson 1974, chapter 23]
bool least_distance(const Matrix& G, const Vector& h, Vector& y) {
  if (h.maxCoeff() <= 0) {
    y.setZero(G.cols());
    return true;
  }
  Matrix E(G.cols() + 1, G.rows());
  E << G.transpose(), h.transpose();
  const Vector last = Vector::Unit(E.rows(), E.rows() - 1);
  const Vector r = nonnegative_least_squares(E, last).residual;  // last − E u
  if (r[r.size() - 1] <= 0) return false;
  y = -r.head(G.cols()) / r[r.size() - 1];
  return true;
}

SolveReport project_on(const SmoothSet& set, ConstVectorRef x, VectorRef p) {
  Vector g(set.m), y;
  Matrix G(set.m, set.n);
  SolveReport report{.status = SolveStatus::max_iterations};
  p = x;
  const double goal = 1e-14 * std::max(1.0, x.norm());
  while (report.iterations < most_linearisations) {
    ++report.iterations;
    set.g(p, g);
    set.slope(p, G);
    if (!g.allFinite() || !G.allFinite()) {
      report.status = SolveStatus::numerical_error;
      return report;
    }
    if (!least_distance(G, Vector(G * (p - x) - g), y)) {
      report.status = SolveStatus::infeasible;
      return report;
    }
    report.residual = (x + y - p).norm();
    p = x + y;
    if (report.residual <= goal) {
      report.status = SolveStatus::converged;
      break;
    }
  }
  return report;
}

}  // namespace

void validate(const ProxRegularSet& set, Index n) {
  std::visit(Overloaded{[&](const BallComplement& ball) {
                          require(ball.center.size() == n && ball.center.allFinite(),
                                  "BallComplement: center has size {}, expected {} finite entries",
                                  ball.center.size(), n);
                          require(ball.radius > 0 && std::isfinite(ball.radius),
                                  "BallComplement: radius is {}, expected > 0", ball.radius);
                        },
                        [&](const SmoothSet& smooth) {
                          require(smooth.n == n && smooth.m >= 1,
                                  "SmoothSet: n is {} and m is {}, expected {} and at least 1",
                                  smooth.n, smooth.m, n);
                          require(smooth.g && smooth.slope, "SmoothSet: g or its slope is missing");
                          require(smooth.r > 0, "SmoothSet: r is {}, expected > 0", smooth.r);
                        }},
             set);
}

double prox_regularity(const ProxRegularSet& set) {
  return std::visit(Overloaded{[](const BallComplement& ball) { return ball.radius; },
                               [](const SmoothSet& smooth) { return smooth.r; }},
                    set);
}

Index constraints(const ProxRegularSet& set) {
  const auto* smooth = std::get_if<SmoothSet>(&set);
  return smooth != nullptr ? smooth->m : 1;
}

void evaluate(const ProxRegularSet& set, ConstVectorRef x, VectorRef g) {
  std::visit(Overloaded{[&](const BallComplement& ball) {
                          g[0] = ((x - ball.center).squaredNorm() / ball.radius - ball.radius) / 2;
                        },
                        [&](const SmoothSet& smooth) { smooth.g(x, g); }},
             set);
}

void evaluate_slope(const ProxRegularSet& set, ConstVectorRef x, MatrixRef slope) {
  std::visit(Overloaded{[&](const BallComplement& ball) {
                          slope.row(0) = (x - ball.center).transpose() / ball.radius;
                        },
                        [&](const SmoothSet& smooth) { smooth.slope(x, slope); }},
             set);
}

SolveReport project(const ProxRegularSet& set, ConstVectorRef x, VectorRef p) {
  return std::visit(Overloaded{[&](const BallComplement& ball) { return project_out(ball, x, p); },
                               [&](const SmoothSet& smooth) { return project_on(smooth, x, p); }},
                    set);
}

}  // namespace saltus
