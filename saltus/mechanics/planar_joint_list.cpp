#include "saltus/mechanics/planar_joint_list.hpp"

#include <cmath>

namespace saltus::mechanics {

Index PlanarJointList::revolute(Index a, Index b, const Vector2& anchor,
                                const JointOptions& options) {
  return append(PlanarJointKind::revolute, a, b, {.p = anchor}, {.p = anchor}, 0, options);
}

Index PlanarJointList::prismatic(Index a, Index b, const Vector2& anchor, const Vector2& axis,
                                 const JointOptions& options) {
  require(axis.allFinite() && axis.norm() > 0,
          "PlanarJointList: the axis is ({}, {}), expected a direction", axis.x(), axis.y());
  const PlanarFrame frame{anchor, std::atan2(axis.y(), axis.x())};
  return append(PlanarJointKind::prismatic, a, b, frame, frame, 0, options);
}

}  // namespace saltus::mechanics
