#pragma once

#include "saltus/mechanics/planar_joints.hpp"

namespace saltus::mechanics {

// Contacts of bodies in the plane, for the laws of contact: two rows, y = (gap, 0), u = (u_N, u_T)
// in the frame (n, t), t = n turned by +90° (F:F123, F:F125).

/// Two disks, of bodies 0 and 1 of a pool of PlanarBodies; n points from 1 to 0, u = velocity of
/// the point of 0 against that of 1:
///     gap = |x₀ − x₁| − r₀ − r₁,   u_T = t·(v₀ − v₁) − r₀ ω₀ − r₁ ω₁
struct DiskContact {
  double radius_0 = 1;  ///< [m]
  double radius_1 = 1;

  [[nodiscard]] static constexpr Index rows() { return 2; }
  [[nodiscard]] static constexpr Index dof() { return 6; }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void prepare() const;  ///< throws Error on radii ≤ 0
};

/// A disk about a point of a body and the half plane n·x ≤ offset of the world; radius 0 is a
/// corner of the body.
struct DiskOnLine {
  Vector2 normal = Vector2::UnitY();  ///< of length one
  double offset = 0;                  ///< [m]
  double radius = 0;                  ///< [m]
  Vector2 point = Vector2::Zero();    ///< centre of the disk in the frame of the body [m]

  [[nodiscard]] static constexpr Index rows() { return 2; }
  [[nodiscard]] static constexpr Index dof() { return 3; }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void prepare() const;  ///< throws Error on a radius < 0 and a normal that is no unit vector
};

}  // namespace saltus::mechanics
