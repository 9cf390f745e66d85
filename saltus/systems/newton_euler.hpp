#pragma once

#include "saltus/algebra/state.hpp"

#include <functional>

namespace saltus {

/// How the gyroscopic torque −ω × Iω enters a step of length h.
enum class Gyroscopic {
  at_start,  ///< percussion −h ω × Iω at the beginning of the step: for slow rotations
  midpoint  ///< I(ω* − ω), ω* from I(ω* − ω) = −h ω_m × Iω_m, ω_m = ½(ω + ω*): the energy and
            ///< the norm of the angular momentum of a free body are exact whatever h
};

/// A pool of rigid bodies in space (F:F119, F:F117; Newton–Euler):
///
///     m v̇ = m g + p,    I ω̇ + ω × Iω = τ,    ẋ = v,    Ṙ = R ω̂
///
/// Each body has 7 positions, the centre of mass x and the unit quaternion (w, x, y, z) of its
/// rotation R from the body frame to the world, and 6 velocities, v in the world frame and ω in the
/// body frame, so that its mass matrix diag(m, m, m, I) is constant. Positions move on the group,
///
///     x ⊕ d = x + d,    R ⊕ δ = R exp(δ̂),
///
/// and the norm of the quaternion stays 1 to rounding. The gyroscopic torque and `load` are
/// percussions of the step (System::impulse): a step needs one factorisation and one solve.
struct RigidBodies {
  static constexpr bool time_invariant = true;
  Values m = {1.0};                  ///< masses [kg]
  Rows inertia = {{1.0, 1.0, 1.0}};  ///< per body: principal moments I₁ I₂ I₃ [kg m²], or the six
                                     ///< entries Ixx Iyy Izz Ixy Ixz Iyz
  Values gravity = {0.0, 0.0, 0.0};  ///< [m/s²]
  Gyroscopic gyroscopic = Gyroscopic::midpoint;
  /// F += forces [N, world] and torques [N m, body frame], 6 per body, at the beginning of a step.
  std::function<void(const StateView& x, VectorRef F)> load = {};

  [[nodiscard]] Index bodies() const { return m.size(); }
  [[nodiscard]] Index dof() const { return 6 * m.size(); }
  [[nodiscard]] Index positions() const { return 7 * m.size(); }
  void mass(const StateView&, Index body, MatrixRef M) const;
  void force(const StateView&, VectorRef F) const;
  void damping(const StateView&, Index, MatrixRef C) const { C.setZero(); }
  void stiffness(const StateView&, Index, MatrixRef K) const { K.setZero(); }
  void move(VectorView q, VectorView d, VectorRef moved) const;
  void impulse(const StateView& x, double h, VectorRef P) const;
  void check_positions(VectorView q) const;  ///< throws Error on a quaternion that has no direction
  void prepare() const;  ///< throws Error on sizes, masses and moments that no body has

  /// −Σ m g·x [J]
  [[nodiscard]] double potential(const StateView& x) const;
  /// No load.
  [[nodiscard]] bool conservative() const { return !load; }

  bool rigid_motions(const StateView& x, Index body, MatrixRef G) const;

  /// ½ m|v|² + ½ ω·Iω of all bodies [J].
  [[nodiscard]] double kinetic_energy(VectorView v) const;

  /// Moments of inertia of a body in its frame.
  [[nodiscard]] Eigen::Matrix3d tensor(Index body) const;
};

/// The same pool with the gyroscopic torque and `load` as forces at every instant, not percussions
/// of a step: for schemes that work with accelerations (GeneralizedAlpha),
///     I ω̇ = −ω × Iω + τ,    C = −∂F/∂v of the torque (the load counts as constant).
struct AcceleratedBodies : RigidBodies {
  static constexpr bool time_invariant = false;
  void force(const StateView& x, VectorRef F) const;
  void damping(const StateView& x, Index body, MatrixRef C) const;
  void impulse(const StateView& x, double h, VectorRef P) const = delete;
};

/// A pool of rigid bodies in the plane: q = (x, y, φ) each,
///     m v̇ = m g + p,    J φ̈ = τ
struct PlanarBodies {
  static constexpr bool time_invariant = true;
  Values m = {1.0};        ///< masses [kg]
  Values inertia = {1.0};  ///< moments about the centres of mass [kg m²]
  Values gravity = {0.0, 0.0};

  [[nodiscard]] Index bodies() const { return m.size(); }
  [[nodiscard]] Index dof() const { return 3 * m.size(); }
  void mass(const StateView&, Index body, MatrixRef M) const;
  void force(const StateView&, VectorRef F) const;
  void damping(const StateView&, Index, MatrixRef C) const { C.setZero(); }
  void stiffness(const StateView&, Index, MatrixRef K) const { K.setZero(); }
  [[nodiscard]] double potential(const StateView& x) const;  ///< −Σ m g·x [J]
  [[nodiscard]] static constexpr bool conservative() { return true; }
  bool rigid_motions(const StateView& x, Index body, MatrixRef G) const;
  void prepare() const;  ///< throws Error on sizes that disagree
};

/// moved = q ⊕ d of `count` bodies, 7 positions and 6 components of d each.
void move_rigid_bodies(const double* q, const double* d, Index count, double* moved);

/// Position and rotation of a rigid body.
struct Pose {
  Eigen::Vector3d x = Eigen::Vector3d::Zero();
  Eigen::Matrix3d R = Eigen::Matrix3d::Identity();
};
/// The pose held by the 7 positions of a body.
[[nodiscard]] Pose pose_of(const double* q);
/// q (7 entries) of a body at x, turned by the rotation vector `turn`.
[[nodiscard]] Vector positions_of(const Eigen::Vector3d& x,
                                  const Eigen::Vector3d& turn = Eigen::Vector3d::Zero());

}  // namespace saltus
