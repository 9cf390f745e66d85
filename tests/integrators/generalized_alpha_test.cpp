// Generalized-α on smooth motion: coefficients, constraint levels, orders.

#include "saltus/integrators/scheme.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/allocation_guard.hpp"
#include "support/alpha_stepping.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"
#include "support/rigid_pendulum.hpp"

#include <cmath>

namespace saltus {
namespace {

using testing::pin_violation;
using testing::RigidPendulum;

TEST(GeneralizedAlpha, CoefficientsFollowTheSpectralRadius) {  // AC:AV-18
  const double table[][5] = {{1, .5, .5, .5, .25},
                             {.9, .4210526, .4736842, .5526316, .2770083},
                             {.8, .3333333, .4444444, .6111111, .3086420},
                             {.5, 0, .3333333, .8333333, .4444444},
                             {0, -1, 0, 1.5, 1}};
  for (const auto& [rho, alpha_m, alpha_f, gamma, beta] : table) {
    const AlphaCoefficients c = coefficients(ChungHulbert{.rho = rho});
    EXPECT_NEAR(c.alpha_m, alpha_m, 5e-8);
    EXPECT_NEAR(c.alpha_f, alpha_f, 5e-8);
    EXPECT_NEAR(c.gamma, gamma, 5e-8);
    EXPECT_NEAR(c.beta, beta, 5e-8);
  }
  const AlphaCoefficients hht = coefficients(HilberHughesTaylor{.a = 0.1});  // AC:GA-16b
  EXPECT_NEAR(hht.gamma, 0.6, 1e-15);
  EXPECT_NEAR(hht.beta, 0.3025, 1e-15);
  EXPECT_EQ(coefficients(Newmark{}).beta, 0.25);  // AC:GA-16c
}

using Stepping = testing::AlphaStepping;

TEST(GeneralizedAlpha, PendulumStartsFromConsistentAccelerations) {  // AC:AV-19
  Stepping run(RigidPendulum{}.model(), {}, 1e-9);
  run.advance();  // a step too short to change anything
  const double v[] = {-82.66606, -56.81818, -7.872958}, lambda[] = {-82.66606, -46.81818};
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(run.acceleration()[i], v[i], 1e-5);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(run.lambda()[i], lambda[i], 1e-5);
}

TEST(GeneralizedAlpha, PendulumErrorsAndViolations) {  // AC:AV-19
  for (const auto& [h, error] :
       {std::pair{8e-3, 6.91e-3}, std::pair{4e-3, 1.72e-3}, std::pair{2e-3, 4.28e-4}}) {
    Stepping run(RigidPendulum{}.model(), {.newton_tolerance = 1e-14}, h);
    while (run.state.t < 1 - h / 2) {
      run.advance();
      const auto left = pin_violation(run.state, run.acceleration());
      EXPECT_LT(left.position, 1e-12);
      EXPECT_LT(left.velocity, 1e-12);
      EXPECT_LT(left.acceleration, 1e-12 * 100);  // of terms of the size of 100
    }
    EXPECT_NEAR(std::abs(run.state.q[2] - 10.82484), error, 0.01 * error + 5e-6) << h;
  }
}

TEST(GeneralizedAlpha, EveryLevelHasOrderTwoInSmoothMotion) {  // AC:GA-21a, AC:GA-21b, AC:GA-25
  const testing::Swing exact = testing::swing({M_PI / 6, 10}, 1);
  EXPECT_NEAR(exact.angle, 10.82484, 5e-6);  // AC:AV-19
  EXPECT_NEAR(exact.rate, 11.26980, 5e-6);
  for (const ConstraintLevels& levels :
       {ConstraintLevels{LevelsP{}}, ConstraintLevels{LevelsV{}}, ConstraintLevels{LevelsA{}},
        ConstraintLevels{LevelsPV{}}, ConstraintLevels{LevelsPVA{.strategy = 2}},
        ConstraintLevels{LevelsPVA{.strategy = 3}}}) {
    const auto error = [&](double h) {
      Stepping run(RigidPendulum{}.model(), {.levels = levels}, h);
      while (run.state.t < 1 - h / 2) run.advance();
      return std::hypot(run.state.q[2] - exact.angle, run.state.v[2] - exact.rate);
    };
    std::vector<double> h;
    for (int n = 200; n < 2000; n = n * 5 / 4) h.push_back(1.0 / n);  // whole steps to the end
    EXPECT_NEAR(testing::fitted_order(h, error), 2.0, 0.1) << describe(levels);
  }
}

TEST(GeneralizedAlpha, ConstraintLevelsRankAsTheTheorySays) {  // AC:AV-20
  struct Row {
    ConstraintLevels levels;
    double position, velocity, acceleration;  // 0: below 1e-10
  };
  const Row rows[] = {{LevelsP{}, 0, 4.9e-4, 4.12},
                      {LevelsV{}, 8.0e-5, 0, 2.3e-2},
                      {LevelsA{}, 3.7e-4, 7.2e-4, 0},
                      {LevelsPV{}, 0, 0, 2.1e-2},
                      {LevelsPVA{}, 0, 0, 0}};
  for (const Row& row : rows) {
    Stepping run(RigidPendulum{}.model(), {.levels = row.levels, .newton_tolerance = 1e-13}, 2e-3);
    double position = 0, velocity = 0, acceleration = 0;
    for (int k = 0; k < 500; ++k) {
      run.advance();
      const auto left = pin_violation(run.state, run.acceleration());
      position = std::max(position, left.position);
      velocity = std::max(velocity, left.velocity);
      if (run.state.t <= 0.02 + 1e-9) acceleration = std::max(acceleration, left.acceleration);
    }
    const auto expect = [&](double found, double value, const char* what) {
      if (value == 0) {
        EXPECT_LT(found, 1e-9) << describe(row.levels) << ' ' << what;
      } else {
        EXPECT_GT(found, value / 2) << describe(row.levels) << ' ' << what;
        EXPECT_LT(found, value * 2) << describe(row.levels) << ' ' << what;
      }
    };
    expect(position, row.position, "position");
    expect(velocity, row.velocity, "velocity");
    expect(acceleration, row.acceleration, "acceleration");
  }
}

TEST(GeneralizedAlpha,
     WrongAccelerationsAfterAnImpactDisturbAllLevelsButPva) {  // AC:AV-21, AC:GA-27
  for (const auto& [levels, first, second] :
       {std::tuple{ConstraintLevels{LevelsP{}}, -166.0, .35},
        std::tuple{ConstraintLevels{LevelsV{}}, -166.3, 1.8},
        std::tuple{ConstraintLevels{LevelsPV{}}, -166.3, 1.8},
        std::tuple{ConstraintLevels{LevelsPVA{}}, -81.40, -80.01}}) {
    Stepping run(RigidPendulum{}.model(), {.levels = levels}, 2e-3);
    const State start = run.state;
    run.advance();
    // the state of the start again, with accelerations of zero
    run.state = start;
    run.work.remember(start);
    run.work.alpha.acceleration_begin.setZero();
    run.work.alpha.a_begin.setZero();
    run.advance();
    const double one = run.lambda()[0];
    run.advance();
    const double two = run.lambda()[0];
    EXPECT_NEAR(one, first, 0.5) << describe(levels);
    EXPECT_NEAR(two, second, 0.5) << describe(levels);
    if (std::holds_alternative<LevelsPVA>(levels))
      EXPECT_LT(std::abs(two - one), 2);
    else
      EXPECT_GT(std::abs(two - one), 100);
  }
}

TEST(GeneralizedAlpha, NewmarkAndHhtHaveOrderTwo) {  // AC:GA-16b, AC:GA-16c
  for (const AlphaFamily& family :
       {AlphaFamily{Newmark{}}, AlphaFamily{HilberHughesTaylor{.a = 0.1}},
        AlphaFamily{ChungHulbert{.rho = 0.5}}}) {
    const auto error = [&](double h) {
      Model model;
      model.add(LinearLagrangian{.M = {{1.0}}, .C = {{0.1}}, .K = {{4.0}}}, {.q = {1.0}});
      Stepping run(model, {.coefficients = family}, h);
      while (run.state.t < 3 - h / 2) run.advance();
      const double d = 0.05, w = std::sqrt(4 - d * d), t = 3;
      return std::abs(run.state.q[0] -
                      std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t)));
    };
    std::vector<double> h;
    for (int n = 40; n < 2000; n = n * 5 / 4) h.push_back(3.0 / n);
    EXPECT_NEAR(testing::fitted_order(h, error), 2.0, 0.1) << describe(family);
  }
}

TEST(GeneralizedAlpha, StartsAnewWhenTheStateIsChanged) {
  Simulation once(RigidPendulum{}.model(), GeneralizedAlpha{}, {.step = 1e-3});
  Simulation twice(RigidPendulum{}.model(), GeneralizedAlpha{}, {.step = 1e-3});
  const State start = once.state();
  for (int k = 0; k < 7; ++k) ASSERT_TRUE(twice.advance().done());
  twice.set_state(start);
  for (int k = 0; k < 40; ++k) {
    ASSERT_TRUE(once.advance().done());
    ASSERT_TRUE(twice.advance().done());
  }
  EXPECT_EQ(once.state().q, twice.state().q);
}

TEST(GeneralizedAlpha, RefusesWhatItCannotTreat) {
  EXPECT_ERROR(Simulation(mechanics::PileOfSpheres{{.count = 2}}.model(), GeneralizedAlpha{},
                          {.step = 1e-3}),
               "GeneralizedAlpha: contacts of sources are not for this scheme");
  EXPECT_ERROR(Simulation(RigidPendulum{.e = 0.5}.model(), GeneralizedAlpha{.levels = LevelsP{}},
                          {.step = 1e-3}),
               "LevelsP knows no impact law, but stop is a contact");
}

TEST(GeneralizedAlpha, WarmStepsAllocateNothing) {
  Stepping run(RigidPendulum{}.model(), {}, 1e-3);
  for (int k = 0; k < 20; ++k) run.advance();
  const testing::AllocationGuard guard;
  for (int k = 0; k < 10; ++k)
    ASSERT_TRUE(step(run.model, run.state, run.h, run.scheme, run.work).done());
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace saltus
