#include "saltus/sets/friction_cylinder.hpp"

#include "saltus/base/report.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

void validate(const FrictionCylinder& C) {
  require(std::isfinite(C.radius) && C.radius >= 0,
          "FrictionCylinder: radius is {}, expected finite and >= 0", C.radius);
}

void check_dimension(const FrictionCylinder&, Index n) {
  require(n >= 2, "FrictionCylinder: x has size {}, expected at least 2 (normal, tangent)", n);
}

void project(const FrictionCylinder& C, ConstVectorRef x, VectorRef p) {
  check_dimension(C, x.size());
  check_result(FrictionCylinder::name, x.size(), p.size());
  const Index tangents = x.size() - 1;
  const double t = x.tail(tangents).norm();
  p[0] = std::max(x[0], 0.0);
  p.tail(tangents) = (t > C.radius ? C.radius / t : 1.0) * x.tail(tangents);
}

double distance(const FrictionCylinder& C, ConstVectorRef x) {
  check_dimension(C, x.size());
  return std::hypot(std::min(x[0], 0.0), std::max(x.tail(x.size() - 1).norm() - C.radius, 0.0));
}

double support(const FrictionCylinder& C, ConstVectorRef d) {
  check_dimension(C, d.size());
  return d[0] > 0 ? inf : C.radius * d.tail(d.size() - 1).norm();
}

void projection_jacobian(const FrictionCylinder& C, ConstVectorRef x, MatrixRef J) {
  check_dimension(C, x.size());
  check_jacobian(FrictionCylinder::name, x.size(), J);
  const Index tangents = x.size() - 1;
  const double t = x.tail(tangents).norm();
  J.setZero();
  J(0, 0) = x[0] >= 0 ? 1 : 0;
  if (C.radius == 0) return;
  const double scale = t > C.radius ? C.radius / t : 1;
  for (Index j = 1; j <= tangents; ++j) {
    if (t > C.radius)
      for (Index i = 1; i <= tangents; ++i) J(i, j) = -scale * (x[i] / t) * (x[j] / t);
    J(j, j) += scale;
  }
}

}  // namespace saltus
