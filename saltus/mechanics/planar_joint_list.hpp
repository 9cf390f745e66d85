#pragma once

#include "saltus/mechanics/joint_spec.hpp"

namespace saltus::mechanics {

/// A list of joints between bodies of a pool of PlanarBodies. Turns are counted beyond π.
///
///     PlanarJointList joints;
///     joints.revolute(PlanarJointList::world, 0, {0, 0}, {.motor = {.velocity = spin}});
///     joints.revolute(0, 1, {0.2, 0});
///     joints.prismatic(PlanarJointList::world, 2, {0.7, 0}, {1, 0});
///     joints.enter(model, pool);
class PlanarJointList : public JointsOf<PlaneJoints> {
 public:
  /// b turns about a point of a.
  Index revolute(Index a, Index b, const Vector2& anchor, const JointOptions& options = {});
  /// b slides along an axis of a, without turning. Throws Error on an axis without direction.
  Index prismatic(Index a, Index b, const Vector2& anchor, const Vector2& axis,
                  const JointOptions& options = {});
};

}  // namespace saltus::mechanics
