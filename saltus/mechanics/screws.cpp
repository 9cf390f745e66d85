#include "saltus/mechanics/screws.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {

Screw Screw::at(const Eigen::Vector3d& from_here) const {
  return {resultant, moment - from_here.cross(resultant)};
}

Screw Screw::in_world(const Pose& frame) const {
  return Screw{frame.R * resultant, frame.R * moment}.at(-frame.x);
}

Screw Screw::in_frame(const Pose& frame) const {
  const Screw there = at(frame.x);
  return {frame.R.transpose() * there.resultant, frame.R.transpose() * there.moment};
}

double Screw::product(const Screw& other) const {
  return resultant.dot(other.moment) + moment.dot(other.resultant);
}

Screw twist_of(const double* q, const double* v) {
  return {pose_of(q).R * Eigen::Vector3d(v[3], v[4], v[5]), {v[0], v[1], v[2]}};
}

Screw momentum_of(const double* q, const double* v, double mass, const Eigen::Matrix3d& inertia) {
  return {mass * Eigen::Vector3d(v[0], v[1], v[2]),
          pose_of(q).R * (inertia * Eigen::Vector3d(v[3], v[4], v[5]))};
}

Eigen::Matrix3d EulerAngles::rotation() const {
  using Eigen::AngleAxisd;
  using Eigen::Vector3d;
  return (AngleAxisd(psi, Vector3d::UnitZ()) * AngleAxisd(theta, Vector3d::UnitX()) *
          AngleAxisd(phi, Vector3d::UnitZ()))
      .toRotationMatrix();
}

Eigen::Matrix3d EulerAngles::rates() const {
  const double s = std::sin(theta);
  Eigen::Matrix3d E;
  E << std::sin(phi) * s, std::cos(phi), 0,  //
      std::cos(phi) * s, -std::sin(phi), 0,  //
      std::cos(theta), 0, 1;
  return E;
}

}  // namespace saltus::mechanics
