#pragma once

#include "saltus/mechanics/collision/contact_scene.hpp"

#include <string>

namespace saltus::mechanics {

/// How a body starts.
struct Start {
  Vector3 x = Vector3::Zero();      ///< centre of mass [m]
  Vector3 turn = Vector3::Zero();   ///< rotation vector [rad]
  Vector3 v = Vector3::Zero();      ///< [m/s]
  Vector3 omega = Vector3::Zero();  ///< in the body frame [rad/s]
};

/// Collects rigid bodies with their shapes, then makes one pool and one source of contacts of them.
///
///     RigidScene scene;
///     scene.fix(Plane{});
///     scene.add(Sphere{.radius = 0.1}, 1000, {.x = {0, 0, 1}});
///     Model model = scene.model({0, 0, -9.81});
class RigidScene {
 public:
  /// A body of that shape and density [kg/m³]; returns its number in the pool. The frame of the
  /// body has its origin at the centre of mass of the shape and the axes of the shape.
  Index add(const Shape& shape, double density, const Start& start, Material material = {});
  /// A shape of the world.
  void fix(const Shape& shape, Material material = {}, const Pose& pose = {});

  [[nodiscard]] Index bodies() const { return static_cast<Index>(bodies_.size()); }
  /// Adds the pool and the source to a model. Throws Error if there is no body.
  SystemId enter(Model& model, const Vector3& gravity, std::string name = "bodies") const;
  /// A model of the pool and the source alone.
  [[nodiscard]] Model model(const Vector3& gravity) const;

 private:
  struct Body {
    Shape shape;
    MassProperties mass;
    Start start;
    Material material;
  };
  struct Fixed {
    Shape shape;
    Material material;
    Pose pose;
  };
  std::vector<Body> bodies_;
  std::vector<Fixed> fixed_;
};

}  // namespace saltus::mechanics
