// What Moreau–Jean does about violated positions: Jean's gap, Baumgarte, combined projection.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/mechanics/joints.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "saltus/systems/newton_euler.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <cmath>

namespace saltus {
namespace {

using mechanics::BouncingBall;

/// A point of mass 1 on the circle x² + y² = 1, by the constraint ½(x² + y² − 1) = 0.
struct Circle {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& x, VectorRef y) const { y[0] = 0.5 * (x.q.squaredNorm() - 1); }
  void jacobian(const StateView& x, MatrixRef H) const { H = x.q.transpose(); }
};

Model pendulum(double speed) {
  Model model;
  const auto bob =
      model.add(PointMass{.gravity = {0.0, -9.81}}, {.q = {1.0, 0.0}, .v = {0.0, speed}}, "bob");
  model.link(bob, Circle{}, Equality{}, "rod");
  return model;
}

double drift(const MoreauJean& scheme, double h, double end) {
  Simulation sim(pendulum(3.0), scheme, {.step = h});
  const Trajectory run = sim.run(end);
  EXPECT_TRUE(run.report.ok()) << run.report.message();
  double worst = 0;
  for (double y : run.y.values) worst = std::max(worst, std::abs(y));
  return worst;
}

TEST(Stabilisation, ProjectionKeepsTheJointWhereVelocitiesAloneDrift) {  // TI:TI-108b, TI:TI-116
  // without: each step leaves the circle by O(h³), so 2000 steps by O(h²) = 1e-6 (v/r)³ T ≈ 1e-4
  EXPECT_GT(drift({}, 1e-3, 2.0), 1e-6);
  EXPECT_LE(drift({.stabilisation = CombinedProjection{.tolerance = 1e-13}}, 1e-3, 2.0), 1e-13);
  // Baumgarte: a step adds the drift of one step and gives back β of what there is
  EXPECT_LE(drift({.stabilisation = Baumgarte{.beta = 0.2}}, 1e-3, 2.0),
            0.1 * drift({}, 1e-3, 2.0));
}

TEST(Stabilisation, ProjectedPendulumHasOrderOne) {  // TI:TI-116
  // H is that of the forecast: order 1. Reference: the angle of the same pendulum, RK4 at 1e-5.
  double angle = 0, rate = 3;
  const double dt = 1e-5;
  const auto f = [](double a) { return -9.81 * std::cos(a); };
  for (int k = 0; k < 100000; ++k) {
    const double k1 = f(angle), k2 = f(angle + dt / 2 * rate),
                 k3 = f(angle + dt / 2 * rate + dt * dt / 4 * k1),
                 k4 = f(angle + dt * rate + dt * dt / 2 * k2);
    angle += dt * rate + dt * dt / 6 * (k1 + k2 + k3);
    rate += dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  const Eigen::Vector2d exact(std::cos(angle), std::sin(angle));
  const auto error = [&](double h) {
    Simulation sim(pendulum(3.0), MoreauJean{.stabilisation = CombinedProjection{}}, {.step = h});
    EXPECT_TRUE(sim.run(1.0).report.ok());
    return (sim.state().q - exact).norm();
  };
  const double order = testing::fitted_order(testing::steps(2e-2, 5e-4, 24), error);
  EXPECT_GT(order, 0.9);
  EXPECT_LT(order, 2.1);
}

TEST(Stabilisation, CombinedProjectionLeavesNoPenetration) {  // TI:TI-108b, TI:V-30
  for (double e : {0.0, 0.5, 0.9}) {
    Simulation sim(BouncingBall{.e = e}.model(),
                   MoreauJean{.stabilisation = CombinedProjection{.tolerance = 1e-12}},
                   {.step = 5e-3});
    const Trajectory run = sim.run(10.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    double lowest = 1, impulse = 0;
    for (Index k = 0; k < run.size(); ++k) {
      lowest = std::min(lowest, run.q(k, 0));
      impulse += run.r(k, 0);
    }
    EXPECT_GE(lowest, -1e-12) << e;
    EXPECT_LT(std::abs(run.v(run.size() - 1, 0)), 1e-10) << e;
    EXPECT_NEAR(run.q(run.size() - 1, 0), 0, e == 0 ? 1e-12 : 5e-3 * 9.81 * 5e-3) << e;
    // the projection moves positions, not momentum: Σ p = m g T + m (v_N − v_0)
    EXPECT_NEAR(impulse, 98.1, 1e-9) << e;
  }
}

TEST(Stabilisation, BaumgarteBringsTheRestingBallUp) {  // TI:TI-108a
  // e = 0: without, the ball rests at −0.00429875 (TI:V-30). With β: h v⁺ = −β q, and at θ = ½
  // q⁺ = q + ½h(v + v⁺) = q − ½β (q + q_before)
  Simulation sim(BouncingBall{.e = 0}.model(), {.stabilisation = Baumgarte{.beta = 0.2}},
                 {.step = 5e-3});
  const Trajectory run = sim.run(2.0);
  Index landed = 1;
  while (run.r(landed, 0) == 0) ++landed;
  for (Index k = landed + 2; k < landed + 60; ++k)
    EXPECT_NEAR(run.q(k, 0), run.q(k - 1, 0) - 0.1 * (run.q(k - 1, 0) + run.q(k - 2, 0)), 1e-14);
  EXPECT_NEAR(run.q(run.size() - 1, 0), 0, 1e-9);
}

TEST(Stabilisation, JeansGapIsConsistentWithTheVelocity) {  // TI:V-36, TI:TI-108c
  for (double theta : {0.5, 0.75, 1.0}) {
    const double h = 5e-3;
    Simulation sim(BouncingBall{.e = 0}.model(), MoreauJean{.theta = theta, .gap = ConsistentGap{}},
                   {.step = h});
    const Trajectory run = sim.run(2.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    const auto gap = [&](Index k) { return run.q(k, 0) + (1 - theta) * h * run.v(k, 0); };
    Index closed = 0;
    for (Index k = 1; k < run.size(); ++k) {
      EXPECT_NEAR(gap(k) - gap(k - 1), h * run.u(k, 0), 1e-14);
      EXPECT_GE(gap(k), -1e-13);
      if (std::abs(gap(k)) > 1e-13 || std::abs(gap(k - 1)) > 1e-13) continue;
      EXPECT_NEAR(run.u(k, 0), 0, 1e-10);
      if (std::abs(run.u(k - 1, 0)) > 1e-10) continue;  // the step that stops the ball
      EXPECT_NEAR(run.r(k, 0), 9.81 * h, 1e-10);
      ++closed;
    }
    EXPECT_GT(closed, 300);
  }
}

TEST(Stabilisation, JeansGapHasOrderOneAcrossThePlasticImpact) {  // TI:TI-108c
  const auto error = [](double h) {
    Simulation sim(BouncingBall{.e = 0}.model(), MoreauJean{.gap = ConsistentGap{}}, {.step = h});
    const Trajectory run = sim.run(1.0);
    double sum = 0;
    for (Index k = 1; k < run.size(); ++k)
      sum += std::abs(run.q(k, 0) - std::max(0.0, 1 - 9.81 * run.t[k] * run.t[k] / 2)) *
             (run.t[k] - run.t[k - 1]);
    return sum;
  };
  // the height is caught within h |v| in one step and exact afterwards: an integral of h²
  EXPECT_GE(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 0.9);
}

TEST(Stabilisation, JeansGapRefusesRestitution) {
  EXPECT_ERROR(Simulation(BouncingBall{.e = 0.5}.model(), {.gap = ConsistentGap{}}, {.step = 1e-3}),
               "MoreauJean: ConsistentGap: the law of ground has restitution e = 0.5");
  EXPECT_ERROR(Simulation(mechanics::PileOfSpheres{{.count = 2}}.model(), {.gap = ConsistentGap{}},
                          {.step = 1e-3}),
               "finite reach");
}

TEST(Stabilisation, ProjectionOfRigidBodiesEndsTheirPenetration) {  // TI:TI-108b
  const mechanics::PileOfSpheres pile{{.count = 30}};
  const auto deepest = [&](const MoreauJean& scheme) {
    Simulation sim(pile.model(), scheme, {.step = 4e-3});
    double worst = 0;
    for (int k = 0; k < 250; ++k) {
      const StepReport report = sim.advance();
      EXPECT_TRUE(report.done()) << name(report.status);
      for (const DetectedContact& c : sim.contacts()) worst = std::max(worst, -c.gap);
    }
    return worst;
  };
  const double without = deepest({}), with = deepest({.stabilisation = CombinedProjection{}});
  // found gaps are those of the forecast, half a step ahead: half of what a step penetrates is left
  EXPECT_LT(with, without);
  EXPECT_GT(without, 0);
}

/// Two rods in space, hinged at the origin about y and by a ball to each other, released at rest.
Model double_pendulum() {
  Vector q(14);
  q << positions_of({0.5, 0, 0}), positions_of({1.5, 0, 0});
  Model model;
  const auto rods = model.add(RigidBodies{.m = {1.0, 1.0},
                                          .inertia = {{0.01, 0.09, 0.09}, {0.01, 0.09, 0.09}},
                                          .gravity = {0.0, 0.0, -9.81}},
                              {.q = q}, "rods");
  const Eigen::Matrix3d about_y{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}};  // z of the frame is y
  using mechanics::Joint, mechanics::JointKind;
  model.link(Endpoint(rods, 0),
             Joint{.kind = JointKind::hinge,
                   .a = {.R = about_y},
                   .b = {.x = {-0.5, 0, 0}, .R = about_y},
                   .sides = {-1, 0}},
             Equality{}, "hinge");
  model.link({Endpoint(rods, 0), Endpoint(rods, 1)},
             Joint{.kind = JointKind::ball, .a = {.x = {0.5, 0, 0}}, .b = {.x = {-0.5, 0, 0}}},
             Equality{}, "ball");
  return model;
}

TEST(Stabilisation, JointsOfRigidBodiesDoNotDrift) {  // TI:TI-108b, TI:TI-116
  const auto drift_of = [](const MoreauJean& scheme) {
    Simulation sim(double_pendulum(), scheme, {.step = 2e-3});
    const Trajectory run = sim.run(2.0);
    EXPECT_TRUE(run.report.ok()) << run.report.message();
    double worst = 0;
    for (double y : run.y.values) worst = std::max(worst, std::abs(y));
    return worst;
  };
  EXPECT_GT(drift_of({}), 1e-5);
  EXPECT_LE(drift_of({.stabilisation = CombinedProjection{.tolerance = 1e-12}}), 1e-12);
  // ḡ = 0 at q + (1−θ) h v: at θ = 1 the joints themselves, up to the curvature of a step, (h ω)²
  EXPECT_LE(drift_of({.theta = 1, .gap = ConsistentGap{}}), 2e-3 * 2e-3 * 10 * 10);
}

TEST(Stabilisation, WarmStepsAllocateNothing) {
  for (const MoreauJean& scheme :
       {MoreauJean{.stabilisation = CombinedProjection{}}, MoreauJean{.gap = ConsistentGap{}},
        MoreauJean{.stabilisation = Baumgarte{}}}) {
    const Model model = BouncingBall{.e = 0}.model();
    StepWorkspace work;
    prepare(model, scheme, work);
    State state = model.initial_state();
    for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(model, state, 5e-3, scheme, work).done());
    const testing::AllocationGuard guard;
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(step(model, state, 5e-3, scheme, work).done());
    EXPECT_EQ(guard.count(), 0);
  }
}

}  // namespace
}  // namespace saltus
