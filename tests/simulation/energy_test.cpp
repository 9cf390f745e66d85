// The balance of energy in the report of a run, against closed forms.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/driven.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

constexpr double g = 9.81;

TEST(EnergyBalance, BouncingBallLosesByImpactAlone) {  // F:F162
  const double m = 2, e = 0.8;
  Model model;
  const auto ball = model.add(PointMass{.m = m, .gravity = {-g}}, {.q = {1}});
  model.link(ball, LinearRelation{.H = {{1}}}, NewtonImpact{.e = e});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  const EnergyBalance one = sim.run(0.8).report.energy;  // one impact, at 0.45 s
  ASSERT_TRUE(one.known);
  EXPECT_NEAR(one.start, m * g, 1e-12);
  EXPECT_NEAR(one.scheme, 0, 1e-12);  // θ = ½ is exact in free fall
  // ½ m (1 − e²) v², the velocity before the impact to within one step of gravity
  EXPECT_NEAR(one.impact, (1 - e * e) * m * g, 0.02 * m * g);
  EXPECT_NEAR(one.total(), one.start - one.impact, 1e-12);
  EXPECT_NEAR(one.error(), 0, 1e-12);
}

TEST(EnergyBalance, AuditOfAnImpactWithFriction) {  // F:V45, F:F162
  // V44: W = diag(1, 3), U⁻ = (−2, 3), e = 0.5: μ = 0.6 and e_t = 0.5 lose 2.625, μ = 0.2
  // loses 2.76
  struct Case {
    double mu, loss;
  };
  for (const Case& c : {Case{0.6, 2.625}, Case{0.2, 2.76}}) {
    Model model;
    const auto disk =
        model.add(LinearLagrangian{.M = {{1, 0}, {0, 1.0 / 3}}}, {.q = {0, 0}, .v = {-2, 3}});
    model.link(disk, LinearRelation{.H = Matrix(Matrix::Identity(2, 2))},
               Coulomb{.mu = c.mu, .e = 0.5, .e_t = 0.5});
    Simulation sim(model, MoreauJean{}, {.step = 1e-3});
    const EnergyBalance balance = sim.run(1e-3).report.energy;
    EXPECT_NEAR(balance.start - balance.total(), c.loss, 1e-7);
    EXPECT_NEAR(balance.laws + balance.impact + balance.friction, c.loss, 1e-7);
    EXPECT_NEAR(balance.error(), 0, 1e-12);
  }
}

TEST(EnergyBalance, SlidingBlockLosesByFriction) {  // F:F149
  const double m = 3, mu = 0.3, v = 2;
  Model model;
  const auto block = model.add(PointMass{.m = m, .gravity = {-g, 0}}, {.q = {0, 0}, .v = {0, v}});
  model.link(block, LinearRelation{.H = Matrix(Matrix::Identity(2, 2))}, Coulomb{.mu = mu});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  const EnergyBalance balance = sim.run(2.0).report.energy;  // stops after 0.68 s
  EXPECT_NEAR(balance.friction, 0.5 * m * v * v, 1e-6);
  EXPECT_NEAR(balance.kinetic, 0, 1e-12);
  EXPECT_NEAR(balance.impact, 0, 1e-9);
}

TEST(EnergyBalance, DampingIsWorkOfForcesAndSpringsStore) {
  Model model;
  const auto mass = model.add(LinearLagrangian{.M = {{1}}, .C = {{0.4}}, .K = {{10}}}, {.q = {1}});
  model.link(mass, LinearRelation{.H = {{1}}}, Spring{.k = 5});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  const EnergyBalance balance = sim.run(1.0).report.energy;
  EXPECT_LT(balance.forces, -0.1);
  // what the law stores is ½ k q², from ½ k at the start
  EXPECT_NEAR(balance.laws, 2.5 * (sim.state().q[0] * sim.state().q[0] - 1), 1e-12);
  EXPECT_NEAR(balance.error(), 0, 1e-12);
}

TEST(EnergyBalance, DriveFeedsWhatItMoves) {  // PL:RE-05
  const double m = 2, a = 3;                  // q = ½ a t²: the drive does ½ m (a t)²
  Model model;
  const auto mass = model.add(PointMass{.m = m}, {.q = {0}});
  model.link(mass,
             Driven{.n = 1,
                    .coordinates = {0},
                    .position = [=](double t, VectorRef q) { q[0] = 0.5 * a * t * t; },
                    .velocity = [=](double t, VectorRef v) { v[0] = a * t; }},
             Equality{});
  const double h = 1e-3;
  Simulation sim(model, MoreauJean{.gamma = 1}, {.step = h});
  const EnergyBalance balance = sim.run(1.0).report.energy;
  EXPECT_NEAR(balance.kinetic, 0.5 * m * a * a, 1e-9);
  EXPECT_NEAR(balance.drives - balance.scheme, 0.5 * m * a * a, 1e-9);
  EXPECT_NEAR(balance.scheme, 0.5 * m * a * a * h, 1e-6);  // ½ r u⁻ of each step, u⁻ = −a h
  EXPECT_NEAR(balance.error(), 0, 1e-12);
}

TEST(EnergyBalance, RigidMechanismOnTheGroundAddsUp) {
  using namespace mechanics;
  RigidScene scene;
  scene.fix(Plane{}, {.mu = 0.4});
  scene.add(mechanics::Box{.half = {0.2, 0.05, 0.05}}, 1000, {.x = {0, 0, 0.3}}, {.mu = 0.4});
  scene.add(mechanics::Box{.half = {0.2, 0.05, 0.05}}, 1000, {.x = {0.5, 0, 0.3}}, {.mu = 0.4});
  scene.hinge(0, 1, {0.25, 0, 0.3}, {0, 1, 0}, {.friction = 0.1});
  Simulation sim(scene.model({0.5, 0, -g}), MoreauJean{}, {.step = 1e-3});
  const EnergyBalance balance = sim.run(0.5).report.energy;
  EXPECT_GT(balance.impact, 1);
  EXPECT_GT(balance.friction, 0);
  EXPECT_NEAR(balance.error(), 0, 1e-9 * balance.start);
}

TEST(EnergyBalance, MassMatrixThatMovesIsTheSchemesAffair) {
  // Double pendulum in angles: no potential given, gravity is work of forces.
  Lagrangian pendulum{.n = 1};
  pendulum.M = [](const StateView& x, MatrixRef M) { M(0, 0) = 2 + std::cos(x.q[0]); };
  pendulum.F = [](const StateView& x, VectorRef F) {
    F[0] = 0.5 * std::sin(x.q[0]) * x.v[0] * x.v[0];  // −N = ½ M' v² for a free coordinate
  };
  Model model;
  model.add(pendulum, {.q = {0.3}, .v = {1}});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  const EnergyBalance balance = sim.run(2.0).report.energy;
  EXPECT_NEAR(balance.error(), 0, 1e-12);
  EXPECT_NEAR(balance.kinetic,
              0.5 * (2 + std::cos(sim.state().q[0])) * std::pow(sim.state().v[0], 2), 1e-13);
  EXPECT_NEAR(balance.kinetic, balance.start, 1e-6);  // the motion keeps T, to O(h²)
}

}  // namespace
}  // namespace saltus
