#pragma once

#include "saltus/mechanics/joint_spec.hpp"

namespace saltus::mechanics {

/// A list of joints between bodies of a pool of RigidBodies.
///
///     JointList joints;
///     joints.hinge(JointList::world, 0, {0, 0, 1}, {0, 1, 0}, {.name = "shoulder"});
///     joints.hinge(0, 1, {0, 0, 0.5}, {0, 1, 0}, {.name = "elbow", .limits = {0, 2.5}});
///     joints.enter(model, pool);
class JointList : public JointsOf<SpatialJoints> {
 public:
  /// Each returns the number of the joint. Throws Error on an axis without direction.
  Index ball(Index a, Index b, const Vector3& anchor, const JointOptions& options = {});
  Index hinge(Index a, Index b, const Vector3& anchor, const Vector3& axis,
              const JointOptions& options = {});
  Index slider(Index a, Index b, const Vector3& anchor, const Vector3& axis,
               const JointOptions& options = {});
  Index cylindrical(Index a, Index b, const Vector3& anchor, const Vector3& axis,
                    const JointOptions& turning = {}, const JointOptions& sliding = {});
  /// `axis_a` is fixed to a, `axis_b` to b, at right angles.
  Index universal(Index a, Index b, const Vector3& anchor, const Vector3& axis_a,
                  const Vector3& axis_b, const JointOptions& first = {},
                  const JointOptions& second = {});
  /// b advances by `pitch` [m] along the axis for each turn.
  Index screw(Index a, Index b, const Vector3& anchor, const Vector3& axis, double pitch,
              const JointOptions& options = {});
};

}  // namespace saltus::mechanics
