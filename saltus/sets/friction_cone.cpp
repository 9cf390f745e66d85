#include "saltus/sets/friction_cone.hpp"

#include <limits>

namespace saltus {

void validate(const FrictionCone& K) {
  require(K.mu >= 0, "FrictionCone: mu is {}, expected >= 0", K.mu);
}

double distance(const FrictionCone& K, ConstVectorRef x) {
  check_dimension(K, x.size());
  const HalfAngle phi(K.mu);
  const double n = x[0], t = x.tail(x.size() - 1).norm();
  if (phi.inside(n, t)) return 0;
  if (phi.polar(n, t)) return x.norm();
  return phi.c * t - phi.s * n;
}

double support(const FrictionCone& K, ConstVectorRef d) {
  check_dimension(K, d.size());
  const HalfAngle phi(K.mu);
  const double n = d[0], t = d.tail(d.size() - 1).norm();
  // Signed distance to the polar cone: ‖d‖ for d ∈ K, otherwise c n + s‖t‖.
  const double outside = phi.inside(n, t) ? d.norm() : phi.s * t + phi.c * n;
  constexpr double roundings = 8 * std::numeric_limits<double>::epsilon();
  return outside <= roundings * d.norm() ? 0 : inf;
}

void projection_jacobian(const FrictionCone& K, ConstVectorRef x, MatrixRef J) {
  check_dimension(K, x.size());
  check_jacobian(FrictionCone::name, x.size(), J);
  const HalfAngle phi(K.mu);
  const Index tangents = x.size() - 1;
  const double n = x[0], t = x.tail(tangents).norm();
  J.setZero();
  if (K.mu == 0 || K.mu == inf) {
    J.diagonal().setConstant(K.mu == 0 ? 0 : 1);
    J(0, 0) = n >= 0 ? 1 : 0;
  } else if (phi.inside(n, t)) {
    J.setIdentity();
  } else if (!phi.polar(n, t)) {
    const auto epsilon = x.tail(tangents) / t;
    const double around = phi.s * (phi.c * n + phi.s * t) / t;
    J(0, 0) = phi.c * phi.c;
    for (Index j = 0; j < tangents; ++j) {
      J(0, j + 1) = J(j + 1, 0) = phi.c * phi.s * epsilon[j];
      for (Index i = 0; i < tangents; ++i)
        J(i + 1, j + 1) = (phi.s * phi.s - around) * epsilon[i] * epsilon[j];
      J(j + 1, j + 1) += around;
    }
  }
}

}  // namespace saltus
