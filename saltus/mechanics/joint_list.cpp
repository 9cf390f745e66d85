#include "saltus/mechanics/joint_list.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {

namespace {

Vector3 unit(const Vector3& axis, const char* what) {
  const double norm = axis.norm();
  require(std::isfinite(norm) && norm > 0,
          "JointList: the {} is ({}, {}, {}), expected a direction", what, axis.x(), axis.y(),
          axis.z());
  return axis / norm;
}

/// z along the axis.
Pose frame_along(const Vector3& p, const Vector3& axis) {
  const Vector3 z = unit(axis, "axis");
  Index smallest = 0;
  z.cwiseAbs().minCoeff(&smallest);
  Pose frame{p, {}};
  frame.R.col(2) = z;
  frame.R.col(0) = Vector3::Unit(smallest).cross(z).normalized();
  frame.R.col(1) = z.cross(frame.R.col(0));
  return frame;
}

}  // namespace

Index JointList::ball(Index a, Index b, const Vector3& anchor, const JointOptions& options) {
  return append(JointKind::ball, a, b, {.x = anchor}, {.x = anchor}, 0, options);
}

Index JointList::hinge(Index a, Index b, const Vector3& anchor, const Vector3& axis,
                       const JointOptions& options) {
  const Pose frame = frame_along(anchor, axis);
  return append(JointKind::hinge, a, b, frame, frame, 0, options);
}

Index JointList::slider(Index a, Index b, const Vector3& anchor, const Vector3& axis,
                        const JointOptions& options) {
  const Pose frame = frame_along(anchor, axis);
  return append(JointKind::slider, a, b, frame, frame, 0, options);
}

Index JointList::cylindrical(Index a, Index b, const Vector3& anchor, const Vector3& axis,
                             const JointOptions& turning, const JointOptions& sliding) {
  const Pose frame = frame_along(anchor, axis);
  return append(JointKind::cylindrical, a, b, frame, frame, 0, turning, sliding);
}

Index JointList::universal(Index a, Index b, const Vector3& anchor, const Vector3& axis_a,
                           const Vector3& axis_b, const JointOptions& first,
                           const JointOptions& second) {
  const Vector3 x = unit(axis_a, "first axis"), y = unit(axis_b, "second axis");
  require(std::abs(x.dot(y)) <= first.tolerance,
          "JointList: the axes of a universal joint meet at {:.6g} rad, expected a right angle",
          std::acos(x.dot(y)));
  Pose frame{anchor, {}};
  frame.R.col(0) = x;
  frame.R.col(2) = x.cross(y).normalized();
  frame.R.col(1) = frame.R.col(2).cross(x);
  return append(JointKind::universal, a, b, frame, frame, 0, first, second);
}

Index JointList::screw(Index a, Index b, const Vector3& anchor, const Vector3& axis, double pitch,
                       const JointOptions& options) {
  const Pose frame = frame_along(anchor, axis);
  return append(JointKind::screw, a, b, frame, frame, pitch, options);
}

}  // namespace saltus::mechanics
