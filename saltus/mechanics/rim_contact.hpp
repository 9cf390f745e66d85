#pragma once

#include "saltus/mechanics/collision/shapes.hpp"

namespace saltus::mechanics {

/// The rim of a thin disk on a plane of the world, for the laws of contact: a coin, a hoop, a
/// wheel. The disk has its axis along z of the body and its centre in the centre of mass. With the
/// axis a, the lowest point lies at R d, d = −(n − (n·a) a)/s, s = |n − (n·a) a|:
///     gap = n·x − offset − R s,   u = v + ω × R d   in the frame (n, t₁, t₂)
/// t₁ points along the tangent of the rim, t₂ = n × t₁ (F:F123). A disk that lies flat, s = 0,
/// touches everywhere: the relation then takes the point along the x-axis of the body.
struct RimOnPlane {
  double radius = 1;                  ///< [m]
  Vector3 normal = Vector3::UnitZ();  ///< of length one
  double offset = 0;                  ///< the half space is n·x ≤ offset [m]

  [[nodiscard]] static constexpr Index rows() { return 3; }
  [[nodiscard]] static constexpr Index dof() { return 6; }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void prepare() const;  ///< throws Error on a radius ≤ 0 and a normal that is no unit vector
};

}  // namespace saltus::mechanics
