// The bouncing ball of the card on formulations: accumulation of impacts, energy per step.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

constexpr double g = 9.81;

Trajectory fall(double e, double theta, double h, double end) {
  Simulation sim(mechanics::BouncingBall{.height = 1, .e = e}.model(), MoreauJean{.theta = theta},
                 {.step = h});
  return sim.run(end);
}

TEST(BouncingBall, ComesToRestAtTheAccumulationOfItsImpacts) {  // F:V12, F:F184
  const double t1 = std::sqrt(2 / g);
  EXPECT_NEAR(t1, 0.4515236, 1e-7);
  for (const double e : {0.5, 0.9}) {
    const double rest = t1 * (1 + e) / (1 - e), h = 1e-3;
    const Trajectory run = fall(e, 0.5, h, rest + 1);
    ASSERT_TRUE(run.report.ok());
    // the bounces that are shorter than a step, g h²/8 high, are passed
    Index last = 0;
    for (Index k = 0; k < run.size(); ++k)
      if (std::abs(run.v(k, 0)) > 1e-12) last = k;
    // every impact may be late by a few steps; there are n of them until 2 eⁿ v₁/g < h
    const double impacts = std::log(g * h / (2 * g * t1)) / std::log(e);
    EXPECT_NEAR(run.t[last], rest, 4 * h * impacts);
    EXPECT_LT(std::abs(run.v(run.size() - 1, 0)), 1e-12);
  }
}

TEST(BouncingBall, EnergyPerStepIsThatOfTheTheta) {  // F:V13, F:B7, F:C0-11
  const double h = 5e-3;
  for (const double theta : {1.0, 0.5}) {
    const Trajectory run = fall(0.5, theta, h, 2);
    ASSERT_TRUE(run.report.ok());
    const auto energy = [&](Index k) { return 0.5 * run.v(k, 0) * run.v(k, 0) + g * run.q(k, 0); };
    for (Index k = 1; k < 80; ++k)  // free flight
      EXPECT_NEAR(energy(k) - energy(k - 1), theta == 1 ? -1.2029513e-3 : 0.0, 1e-9);
    EXPECT_NEAR(run.r(run.size() - 1, 0), g * h, 1e-12);  // at rest
    EXPECT_LE(std::abs(run.q(run.size() - 1, 0)), 1e-2);
  }
}

}  // namespace
}  // namespace saltus
