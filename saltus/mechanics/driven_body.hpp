#pragma once

#include "saltus/mechanics/joints.hpp"

#include <functional>

namespace saltus::mechanics {

/// A rigid body whose pose follows a function of time, for the law Equality (PL:RE-05): the rows of
/// a fixed joint to a frame of the world that moves as `motion`,
///     y = (x − x(t), axial vector of R(t)ᵀ R),   u = 0 when it moves along
/// with ∂y/∂t by central differences. The multiplier, over h, is the force and the torque [N, N m]
/// of the drive, in the axes of the world and of the frame.
struct DrivenBody {
  std::function<Pose(double t)> motion = {};
  Pose frame = {};  ///< what follows it, in the body

  [[nodiscard]] static constexpr Index rows() { return 6; }
  [[nodiscard]] static constexpr Index dof() { return 6; }
  void output(const StateView& x, VectorRef y) const { joint(x.t).output(x, y); }
  void jacobian(const StateView& x, MatrixRef H) const { joint(x.t).jacobian(x, H); }
  void prepare() const;  ///< throws Error without a motion, or if it is none at t = 0

 private:
  [[nodiscard]] Joint joint(double t) const {
    return {.kind = JointKind::fixed, .a = motion(t), .b = frame, .sides = {-1, 0}};
  }
};

}  // namespace saltus::mechanics
