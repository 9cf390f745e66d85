// Generalized-α with rotations on the group: free and heavy bodies, joints, the errors for what the
// scheme does not know.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/newton_euler.hpp"
#include "support/alpha_stepping.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace saltus {
namespace {

using Vector3 = Eigen::Vector3d;
using Matrix3 = Eigen::Matrix3d;
constexpr double g = 9.81;

Model top(bool accelerated) {
  RigidBodies bodies{.m = {2}, .inertia = {{0.3, 0.5, 0.7}}};
  const Vector q = positions_of({0, 0, 0}, {0.2, 0.1, -0.4});
  Model model;
  if (accelerated)
    model.add(AcceleratedBodies{bodies}, {.q = q, .v = {0, 0, 0, 1, 4, 0.2}});
  else
    model.add(bodies, {.q = q, .v = {0, 0, 0, 1, 4, 0.2}});
  return model;
}

/// R of the body after one second.
Matrix3 rotation(const Model& model, const Scheme& scheme, double h) {
  Simulation sim(model, scheme, {.step = h});
  EXPECT_TRUE(sim.run(1).report.ok());
  return pose_of(sim.state().q.data()).R;
}

TEST(AlphaRotations, FreeTopHasOrderTwo) {  // AC:GA-16a
  // reference: the same with a step so short that its error is 1/1000 of those below
  const Matrix3 exact = rotation(top(true), GeneralizedAlpha{}, 1.25e-4);
  const double order = testing::fitted_order(testing::steps(2e-2, 4e-3, 8), [&](double h) {
    return (rotation(top(true), GeneralizedAlpha{}, 1 / std::round(1 / h)) - exact).norm();
  });
  EXPECT_NEAR(order, 2, 0.1);
}

TEST(AlphaRotations, FreeTopAgreesWithMoreauJeanAndKeepsItsNorms) {
  const double h = 1e-3;
  const Matrix3 alpha = rotation(top(true), GeneralizedAlpha{}, h);
  const Matrix3 midpoint = rotation(top(false), MoreauJean{}, h);
  EXPECT_LT((alpha - midpoint).norm(), 1e-4);  // both of order 2, (h ω)² ω² / 12 = 2e-5 each
  Simulation sim(top(true), GeneralizedAlpha{.coefficients = ChungHulbert{.rho = 1}}, {.step = h});
  const RunReport report = sim.run(10).report;
  ASSERT_TRUE(report.ok());
  EXPECT_NEAR(sim.state().q.segment(3, 4).norm(), 1, 1e-14);
  const double L = report.momentum.start.angular.norm();
  EXPECT_NEAR(report.momentum.end.angular.norm(), L, 1e-4 * L);  // order 2: no exact conservation
  EXPECT_NEAR(report.energy.total(), report.energy.start, 1e-4 * report.energy.start);
  EXPECT_NEAR(report.energy.error(), 0, 1e-10);
}

/// A bar of mass m that swings about the world's y axis through a hinge at its end.
Model pendulum(double m, double length, double angle) {
  using namespace mechanics;
  RigidScene scene;
  scene.accelerated();
  const double J = m * length * length / 12;
  const Vector3 centre(0.5 * length * std::cos(angle), 0, -0.5 * length * std::sin(angle));
  scene.add(m, Vector3(1e-3, J, J).asDiagonal(), {.x = centre, .turn = {0, angle, 0}});
  scene.hinge(RigidScene::world, 0, {0, 0, 0}, {0, 1, 0});
  return scene.model({0, 0, -g});
}

TEST(AlphaRotations, HingedBarSwingsAsThePendulumDoes) {  // AC:GA-17, AC:GA-26
  // φ̈ = −(3g/2l) sin φ, φ from the vertical: from rest at φ₀ = π/2 − 0.2. Energy at the end tells
  // the speed, and all constraints hold at their three levels.
  const double m = 2, length = 0.8;
  const double h = 1e-3;
  testing::AlphaStepping run(pendulum(m, length, 0.2), {.newton_tolerance = 1e-12}, h);
  while (run.state.t < 1 - h / 2) run.advance();
  const Pose pose = pose_of(run.state.q.data());
  const Vector3 end = pose.x - pose.R * Vector3(0.5 * length, 0, 0);
  EXPECT_LT(end.norm(), 1e-10);  // positions: no drift
  const Vector3 omega = pose.R * run.state.v.segment<3>(3);
  const Vector3 slip = run.state.v.head<3>() - omega.cross(0.5 * length * pose.R.col(0));
  EXPECT_LT(slip.norm(), 1e-10);  // velocities
  const double fall = -0.5 * length * std::sin(0.2) - pose.x.z();
  const double speed = std::sqrt(2 * m * g * fall / (m * length * length / 3));
  EXPECT_NEAR(omega.norm(), speed, 1e-4 * speed);  // order 2, numerical damping of ρ = 0.9
}

TEST(AlphaRotations, HingedBarHasOrderTwo) {
  const auto angle = [](double h) {
    Simulation sim(pendulum(2, 0.8, 0.2), GeneralizedAlpha{.newton_tolerance = 1e-12}, {.step = h});
    EXPECT_TRUE(sim.run(0.5).report.ok());
    return Vector(sim.state().q.head(3));
  };
  const Vector exact = angle(1.25e-4);
  EXPECT_NEAR(testing::fitted_order(
                  testing::steps(1e-2, 2e-3, 6),
                  [&](double h) { return (angle(0.5 / std::round(0.5 / h)) - exact).norm(); }),
              2, 0.1);
}

TEST(AlphaRotations, WhatTheSchemesDoNotKnowIsRefused) {
  EXPECT_ERROR(Simulation(top(false), GeneralizedAlpha{}, {.step = 1e-3}),
               "use AcceleratedBodies for rigid bodies");
  EXPECT_ERROR(Simulation(top(true), PaoliSchatzman{}, {.step = 1e-3}),
               "adds and projects positions; use MoreauJean");
  Model model;
  const auto block = model.add(PointMass{.gravity = {-g, 0}}, {.q = {0, 0}, .v = {0, 1}});
  model.link(block, LinearRelation{.H = Matrix(Matrix::Identity(2, 2))}, Coulomb{.mu = 0.3});
  EXPECT_ERROR(Simulation(model, GeneralizedAlpha{}, {.step = 1e-3}), "it has no tangential law");
  EXPECT_ERROR(Simulation(model, PaoliSchatzman{}, {.step = 1e-3}), "it has no tangential law");
}

}  // namespace
}  // namespace saltus
