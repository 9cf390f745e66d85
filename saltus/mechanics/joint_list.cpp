#include "saltus/mechanics/joint_list.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {

namespace {

/// A joint on its way into the list, as messages call it.
struct Called {
  JointKind kind;
  Index a, b;
  const JointOptions& options;

  [[nodiscard]] std::string text() const {
    const std::string own = options.name.empty() ? "" : fmt::format(" '{}'", options.name);
    return fmt::format("{}{} between {} and {}", name(kind), own, body(a), body(b));
  }
  static std::string body(Index number) {
    return number < 0 ? std::string("the world") : fmt::format("body {}", number);
  }
};

Vector3 unit(const Called& joint, const Vector3& axis, const char* what) {
  const double norm = axis.norm();
  require(std::isfinite(norm) && norm > 0,
          "JointList: {}: the {} is ({}, {}, {}), expected a direction", joint.text(), what,
          axis.x(), axis.y(), axis.z());
  return axis / norm;
}

/// z along the axis.
Pose frame_along(const Called& joint, const Vector3& p, const Vector3& axis) {
  const Vector3 z = unit(joint, axis, "axis");
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
  const Pose frame = frame_along({JointKind::hinge, a, b, options}, anchor, axis);
  return append(JointKind::hinge, a, b, frame, frame, 0, options);
}

Index JointList::slider(Index a, Index b, const Vector3& anchor, const Vector3& axis,
                        const JointOptions& options) {
  const Pose frame = frame_along({JointKind::slider, a, b, options}, anchor, axis);
  return append(JointKind::slider, a, b, frame, frame, 0, options);
}

Index JointList::cylindrical(Index a, Index b, const Vector3& anchor, const Vector3& axis,
                             const JointOptions& turning, const JointOptions& sliding) {
  const Pose frame = frame_along({JointKind::cylindrical, a, b, turning}, anchor, axis);
  return append(JointKind::cylindrical, a, b, frame, frame, 0, turning, sliding);
}

Index JointList::universal(Index a, Index b, const Vector3& anchor, const Vector3& axis_a,
                           const Vector3& axis_b, const JointOptions& first,
                           const JointOptions& second) {
  const Called joint{JointKind::universal, a, b, first};
  const Vector3 x = unit(joint, axis_a, "first axis"), y = unit(joint, axis_b, "second axis");
  require(std::abs(x.dot(y)) <= first.tolerance,
          "JointList: {}: the axes meet at {:.6g} rad, expected a right angle", joint.text(),
          std::acos(x.dot(y)));
  Pose frame{anchor, {}};
  frame.R.col(0) = x;
  frame.R.col(2) = x.cross(y).normalized();
  frame.R.col(1) = frame.R.col(2).cross(x);
  return append(JointKind::universal, a, b, frame, frame, 0, first, second);
}

Index JointList::screw(Index a, Index b, const Vector3& anchor, const Vector3& axis, double pitch,
                       const JointOptions& options) {
  const Pose frame = frame_along({JointKind::screw, a, b, options}, anchor, axis);
  return append(JointKind::screw, a, b, frame, frame, pitch, options);
}

}  // namespace saltus::mechanics
