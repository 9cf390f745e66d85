#include "saltus/analysis/set_valued_map.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>

#include <algorithm>
#include <cmath>
#include <vector>

namespace saltus {

namespace {

std::vector<double> sample_points(double from, double to, std::span<const double> special,
                                  int intervals) {
  std::vector<double> points;
  for (int i = 0; i <= 2 * intervals; ++i)
    points.push_back(from + (to - from) * i / (2.0 * intervals));
  for (double s : special)
    for (int k = 0; k <= 10; ++k)
      for (double side : {-1.0, 0.0, 1.0})
        points.push_back(s + side * (to - from) * std::pow(10., -k));
  std::sort(points.begin(), points.end());
  points.erase(std::unique(points.begin(), points.end()), points.end());
  std::erase_if(points, [&](double x) { return x < from || x > to; });
  return points;
}

}  // namespace

LipschitzConstants lipschitz_constants(const IntervalMap& F, double from, double to,
                                       std::span<const double> special, int intervals) {
  require(to > from && intervals > 0, "lipschitz_constants: [{}, {}] in {} intervals", from, to,
          intervals);
  const std::vector<double> x = sample_points(from, to, special, intervals);
  std::vector<ValueInterval> y;
  for (double point : x) y.push_back(F(point));
  LipschitzConstants c{-inf, -inf, -inf, -inf};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (y[i].empty()) continue;
    const double size = std::max(std::abs(y[i].lower), std::abs(y[i].upper));
    c.growth = std::max(c.growth, size / (1 + std::abs(x[i])));
    for (std::size_t j = 0; j < i; ++j) {
      if (y[j].empty()) continue;
      const double d = x[i] - x[j];
      const double upper = y[i].upper - y[j].upper, lower = y[i].lower - y[j].lower;
      c.lipschitz = std::max({c.lipschitz, std::abs(upper) / d, std::abs(lower) / d});
      c.one_sided = std::max({c.one_sided, upper / d, lower / d});
      c.uniform_one_sided = std::max(c.uniform_one_sided, (y[i].upper - y[j].lower) / d);
    }
  }
  for (double* value : {&c.lipschitz, &c.one_sided, &c.uniform_one_sided, &c.growth})
    if (!(*value <= 1e6)) *value = inf;
  return c;
}

Vector neighbourhood_bound(ConstVectorRef t, ConstVectorRef g, double lipschitz, double initial) {
  require(t.size() > 0 && g.size() == t.size(), "neighbourhood_bound: {} times and {} values of g",
          t.size(), g.size());
  require(initial >= 0 && lipschitz >= 0 && g.minCoeff() >= 0,
          "neighbourhood_bound: a distance, a defect or the constant {} is negative", lipschitz);
  Vector v(t.size());
  v[0] = initial;
  for (Index k = 1; k < t.size(); ++k) {
    const double h = t[k] - t[k - 1], z = lipschitz * h;
    require(h > 0, "neighbourhood_bound: t[{}] is {}, not after {}", k, t[k], t[k - 1]);
    // (e^z − 1)/z and (e^z − 1 − z)/z²
    const double first = z > 1e-4 ? std::expm1(z) / z : 1 + z / 2 + z * z / 6;
    const double second = z > 1e-4 ? (std::expm1(z) - z) / (z * z) : 0.5 + z / 6 + z * z / 24;
    v[k] = std::exp(z) * v[k - 1] + h * (g[k - 1] * first + (g[k] - g[k - 1]) * second);
  }
  return v;
}

double one_sided_lipschitz(ConstMatrixRef A, ConstMatrixRef P) {
  require(A.rows() == A.cols() && P.rows() == A.rows() && P.cols() == A.rows(),
          "one_sided_lipschitz: A is {}×{}, P {}×{}", A.rows(), A.cols(), P.rows(), P.cols());
  const Eigen::LLT<Matrix> llt(P);
  require(llt.info() == Eigen::Success, "one_sided_lipschitz: P is not positive definite");
  const Matrix R = llt.matrixU();
  const Matrix S = R * A * R.inverse();
  return Eigen::SelfAdjointEigenSolver<Matrix>(0.5 * (S + S.transpose())).eigenvalues().maxCoeff();
}

ValueInterval lyapunov_rate(ConstVectorRef gradient, ConstMatrixRef fields) {
  require(fields.rows() == gradient.size() && fields.cols() > 0,
          "lyapunov_rate: the gradient has size {}, the fields are {}×{}", gradient.size(),
          fields.rows(), fields.cols());
  const Vector rates = fields.transpose() * gradient;
  return {rates.minCoeff(), rates.maxCoeff()};
}

Matrix lyapunov_matrix(ConstMatrixRef A, ConstMatrixRef Q) {
  const Index n = A.rows();
  require(n > 0 && A.cols() == n && Q.rows() == n && Q.cols() == n,
          "lyapunov_matrix: A is {}×{}, Q {}×{}", A.rows(), A.cols(), Q.rows(), Q.cols());
  Matrix K = Matrix::Zero(n * n, n * n);  // (I ⊗ Aᵀ + Aᵀ ⊗ I) vec P = −vec Q
  for (Index j = 0; j < n; ++j) {
    K.block(j * n, j * n, n, n) += A.transpose();
    for (Index i = 0; i < n; ++i) K.block(j * n, i * n, n, n).diagonal().array() += A(i, j);
  }
  const Eigen::FullPivLU<Matrix> lu(K);
  require(lu.isInvertible(), "lyapunov_matrix: two eigenvalues of A add up to zero");
  const Matrix P = lu.solve(-Matrix(Q).reshaped()).reshaped(n, n);
  return 0.5 * (P + P.transpose());
}

}  // namespace saltus
