#include "saltus/mechanics/joint_list.hpp"

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

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

Index JointList::joint(JointSpec spec) {
  joints_.push_back(std::move(spec));
  const auto number = static_cast<Index>(joints_.size()) - 1;
  std::string& name = joints_.back().options[0].name;
  if (name.empty()) name = fmt::format("{}{}", mechanics::name(joints_.back().kind), number);
  return number;
}

Index JointList::append(JointKind kind, Index a, Index b, const Pose& frame_a, const Pose& frame_b,
                        double parameter, const JointOptions& first, const JointOptions& second) {
  return joint(JointSpec{.kind = kind,
                         .a = a,
                         .b = b,
                         .frame_a = frame_a,
                         .frame_b = frame_b,
                         .parameter = parameter,
                         .options = {first, second}});
}

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

Index JointList::fixed(Index a, Index b, const Vector3& anchor, const JointOptions& options) {
  return append(JointKind::fixed, a, b, {.x = anchor}, {.x = anchor}, 0, options);
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

Index JointList::distance(Index a, Index b, const Vector3& anchor_a, const Vector3& anchor_b,
                          double length, const JointOptions& options) {
  const double actual = (anchor_b - anchor_a).norm();
  return append(JointKind::distance, a, b, {.x = anchor_a}, {.x = anchor_b},
                length == 0 ? actual : length, options);
}

Index JointList::spring(Index a, Index b, const Vector3& anchor_a, const Vector3& anchor_b,
                        const JointSpring& spring, std::string name) {
  JointOptions options{.name = std::move(name), .spring = spring, .collide = true};
  if (options.name.empty()) options.name = fmt::format("spring{}", joints_.size());
  return loose(a, b, anchor_a, anchor_b, options);
}

Index JointList::rope(Index a, Index b, const Vector3& anchor_a, const Vector3& anchor_b,
                      double length, double e, std::string name) {
  require(length > 0 && std::isfinite(length), "JointList::rope: the length is {}, expected > 0",
          length);
  require((anchor_b - anchor_a).norm() <= length * (1 + 1e-12),
          "JointList::rope: '{}' of length {} between anchors that are {} apart", name, length,
          (anchor_b - anchor_a).norm());
  JointOptions options{
      .name = std::move(name), .limits = {.upper = length, .e = e}, .collide = true};
  if (options.name.empty()) options.name = fmt::format("rope{}", joints_.size());
  return loose(a, b, anchor_a, anchor_b, options);
}

Index JointList::loose(Index a, Index b, const Vector3& anchor_a, const Vector3& anchor_b,
                       const JointOptions& options) {
  return joint({.kind = JointKind::distance,
                .a = a,
                .b = b,
                .frame_a = {.x = anchor_a},
                .frame_b = {.x = anchor_b},
                .constrained = false,
                .options = {options, {}}});
}

Index JointList::screw(Index a, Index b, const Vector3& anchor, const Vector3& axis, double pitch,
                       const JointOptions& options) {
  const Pose frame = frame_along(anchor, axis);
  return append(JointKind::screw, a, b, frame, frame, pitch, options);
}

void JointList::gear(Index first, Index second, int teeth_first, int teeth_second,
                     std::string name) {
  require(teeth_first > 0 && teeth_second != 0,
          "JointList::gear: {} and {} teeth, expected a positive number and one that is not 0",
          teeth_first, teeth_second);
  gears_.push_back({{first, second},
                    {static_cast<double>(teeth_first), static_cast<double>(teeth_second)},
                    2 * std::numbers::pi,
                    std::move(name)});
}

void JointList::rack(Index slider, Index hinge, double radius, std::string name) {
  require(std::isfinite(radius) && radius != 0,
          "JointList::rack: the radius is {}, expected a number that is not 0", radius);
  gears_.push_back(
      {{slider, hinge}, {1, -radius}, 2 * std::numbers::pi * std::abs(radius), std::move(name)});
}

}  // namespace saltus::mechanics
