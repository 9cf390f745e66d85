// Adaptive steps: errors, costs, momentum, limits.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/bouncing_height.hpp"
#include "support/expect_error.hpp"

#include <cmath>

namespace saltus {
namespace {

using mechanics::BouncingBall;

Trajectory bounce(double tolerance, double e = 0.5, double end = 1.2) {
  Simulation sim(BouncingBall{.e = e}.model(), {},
                 {.step = 1e-2, .adaptive = {.tolerance = tolerance, .least = 1e-4}});
  Trajectory run = sim.run(end);
  EXPECT_TRUE(run.report.ok()) << run.report.message();
  return run;
}

TEST(AdaptiveSteps, ErrorFollowsTheTolerance) {  // TI:V-19
  // each of the three impacts before 1.2 s is resolved to h|Δv| ≤ tolerance and h ≥ 1e-6, and its
  // time error is carried on at the speed of the ball: a few tolerances in all
  double previous = inf;
  for (double tolerance : {1e-3, 1e-4, 1e-5}) {
    const double error = testing::mean_height_error(bounce(tolerance), 0.5);
    EXPECT_LT(error, 3 * tolerance) << tolerance;
    EXPECT_LT(error, previous);
    previous = error;
  }
}

TEST(AdaptiveSteps, StepsAreShortAtImpactsOnly) {
  const Trajectory run = bounce(1e-5);
  EXPECT_LT(run.report.shortest_step, 1e-5);  // h |Δv| ≤ 1e-5 at the first impact, Δv = 6.6 m/s
  EXPECT_DOUBLE_EQ(run.report.longest_step, 1e-2);
  EXPECT_GT(run.report.rejected_steps, 0);
  // constant steps as short as at the impacts would be 1.2 / 1e-5 = 120 000
  EXPECT_LT(run.report.steps, 600);
  for (Index k = 1; k < run.size(); ++k) EXPECT_GT(run.t[k], run.t[k - 1]);
  EXPECT_EQ(run.t.back(), 1.2);
}

TEST(AdaptiveSteps, RecordedPercussionsAreThoseOfTheWholeStep) {  // TI:V-30
  const Trajectory run = bounce(1e-4, 0.5, 3.0);
  double impulse = 0;
  for (Index k = 1; k < run.size(); ++k) impulse += run.r(k, 0);
  EXPECT_NEAR(impulse, 9.81 * 3.0 + run.v(run.size() - 1, 0), 1e-10);
}

TEST(AdaptiveSteps, AccumulationOfImpactsIsPassedAtTheLeastStep) {  // TI:V-19: rest at 1.3546 s
  const Trajectory run = bounce(1e-4, 0.5, 2.0);
  EXPECT_NEAR(run.q(run.size() - 1, 0), 0, 1e-3);
  EXPECT_LT(std::abs(run.v(run.size() - 1, 0)), 1e-10);
}

TEST(AdaptiveSteps, SmoothMotionKeepsItsAccuracy) {
  Model model;
  model.add(LinearLagrangian{.M = {{1.0}}, .K = {{100.0}}}, {.q = {1.0}});
  Simulation sim(model, {}, {.step = 0.1, .adaptive = {.tolerance = 1e-6, .least = 1e-6}});
  const Trajectory run = sim.run(1.0);
  ASSERT_TRUE(run.report.ok());
  // n steps with an error of 1e-6 each
  EXPECT_NEAR(run.q(run.size() - 1, 0), std::cos(10.0), 1e-6 * double(run.report.steps));
  EXPECT_LT(run.report.longest_step, 0.1);
}

TEST(AdaptiveSteps, SchemesWithAMemoryAreRefused) {
  EXPECT_ERROR(Simulation(BouncingBall{}.model(), PaoliSchatzman{},
                          {.step = 1e-2, .adaptive = {.tolerance = 1e-3}}),
               "AdaptiveSteps: PaoliSchatzman needs constant steps");
  EXPECT_ERROR(
      Simulation(BouncingBall{}.model(), {}, {.step = 1e-2, .adaptive = {.tolerance = -1}}),
      "AdaptiveSteps: tolerance is -1");
}

}  // namespace
}  // namespace saltus
