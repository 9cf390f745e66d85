#pragma once

#include "saltus/mechanics/collision/contact_scene.hpp"
#include "saltus/mechanics/joint_list.hpp"

#include <optional>
#include <string>

namespace saltus::mechanics {

/// How a body starts.
struct Start {
  Vector3 x = Vector3::Zero();      ///< centre of mass [m]
  Vector3 turn = Vector3::Zero();   ///< rotation vector [rad]
  Vector3 v = Vector3::Zero();      ///< [m/s]
  Vector3 omega = Vector3::Zero();  ///< in the body frame [rad/s]
};

/// Collects rigid bodies with their shapes, and joints between them, then makes one pool, one
/// source of contacts and the interactions of the joints of them. Bodies that a joint ties do not
/// touch each other, unless it says so.
///
///     RigidScene scene;
///     scene.fix(Plane{});
///     scene.add(Sphere{.radius = 0.1}, 1000, {.x = {0, 0, 1}});
///     scene.distance(RigidScene::world, 0, {1, 0, 1}, {0, 0, 1});
///     Model model = scene.model({0, 0, -9.81});
class RigidScene : public JointList {
 public:
  /// A body of that shape and density [kg/m³]; returns its number in the pool. The frame of the
  /// body has its origin at the centre of mass of the shape and the axes of the shape.
  Index add(const Shape& shape, double density, const Start& start, Material material = {});
  /// A body without a shape, which touches nothing: mass [kg] and inertia [kg m²] in its axes.
  Index add(double mass, const Matrix3& inertia, const Start& start);
  /// One more shape on a body, at a pose in its frame; mass and inertia stay as they are. Throws
  /// Error on a body that is not there.
  void attach(Index body, const Shape& shape, Material material = {}, const Pose& pose = {});
  /// A shape of the world.
  void fix(const Shape& shape, Material material = {}, const Pose& pose = {});

  /// The law where surfaces of these two kinds (Material::kind) meet.
  void law(int kind_a, int kind_b, Law law) { laws_.push_back({kind_a, kind_b, std::move(law)}); }

  [[nodiscard]] Index bodies() const { return static_cast<Index>(bodies_.size()); }
  /// Adds the pool, the source and the joints to a model. Throws Error if there is no body.
  SystemId enter(Model& model, const Vector3& gravity, std::string name = "bodies") const;
  /// A model of these alone.
  [[nodiscard]] Model model(const Vector3& gravity) const;
  /// The pool is one of AcceleratedBodies from now on: for schemes that work with accelerations.
  void accelerated() { accelerated_ = true; }

 private:
  struct Body {
    std::optional<Shape> shape;
    MassProperties mass;
    Start start;
    Material material;
  };
  struct Attached {
    Index body;
    Shape shape;
    Material material;
    Pose pose;
  };
  struct Fixed {
    Shape shape;
    Material material;
    Pose pose;
  };
  struct PairLaw {
    int kind_a, kind_b;
    Law law;
  };
  std::vector<PairLaw> laws_;
  std::vector<Body> bodies_;
  std::vector<Attached> attached_;
  std::vector<Fixed> fixed_;
  bool accelerated_ = false;
};

}  // namespace saltus::mechanics
