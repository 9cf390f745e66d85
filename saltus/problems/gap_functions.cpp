#include "saltus/problems/gap_functions.hpp"

#include "saltus/base/report.hpp"

#include <array>

namespace saltus {

namespace {

void check(const char* what, const Vi& problem, ConstVectorRef z) {
  require(static_cast<bool>(problem.F), "{}: F is empty, expected a function", what);
  require(z.size() == problem.n, "{}: z has size {}, the problem {}", what, z.size(), problem.n);
}

void check_alpha(const char* what, double alpha) {
  require(alpha > 0 && alpha < inf, "{}: alpha is {}, expected > 0", what, alpha);
}

/// argmin {F·y : y ∈ X}, components where F is 0 taken from z.
void linear_minimiser(const Set& X, ConstVectorRef z, ConstVectorRef F, VectorRef y) {
  const Index n = z.size();
  if (const auto* product = std::get_if<Product>(&X)) {
    Index first = 0;
    for (const Factor& factor : product->factors) {
      const Index size = factor.dimension;
      linear_minimiser(factor.set, z.segment(first, size), F.segment(first, size),
                       y.segment(first, size));
      first += size;
    }
    return;
  }
  const auto ball = [&](ConstVectorRef center, double radius) {
    const double norm = F.norm();
    y = norm > 0 ? Vector(center - radius / norm * F) : Vector(z);
  };
  if (const auto* b = std::get_if<Ball>(&X)) return ball(b->center, b->radius);
  if (const auto* d = std::get_if<Disk>(&X)) return ball(Vector::Zero(2), d->radius);
  Vector lower(n), upper(n);
  require(box_bounds(X, lower, upper) && lower.allFinite() && upper.allFinite(),
          "gap_point: the set {} is not compact, expected bounded boxes, balls and disks", name(X));
  for (Index i = 0; i < n; ++i) y[i] = F[i] > 0 ? lower[i] : F[i] < 0 ? upper[i] : z[i];
}

Matrix jacobian(const Vi& problem, ConstVectorRef z) {
  Matrix J(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, z, J);
  return J;
}

void check_d_gap(const Vi& problem, ConstVectorRef z, double alpha, double beta) {
  check("d_gap", problem, z);
  require(0 < alpha && alpha < beta && beta < inf,
          "d_gap: alpha is {}, beta is {}, expected 0 < alpha < beta", alpha, beta);
}

}  // namespace

double gap(const Vi& problem, ConstVectorRef z) {
  check("gap", problem, z);
  const Vector F = evaluate(problem.F, z);
  return F.dot(z) + support(problem.X, -F);
}

Vector gap_point(const Vi& problem, ConstVectorRef z) {
  check("gap_point", problem, z);
  Vector y(problem.n);
  linear_minimiser(problem.X, z, evaluate(problem.F, z), y);
  return y;
}

Vector regularised_gap_point(const Vi& problem, ConstVectorRef z, double alpha) {
  check("regularised_gap_point", problem, z);
  check_alpha("regularised_gap_point", alpha);
  Vector y = z - evaluate(problem.F, z) / alpha;
  project(problem.X, y, y);
  return y;
}

double regularised_gap(const Vi& problem, ConstVectorRef z, double alpha) {
  const Vector step = z - regularised_gap_point(problem, z, alpha);
  return evaluate(problem.F, z).dot(step) - alpha / 2 * step.squaredNorm();
}

Vector regularised_gap_gradient(const Vi& problem, ConstVectorRef z, double alpha) {
  const Vector step = z - regularised_gap_point(problem, z, alpha);
  return evaluate(problem.F, z) + jacobian(problem, z).transpose() * step - alpha * step;
}

double d_gap(const Vi& problem, ConstVectorRef z, double alpha, double beta) {
  check_d_gap(problem, z, alpha, beta);
  return regularised_gap(problem, z, alpha) - regularised_gap(problem, z, beta);
}

Vector d_gap_gradient(const Vi& problem, ConstVectorRef z, double alpha, double beta) {
  check_d_gap(problem, z, alpha, beta);
  const Vector a = regularised_gap_point(problem, z, alpha),
               b = regularised_gap_point(problem, z, beta);
  return jacobian(problem, z).transpose() * (b - a) - alpha * (z - a) + beta * (z - b);
}

double auchmuty_lagrangian(const Vi& problem, const std::function<double(ConstVectorRef)>& f,
                           const VectorFunction& gradient, ConstVectorRef z, ConstVectorRef y) {
  check("auchmuty_lagrangian", problem, z);
  check("auchmuty_lagrangian", problem, y);
  require(f && gradient, "auchmuty_lagrangian: f or its gradient is empty, expected functions");
  return f(z) - f(y) + (evaluate(problem.F, z) - evaluate(gradient, z)).dot(z - y);
}

double potential(const VectorFunction& F, ConstVectorRef z) {
  require(static_cast<bool>(F), "potential: F is empty, expected a function");
  constexpr std::array<double, 4> node{0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                       0.9602898564975363};
  constexpr std::array<double, 4> weight{0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
  double sum = 0;
  for (std::size_t i = 0; i < node.size(); ++i)
    for (const double side : {-1.0, 1.0})
      sum += weight[i] * evaluate(F, (1 + side * node[i]) / 2 * z).dot(z);
  return sum / 2;
}

}  // namespace saltus
