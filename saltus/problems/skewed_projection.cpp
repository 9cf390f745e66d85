#include "saltus/problems/skewed_projection.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/problems/rows.hpp"

#include <cmath>

namespace saltus {

namespace {

/// S K
BlockSet stretched(const BlockSet& K, double f) {
  return std::visit(
      Overloaded{
          [&](const FrictionCone& C) { return BlockSet(FrictionCone{f * C.mu}); },
          [&](const SecondOrderCone& C) { return BlockSet(SecondOrderCone{f * C.mu}); },
          [&](const EllipticCone& C) {
            return BlockSet(EllipticCone{f * C.mu_1, f * C.mu_2});
          },
          [&](const RollingCone& C) {
            return BlockSet(RollingCone{f * C.mu, f * C.mu_rolling});
          },
          [&](const FrictionCylinder& C) { return BlockSet(FrictionCylinder{f * C.radius}); },
          [](const auto& other) { return BlockSet(other); }},
      K);
}

/// f, after a look at the weights.
double stretch(const BlockMetric& R) {
  require(R.normal > 0 && R.tangent > 0 && std::isfinite(R.normal) && std::isfinite(R.tangent),
          "project_skewed: the weights are {} and {}, expected finite numbers > 0", R.normal,
          R.tangent);
  return std::sqrt(R.tangent / R.normal);
}

}  // namespace

void project_skewed(const BlockSet& K, const BlockMetric& R, ConstVectorRef x, VectorRef p) {
  if (row_by_row(K)) return project(K, x, p);
  const double f = stretch(R);
  p = x;
  p.tail(p.size() - 1) *= f;
  project(stretched(K, f), p, p);
  p.tail(p.size() - 1) /= f;
}

void skewed_projection_jacobian(const BlockSet& K, const BlockMetric& R, ConstVectorRef x,
                                MatrixRef J) {
  if (row_by_row(K)) return projection_jacobian(K, x, J);
  const double f = stretch(R);
  const Index t = x.size() - 1;
  Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, max_piece, 1> y = x;
  y.tail(t) *= f;
  projection_jacobian(stretched(K, f), y, J);
  J.rightCols(t) *= f;
  J.bottomRows(t) /= f;
}

}  // namespace saltus
