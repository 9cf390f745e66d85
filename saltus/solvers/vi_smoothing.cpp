#include "saltus/solvers/vi_smoothing.hpp"

#include "saltus/solvers/smoothing_iteration.hpp"

namespace saltus {

namespace {

void smooth_bounds(const Vector& lower, const Vector& upper, ConstVectorRef x, double epsilon,
                   VectorRef p, MatrixRef J) {
  J.setZero();
  for (Index i = 0; i < x.size(); ++i) {
    const double below = lower[i] - x[i], above = x[i] - upper[i];
    p[i] = x[i] + smooth_plus(below, epsilon) - smooth_plus(above, epsilon);
    J(i, i) = 1 - smooth_plus_slope(below, epsilon) - smooth_plus_slope(above, epsilon);
  }
}

/// p = s(ρ) y/ρ with s odd: J = s/ρ (I − e eᵀ) + s' e eᵀ, s'(0) I at ρ = 0.
void smooth_ball(const Vector& center, double radius, ConstVectorRef x, double epsilon, VectorRef p,
                 MatrixRef J) {
  const Index n = x.size();
  const Vector y = x - center;
  const double rho = y.norm();
  const double length =
      rho + smooth_plus(-radius - rho, epsilon) - smooth_plus(rho - radius, epsilon);
  const double slope =
      1 - smooth_plus_slope(-radius - rho, epsilon) - smooth_plus_slope(rho - radius, epsilon);
  const double ratio = rho > 0 ? length / rho : slope;
  const Vector e = rho > 0 ? Vector(y / rho) : Vector(Vector::Zero(n));
  p = center + ratio * y;
  J = ratio * Matrix::Identity(n, n) + (slope - ratio) * e * e.transpose();
}

/// The formula of the header, 0 < μ < ∞.
void smooth_cone(double mu, ConstVectorRef x, double epsilon, VectorRef p, MatrixRef J) {
  const Index m = x.size() - 1;
  const double n = x[0], rho = x.tail(m).norm(), a = 1 / (1 + mu * mu);
  const double s1 = n - rho / mu, s2 = n + mu * rho;
  const double p1 = smooth_plus(s1, epsilon), p2 = smooth_plus(s2, epsilon);
  const double d1 = smooth_plus_slope(s1, epsilon), d2 = smooth_plus_slope(s2, epsilon);
  // along the tangent, and its limit p_ε'(n) at ‖t‖ = 0
  const double ratio = rho > 0 ? a * mu * (p2 - p1) / rho : d1;
  const double slope = a * (mu * mu * d2 + d1);
  const Vector e = rho > 0 ? Vector(x.tail(m) / rho) : Vector(Vector::Zero(m));
  p[0] = a * (mu * mu * p1 + p2);
  p.tail(m) = ratio * x.tail(m);
  J(0, 0) = a * (mu * mu * d1 + d2);
  J.col(0).tail(m) = a * mu * (d2 - d1) * e;
  J.row(0).tail(m) = J.col(0).tail(m).transpose();
  J.bottomRightCorner(m, m) = ratio * Matrix::Identity(m, m) + (slope - ratio) * e * e.transpose();
}

}  // namespace

void smoothed_projection(const Set& X, ConstVectorRef x, double epsilon, VectorRef p, MatrixRef J) {
  const Index n = x.size();
  if (const auto* product = std::get_if<Product>(&X)) {
    J.setZero();
    Index first = 0;
    for (const Factor& factor : product->factors) {
      const Index size = factor.dimension;
      smoothed_projection(factor.set, x.segment(first, size), epsilon, p.segment(first, size),
                          J.block(first, first, size, size));
      first += size;
    }
    return;
  }
  Vector lower(n), upper(n);
  if (box_bounds(X, lower, upper)) return smooth_bounds(lower, upper, x, epsilon, p, J);
  if (const auto* disk = std::get_if<Disk>(&X))
    return smooth_ball(Vector::Zero(n), disk->radius, x, epsilon, p, J);
  if (const auto* ball = std::get_if<Ball>(&X))
    return smooth_ball(ball->center, ball->radius, x, epsilon, p, J);
  const auto* cone = std::get_if<FrictionCone>(&X);
  if (cone != nullptr && cone->mu > 0 && cone->mu < inf)
    return smooth_cone(cone->mu, x, epsilon, p, J);
  project(X, x, p);
  projection_jacobian(X, x, J);
}

SolveReport solve(const Vi& problem, VectorRef z, const ViSmoothing& options, Workspace&) {
  const Index n = problem.n;
  Vector p(n);
  Matrix J(n, n), D(n, n);
  return solve_by_smoothing(
      problem, z, options,
      [&](const Vector& x, const Vector& F, double epsilon) {
        smoothed_projection(problem.X, x - F, epsilon, p, D);
        return Vector(x - p);
      },
      [&](const Vector& x, const Vector& F, double epsilon) {
        smoothed_projection(problem.X, x - F, epsilon, p, D);
        evaluate_jacobian(problem.F, problem.jacobian, x, J);
        return Matrix(Matrix::Identity(n, n) - D + D * J);
      });
}

}  // namespace saltus
