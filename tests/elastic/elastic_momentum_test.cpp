// The balance of momentum of elastic bodies, against closed forms.

#include "saltus/mechanics/elastic/node_contacts.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

namespace saltus::mechanics {
namespace {

using Vector3 = Eigen::Vector3d;
constexpr double g = 9.81;

/// A block away from the origin, of small or finite strains.
ElasticBody block(bool finite, Values gravity) {
  return {.mesh = box_mesh(ElementKind::brick, {0.4, 0.3, 0.2}, {2, 2, 2}),
          .young = 1e6,
          .poisson = 0.3,
          .density = 1000,
          .finite_strains = finite,
          .gravity = std::move(gravity)};
}

/// v = v₀ + ω × X at the nodes
Vector motion(const ElasticBody& body, const Vector3& v, const Vector3& omega) {
  Vector out(body.dof());
  for (Index i = 0; i < body.mesh.node_count(); ++i)
    out.segment<3>(3 * i) = v + omega.cross(Vector3(body.mesh.nodes.row(i)));
  return out;
}

MomentumBalance run(const ElasticBody& body, const Vector& v, double h, double end) {
  Model model;
  model.add(body.system(), {.q = Vector::Zero(body.dof()), .v = v}, "block");
  Simulation sim(model, MoreauJean{}, {.step = h});
  const RunReport report = sim.run(end).report;
  EXPECT_TRUE(report.ok()) << report.message();
  return report.momentum;
}

TEST(ElasticMomentum, AFallingBlockGainsTheImpulseOfItsWeight) {  // F:F137
  const double t = 0.1;
  const Vector3 v(1, 2, 3), centre(0.2, 0.15, 0.1), weight(0, 0, -g);
  for (const bool finite : {false, true}) {
    const ElasticBody body = block(finite, {0, 0, -g});
    const double m = body.mass();
    const MomentumBalance balance = run(body, motion(body, v, Vector3::Zero()), 1e-3, t);
    ASSERT_TRUE(balance.known);
    EXPECT_LT((balance.start.linear - m * v).norm(), 1e-12 * m * v.norm());
    EXPECT_LT((balance.start.angular - m * centre.cross(v)).norm(), 1e-12 * m * v.norm());
    EXPECT_LT((balance.forces.linear - m * t * weight).norm(), 1e-9 * m * g * t);
    EXPECT_LT((balance.end.linear - m * (v + t * weight)).norm(), 1e-9 * m * v.norm());
    // about the place at rest, or about where it is: ∫ (X_c + v t + ½ w t²) × m w dt; the deformed
    // block swings about X_c by h-dependent parts of g/ω² ~ 1e-5 m
    const Vector3 arm = finite ? Vector3(centre + 0.5 * t * v) : centre;
    EXPECT_LT((balance.forces.angular - m * t * arm.cross(weight)).norm(), 1e-6 * m * g * t);
    // rounding, and Newton's tolerance 1e-12 in each of 100 steps
    EXPECT_LT(balance.error().linear.norm(), 1e-9 * m * v.norm());
    EXPECT_LT(balance.error().angular.norm(), 1e-9 * m * v.norm());
  }
}

TEST(ElasticMomentum, SmallStrainsKeepTheAngularMomentumAboutThePlacesAtRest) {  // F:F137
  const ElasticBody body = block(false, {});
  const Vector3 omega(1, -2, 0.5);
  const MomentumBalance balance = run(body, motion(body, Vector3::Zero(), omega), 1e-3, 0.2);
  ASSERT_TRUE(balance.known);
  const double L = balance.start.angular.norm();
  EXPECT_GT(L, 0);
  // K has no moment: rounding of K q, q up to ω t ~ 0.5 m, against L: E q a ε h steps
  EXPECT_LT((balance.end.angular - balance.start.angular).norm(), 1e-9 * L);
}

TEST(ElasticMomentum, SupportsAreForces) {
  ElasticBody body = block(false, {0, 0, -g});
  body.held = body.dofs(body.mesh.nodes_on(2, 0));
  body.damping_mass = 200;
  const MomentumBalance balance = run(body, Vector::Zero(body.dof()), 1e-3, 0.5);
  ASSERT_TRUE(balance.known);
  // the block has come to rest on its supports, which gave it its weight back
  EXPECT_LT(balance.end.linear.norm(), 1e-6 * body.mass() * g * 0.5);
  EXPECT_LT(balance.forces.linear.norm(), 1e-6 * body.mass() * g * 0.5);
  EXPECT_LT(balance.error().linear.norm(), 1e-12 * body.mass() * g * 0.5);
}

TEST(ElasticMomentum, PlacesThatDoNotFitAreRefused) {
  SparseLagrangian system = block(false, {}).linear();
  system.places = Matrix::Zero(3, 3);
  EXPECT_ERROR(system.prepare(), "places is 3x3, expected 27x3");
}

}  // namespace
}  // namespace saltus::mechanics
