// Mechanisms of the plane, built by PlanarScene.

#include "saltus/mechanics/planar_scene.hpp"
#include "saltus/model/mobility.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::mechanics {
namespace {

constexpr double g = 9.81;
constexpr Index world = PlanarScene::world;

void advance(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(sim.advance().done()) << "step " << k;
}

TEST(PlanarScene, JointsHoldWhereBodiesAreTurned) {  // F:F111
  // A pendulum hung up at an angle: the anchor is a point of the world, whatever the body's frame.
  const double l = 0.5, start = 0.7;
  PlanarScene scene;
  scene.add(1, 0.02, {.x = {l * std::sin(start), -l * std::cos(start)}, .angle = start});
  const Index pin = scene.revolute(world, 0, {0, 0}, {.name = "pin"});
  const Model model = scene.model({0, -g});
  EXPECT_EQ(pin, 0);
  EXPECT_EQ(mobility(model).freedom(), 1);
  Simulation sim(model, MoreauJean{.stabilisation = CombinedProjection{}}, {.step = 1e-3});
  advance(sim, 500);
  const State& s = sim.state();
  EXPECT_NEAR(s.q[0], l * std::sin(s.q[2]), 1e-9);
  EXPECT_NEAR(s.q[1], -l * std::cos(s.q[2]), 1e-9);
  EXPECT_LT(s.q[2], 0);  // swung through
}

TEST(PlanarScene, LimitsMotorsSpringsAndFrictionOfCoordinates) {  // PL:RE-05, PL:NL-02, PL:NL-03
  PlanarScene scene;
  scene.add(1, 0.1, {.omega = 2});
  scene.add(2, 0.1, {.x = {5, 0}, .v = {1, 0}});
  scene.add(1, 0.1, {.x = {0, 5}});
  scene.revolute(world, 0, {0, 0}, {.limits = {.upper = 1, .e = 0.5}});
  scene.prismatic(world, 1, {5, 0}, {1, 0}, {.friction = 0.8});
  scene.revolute(world, 2, {0, 5}, {.spring = {.stiffness = 0.4, .rest = 0.5}});
  Simulation sim(scene.model({0, 0}), MoreauJean{}, {.step = 1e-3});
  advance(sim, 600);
  EXPECT_NEAR(sim.state().v[2], -1, 1e-12);            // bounced at 1 rad
  EXPECT_NEAR(sim.state().v[3], 1 - 0.4 * 0.6, 1e-9);  // braked with 0.8 N on 2 kg
  const double omega = 2;                              // √(0.4/0.1)
  EXPECT_NEAR(sim.state().q[8], 0.5 * (1 - std::cos(omega * 0.6)), 1e-6);
  advance(sim, 3000);
  EXPECT_EQ(sim.state().v[3], 0);
}

TEST(PlanarScene, WheelsTurnAsTheirTeethBeyondManyTurns) {  // F:F111
  const double h = 1e-3, omega = 40;
  PlanarScene scene;
  scene.add(1, 0.1);
  scene.add(1, 0.1, {.x = {1, 0}});
  scene.add(1, 0.1, {.x = {0, 2}});
  const Index first =
      scene.revolute(world, 0, {0, 0}, {.motor = {.velocity = [&](double) { return omega; }}});
  const Index second = scene.revolute(world, 1, {1, 0});
  const Index rail = scene.prismatic(world, 2, {0, 2}, {1, 0});
  scene.gear(first, second, 20, 50);
  scene.rack(rail, second, 0.3);
  Simulation sim(scene.model({0, 0}), MoreauJean{}, {.step = h});
  ASSERT_TRUE(sim.run(2.0).report.ok());
  EXPECT_NEAR(sim.state().v[5], -omega * 20 / 50, 1e-9);
  // within the first step the wheels start, of which they travel a half
  EXPECT_NEAR(sim.state().q[5], -omega * 20 / 50 * (2 - h / 2), 1e-9);
  EXPECT_NEAR(sim.state().q[6], 0.3 * sim.state().q[5], 1e-9);
}

TEST(PlanarScene, RopesAndContactsInOneScene) {  // TI:TI-122, F:F125
  PlanarScene scene;
  scene.add(1, 0.1, {.x = {0, 2}});
  scene.add(1, 0.1, {.x = {5, 0.5}});
  scene.rope(world, 0, {0, 2}, {0, 2}, 1, 0, "rope");
  scene.on_line(1, {.radius = 0.5}, Coulomb{.mu = 0.3}, "ground");
  Simulation sim(scene.model({0, -g}), MoreauJean{}, {.step = 1e-3});
  advance(sim, 1000);
  EXPECT_NEAR(sim.state().q[1], 1, std::sqrt(2 * g) * 2e-3);  // a penetration of one step at most
  EXPECT_NEAR(sim.state().q[4], 0.5, 1e-12);
  EXPECT_ERROR(scene.on_line(2, {}, NewtonImpact{}), "on body 2, the scene has 2 bodies");
}

TEST(PlanarScene, WrongJointsAreRefusedByName) {
  const auto refused = [](const auto& describe) {
    PlanarScene scene;
    scene.add(1, 0.1);
    scene.add(1, 0.1, {.x = {1, 0}});
    describe(scene);
    return scene.model({0, 0});
  };
  EXPECT_ERROR(refused([](PlanarScene& s) {
                 s.revolute(0, 3, {0, 0});
               }),
               "PlanarJointList: revolute 'revolute0' is on body 3");
  EXPECT_ERROR(refused([](PlanarScene& s) {
                 s.prismatic(0, 1, {0, 0}, {0, 0});
               }),
               "the axis is (0, 0)");
  EXPECT_ERROR(refused([](PlanarScene& s) {
                 s.fixed(0, 1, {0, 0}, {.friction = 1});
               }),
               "has 0 coordinates");
  EXPECT_ERROR(refused([](PlanarScene& s) {
                 PlanarJointSpec spec{.a = 0, .b = 1, .in_bodies = true};
                 spec.options[0].name = "elbow";
                 s.joint(spec);
               }),
               "revolute 'elbow' between body 0 and body 1 does not hold");
  Model model;
  const SystemId pool = model.add(RigidBodies{}, {.q = positions_of({0, 0, 0})});
  PlanarJointList joints;
  joints.revolute(world, 0, {0, 0});
  EXPECT_ERROR(joints.enter(model, pool), "no pool of rigid bodies in the plane");
  EXPECT_ERROR(PlanarScene{}.model({0, 0}), "there is no body");
}

}  // namespace
}  // namespace saltus::mechanics
