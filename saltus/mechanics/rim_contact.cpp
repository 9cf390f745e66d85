#include "saltus/mechanics/rim_contact.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {

namespace {

/// −d s: from the lowest point of the rim to the centre, shortened by s.
Vector3 upwards(const Vector3& n, const Matrix3& R) {
  const Vector3 axis = R.col(2);
  return n - n.dot(axis) * axis;
}

}  // namespace

void RimOnPlane::output(const StateView& x, VectorRef y) const {
  const Pose pose = pose_of(x.q.data());
  y << normal.dot(pose.x) - offset - radius * upwards(normal, pose.R).norm(), 0, 0;
}

void RimOnPlane::jacobian(const StateView& x, MatrixRef H) const {
  const Pose pose = pose_of(x.q.data());
  const Vector3 up = upwards(normal, pose.R);
  const double s = up.norm();
  const Vector3 arm = -radius * (s > 0 ? Vector3(up / s) : Vector3(pose.R.col(0)));
  Matrix3 frame;  // rows n, t₁, t₂
  frame.row(0) = normal;
  frame.row(1) = normal.cross(arm).normalized();
  frame.row(2) = normal.cross(Vector3(frame.row(1)));
  H.leftCols<3>() = frame;
  for (Index k = 0; k < 3; ++k)  // e·(ω × arm) = ω·(arm × e), ω in the body frame
    H.row(k).tail<3>() = pose.R.transpose() * arm.cross(Vector3(frame.row(k)));
}

void RimOnPlane::prepare() const {
  require(radius > 0 && std::isfinite(radius), "RimOnPlane: the radius is {}, expected > 0",
          radius);
  require(std::abs(normal.norm() - 1) < 1e-9, "RimOnPlane: the normal has length {}, expected 1",
          normal.norm());
}

}  // namespace saltus::mechanics
