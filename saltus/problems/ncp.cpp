#include "saltus/problems/ncp.hpp"

#include "saltus/base/report.hpp"

#include <cmath>

namespace saltus {

void central_differences(const VectorFunction& F, ConstVectorRef z, MatrixRef J) {
  const double relative = std::cbrt(std::numeric_limits<double>::epsilon());
  Vector point = z, above(J.rows()), below(J.rows());
  for (Index j = 0; j < z.size(); ++j) {
    const double h = relative * std::max(1.0, std::abs(z[j]));
    point[j] = z[j] + h;
    F(point, above);
    point[j] = z[j] - h;
    F(point, below);
    point[j] = z[j];
    J.col(j) = (above - below) / (2 * h);
  }
}

void evaluate_jacobian(const VectorFunction& F, const JacobianFunction& jacobian, ConstVectorRef z,
                       MatrixRef J) {
  if (jacobian)
    jacobian(z, J);
  else
    central_differences(F, z, J);
}

Vector evaluate(const VectorFunction& F, ConstVectorRef z) {
  Vector value(z.size());
  F(z, value);
  return value;
}

namespace {

Vector value(const char* what, const Ncp& problem, ConstVectorRef z) {
  validate(problem);
  require(z.size() == problem.n, "{}: z has size {}, the problem {}", what, z.size(), problem.n);
  return evaluate(problem.F, z);
}

}  // namespace

double residual(const Ncp& problem, ConstVectorRef z) {
  const Vector F = value("residual(Ncp)", problem, z);
  if (!z.allFinite() || !F.allFinite()) return inf;
  return z.cwiseMin(F).lpNorm<Eigen::Infinity>();
}

void validate(const Ncp& problem) {
  require(problem.n >= 0, "Ncp: n is {}, expected >= 0", problem.n);
  require(static_cast<bool>(problem.F), "Ncp: F is empty, expected a function");
}

double fischer_burmeister_merit(const Ncp& problem, ConstVectorRef z) {
  const Vector F = value("fischer_burmeister_merit", problem, z);
  double sum = 0;
  for (Index i = 0; i < problem.n; ++i) {
    const double phi = std::hypot(z[i], F[i]) - z[i] - F[i];
    sum += phi * phi;
  }
  return sum / 2;
}

double implicit_lagrangian(const Ncp& problem, ConstVectorRef z, double alpha) {
  require(alpha > 1, "implicit_lagrangian: alpha is {}, expected > 1", alpha);
  const Vector F = value("implicit_lagrangian", problem, z);
  const double plus = (z - alpha * F).cwiseMax(0).squaredNorm() - z.squaredNorm() +
                      (F - alpha * z).cwiseMax(0).squaredNorm() - F.squaredNorm();
  return z.dot(F) + plus / (2 * alpha);
}

Ncp to_ncp(LcpView problem) {
  validate(problem);
  const BlockSparse M = problem.M;
  const Vector q = problem.q;
  return {q.size(),
          [M, q](ConstVectorRef z, VectorRef F) {
            M.multiply(z, F);
            F += q;
          },
          [M](ConstVectorRef, MatrixRef J) { M.copy_to(J); }};
}

Lcp linearise(const Ncp& problem, ConstVectorRef point) {
  Vector q = value("linearise(Ncp)", problem, point);
  Matrix J(problem.n, problem.n);
  evaluate_jacobian(problem.F, problem.jacobian, point, J);
  q -= J * point;
  return {BlockSparse::dense(J), q};
}

}  // namespace saltus
