#pragma once

#include "saltus/mechanics/joints.hpp"

namespace saltus::mechanics {

// Joints between bodies A and B of a pool of PlanarBodies, or a body and the world, as in
// joints.hpp: a frame on each side, origin p and an axis α at an angle to the axes of the body, d =
// p_B − p_A.

using Vector2 = Eigen::Vector2d;

/// Frame of a joint in a body of the plane, or in the world.
struct PlanarFrame {
  Vector2 p = Vector2::Zero();  ///< [m]
  double angle = 0;             ///< of the axis [rad]
};

enum class PlanarJointKind {
  revolute,   ///< p_A = p_B: 2 rows
  prismatic,  ///< d ∥ α_A, no rotation: 2 rows
  fixed,      ///< 3 rows
  distance    ///< |d| = length: 1 row
};

[[nodiscard]] std::string_view name(PlanarJointKind kind);

/// The relation of a joint in the plane, for the law Equality: y = 0.
struct PlanarJoint {
  PlanarJointKind kind = PlanarJointKind::revolute;
  PlanarFrame a = {};
  PlanarFrame b = {};
  double length = 0;  ///< of a distance [m]
  JointSides sides = {};

  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index dof() const { return 3 * sides.bodies(); }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  /// Throws Error on frames that are not finite, both sides the world, a length ≤ 0.
  void prepare() const;
};

/// A coordinate of a joint in the plane, turn (any number of turns), slide or stretch.
struct PlanarCoordinate {
  JointMotion motion = JointMotion::turn;
  PlanarFrame a = {};
  PlanarFrame b = {};
  JointSides sides = {};

  [[nodiscard]] static constexpr Index rows() { return 1; }
  [[nodiscard]] Index dof() const { return 3 * sides.bodies(); }
  [[nodiscard]] double value(VectorView q) const;
  [[nodiscard]] static constexpr bool cyclic() { return false; }
  void output(const StateView& x, VectorRef y) const { y[0] = value(x.q); }
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void prepare() const;
};

}  // namespace saltus::mechanics
