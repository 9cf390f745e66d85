#pragma once

#include "saltus/mechanics/collision/shapes.hpp"
#include "saltus/systems/newton_euler.hpp"

#include <algorithm>
#include <string_view>

namespace saltus::mechanics {

// Joints between two rigid bodies A and B of a pool of RigidBodies, or between a body and the world
// (F:F111, F:F114, PL:RE-04). A joint has a frame on each side, fixed to its body: origins p_A, p_B
// and axes α_i = R_A F_A e_i, β_i = R_B F_B e_i (i = x, y, z), d = p_B − p_A. Its rows are zero
// when the joint holds. With ω in the body frames and r the arm from the centre of mass,
//
//     row             y              ẏ
//     point along e   e·d            e·(v_B + ω_B×r_B − v_A − ω_A×r_A)
//     along axis α    α·d            α·(v_B + ω_B×r_B − v_A − ω_A×(r_A + d))
//     two axes        α·β            (ω_A − ω_B)·(α × β)
//     rotation        ½ Σ α_j×β_j    the axial vector of F_Aᵀ R_Aᵀ R_B F_B, by the row above
//
// so that every Jacobian with respect to (v, ω) is exact, whether the joint holds or not.

/// The sides of a joint: numbers of its bodies among the endpoints of the interaction, −1 the
/// world.
struct JointSides {
  int a = 0;
  int b = 1;
  [[nodiscard]] Index bodies() const { return std::max(a, b) + 1; }
};

/// What a joint forbids. Its axis is z of the frame, but for the universal joint.
enum class JointKind {
  ball,         ///< p_A = p_B: 3 rows
  hinge,        ///< p_A = p_B, α_z ∥ β_z: 5 rows, turns about z
  slider,       ///< d ∥ α_z, no rotation: 5 rows, slides along z
  fixed,        ///< 6 rows
  cylindrical,  ///< d ∥ α_z ∥ β_z: 4 rows, turns and slides
  universal,    ///< p_A = p_B, α_x ⟂ β_y: 4 rows, turns about α_x and β_y
  distance,     ///< |d| = length: 1 row
  screw         ///< cylindrical and α_z·d = pitch θ/2π: 5 rows
};

[[nodiscard]] std::string_view name(JointKind kind);

/// The relation of a joint, for the law Equality: y = 0.
struct Joint {
  JointKind kind = JointKind::ball;
  Pose a = {};            ///< frame in body A (or the world)
  Pose b = {};            ///< frame in body B (or the world)
  double parameter = 0;   ///< length of a distance [m], pitch of a screw [m per turn]
  JointSides sides = {};  ///< one of them may be the world

  [[nodiscard]] Index rows() const;
  [[nodiscard]] Index dof() const { return 6 * sides.bodies(); }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  /// dH/dt v along q ⊕ s v, by differences of fourth order.
  void curvature(const StateView& x, VectorRef dH) const;
  /// Throws Error on frames that are no rotation, on both sides the world, on a length ≤ 0 and on a
  /// pitch of 0.
  void prepare() const;
};

/// A coordinate of a joint: the motion of B against A that it leaves free.
enum class JointMotion {
  turn,         ///< θ, about z: hinge, cylindrical, screw; in (−π, π]
  slide,        ///< α_z·d: slider, cylindrical, screw [m]
  first_turn,   ///< of a universal joint, about α_x
  second_turn,  ///< of a universal joint, about β_y
  stretch       ///< |d| [m]
};

/// One row, the coordinate x of a joint and its speed: for friction in the joint (Relay), and in
/// the relations of coordinate_relations.hpp for limits, motors and gears.
struct JointCoordinate {
  JointMotion motion = JointMotion::turn;
  Pose a = {};
  Pose b = {};
  JointSides sides = {};

  [[nodiscard]] static constexpr Index rows() { return 1; }
  [[nodiscard]] Index dof() const { return 6 * sides.bodies(); }
  [[nodiscard]] double value(VectorView q) const;
  /// Known modulo 2π only.
  [[nodiscard]] bool cyclic() const {
    return motion != JointMotion::slide && motion != JointMotion::stretch;
  }
  void output(const StateView& x, VectorRef y) const { y[0] = value(x.q); }
  void jacobian(const StateView& x, MatrixRef H) const;
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  /// dH/dt v along q ⊕ s v, by differences of fourth order.
  void curvature(const StateView& x, VectorRef dH) const;
  void prepare() const;
};

}  // namespace saltus::mechanics
