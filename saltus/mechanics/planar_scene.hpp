#pragma once

#include "saltus/mechanics/planar_contacts.hpp"
#include "saltus/mechanics/planar_joint_list.hpp"

#include <string>

namespace saltus::mechanics {

/// How a body of the plane starts.
struct PlanarStart {
  Vector2 x = Vector2::Zero();  ///< centre of mass [m]
  double angle = 0;             ///< [rad]
  Vector2 v = Vector2::Zero();  ///< [m/s]
  double omega = 0;             ///< [rad/s]
};

/// Collects bodies of the plane, joints and contacts between them, then makes one pool of
/// PlanarBodies and its interactions of them. Contacts are declared one by one: there is no
/// collision detection in the plane.
///
///     PlanarScene scene;
///     scene.add(1, 0.1, {.x = {0.5, 0}});
///     scene.revolute(PlanarScene::world, 0, {0, 0});
///     scene.on_line(0, {.point = {0.5, 0}, .offset = -1}, Coulomb{.mu = 0.3});
///     Model model = scene.model({0, -9.81});
class PlanarScene : public PlanarJointList {
 public:
  /// A body of that mass [kg] and moment of inertia about its centre [kg m²]; returns its number.
  Index add(double mass, double inertia, const PlanarStart& start = {});
  /// A disk or corner of a body on a line of the world.
  void on_line(Index body, const DiskOnLine& contact, Law law, std::string name = {});
  /// Two disks about the centres of two bodies.
  void disks(Index a, Index b, const DiskContact& contact, Law law, std::string name = {});

  [[nodiscard]] Index bodies() const { return static_cast<Index>(bodies_.size()); }
  /// Adds the pool, the joints and the contacts to a model. Throws Error if there is no body, and
  /// on contacts of bodies that are not there.
  SystemId enter(Model& model, const Vector2& gravity, std::string name = "bodies") const;
  /// A model of these alone.
  [[nodiscard]] Model model(const Vector2& gravity) const;

 private:
  struct Body {
    double mass, inertia;
    PlanarStart start;
  };
  struct Contact {
    std::vector<Index> bodies;
    Relation relation;
    Law law;
    std::string name;
  };
  void touch(std::vector<Index> bodies, Relation relation, Law law, std::string name);

  std::vector<Body> bodies_;
  std::vector<Contact> contacts_;
};

}  // namespace saltus::mechanics
