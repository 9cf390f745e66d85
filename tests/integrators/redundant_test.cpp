// Constraints that say the same thing twice: the motion is that of one, the multipliers share it.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// M = diag(1, 2), F = (1, 0), q₁ + q₂ = 0 given as often as `weights` says, each row scaled.
Model tied_pair(const std::vector<double>& weights) {
  Model model;
  const auto pair = model.add(LinearLagrangian{.M = {{1.0, 0.0}, {0.0, 2.0}}, .F = {1.0, 0.0}},
                              {.q = {0.0, 0.0}});
  for (double weight : weights)
    model.link(pair, LinearRelation{.H = {{weight, weight}}}, Equality{});
  return model;
}

TEST(RedundantConstraints, MotionIsThatOfOneAndMultipliersHaveTheLeastNorm) {  // TI:V-34
  const double h = 0.1;
  for (const Scheme& scheme :
       {Scheme{MoreauJean{}}, Scheme{StewartTrinkle{}}, Scheme{AnitescuPotra{}}}) {
    for (const std::vector<double>& weights :
         {std::vector{1.0}, std::vector{1.0, 1.0}, std::vector{1.0, 2.0, -1.0}}) {
      Simulation sim(tied_pair(weights), scheme, {.step = h});
      const Trajectory run = sim.run(1.0);
      ASSERT_TRUE(run.report.ok()) << name(scheme) << ": " << run.report.message();
      EXPECT_NEAR(run.v(10, 0), 1 / 3., 1e-10) << name(scheme);
      EXPECT_NEAR(run.q(10, 0) + run.q(10, 1), 0, 1e-10) << name(scheme);
      // Σ w_i r_i = −2h/3 of least norm: r_i = −2h/3 w_i / Σ w²
      double square = 0;
      for (double w : weights) square += w * w;
      for (std::size_t i = 0; i < weights.size(); ++i)
        EXPECT_NEAR(run.r(10, Index(i)), -2 * h / 3 * weights[i] / square, 1e-9)
            << name(scheme) << ", row " << i << " of " << weights.size();
    }
  }
}

TEST(RedundantConstraints, ContactsBesideThemKeepTheirLaw) {
  // the tied pair is pushed against a stop at q₁ ≤ 0.1: rest there, with the force 1 on the stop
  Model model = tied_pair({1.0, 1.0});
  model.link(SystemId{0}, LinearRelation{.H = {{-1.0, 0.0}}, .b = {0.1}}, NewtonImpact{}, "stop");
  Simulation sim(model, MoreauJean{}, {.step = 1e-2});
  const Trajectory run = sim.run(2.0);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  const Index last = run.size() - 1;
  EXPECT_NEAR(run.v(last, 0), 0, 1e-10);
  EXPECT_NEAR(run.r(last, 2), 1e-2, 1e-9);
  EXPECT_NEAR(run.r(last, 0), 0, 1e-9);
  EXPECT_NEAR(run.r(last, 1), 0, 1e-9);
}

}  // namespace
}  // namespace saltus
