#include "saltus/mechanics/rigid_scene.hpp"

#include <cmath>

namespace saltus::mechanics {

Index RigidScene::add(const Shape& shape, double density, const Start& start, Material material) {
  check_shape(shape);
  require(density > 0 && std::isfinite(density), "RigidScene: density is {}, expected > 0",
          density);
  bodies_.push_back({shape, mass_properties(shape, density), start, material});
  return bodies() - 1;
}

Index RigidScene::add(double mass, const Matrix3& inertia, const Start& start) {
  MassProperties properties;
  properties.mass = mass;
  properties.inertia = inertia;
  properties.centre.setZero();
  bodies_.push_back({std::nullopt, properties, start, {}});
  return bodies() - 1;
}

void RigidScene::attach(Index body, const Shape& shape, Material material, const Pose& pose) {
  check_shape(shape);
  require(body >= 0 && body < bodies(),
          "RigidScene: a shape is on body {}, the scene has {} bodies", body, bodies());
  attached_.push_back({body, shape, material, pose});
}

void RigidScene::fix(const Shape& shape, Material material, const Pose& pose) {
  fixed_.push_back({shape, material, pose});
}

SystemId RigidScene::enter(Model& model, const Vector3& gravity, std::string name) const {
  const Index n = bodies();
  require(n > 0, "RigidScene: there is no body");
  RigidBodies pool{.m = Vector(n), .inertia = Matrix(n, 6), .gravity = gravity};
  Vector q(7 * n), v(6 * n);
  for (Index i = 0; i < n; ++i) {
    const Body& body = bodies_[i];
    const Matrix3& I = body.mass.inertia;
    pool.m[i] = body.mass.mass;
    pool.inertia.row(i) << I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2);
    q.segment<7>(7 * i) = positions_of(body.start.x, body.start.turn);
    v.segment<3>(6 * i) = body.start.v;
    v.segment<3>(6 * i + 3) = body.start.omega;
  }
  System system =
      accelerated_ ? System(AcceleratedBodies{std::move(pool)}) : System(std::move(pool));
  const SystemId id = model.add(std::move(system), {.q = q, .v = v}, std::move(name));
  ContactScene scene;
  for (const PairLaw& pair : laws_) scene.law(pair.kind_a, pair.kind_b, pair.law);
  for (const Fixed& fixed : fixed_) scene.add(Endpoint{}, fixed.shape, fixed.material, fixed.pose);
  for (Index i = 0; i < n; ++i)
    if (bodies_[i].shape)
      scene.add(Endpoint(id, i), *bodies_[i].shape, bodies_[i].material,
                {.x = -bodies_[i].mass.centre, .R = Matrix3::Identity()});
  for (const Attached& part : attached_)
    scene.add(Endpoint(id, part.body), part.shape, part.material, part.pose);
  const auto end_of = [&](Index body) { return body < 0 ? Endpoint{} : Endpoint(id, body); };
  for (const JointSpec& joint : joints())
    if (!joint.options[0].collide) scene.ignore(end_of(joint.a), end_of(joint.b));
  if (scene.shapes() > 0) model.add(std::move(scene));
  JointList::enter(model, id);
  return id;
}

Model RigidScene::model(const Vector3& gravity) const {
  Model model;
  enter(model, gravity);
  return model;
}

}  // namespace saltus::mechanics
