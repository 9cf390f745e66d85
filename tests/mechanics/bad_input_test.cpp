// What is wrong with a mechanism is told by the name of its joint, and runs keep what they
// computed.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <limits>

namespace saltus::mechanics {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

RigidScene two_bodies() {
  RigidScene scene;
  for (const double x : {0.0, 1.0})
    scene.add(1.0, Vector3(0.02, 0.02, 0.01).asDiagonal(), {.x = {x, 0, 0}});
  return scene;
}

TEST(BadInput, AJointWithoutADirectionIsNamed) {
  RigidScene scene = two_bodies();
  const Vector3 p(0.5, 0, 0), none = Vector3::Zero(), y = Vector3::UnitY();
  EXPECT_ERROR(scene.hinge(0, 1, p, none, {.name = "elbow"}),
               "hinge 'elbow' between body 0 and body 1: the axis is (0, 0, 0)");
  EXPECT_ERROR(scene.slider(-1, 1, p, none),
               "slider between the world and body 1: the axis is (0, 0, 0)");
  EXPECT_ERROR(scene.universal(0, 1, p, y, y, {.name = "cross"}),
               "universal 'cross' between body 0 and body 1: the axes meet at 0 rad");
}

TEST(BadInput, AJointWithWrongLimitsOrParametersIsNamed) {
  const Vector3 p(0.5, 0, 0), y = Vector3::UnitY();
  RigidScene limits = two_bodies();
  limits.hinge(0, 1, p, y, {.name = "knee", .limits = {.lower = 1, .upper = -1}});
  EXPECT_ERROR(static_cast<void>(limits.model({0, 0, 0})),
               "hinge 'knee' between body 0 and body 1: limits of a joint: [1, -1]");
  RigidScene rod = two_bodies();
  rod.distance(0, 1, p, p, 0, {.name = "rod"});
  EXPECT_ERROR(static_cast<void>(rod.model({0, 0, 0})),
               "distance 'rod' between body 0 and body 1: Joint: distance with the parameter 0");
  RigidScene screw = two_bodies();
  screw.screw(-1, 0, {0, 0, 0}, y, 0, {.name = "jack"});
  EXPECT_ERROR(static_cast<void>(screw.model({0, 0, 0})), "screw 'jack' between the world");
}

TEST(BadInput, AForceThatIsNoNumberEndsARunThatKeepsWhatItComputed) {
  Model model;
  const SystemId cart = model.add(
      Lagrangian{.n = 1,
                 .M = [](const StateView&, MatrixRef M) { M(0, 0) = 1; },
                 .F = [](const StateView& x, VectorRef F) { F[0] = x.t > 0.0505 ? nan : 1.0; }},
      {.q = {0.0}}, "cart");
  for (const bool contact : {false, true}) {
    if (contact) model.link(cart, LinearRelation{.H = {{1.0}}}, NewtonImpact{});
    Simulation sim(model, MoreauJean{}, {.step = 1e-3});
    const Trajectory run = sim.run(0.1);
    EXPECT_EQ(run.report.last.status, StepStatus::not_finite) << run.report.message();
    EXPECT_EQ(run.size(), 51);
    EXPECT_NEAR(sim.state().v[0], 0.05, 1e-12);
    EXPECT_TRUE(sim.state().q.allFinite());
  }
}

TEST(BadInput, AMotorThatIsGivenNoNumberEndsARunThatKeepsWhatItComputed) {
  RigidScene scene = two_bodies();
  scene.hinge(
      RigidScene::world, 0, {0, 0, 0}, {0, 0, 1},
      {.name = "axle", .motor = {.velocity = [](double t) { return t > 0.0501 ? nan : 1.0; }}});
  Simulation sim(scene.model({0, 0, 0}), MoreauJean{}, {.step = 1e-3});
  const Trajectory run = sim.run(0.1);
  EXPECT_EQ(run.report.last.status, StepStatus::not_finite) << run.report.message();
  EXPECT_EQ(run.size(), 51);
  EXPECT_NEAR(sim.state().v[5], 1, 1e-9);
}

}  // namespace
}  // namespace saltus::mechanics
