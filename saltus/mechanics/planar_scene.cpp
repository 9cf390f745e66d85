#include "saltus/mechanics/planar_scene.hpp"

namespace saltus::mechanics {

Index PlanarScene::add(double mass, double inertia, const PlanarStart& start) {
  bodies_.push_back({mass, inertia, start});
  return bodies() - 1;
}

void PlanarScene::on_line(Index body, const DiskOnLine& contact, Law law, std::string name) {
  touch({body}, contact, std::move(law), std::move(name));
}

void PlanarScene::disks(Index a, Index b, const DiskContact& contact, Law law, std::string name) {
  touch({a, b}, contact, std::move(law), std::move(name));
}

void PlanarScene::touch(std::vector<Index> list, Relation relation, Law law, std::string name) {
  for (const Index body : list)
    require(body >= 0 && body < bodies(),
            "PlanarScene: a contact is on body {}, the scene has {} bodies", body, bodies());
  if (name.empty()) name = fmt::format("contact{}", contacts_.size());
  contacts_.push_back({std::move(list), std::move(relation), std::move(law), std::move(name)});
}

SystemId PlanarScene::enter(Model& model, const Vector2& gravity, std::string name) const {
  const Index n = bodies();
  require(n > 0, "PlanarScene: there is no body");
  PlanarBodies pool{.m = Vector(n), .inertia = Vector(n), .gravity = gravity};
  Vector q(3 * n), v(3 * n);
  for (Index i = 0; i < n; ++i) {
    const Body& body = bodies_[i];
    pool.m[i] = body.mass;
    pool.inertia[i] = body.inertia;
    q.segment<3>(3 * i) << body.start.x, body.start.angle;
    v.segment<3>(3 * i) << body.start.v, body.start.omega;
  }
  const SystemId id = model.add(std::move(pool), {.q = q, .v = v}, std::move(name));
  PlanarJointList::enter(model, id);
  for (const Contact& contact : contacts_) {
    std::vector<Endpoint> ends;
    for (const Index body : contact.bodies) ends.emplace_back(id, body);
    model.link(Endpoints(ends), contact.relation, contact.law, contact.name);
  }
  return id;
}

Model PlanarScene::model(const Vector2& gravity) const {
  Model model;
  enter(model, gravity);
  return model;
}

}  // namespace saltus::mechanics
