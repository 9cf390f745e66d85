// Nonsmooth generalized-α: impacts, accumulation, closed contacts.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/alpha_stepping.hpp"
#include "support/bouncing_height.hpp"
#include "support/fitted_order.hpp"
#include "support/rigid_pendulum.hpp"
#include "support/three_balls.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

using mechanics::BouncingBall;
using testing::RigidPendulum;

RigidPendulum bouncing(double e) { return {.angle = M_PI / 12, .rate = 0, .e = e}; }

struct Stepping : testing::AlphaStepping {
  using AlphaStepping::AlphaStepping;
  /// Until the pendulum has hit its stop; the state before that step.
  State impact() {
    for (;;) {
      const State before = state;
      advance();
      if (before.v[0] < -0.1 && state.v[0] > 0) return before;
      if (state.t > 10) return before;
    }
  }
};

TEST(GeneralizedAlphaImpact, PendulumBouncesAtTheTimesOfTheTheory) {  // AC:AV-22
  // impacts are found at the end of the step they happen in, with a velocity that is up to h |v̇|
  // off: each impact adds about 2 (1+e) h to the flights behind it
  const double h = 1e-3;
  for (const auto& [e, times] :
       {std::pair{.8, std::vector{.48611, 1.28123, 1.95134, 2.51714, 2.99128}},
        std::pair{.5, std::vector{.48611, 1.04162, 1.35125}}}) {
    for (int strategy : {2, 3}) {
      Stepping run(bouncing(e).model(), {.levels = LevelsPVA{.strategy = strategy}}, h);
      std::vector<double> found;
      while (found.size() < times.size() && run.state.t < 4) {
        const double before = run.state.v[0];
        run.advance();
        if (before < -0.1 && run.state.v[0] > 0) found.push_back(run.state.t);
        const auto left = testing::pin_violation(run.state, run.work.alpha.acceleration_begin);
        EXPECT_LT(left.position, 1e-11);
        EXPECT_LT(left.velocity, 1e-11);
        EXPECT_GT(run.state.q[0] - std::sqrt(0.5), -1e-11);
      }
      ASSERT_EQ(found.size(), times.size());
      for (std::size_t i = 0; i < times.size(); ++i)
        EXPECT_NEAR(found[i], times[i], (1 + 3 * double(i)) * h) << e << ", impact " << i;
    }
  }
}

TEST(GeneralizedAlphaImpact, FirstImpactHasTheVelocityOfTheTheory) {  // AC:AV-22
  Stepping run(bouncing(.8).model(), {}, 1e-3);
  const State before = run.impact();
  // up to a step before the impact, under accelerations of −10 cos θ / 1.1 and of 25 m/s²
  EXPECT_NEAR(before.v[2], -4.1907383, 1e-3 * 10);
  EXPECT_NEAR(before.v[0], -2.9632995, 1e-3 * 30);
}

TEST(GeneralizedAlphaImpact, MultipliersDoNotOscillateAfterTheImpact) {  // AC:AV-22
  Stepping run(bouncing(.8).model(), {.coefficients = ChungHulbert{.rho = 1}}, 1e-3);
  static_cast<void>(run.impact());
  EXPECT_NEAR(run.lambda()[0], -27.46, 0.1);  // that of the closed contact
  run.advance();
  double previous = run.lambda()[0];
  for (int k = 0; k < 300; ++k) {
    run.advance();
    EXPECT_LT(std::abs(run.lambda()[0] - previous), .1) << k;
    previous = run.lambda()[0];
  }
}

TEST(GeneralizedAlphaImpact, ReactionsOfThePendulumAtRest) {  // AC:AV-22
  const double h = 2e-3;
  double closed[4] = {};
  for (int strategy : {2, 3}) {
    Stepping run(bouncing(.8).model(), {.levels = LevelsPVA{.strategy = strategy}}, h);
    while (run.state.t < 6) {
      run.advance();
      const bool open = run.state.q[0] - std::sqrt(0.5) > 1e-10;
      if (open) closed[strategy] = run.state.t;
    }
    const double total[] = {-10, 10, 10};
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(run.work.r[i] / h, total[i], 1e-6) << strategy;
    EXPECT_NEAR(run.lambda()[0], strategy == 2 ? -4.545455 : -10, 1e-5);
    EXPECT_NEAR(run.work.alpha.Lambda[0] / h, strategy == 2 ? -5.454545 : 0, 1e-5);
  }
  // order 1 in h: strategy 2 loses more energy per impact and closes earlier
  EXPECT_NEAR(closed[2], 4.85, 0.1);
  EXPECT_NEAR(closed[3], 5.13, 0.1);
  EXPECT_LT(closed[2], closed[3]);
}

TEST(GeneralizedAlphaImpact, OrderOneAcrossImpacts) {  // TI:V-19, AC:B.10
  for (const ConstraintLevels& levels :
       {ConstraintLevels{LevelsV{}}, ConstraintLevels{LevelsPV{}}, ConstraintLevels{LevelsPVA{}}}) {
    const auto error = [&](double h) {
      Simulation sim(BouncingBall{.e = 0.9}.model(), GeneralizedAlpha{.levels = levels},
                     {.step = h});
      const Trajectory run = sim.run(3.0);
      EXPECT_TRUE(run.report.ok()) << run.report.message();
      return testing::mean_height_error(run, 0.9);
    };
    EXPECT_NEAR(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 1.0, 0.15)
        << describe(levels);
  }
}

/// The inside of the unit circle, ½(1 − x² − y²) ≥ 0.
struct Bowl {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& s, VectorRef y) const { y[0] = 0.5 * (1 - s.q.squaredNorm()); }
  void jacobian(const StateView& s, MatrixRef H) const { H = -s.q.transpose(); }
};

TEST(GeneralizedAlphaImpact, ContactThatStaysClosedHasOrderTwo) {  // AC:GA-12, AC:B.10
  // a point slides in a bowl under g = 1.1/10 of the pendulum's: θ̈ = −10/1.1 cos θ
  const testing::Swing exact = testing::swing({-M_PI / 6, 0}, 1);
  const auto error = [&](double h) {
    Model model;
    const auto point = model.add(PointMass{.gravity = {0.0, -10 / 1.1}},
                                 {.q = {std::cos(-M_PI / 6), std::sin(-M_PI / 6)}});
    model.link(point, Bowl{}, NewtonImpact{.e = 0.5});
    Stepping run(model, {}, h);
    double jump = 0;
    while (run.state.t < 1 - h / 2) {
      run.advance();
      jump = std::max(jump, std::abs(run.work.alpha.Lambda[0]));
      EXPECT_NEAR(run.state.q.norm(), 1, 1e-9);
    }
    EXPECT_LT(jump, 100 * h * h);  // W → 0 at a rate above that of a force, h
    return std::hypot(run.state.q[0] - std::cos(exact.angle),
                      run.state.q[1] - std::sin(exact.angle));
  };
  std::vector<double> h;
  for (int n = 50; n < 1000; n = n * 5 / 4) h.push_back(1.0 / n);
  EXPECT_NEAR(testing::fitted_order(h, error), 2.0, 0.1);
}

TEST(GeneralizedAlphaImpact, SimultaneousImpactOfThreeBalls) {  // TI:V-18
  for (const testing::ThreeBalls& balls : testing::three_balls) {
    Stepping run(balls.model(), {}, 1e-3);
    run.advance();
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(run.state.v[i], balls.after[i], 1e-12) << balls.e;
  }
}

}  // namespace
}  // namespace saltus
