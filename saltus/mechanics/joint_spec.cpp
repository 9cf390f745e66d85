#include "saltus/mechanics/joint_spec.hpp"

#include <cmath>
#include <numbers>

namespace saltus::mechanics {

template <class Space>
Index JointsOf<Space>::joint(Spec spec) {
  joints_.push_back(std::move(spec));
  const auto number = static_cast<Index>(joints_.size()) - 1;
  std::string& name = joints_.back().options[0].name;
  if (name.empty()) name = fmt::format("{}{}", mechanics::name(joints_.back().kind), number);
  return number;
}

template <class Space>
Index JointsOf<Space>::append(typename Space::Kind kind, Index a, Index b,
                              const typename Space::Frame& frame_a,
                              const typename Space::Frame& frame_b, double parameter,
                              const JointOptions& first, const JointOptions& second) {
  return joint({.kind = kind,
                .a = a,
                .b = b,
                .frame_a = frame_a,
                .frame_b = frame_b,
                .parameter = parameter,
                .options = {first, second}});
}

template <class Space>
Index JointsOf<Space>::fixed(Index a, Index b, const Point& anchor, const JointOptions& options) {
  return append(Space::Kind::fixed, a, b, Space::at(anchor), Space::at(anchor), 0, options);
}

template <class Space>
Index JointsOf<Space>::distance(Index a, Index b, const Point& anchor_a, const Point& anchor_b,
                                double length, const JointOptions& options) {
  const double actual = (anchor_b - anchor_a).norm();
  return append(Space::Kind::distance, a, b, Space::at(anchor_a), Space::at(anchor_b),
                length == 0 ? actual : length, options);
}

template <class Space>
Index JointsOf<Space>::spring(Index a, Index b, const Point& anchor_a, const Point& anchor_b,
                              const JointSpring& spring, std::string name) {
  JointOptions options{.name = std::move(name), .spring = spring, .collide = true};
  if (options.name.empty()) options.name = fmt::format("spring{}", joints_.size());
  return loose(a, b, anchor_a, anchor_b, options);
}

template <class Space>
Index JointsOf<Space>::rope(Index a, Index b, const Point& anchor_a, const Point& anchor_b,
                            double length, double e, std::string name) {
  require(length > 0 && std::isfinite(length), "{}::rope: the length is {}, expected > 0",
          Space::list, length);
  require((anchor_b - anchor_a).norm() <= length * (1 + 1e-12),
          "{}::rope: '{}' of length {} between anchors that are {} apart", Space::list, name,
          length, (anchor_b - anchor_a).norm());
  JointOptions options{
      .name = std::move(name), .limits = {.upper = length, .e = e}, .collide = true};
  if (options.name.empty()) options.name = fmt::format("rope{}", joints_.size());
  return loose(a, b, anchor_a, anchor_b, options);
}

template <class Space>
Index JointsOf<Space>::loose(Index a, Index b, const Point& anchor_a, const Point& anchor_b,
                             const JointOptions& options) {
  return joint({.kind = Space::Kind::distance,
                .a = a,
                .b = b,
                .frame_a = Space::at(anchor_a),
                .frame_b = Space::at(anchor_b),
                .constrained = false,
                .options = {options, {}}});
}

template <class Space>
void JointsOf<Space>::gear(Index first, Index second, int teeth_first, int teeth_second,
                           std::string name) {
  require(teeth_first > 0 && teeth_second != 0,
          "{}::gear: {} and {} teeth, expected a positive number and one that is not 0",
          Space::list, teeth_first, teeth_second);
  gears_.push_back({{first, second},
                    {static_cast<double>(teeth_first), static_cast<double>(teeth_second)},
                    2 * std::numbers::pi,
                    std::move(name)});
}

template <class Space>
void JointsOf<Space>::rack(Index slider, Index hinge, double radius, std::string name) {
  require(std::isfinite(radius) && radius != 0,
          "{}::rack: the radius is {}, expected a number that is not 0", Space::list, radius);
  gears_.push_back(
      {{slider, hinge}, {1, -radius}, 2 * std::numbers::pi * std::abs(radius), std::move(name)});
}

template class JointsOf<SpatialJoints>;
template class JointsOf<PlaneJoints>;

}  // namespace saltus::mechanics
