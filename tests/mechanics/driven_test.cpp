// Prescribed motion and boundary conditions: the motion is followed, the reaction is the force.

#include "saltus/relations/driven.hpp"
#include "saltus/mechanics/driven_body.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace saltus {
namespace {

TEST(Driven, MassFollowsItsDriveAndReportsTheForce) {  // PL:RE-05
  // q = a sin ωt on a spring: reaction m q̈ + k q = (k − m ω²) a sin ωt
  const double a = 0.3, omega = 2, m = 1.5, k = 20, h = 1e-3;
  Model model;
  const auto mass =
      model.add(LinearLagrangian{.M = {{m}}, .K = {{k}}}, {.q = {0}, .v = {a * omega}});
  model.link(
      mass,
      Driven{.n = 1,
             .coordinates = {0},
             .position = [=](double t, VectorRef q) { q[0] = a * std::sin(omega * t); },
             .velocity = [=](double t, VectorRef v) { v[0] = a * omega * std::cos(omega * t); }},
      Equality{}, "drive");
  Simulation sim(model, MoreauJean{.gamma = 1}, {.step = h});
  for (int step = 1; step <= 1000; ++step) {
    ASSERT_TRUE(sim.advance().done());
    // v is exact at the end of each step, q its trapezoidal sum; r is a mean over the step
    ASSERT_NEAR(sim.state().v[0], a * omega * std::cos(omega * h * step), 1e-12);
    ASSERT_NEAR(sim.state().q[0], a * std::sin(omega * h * step), 1e-6);
    ASSERT_NEAR(sim.multipliers()[0] / h,
                (k - m * omega * omega) * a * std::sin(omega * h * (step - 0.5)), 1e-4);
  }
}

TEST(Driven, EndsOfABarAreHeld) {  // F:F110
  // Three masses between springs, the ends held: the reactions carry the load of the middle.
  Model model;
  const auto bar =
      model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(3, 3)),
                                 .C = Matrix(20 * Matrix::Identity(3, 3)),
                                 .K = {{100, -100, 0}, {-100, 200, -100}, {0, -100, 100}},
                                 .F = {0, 10, 0}},
                {.q = {0, 0, 0}});
  model.link(bar, Driven{.n = 3, .coordinates = {0, 2}, .value = {0, 0}}, Equality{});
  Simulation sim(model, {}, {.step = 1e-2});
  for (int k = 0; k < 1000; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(sim.state().q[1], 10.0 / 200, 1e-10);
  EXPECT_NEAR(sim.multipliers()[0] / 1e-2, -5, 1e-8);
  EXPECT_NEAR(sim.multipliers()[1] / 1e-2, -5, 1e-8);
}

TEST(Driven, BodyFollowsAPoseWithItsForceAndTorque) {  // PL:RE-05
  // x = (R cos ωt, R sin ωt, 0), turning with it: centripetal force m ω² R, no torque.
  const double R = 0.5, omega = 3, m = 2, h = 1e-3;
  Model model;
  const auto body = model.add(RigidBodies{.m = {m}, .inertia = {{0.1, 0.2, 0.3}}},
                              {.q = positions_of({R, 0, 0}), .v = {0, omega * R, 0, 0, 0, omega}});
  mechanics::DrivenBody drive;
  drive.motion = [=](double t) -> Pose {
    return {{R * std::cos(omega * t), R * std::sin(omega * t), 0},
            Eigen::AngleAxisd(omega * t, Eigen::Vector3d::UnitZ()).toRotationMatrix()};
  };
  model.link(body, drive, Equality{}, "drive");
  Simulation sim(model, MoreauJean{.gamma = 1}, {.step = h});
  for (int step = 1; step <= 1000; ++step) {
    ASSERT_TRUE(sim.advance().done());
    const double t = h * step;
    ASSERT_NEAR(sim.state().q[0], R * std::cos(omega * t), 1e-5);
    ASSERT_NEAR(sim.state().v[5], omega, 1e-8);
    const Eigen::Vector3d force = sim.multipliers().head<3>() / h;
    ASSERT_NEAR(force.norm(), m * omega * omega * R, 1e-3);
    ASSERT_NEAR(sim.multipliers().tail<3>().norm() / h, 0, 1e-5);
  }
}

TEST(Driven, RefusesWhatIsNoDrive) {
  EXPECT_ERROR(Driven{}.prepare(), "no coordinate");
  EXPECT_ERROR((Driven{.n = 2, .coordinates = {2}, .value = {0}}.prepare()), "coordinate 2 of 2");
  EXPECT_ERROR((Driven{.n = 2, .coordinates = {1, 1}, .value = {0, 0}}.prepare()), "twice");
  EXPECT_ERROR((Driven{.n = 2, .coordinates = {1}}.prepare()), "0 values for 1");
  EXPECT_ERROR(mechanics::DrivenBody{}.prepare(), "no motion");
}

}  // namespace
}  // namespace saltus
