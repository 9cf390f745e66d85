#include "saltus/problems/vi_diagnostics.hpp"

#include "saltus/base/report.hpp"

#include <Eigen/Eigenvalues>

#include <cmath>
#include <random>

namespace saltus {

namespace {

void compare(const VectorFunction& F, const Vector& x, const Vector& y, MapDiagnostics& d) {
  const Vector Fx = evaluate(F, x), Fy = evaluate(F, y);
  const Vector step = x - y, change = Fx - Fy;
  const double length = step.squaredNorm();
  if (length == 0) return;
  const Vector product = change.cwiseProduct(step);
  d.strong = std::min(d.strong, product.sum() / length);
  d.uniform_p = std::min(d.uniform_p, product.maxCoeff() / length);
  d.lipschitz = std::max(d.lipschitz, change.norm() / std::sqrt(length));
  if (change.squaredNorm() > 0)
    d.cocoercive = std::min(d.cocoercive, product.sum() / change.squaredNorm());
  if (Fy.dot(step) >= 0 && Fx.dot(step) < 0) d.pseudo_monotone = false;
  if (Fx.dot(step) <= 0 && Fy.dot(step) > 0) d.pseudo_monotone = false;
}

void inspect(const Matrix& J, MapDiagnostics& d) {
  const Matrix symmetric = (J + J.transpose()) / 2;
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(symmetric, Eigen::EigenvaluesOnly);
  d.eigenvalue = std::min(d.eigenvalue, eigen.eigenvalues().minCoeff());
  const double scale = std::max(1.0, J.cwiseAbs().maxCoeff());
  d.asymmetry = std::max(d.asymmetry, (J - J.transpose()).cwiseAbs().maxCoeff() / scale);
}

}  // namespace

MapDiagnostics diagnose(const VectorFunction& F, const JacobianFunction& jacobian,
                        ConstVectorRef lower, ConstVectorRef upper, int samples, unsigned seed) {
  const Index n = lower.size();
  require(static_cast<bool>(F), "diagnose: F is empty, expected a function");
  require(n >= 1 && upper.size() == n, "diagnose: lower has size {}, upper {}", n, upper.size());
  require(lower.allFinite() && upper.allFinite() && (lower.array() <= upper.array()).all(),
          "diagnose: expected finite bounds with lower <= upper");
  require(samples >= 1, "diagnose: samples is {}, expected >= 1", samples);
  std::mt19937 engine(seed);
  const auto draw = [&] {
    return Vector(Vector::NullaryExpr(n, [&](Index i) {
      return std::uniform_real_distribution<double>(lower[i], upper[i])(engine);
    }));
  };
  MapDiagnostics result;
  result.strong = result.uniform_p = result.cocoercive = result.eigenvalue = inf;
  Matrix J(n, n);
  for (int k = 0; k < samples; ++k) {
    const Vector x = draw(), y = draw();
    compare(F, x, y, result);
    // a pair that differs in some components only, for the P-property
    const Vector mixed =
        Vector::NullaryExpr(n, [&](Index i) { return engine() % 2 ? x[i] : y[i]; });
    compare(F, x, mixed, result);
    evaluate_jacobian(F, jacobian, x, J);
    inspect(J, result);
  }
  return result;
}

}  // namespace saltus
