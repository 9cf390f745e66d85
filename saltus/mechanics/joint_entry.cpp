#include "saltus/mechanics/coordinate_relations.hpp"
#include "saltus/mechanics/joint_spec.hpp"

#include <Eigen/Geometry>

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

namespace {

std::string called(Index body) {
  return body < 0 ? std::string("the world") : fmt::format("body {}", body);
}

std::vector<JointMotion> motions_of(JointKind kind) {
  switch (kind) {
    case JointKind::hinge:
    case JointKind::screw:
      return {JointMotion::turn};
    case JointKind::slider:
      return {JointMotion::slide};
    case JointKind::cylindrical:
      return {JointMotion::turn, JointMotion::slide};
    case JointKind::universal:
      return {JointMotion::first_turn, JointMotion::second_turn};
    default:
      return {};
  }
}

std::vector<JointMotion> motions_of(PlanarJointKind kind) {
  if (kind == PlanarJointKind::revolute) return {JointMotion::turn};
  if (kind == PlanarJointKind::prismatic) return {JointMotion::slide};
  return {};
}

template <class Space>
std::vector<JointMotion> motions(const JointSpecOf<Space>& spec) {
  return spec.constrained ? motions_of(spec.kind) : std::vector<JointMotion>{JointMotion::stretch};
}

/// A frame of the world in the frame of a body with positions q.
Pose in_frame_of(const double* q, const Pose& frame) {
  const Pose pose = pose_of(q);
  return {pose.R.transpose() * (frame.x - pose.x), pose.R.transpose() * frame.R};
}

PlanarFrame in_frame_of(const double* q, const PlanarFrame& frame) {
  return {Eigen::Rotation2Dd(-q[2]) * (frame.p - Vector2(q[0], q[1])), frame.angle - q[2]};
}

bool is_limited(const JointRange& range) { return range.lower > -inf || range.upper < inf; }
bool is_sprung(const JointSpring& spring) { return spring.stiffness != 0 || spring.damping != 0; }
bool is_driven(const JointMotor& motor) { return motor.position || motor.velocity; }

template <class Space>
void check_options(const JointSpecOf<Space>& spec, const std::string& who) {
  const std::size_t coordinates = motions(spec).size();
  for (std::size_t k = 0; k < 2; ++k) {
    const JointOptions& options = spec.options[k];
    const bool used = is_limited(options.limits) || is_driven(options.motor) ||
                      is_sprung(options.spring) || options.friction != 0;
    require(k < coordinates || !used,
            "{}: {} '{}' has {} coordinates, limits, motor, spring or friction were given "
            "for number {}",
            Space::list, mechanics::name(spec.kind), who, coordinates, k);
    require(options.friction >= 0 && std::isfinite(options.friction),
            "{}: '{}': friction is {}, expected a number >= 0", Space::list, who, options.friction);
    require(options.motor.max_force > 0, "{}: '{}': max_force is {}, expected > 0", Space::list,
            who, options.motor.max_force);
    require(options.tolerance >= 0, "{}: '{}': tolerance is {}, expected >= 0", Space::list, who,
            options.tolerance);
  }
}

/// Bodies of an interaction, and where a joint finds its own among them.
struct Ends {
  std::vector<Endpoint> list = {};

  int side(Index body, SystemId pool) {
    if (body < 0) return -1;
    const auto found = std::find(list.begin(), list.end(), Endpoint(pool, body));
    const auto place = static_cast<int>(found - list.begin());
    if (found == list.end()) list.emplace_back(pool, body);
    return place;
  }
  [[nodiscard]] Vector positions(const Vector& q, Index each) const {
    Vector out(each * static_cast<Index>(list.size()));
    Index place = 0;
    for (const Endpoint& end : list)
      out.segment(each * place++, each) = q.segment(each * end.body, each);
    return out;
  }
};

/// Joints on their way into a model.
template <class Space>
struct Entry {
  using Spec = JointSpecOf<Space>;
  using Frame = typename Space::Frame;
  using Relation = typename Space::Relation;
  using Coordinate = typename Space::Coordinate;
  Model& model;
  SystemId pool;
  Vector q;  // positions of the pool at the start

  Entry(Model& target, SystemId id) : model(target), pool(id) {
    const SystemEntry& entry = model[id];
    require(entry.system.order() == Order::second &&
                entry.system.body_size() == Space::velocities &&
                entry.system.body_positions() == Space::positions,
            "{}: {} is no pool of {}", Space::list, entry.name, Space::pool);
    q = model.initial_state().q.segment(entry.q_offset, entry.system.positions());
  }

  [[nodiscard]] Frame in_body(const Frame& frame, Index body, bool already) const {
    if (already || body < 0) return frame;
    return in_frame_of(q.data() + Space::positions * body, frame);
  }
  [[nodiscard]] Vector positions(const Ends& ends) const {
    return ends.positions(q, Space::positions);
  }

  void check_bodies(const Spec& spec) const {
    const std::string& who = spec.options[0].name;
    const Index n = q.size() / Space::positions;
    for (Index body : {spec.a, spec.b})
      require(body >= -1 && body < n,
              "{}: {} '{}' is on body {}, the pool has {} bodies (-1 is the world)", Space::list,
              mechanics::name(spec.kind), who, body, n);
    require(spec.a != spec.b, "{}: {} '{}' joins {} to itself", Space::list,
            mechanics::name(spec.kind), who, called(spec.a));
  }

  [[nodiscard]] Relation joint_of(const Spec& spec, Ends& ends) const {
    const int a = ends.side(spec.a, pool), b = ends.side(spec.b, pool);
    return {spec.kind,
            in_body(spec.frame_a, spec.a, spec.in_bodies),
            in_body(spec.frame_b, spec.b, spec.in_bodies),
            spec.parameter,
            {a, b}};
  }
  [[nodiscard]] Coordinate coordinate_of(const Spec& spec, std::size_t number, Ends& ends) const {
    const Relation joint = joint_of(spec, ends);
    return {motions(spec).at(number), joint.a, joint.b, joint.sides};
  }

  void check_holds(const Relation& joint, const Spec& spec, const Ends& ends) const {
    const Vector at = positions(ends);
    Vector y(joint.rows());
    joint.output({0, view_of(at.data(), at.size())}, y);
    Index row = 0;
    const double error = y.cwiseAbs().maxCoeff(&row), tolerance = spec.options[0].tolerance;
    require(error <= tolerance,
            "{}: {} '{}' between {} and {} does not hold at the start: row {} of {} is {:.6g}, "
            "expected at most {}",
            Space::list, mechanics::name(spec.kind), spec.options[0].name, called(spec.a),
            called(spec.b), row, joint.rows(), y[row], tolerance);
  }

  /// All of a joint; what its parts find wrong is told with its name.
  InteractionId link(const Spec& spec) const {
    check_bodies(spec);
    check_options(spec, spec.options[0].name);
    try {
      return link_parts(spec);
    } catch (const Error& error) {
      const std::string_view text = error.what();
      if (text.find(fmt::format("'{}'", spec.options[0].name)) != text.npos) throw;
      fail("{}: {} '{}' between {} and {}: {}", Space::list, mechanics::name(spec.kind),
           spec.options[0].name, called(spec.a), called(spec.b), text);
    }
  }

  InteractionId link_parts(const Spec& spec) const {
    InteractionId id;
    if (spec.constrained) {
      Ends ends;
      const Relation joint = joint_of(spec, ends);
      joint.prepare();
      check_holds(joint, spec, ends);
      id = model.link(Endpoints(ends.list), joint, Equality{}, spec.options[0].name);
    }
    for (std::size_t k = 0; k < motions(spec).size(); ++k) link_coordinate(spec, k);
    return id;
  }

  void link_coordinate(const Spec& spec, std::size_t number) const {
    Ends ends;
    const Coordinate x = coordinate_of(spec, number, ends);
    const JointOptions& options = spec.options[number];
    const std::string who = spec.options[0].name + (number == 0 ? "" : ".second");
    if (is_limited(options.limits))
      model.link(Endpoints(ends.list),
                 CoordinateLimits<Coordinate>{x, options.limits.lower, options.limits.upper},
                 NewtonImpact{.e = options.limits.e}, who + ".limits");
    if (is_driven(options.motor)) {
      const double force = options.motor.max_force;
      model.link(Endpoints(ends.list),
                 CoordinateDrive<Coordinate>{x, options.motor.position, options.motor.velocity},
                 std::isinf(force) ? Law{Equality{}} : Law{Relay{.lower = -force, .upper = force}},
                 who + ".motor");
    }
    if (is_sprung(options.spring)) {
      const double rest = options.spring.rest;
      model.link(Endpoints(ends.list),
                 CoordinateDrive<Coordinate>{x, [rest](double) { return rest; },
                                             [](double) { return 0.0; }},
                 Spring{.k = options.spring.stiffness, .c = options.spring.damping},
                 who + ".spring");
    }
    if (options.friction > 0)
      model.link(Endpoints(ends.list), x,
                 Relay{.lower = -options.friction, .upper = options.friction}, who + ".friction");
  }
};

}  // namespace

template <class Space>
std::vector<InteractionId> JointsOf<Space>::enter(Model& model, SystemId pool) const {
  using Coordinate = typename Space::Coordinate;
  const Entry<Space> entry(model, pool);
  std::vector<InteractionId> ids;
  for (const Spec& spec : joints_) ids.push_back(entry.link(spec));
  Index number = 0;
  for (const Gear& gear : gears_) {
    const std::string who = gear.name.empty() ? fmt::format("gear{}", number) : gear.name;
    ++number;
    Ends ends;
    CoordinateGear<Coordinate> relation{.factor = gear.factor};
    for (std::size_t k = 0; k < 2; ++k) {
      const Index joint = gear.joint[k];
      require(joint >= 0 && joint < static_cast<Index>(joints_.size()) &&
                  !motions(joints_[joint]).empty(),
              "{}: gear '{}' is on joint {}, which is none with a coordinate", Space::list, who,
              joint);
      relation.coordinate[k] = entry.coordinate_of(joints_[joint], 0, ends);
      if (relation.coordinate[k].cyclic()) relation.period = gear.period;
    }
    const Vector at = entry.positions(ends);
    for (std::size_t k = 0; k < 2; ++k)
      relation.offset +=
          gear.factor[k] * relation.coordinate[k].value(view_of(at.data(), at.size()));
    model.link(Endpoints(ends.list), relation, Equality{}, who);
  }
  return ids;
}

template std::vector<InteractionId> JointsOf<SpatialJoints>::enter(Model&, SystemId) const;
template std::vector<InteractionId> JointsOf<PlaneJoints>::enter(Model&, SystemId) const;

}  // namespace saltus::mechanics
