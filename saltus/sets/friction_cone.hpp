#pragma once

#include "saltus/base/report.hpp"
#include "saltus/sets/contains.hpp"

#include <cmath>

namespace saltus {

/// Second-order (Coulomb) cone, normal component first, in any dimension ≥ 2 (S:VI-03, F:F010):
///     K_μ = {x = (n, t) : ‖t‖ ≤ μ n},    K_μ* = {x : μ‖t‖ ≤ n} = K_{1/μ},    0 ≤ μ ≤ ∞.
/// The two ends of the range are each other's dual:
///     μ = 0   the ray        {n ≥ 0, t = 0},
///     μ = ∞   the half space {n ≥ 0, t free}.
///
/// With the half-angle φ of the cone, tan φ = μ, c = cos φ, s = sin φ, and ε = t/‖t‖:
///     n ≥ 0 and c‖t‖ ≤ s n      P(x) = x                                     inside
///     s‖t‖ ≤ −c n               P(x) = 0                                     polar cone
///     otherwise                 P(x) = (c n + s‖t‖) (c, s ε)                 on the lateral ray
/// which is the usual n' = (n + μ‖t‖)/(1 + μ²), t' = μ n' ε (FS:B.1), free of overflow.
struct FrictionCone {
  static constexpr std::string_view name = "FrictionCone";
  double mu = 0;  ///< friction coefficient μ ∈ [0, ∞]
};

/// cos φ and sin φ of the half-angle φ = atan μ.
struct HalfAngle {
  explicit HalfAngle(double mu) {
    const double ratio = mu <= 1 ? mu : 1 / mu;
    const double larger = 1 / std::sqrt(1 + ratio * ratio), smaller = ratio * larger;
    c = mu <= 1 ? larger : smaller;
    s = mu <= 1 ? smaller : larger;
  }
  [[nodiscard]] bool inside(double n, double t) const { return n >= 0 && c * t <= s * n; }
  [[nodiscard]] bool polar(double n, double t) const { return s * t <= -c * n; }
  double c = 1;
  double s = 0;
};

/// Throws Error unless μ ≥ 0; NaN is refused, ∞ is the half space.
void validate(const FrictionCone&);

inline void check_dimension(const FrictionCone&, Index n) {
  require(n >= 2, "FrictionCone: x has size {}, expected at least 2 (normal, tangent)", n);
}

/// K_{1/μ}; ray and half space for μ = ∞ and μ = 0.
[[nodiscard]] inline FrictionCone dual(const FrictionCone& K) { return {1 / K.mu}; }

inline void project(const FrictionCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(FrictionCone::name, x.size(), p.size());
  const HalfAngle phi(K.mu);
  const Index tangents = x.size() - 1;
  const double n = x[0], t = x.tail(tangents).norm();
  if (phi.inside(n, t)) {
    p = x;
  } else if (phi.polar(n, t)) {
    p.setZero();
  } else {
    const double length = phi.c * n + phi.s * t;
    p[0] = length * phi.c;
    p.tail(tangents) = (length * phi.s / t) * x.tail(tangents);
  }
}

/// P_K°(x) = x − P_K(x), computed on its own ray: (c‖t‖ − s n)(−s, c ε).
inline void project_polar(const FrictionCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(FrictionCone::name, x.size(), p.size());
  const HalfAngle phi(K.mu);
  const Index tangents = x.size() - 1;
  const double n = x[0], t = x.tail(tangents).norm();
  if (phi.inside(n, t)) {
    p.setZero();
  } else if (phi.polar(n, t)) {
    p = x;
  } else {
    const double length = phi.c * t - phi.s * n;
    p[0] = -length * phi.s;
    p.tail(tangents) = (length * phi.c / t) * x.tail(tangents);
  }
}

/// ‖P_K°(x)‖: 0 inside, ‖x‖ in the polar cone, c‖t‖ − s n beside the cone.
[[nodiscard]] double distance(const FrictionCone&, ConstVectorRef x);

/// 0 on the polar cone, ∞ elsewhere. A direction outside the polar cone by less than 8 machine
/// roundings of its length counts as on its boundary.
[[nodiscard]] double support(const FrictionCone&, ConstVectorRef d);

/// I inside (boundary included), 0 in the polar cone, otherwise, with u = (c, s ε),
///     J = u uᵀ + (s (c n + s‖t‖)/‖t‖) (0 ⊕ (I − ε εᵀ)).
/// Ray and half space: J = diag(1 if n ≥ 0 else 0, 0 … 0) and diag(1 if n ≥ 0 else 0, 1 … 1).
void projection_jacobian(const FrictionCone&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
