#include "saltus/inclusions/filippov.hpp"

#include <Eigen/LU>

#include <algorithm>

namespace saltus {

Model FilippovSystem::model() const {
  require(above && below && surface, "FilippovSystem: a field or the surface is missing");
  const Index n = x0.size();
  const auto plus = above, minus = below;
  const auto c = surface;
  const auto gradient = normal;
  Model model;
  const SystemId x =
      model.add(field_system(n,
                             [plus, minus](double t, ConstVectorRef point, VectorRef f) {
                               Vector other(point.size());
                               plus(t, point, f);
                               minus(t, point, other);
                               f = 0.5 * (f + other);
                             }),
                {.x = x0}, "x");
  FunctionRelation relation{.n = n, .m = 1};
  relation.h = [c](double, ConstVectorRef point, VectorRef y) { y[0] = c(point); };
  if (gradient)
    relation.slope = [gradient](ConstVectorRef point, MatrixRef C) {
      Vector g(point.size());
      gradient(point, g);
      C.row(0) = g.transpose();
    };
  relation.B = [plus, minus](double t, ConstVectorRef point, MatrixRef B) {
    Vector f(point.size()), other(point.size());
    plus(t, point, f);
    minus(t, point, other);
    B.col(0) = -0.5 * (f - other);
  };
  model.link(x, relation, Relay{}, "surface");
  return model;
}

std::string_view name(Surface kind) {
  switch (kind) {
    case Surface::crossing_up:
      return "crossing up";
    case Surface::crossing_down:
      return "crossing down";
    case Surface::sliding:
      return "sliding";
    case Surface::repulsive:
      return "repulsive";
  }
  return "unknown";
}

Surface classify(double above, double below) {
  if (above >= 0 && below >= 0) return Surface::crossing_up;
  if (above <= 0 && below <= 0) return Surface::crossing_down;
  return above < 0 ? Surface::sliding : Surface::repulsive;
}

double sliding_share(double above, double below) {
  require(above != below, "sliding_share: both fields have the same ċ = {}", above);
  return below / (below - above);
}

std::array<double, 4> product_shares(double s1, double s2) {
  const double p1 = (1 + s1) / 2, m1 = (1 - s1) / 2, p2 = (1 + s2) / 2, m2 = (1 - s2) / 2;
  return {p1 * m2, m1 * m2, m1 * p2, p1 * p2};
}

Vector Regions::discriminants(ConstVectorRef c) const { return -signs * c; }

Index Regions::region(ConstVectorRef c) const {
  Index best = 0;
  discriminants(c).minCoeff(&best);
  return best;
}

double ActiveRegions::shift() const { return 1 + std::max(0.0, -M.minCoeff()); }

Matrix ActiveRegions::lcp_matrix(double alpha) const { return (M.array() + alpha).matrix(); }

Vector ActiveRegions::shares(double alpha) const {
  const Eigen::FullPivLU<Matrix> factor(lcp_matrix(alpha));
  require(factor.isInvertible(),
          "ActiveRegions: the gradients of the regions are dependent: the shares are not unique");
  const Vector z = factor.solve(Vector::Ones(M.rows()));
  return z / z.sum();
}

Matrix ActiveRegions::reduced() const {
  const Index k = M.rows() - 1;
  Matrix out(k, k);
  for (Index i = 0; i < k; ++i)
    for (Index j = 0; j < k; ++j) out(i, j) = M(i, j) - M(i, k) - M(k, j) + M(k, k);
  return out;
}

bool ActiveRegions::regular() const {
  return M.rows() == 1 || Eigen::FullPivLU<Matrix>(reduced()).isInvertible();
}

}  // namespace saltus
