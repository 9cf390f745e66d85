#include "saltus/mechanics/coordinate_relations.hpp"
#include "saltus/mechanics/joint_list.hpp"

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {

namespace {

std::string called(Index body) {
  return body < 0 ? std::string("the world") : fmt::format("body {}", body);
}

std::vector<JointMotion> motions(const JointSpec& spec) {
  if (!spec.constrained) return {JointMotion::stretch};
  switch (spec.kind) {
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

bool is_limited(const JointRange& range) { return range.lower > -inf || range.upper < inf; }
bool is_sprung(const JointSpring& spring) { return spring.stiffness != 0 || spring.damping != 0; }
bool is_driven(const JointMotor& motor) { return motor.position || motor.velocity; }

void check_options(const JointSpec& spec, const std::string& who) {
  const std::size_t coordinates = motions(spec).size();
  for (std::size_t k = 0; k < 2; ++k) {
    const JointOptions& options = spec.options[k];
    const bool used = is_limited(options.limits) || is_driven(options.motor) ||
                      is_sprung(options.spring) || options.friction != 0;
    require(k < coordinates || !used,
            "JointList: {} '{}' has {} coordinates, limits, motor, spring or friction were given "
            "for number "
            "{}",
            mechanics::name(spec.kind), who, coordinates, k);
    require(options.friction >= 0 && std::isfinite(options.friction),
            "JointList: '{}': friction is {}, expected a number >= 0", who, options.friction);
    require(options.motor.max_force > 0, "JointList: '{}': max_force is {}, expected > 0", who,
            options.motor.max_force);
    require(options.tolerance >= 0, "JointList: '{}': tolerance is {}, expected >= 0", who,
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
  [[nodiscard]] Vector positions(const Vector& q) const {
    Vector out(7 * static_cast<Index>(list.size()));
    Index place = 0;
    for (const Endpoint& end : list) out.segment<7>(7 * place++) = q.segment<7>(7 * end.body);
    return out;
  }
};

/// Joints on their way into a model.
struct Entry {
  Model& model;
  SystemId pool;
  Vector q;  // positions of the pool at the start

  Entry(Model& target, SystemId id) : model(target), pool(id) {
    const SystemEntry& entry = model[id];
    require(entry.system.order() == Order::second && entry.system.body_size() == 6 &&
                entry.system.body_positions() == 7,
            "JointList: {} is no pool of rigid bodies in space", entry.name);
    q = model.initial_state().q.segment(entry.q_offset, entry.system.positions());
  }

  [[nodiscard]] Pose in_body(const Pose& frame, Index body, bool already) const {
    if (already || body < 0) return frame;
    const Pose pose = pose_of(q.data() + 7 * body);
    return {pose.R.transpose() * (frame.x - pose.x), pose.R.transpose() * frame.R};
  }

  void check_bodies(const JointSpec& spec) const {
    const std::string& who = spec.options[0].name;
    const Index n = q.size() / 7;
    for (Index body : {spec.a, spec.b})
      require(body >= -1 && body < n,
              "JointList: {} '{}' is on body {}, the pool has {} bodies (-1 is the world)",
              mechanics::name(spec.kind), who, body, n);
    require(spec.a != spec.b, "JointList: {} '{}' joins {} to itself", mechanics::name(spec.kind),
            who, called(spec.a));
  }

  [[nodiscard]] Joint joint_of(const JointSpec& spec, Ends& ends) const {
    return {.kind = spec.kind,
            .a = in_body(spec.frame_a, spec.a, spec.in_bodies),
            .b = in_body(spec.frame_b, spec.b, spec.in_bodies),
            .parameter = spec.parameter,
            .sides = {ends.side(spec.a, pool), ends.side(spec.b, pool)}};
  }
  [[nodiscard]] JointCoordinate coordinate_of(const JointSpec& spec, std::size_t number,
                                              Ends& ends) const {
    const Joint joint = joint_of(spec, ends);
    return {motions(spec).at(number), joint.a, joint.b, joint.sides};
  }

  void check_holds(const Joint& joint, const JointSpec& spec, const Ends& ends) const {
    const Vector at = ends.positions(q);
    Vector y(joint.rows());
    joint.output({0, view_of(at.data(), at.size())}, y);
    Index row = 0;
    const double error = y.cwiseAbs().maxCoeff(&row), tolerance = spec.options[0].tolerance;
    require(error <= tolerance,
            "JointList: {} '{}' between {} and {} does not hold at the start: row {} of {} is "
            "{:.6g}, expected at most {}",
            mechanics::name(spec.kind), spec.options[0].name, called(spec.a), called(spec.b), row,
            joint.rows(), y[row], tolerance);
  }

  InteractionId link(const JointSpec& spec) const {
    check_bodies(spec);
    check_options(spec, spec.options[0].name);
    InteractionId id;
    if (spec.constrained) {
      Ends ends;
      const Joint joint = joint_of(spec, ends);
      joint.prepare();
      check_holds(joint, spec, ends);
      id = model.link(Endpoints(ends.list), joint, Equality{}, spec.options[0].name);
    }
    for (std::size_t k = 0; k < motions(spec).size(); ++k) link_coordinate(spec, k);
    return id;
  }

  void link_coordinate(const JointSpec& spec, std::size_t number) const {
    Ends ends;
    const JointCoordinate x = coordinate_of(spec, number, ends);
    const JointOptions& options = spec.options[number];
    const std::string who = spec.options[0].name + (number == 0 ? "" : ".second");
    if (is_limited(options.limits))
      model.link(Endpoints(ends.list),
                 CoordinateLimits<JointCoordinate>{x, options.limits.lower, options.limits.upper},
                 NewtonImpact{.e = options.limits.e}, who + ".limits");
    if (is_driven(options.motor)) {
      const double force = options.motor.max_force;
      model.link(
          Endpoints(ends.list),
          CoordinateDrive<JointCoordinate>{x, options.motor.position, options.motor.velocity},
          std::isinf(force) ? Law{Equality{}} : Law{Relay{.lower = -force, .upper = force}},
          who + ".motor");
    }
    if (is_sprung(options.spring)) {
      const double rest = options.spring.rest;
      model.link(Endpoints(ends.list),
                 CoordinateDrive<JointCoordinate>{x, [rest](double) { return rest; },
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

std::vector<InteractionId> JointList::enter(Model& model, SystemId pool) const {
  const Entry entry(model, pool);
  std::vector<InteractionId> ids;
  for (const JointSpec& spec : joints_) ids.push_back(entry.link(spec));
  Index number = 0;
  for (const Gear& gear : gears_) {
    const std::string who = gear.name.empty() ? fmt::format("gear{}", number) : gear.name;
    ++number;
    Ends ends;
    CoordinateGear<JointCoordinate> relation{.factor = gear.factor, .period = gear.period};
    for (std::size_t k = 0; k < 2; ++k) {
      const Index joint = gear.joint[k];
      require(joint >= 0 && joint < static_cast<Index>(joints_.size()) &&
                  !motions(joints_[joint]).empty(),
              "JointList: gear '{}' is on joint {}, which is none with a coordinate", who, joint);
      relation.coordinate[k] = entry.coordinate_of(joints_[joint], 0, ends);
    }
    const Vector at = ends.positions(entry.q);
    for (std::size_t k = 0; k < 2; ++k)
      relation.offset +=
          gear.factor[k] * relation.coordinate[k].value(view_of(at.data(), at.size()));
    model.link(Endpoints(ends.list), relation, Equality{}, who);
  }
  return ids;
}

}  // namespace saltus::mechanics
