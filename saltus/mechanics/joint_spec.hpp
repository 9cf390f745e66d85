#pragma once

#include "saltus/mechanics/planar_joints.hpp"
#include "saltus/model/model.hpp"

#include <array>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace saltus::mechanics {

/// Where a coordinate of a joint may go, and how it comes back from there.
struct JointRange {
  double lower = -inf;  ///< [rad], in space within (−π, π), or [m]
  double upper = inf;
  double e = 0;  ///< coefficient of restitution
};

/// A coordinate driven by a function of time (CoordinateDrive), with any force or with at most
/// `max_force` [N or N m].
struct JointMotor {
  std::function<double(double t)> position = {};
  std::function<double(double t)> velocity = {};
  double max_force = inf;
};

/// Spring and damper on a coordinate: −k (x − rest) − c ẋ.
struct JointSpring {
  double stiffness = 0;  ///< [N/m or N m/rad]
  double damping = 0;    ///< [N s/m or N m s/rad]
  double rest = 0;       ///< [m or rad]
};

/// What a coordinate of a joint is subject to. Coordinates are 0 where the frames of the joint
/// coincide: at the start, unless the joint is given by two frames.
struct JointOptions {
  std::string name = {};    ///< of the joint; "hinge3" if empty
  JointRange limits = {};   ///< interaction <name>.limits, NewtonImpact
  JointMotor motor = {};    ///< <name>.motor, Equality or Relay
  JointSpring spring = {};  ///< <name>.spring, Spring
  double friction = 0;      ///< largest dry friction [N or N m]: <name>.friction, Relay
  double tolerance = 1e-6;  ///< largest error of the joint at the start [m, rad]
  bool collide = false;     ///< whether the shapes of its two bodies meet
};

/// What a list of joints must know of space, or of the plane.
struct SpatialJoints {
  using Kind = JointKind;
  using Frame = Pose;
  using Point = Vector3;
  using Relation = Joint;
  using Coordinate = JointCoordinate;
  static constexpr std::string_view list = "JointList", pool = "rigid bodies in space";
  static constexpr Index positions = 7, velocities = 6;  ///< of a body
  static Frame at(const Point& p) { return {.x = p}; }
};
struct PlaneJoints {
  using Kind = PlanarJointKind;
  using Frame = PlanarFrame;
  using Point = Vector2;
  using Relation = PlanarJoint;
  using Coordinate = PlanarCoordinate;
  static constexpr std::string_view list = "PlanarJointList", pool = "rigid bodies in the plane";
  static constexpr Index positions = 3, velocities = 3;
  static Frame at(const Point& p) { return {.p = p}; }
};

/// A joint in words: two frames, given in the world at the start or in their bodies.
template <class Space>
struct JointSpecOf {
  typename Space::Kind kind = {};
  Index a = -1;  ///< body, −1: the world
  Index b = -1;
  typename Space::Frame frame_a = {};
  typename Space::Frame frame_b = {};
  bool in_bodies = false;   ///< the frames are given in their bodies
  double parameter = 0;     ///< length, pitch
  bool constrained = true;  ///< false: a distance that is not held, for springs and ropes
  std::array<JointOptions, 2> options = {};  ///< of its coordinates; the first names the joint
};
using JointSpec = JointSpecOf<SpatialJoints>;
using PlanarJointSpec = JointSpecOf<PlaneJoints>;

/// What lists of joints in space and in the plane have in common: joints between bodies of a pool
/// (numbers of the pool, `world` for the world), entered into a model when the pool is there.
/// Anchors and axes are points and directions of the world at the start; the coordinates are the
/// motion of b against a.
template <class Space>
class JointsOf {
 public:
  using Spec = JointSpecOf<Space>;
  using Point = typename Space::Point;
  static constexpr Index world = -1;

  /// A joint given by two frames; each of these functions returns the number of the joint.
  Index joint(Spec spec);
  Index fixed(Index a, Index b, const Point& anchor, const JointOptions& options = {});
  /// Keeps the two anchors at `length` [m] from each other; 0: as they are.
  Index distance(Index a, Index b, const Point& anchor_a, const Point& anchor_b, double length = 0,
                 const JointOptions& options = {});
  /// Spring and damper between two points; `rest` is its free length.
  Index spring(Index a, Index b, const Point& anchor_a, const Point& anchor_b,
               const JointSpring& spring, std::string name = {});
  /// A rope (TI:TI-122): the anchors are at most `length` [m] apart; it jerks with restitution e.
  Index rope(Index a, Index b, const Point& anchor_a, const Point& anchor_b, double length,
             double e = 0, std::string name = {});

  /// Toothed wheels on two joints that turn as −teeth_second : teeth_first (outer mesh); a negative
  /// number of teeth is an inner mesh.
  void gear(Index first, Index second, int teeth_first, int teeth_second, std::string name = {});
  /// A pinion of that radius [m] on a joint that turns drives one that slides: ṡ = radius θ̇.
  void rack(Index slider, Index hinge, double radius, std::string name = {});

  [[nodiscard]] std::span<const Spec> joints() const { return joints_; }

  /// Links the joints and what is on them. Throws Error on bodies that the pool does not have, and
  /// on a joint that does not hold at the start, with its name, its bodies and by how much. Returns
  /// the interactions of the joints, none for springs and ropes.
  std::vector<InteractionId> enter(Model& model, SystemId pool) const;

 protected:
  Index append(typename Space::Kind kind, Index a, Index b, const typename Space::Frame& frame_a,
               const typename Space::Frame& frame_b, double parameter, const JointOptions& first,
               const JointOptions& second = {});

 private:
  struct Gear {
    std::array<Index, 2> joint;
    std::array<double, 2> factor;
    double period;
    std::string name;
  };
  Index loose(Index a, Index b, const Point& anchor_a, const Point& anchor_b,
              const JointOptions& options);

  std::vector<Spec> joints_;
  std::vector<Gear> gears_;
};

extern template class JointsOf<SpatialJoints>;
extern template class JointsOf<PlaneJoints>;

}  // namespace saltus::mechanics
