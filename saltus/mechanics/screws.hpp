#pragma once

#include "saltus/systems/newton_euler.hpp"

namespace saltus::mechanics {

// Screws: a resultant and a moment at a point, with Varignon's rule (F:F114, F:F118).

/// A resultant and the moment at some point P:
///     moment at N = moment at P + NP × resultant
/// of a twist (Ω, V), of a momentum (m V_G, σ), of a wrench (force, torque).
struct Screw {
  Eigen::Vector3d resultant = Eigen::Vector3d::Zero();
  Eigen::Vector3d moment = Eigen::Vector3d::Zero();

  /// The same screw at another point, `from_here` away from this one.
  [[nodiscard]] Screw at(const Eigen::Vector3d& from_here) const;
  /// Given at the origin of a frame and in its axes, the same at the origin of the world:
  ///     R = A r,   M = d × A r + A m,    (d, A) the pose of the frame
  [[nodiscard]] Screw in_world(const Pose& frame) const;
  /// The other way round.
  [[nodiscard]] Screw in_frame(const Pose& frame) const;
  /// Power of a wrench along a twist, twice the kinetic energy of a momentum and its twist:
  ///     r₁·m₂ + m₁·r₂, at any point
  [[nodiscard]] double product(const Screw& other) const;
};

/// Twist (Ω, V_G) of a body of a pool of RigidBodies at its centre of mass, in the axes of the
/// world; q its 7 positions, v its 6 velocities.
[[nodiscard]] Screw twist_of(const double* q, const double* v);
/// Its momentum (m V_G, σ_G), in the axes of the world (F:F117); inertia [kg m²] in its own.
[[nodiscard]] Screw momentum_of(const double* q, const double* v, double mass,
                                const Eigen::Matrix3d& inertia);

/// Euler's angles ψ about z, θ about the new x, φ about the new z (F:F115).
struct EulerAngles {
  double psi = 0, theta = 0, phi = 0;  ///< [rad]

  /// R from the body to the world.
  [[nodiscard]] Eigen::Matrix3d rotation() const;
  /// Ω = E (ψ̇, θ̇, φ̇) in the body frame; det E = −sin θ: singular where the two z-axes coincide.
  [[nodiscard]] Eigen::Matrix3d rates() const;
  /// Mass matrix Eᵀ I E of the rotation in these coordinates (F:F121).
  [[nodiscard]] Eigen::Matrix3d mass(const Eigen::Matrix3d& inertia) const {
    return rates().transpose() * inertia * rates();
  }
};

}  // namespace saltus::mechanics
