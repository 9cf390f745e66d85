// The balance of momentum in the report of a run, and that of energy for schemes at position level
// and adaptive steps, against closed forms.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/newton_euler.hpp"
#include "support/allocation_guard.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace saltus {
namespace {

using Vector3 = Eigen::Vector3d;
constexpr double g = 9.81;

MomentumBalance run(const Model& model, const Scheme& scheme, double h, double end) {
  Simulation sim(model, scheme, {.step = h});
  const RunReport report = sim.run(end).report;
  EXPECT_TRUE(report.ok()) << report.message();
  return report.momentum;
}

TEST(MomentumBalance, ImpactOfTwoSpheresConservesMomentum) {
  using namespace mechanics;
  for (const double mu : {0.0, 0.5}) {  // oblique; friction makes them spin
    RigidScene pair;
    pair.add(Sphere{.radius = 0.1}, 1000, {.x = {0.2, 1, 0}, .v = {1, 0.1, 0}},
             {.mu = mu, .e = 0.7});
    pair.add(Sphere{.radius = 0.15}, 800, {.x = {0.7, 1.08, 0.02}, .v = {-1, 0, 0.2}},
             {.mu = mu, .e = 0.7});
    const MomentumBalance balance = run(pair.model(Vector3::Zero()), MoreauJean{}, 1e-3, 0.4);
    ASSERT_TRUE(balance.known);
    const double p = balance.start.linear.norm(), L = balance.start.angular.norm();
    EXPECT_GT(L, 1);
    // one percussion and 400 sums, each to a few ε
    EXPECT_LT((balance.end.linear - balance.start.linear).norm(), 1e-13 * p);
    EXPECT_LT(balance.interactions.linear.norm(), 1e-13 * p);
    EXPECT_LT(balance.interactions.angular.norm(), 1e-12 * L);
    EXPECT_LT(balance.error().linear.norm(), 1e-13 * p);
    // the percussion acts at the forecast, ¼ h Δv off the mean position: 1e-3 · 2 m/s · 8 N s / 4
    EXPECT_LT(balance.error().angular.norm(), mu > 0 ? 5e-3 : 1e-12 * L);
    EXPECT_LT((balance.end.angular - balance.start.angular).norm(), mu > 0 ? 5e-3 : 1e-12 * L);
  }
}

TEST(MomentumBalance, GravityAndTheGroundAddUp) {
  // A ball at x = 2 m falls and lies still in the end: the ground gave it m g t and stopped it.
  const double m = 3, t = 5;
  Model model;
  const auto ball =
      model.add(PointMass{.m = m, .gravity = {0, 0, -g}}, {.q = {2, 0.5, 1}, .v = {0, 0, 0}});
  model.link(ball, LinearRelation{.H = {{0, 0, 1}}}, NewtonImpact{.e = 0.3});
  for (const Scheme& scheme :
       {Scheme{MoreauJean{}}, Scheme{MoreauJean{.theta = 1}}, Scheme{AnitescuPotra{}},
        Scheme{GeneralizedAlpha{}}, Scheme{PaoliSchatzman{}}}) {
    const MomentumBalance balance = run(model, scheme, 1e-3, t);
    const Vector3 weight(0, 0, -m * g * t);
    const Vector3 arm(2, 0.5, 0);
    SCOPED_TRACE(std::string(name(scheme)));
    // 5000 sums of numbers up to 147: 5000 ε · 147 = 2e-10 at the very worst
    EXPECT_LT((balance.forces.linear - weight).norm(), 1e-10);
    EXPECT_LT((balance.forces.angular - arm.cross(weight)).norm(), 1e-9);
    EXPECT_LT(balance.error().linear.norm(), 1e-10);
    EXPECT_LT(balance.error().angular.norm(), 1e-9);
    // at rest, but for half a step of gravity in the velocity of Paoli and Schatzman's start
    EXPECT_LT(balance.end.linear.norm(), 1e-8);
    const double start = std::holds_alternative<PaoliSchatzman>(scheme) ? 0.5e-3 * m * g : 0;
    EXPECT_NEAR(balance.interactions.linear[2], m * g * t - start, 1e-8);
  }
}

TEST(MomentumBalance, FreeTopKeepsItsAngularMomentum) {
  Model model;
  RigidBodies top{.m = {2}, .inertia = {{0.3, 0.5, 0.7}}};
  Vector q = positions_of({1, 2, 3}, {0.2, 0.1, -0.4});
  model.add(top, {.q = q, .v = {0.3, 0, -0.1, 1, 4, 0.2}});
  const MomentumBalance balance = run(model, MoreauJean{}, 1e-3, 10);
  const Vector3 spin = balance.start.angular - Vector3(1, 2, 3).cross(2 * Vector3(0.3, 0, -0.1));
  const Vector3 x = Vector3(1, 2, 3) + 10 * Vector3(0.3, 0, -0.1);
  const Vector3 end = balance.end.angular - x.cross(2 * Vector3(0.3, 0, -0.1));
  // the midpoint rule conserves |I ω| exactly, over 10 000 steps to their roundings
  EXPECT_NEAR(end.norm(), spin.norm(), 1e-9);
  EXPECT_LT((balance.end.linear - balance.start.linear).norm(), 1e-14);
  // its direction is that of a scheme of order 2, and the account says so
  EXPECT_LT((end - spin).norm(), 1e-4);
  EXPECT_LT((balance.scheme.angular - (balance.end.angular - balance.start.angular)).norm(), 1e-9);
  EXPECT_LT(balance.error().angular.norm(), 1e-9);
}

TEST(MomentumBalance, LinkedBodiesInFreeFlightKeepTheirMomentum) {
  using namespace mechanics;
  RigidScene scene;
  scene.add(2, Matrix3::Identity() * 0.1, {.x = {0, 0, 0}, .omega = {0, 1, 2}});
  scene.add(1, Matrix3::Identity() * 0.2, {.x = {1, 0, 0}, .v = {0, 2, -1}, .omega = {0, 1, 2}});
  scene.hinge(0, 1, {0.5, 0, 0}, {0, 0, 1});
  const MomentumBalance balance =
      run(scene.model(Vector3::Zero()), MoreauJean{.stabilisation = CombinedProjection{}}, 1e-3, 1);
  EXPECT_LT((balance.end.linear - balance.start.linear).norm(), 1e-11);
  EXPECT_LT(balance.interactions.linear.norm(), 1e-11);
  EXPECT_LT(balance.error().linear.norm(), 1e-11);
  // both ends of the joint lie at their own points, apart by its violation below 1e-10
  EXPECT_LT(balance.interactions.angular.norm(), 1e-4 * balance.start.angular.norm());
}

TEST(MomentumBalance, PlanarBodyTurnsAboutTheOrigin) {
  Model model;
  model.add(PlanarBodies{.m = {2}, .inertia = {0.5}, .gravity = {0, -g}},
            {.q = {3, 1, 0}, .v = {1, 2, 4}});
  const MomentumBalance balance = run(model, MoreauJean{}, 1e-2, 1);
  EXPECT_NEAR(balance.start.angular[2], 2 * (3 * 2 - 1 * 1) + 0.5 * 4, 1e-14);
  EXPECT_NEAR(balance.forces.angular[2], -2 * g * (3 * 1 + 0.5), 1e-11);  // ∫ x dt, x = 3 + t
  EXPECT_NEAR(balance.error().angular.norm(), 0, 1e-11);
}

TEST(MomentumBalance, SystemsWithoutMotionsAreLeftOut) {
  Model model;
  model.add(LinearLagrangian{.M = {{1}}, .K = {{4}}}, {.q = {1}});
  EXPECT_FALSE(run(model, MoreauJean{}, 1e-2, 1).known);
}

TEST(MomentumBalance, AccountsAllocateNothingInAWarmStep) {
  Model model;
  const auto ball = model.add(PointMass{.gravity = {0, -g}}, {.q = {0, 1}});
  model.add(RigidBodies{}, {.q = positions_of({0, 0, 0}), .v = {0, 0, 0, 1, 2, 3}});
  model.link(ball, LinearRelation{.H = {{0, 1}}}, NewtonImpact{.e = 0.5});
  const Scheme scheme = MoreauJean{};
  StepWorkspace work;
  prepare(model, scheme, work);
  State state = model.initial_state();
  Accounts accounts;
  accounts.start(model, state, scheme, work);
  const auto steps = [&](int count) {
    for (int n = 0; n < count; ++n) {
      static_cast<void>(step(model, state, 1e-2, scheme, work));
      accounts.add(model, state, 1e-2, scheme, work);
    }
  };
  steps(100);
  const testing::AllocationGuard guard;
  steps(100);
  EXPECT_EQ(guard.count(), 0);
}

// Energy at position level, and with adaptive steps ---------------------------------------------

TEST(EnergyBalance, SchemesAtPositionLevelAddUp) {  // F:F162, AC:GA-30
  const double m = 2, e = 0.8;
  Model model;
  const auto ball = model.add(PointMass{.m = m, .gravity = {-g}}, {.q = {1}});
  model.link(ball, LinearRelation{.H = {{1}}}, NewtonImpact{.e = e});
  for (const Scheme& scheme : {Scheme{PaoliSchatzman{}}, Scheme{GeneralizedAlpha{}}}) {
    SCOPED_TRACE(std::string(name(scheme)));
    Simulation sim(model, scheme, {.step = 1e-3});
    const EnergyBalance one = sim.run(0.8).report.energy;  // one impact, at 0.45 s
    ASSERT_TRUE(one.known);
    EXPECT_NEAR(one.error(), 0, 1e-11);
    EXPECT_NEAR(one.kinetic, 0.5 * m * sim.state().v[0] * sim.state().v[0], 1e-12);
    // ½ m (1 − e²) v², the velocity before the impact to within two steps of gravity; what the
    // scheme does beside, a step of gravity per metre of fall, is in its own account
    EXPECT_NEAR(one.impact + one.scheme, (1 - e * e) * m * g, 0.05 * m * g);
    EXPECT_NEAR(one.start - one.total(), one.impact + one.scheme, 1e-11);
  }
}

TEST(EnergyBalance, NumericalDampingIsLostByTheScheme) {  // AC:GA-30
  Model model;
  model.add(LinearLagrangian{.M = {{1}}, .K = {{100}}, .F = {0}}, {.q = {1}});
  const auto lost = [&](double rho) {
    Simulation sim(model, GeneralizedAlpha{.coefficients = ChungHulbert{.rho = rho}},
                   {.step = 1e-2});
    const EnergyBalance balance = sim.run(5).report.energy;
    EXPECT_NEAR(balance.error(), 0, 1e-11);
    EXPECT_NEAR(balance.start - balance.total(), balance.scheme, 1e-11);
    return balance.scheme;
  };
  EXPECT_NEAR(lost(1), 0, 0.2);  // the trapezoidal rule keeps a neighbouring energy, O(h²ω²) off
  EXPECT_GT(lost(0.5), lost(0.8));
  EXPECT_GT(lost(0.8), std::abs(lost(1)));
}

TEST(EnergyBalance, AdaptiveStepsKeepTheirAccounts) {
  const double m = 2, e = 0.8;
  Model model;
  const auto ball = model.add(PointMass{.m = m, .gravity = {-g}}, {.q = {1}});
  model.link(ball, LinearRelation{.H = {{1}}}, NewtonImpact{.e = e});
  Simulation sim(model, MoreauJean{}, {.step = 1e-2, .adaptive = {.tolerance = 1e-5}});
  const RunReport report = sim.run(0.8).report;
  ASSERT_TRUE(report.ok());
  EXPECT_GT(report.rejected_steps, 0);
  ASSERT_TRUE(report.energy.known);
  EXPECT_NEAR(report.energy.error(), 0, 1e-11);
  EXPECT_NEAR(report.energy.scheme, 0, 1e-11);
  // the impact is resolved to h |Δv| ≤ tolerance or to the least step, 1e-5 s
  EXPECT_NEAR(report.energy.impact, (1 - e * e) * m * g, 1e-3 * m * g);
  EXPECT_NEAR(report.momentum.forces.linear[0], -m * g * 0.8, 1e-11);
  EXPECT_NEAR(report.momentum.error().linear.norm(), 0, 1e-11);
  EXPECT_NEAR(report.momentum.end.linear[0], m * sim.state().v[0], 1e-12);
}

}  // namespace
}  // namespace saltus
