// Stewart–Trinkle and Anitescu–Potra: no penetration, friction with both cones, closed forms,
// order.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/allocation_guard.hpp"
#include "support/bouncing_height.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"
#include "support/three_balls.hpp"

#include <cmath>

namespace saltus {
namespace {

using mechanics::BouncingBall;
constexpr double g = 9.81;

TEST(StewartTrinkle, BallLandsOnTheGroundAndRests) {  // TI:TI-133, TI:TI-134
  for (double theta : {0.0, 1.0}) {
    Simulation sim(BouncingBall{.e = 0}.model(), StewartTrinkle{.theta = theta}, {.step = 5e-3});
    const Trajectory run = sim.run(1.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    double impulse = 0;
    for (Index k = 1; k < run.size(); ++k) {
      EXPECT_GE(run.q(k, 0), -1e-15);
      impulse += run.r(k, 0);
      // semi-implicit Euler falls by g h² k(k+1)/2
      const double height = 1 - g * 25e-6 * double(k) * double(k + 1) / 2;
      EXPECT_NEAR(run.q(k, 0), std::max(height, 0.0), 1e-13);
    }
    EXPECT_NEAR(run.r(run.size() - 1, 0), g * 5e-3, 1e-12);
    EXPECT_NEAR(impulse, g * 1.0, 1e-11);  // Σ p = m g T + m (v_N − v_0)
  }
}

TEST(StewartTrinkle, OrderOneAcrossThePlasticImpact) {  // TI:TI-133
  const auto error = [](double h) {
    Simulation sim(BouncingBall{.e = 0}.model(), StewartTrinkle{}, {.step = h});
    return testing::mean_height_error(sim.run(1.0), 0);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 1.0, 0.05);
}

TEST(AnitescuPotra, OrderOneAcrossImpacts) {  // TI:TI-133
  const auto error = [](double h) {
    Simulation sim(BouncingBall{.e = 0.9}.model(), AnitescuPotra{}, {.step = h});
    return testing::mean_height_error(sim.run(3.0), 0.9);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 1.0, 0.15);
}

Model block_on_plane(Values gravity, Values velocity, double mu) {
  const Index d = gravity.size();
  Model model;
  const auto block = model.add(PointMass{.m = 1, .gravity = gravity},
                               {.q = Vector::Zero(d), .v = velocity}, "block");
  model.link(block, LinearRelation{.H = Matrix::Identity(d, d)}, Coulomb{.mu = mu}, "plane");
  return model;
}

/// Both schemes with both cones.
std::vector<Scheme> schemes() {
  const Algorithm exact = Nsgs{.tolerance = 1e-13}, faceted = FacetedFriction{.tolerance = 1e-12};
  return {StewartTrinkle{.solver = exact}, StewartTrinkle{.solver = faceted},
          AnitescuPotra{.solver = exact}, AnitescuPotra{.solver = faceted}};
}

TEST(StewartTrinkle, SlidingBlockStops) {  // TI:V-32: v⁺ = max(v − μ g h, 0), in the plane
  for (const Scheme& scheme : schemes()) {
    Simulation sim(block_on_plane({-g, 0.0}, {0.0, 2.0}, 0.3), scheme, {.step = 0.01});
    const Trajectory run = sim.run(1.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    double v = 2, q = 0;
    for (Index k = 1; k < run.size(); ++k) {
      v = std::max(v - 0.3 * g * 0.01, 0.0);
      q += 0.01 * v;
      EXPECT_NEAR(run.v(k, 1), v, 1e-10) << name(scheme);
      EXPECT_NEAR(run.q(k, 1), q, 1e-10) << name(scheme);
    }
    EXPECT_NEAR(run.v(68, 1), 0, 1e-10);
    EXPECT_GT(run.v(67, 1), 0.01);
  }
}

TEST(StewartTrinkle, InclineSlidesOrHolds) {  // TI:V-32
  const double c = std::cos(M_PI / 6), s = std::sin(M_PI / 6);
  for (const Scheme& scheme : schemes()) {
    Simulation slides(block_on_plane({-g * c, g * s}, {0.0, 0.0}, 0.3), scheme, {.step = 0.01});
    EXPECT_NEAR(slides.run(1.0).v(100, 1), 2.3562872367, 1e-9);
    Simulation holds(block_on_plane({-g * c, g * s}, {0.0, 0.0}, 0.7), scheme, {.step = 0.01});
    EXPECT_NEAR(holds.run(1.0).v(100, 1), 0, 1e-10);
  }
}

TEST(StewartTrinkle, ExactConeKeepsTheDirectionThePyramidTurnsIt) {  // TI:V-32, TI:TI-133
  // friction of a pyramid acts along one of its edges; the direction (3, 4) is none of them
  const auto direction = [](const Algorithm& solver) {
    Simulation sim(block_on_plane({-g, 0.0, 0.0}, {0.0, 3.0, 4.0}, 0.5),
                   StewartTrinkle{.solver = solver}, {.step = 1e-3, .accept_unsolved = true});
    EXPECT_EQ(sim.run(0.5).report.end, RunEnd::reached_end);
    return std::atan2(sim.state().v[2], sim.state().v[1]);
  };
  const double initial = std::atan2(4.0, 3.0);
  EXPECT_NEAR(direction(Nsgs{.tolerance = 1e-13}), initial, 1e-9);
  const double coarse = std::abs(direction(FacetedFriction{.facets = 4}) - initial);
  const double fine = std::abs(direction(FacetedFriction{.facets = 32}) - initial);
  EXPECT_GT(coarse, 1e-2);
  EXPECT_LT(fine, coarse / 3);
}

TEST(AnitescuPotra, SimultaneousImpactOfThreeBalls) {  // TI:V-18
  for (const testing::ThreeBalls& balls : testing::three_balls) {
    Simulation sim(balls.model(), AnitescuPotra{}, {.step = 1e-3});
    ASSERT_TRUE(sim.advance().done());
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(sim.state().v[i], balls.after[i], 1e-14);
  }
}

TEST(TimeStepping, ContactWithNegativeBilateralForceStaysClosed) {  // TI:V-16
  const Rows normals = {{1.0, 1.0, -1.0}, {1.0, -1.0, 0.0}, {-1.0, 0.0, 0.0}};
  for (const Scheme& scheme : {Scheme{MoreauJean{}}, Scheme{StewartTrinkle{}},
                               Scheme{AnitescuPotra{}}, Scheme{PaoliSchatzman{}}}) {
    Model model;
    const auto particle =
        model.add(LinearLagrangian{.M = Matrix::Identity(3, 3), .F = {0.0, 1.0, -1.0}},
                  {.q = {0.0, 0.0, 0.0}});
    model.link(particle, LinearRelation{.H = normals}, NewtonImpact{});
    Simulation sim(model, scheme, {.step = 0.01});
    ASSERT_TRUE(sim.advance().done());
    // Paoli–Schatzman starts half a step earlier: q₁ = ½h²a, so v₁ = ½h a and r₁ = ½h λ. At the
    // start its multiplier carries the contact force of the half step before as well.
    const bool half = std::holds_alternative<PaoliSchatzman>(scheme);
    const double h = half ? 0.005 : 0.01;
    const double acceleration[] = {0, 0, -1}, force[] = {0, 1, 1};
    for (Index i = 0; i < 3; ++i) {
      EXPECT_NEAR(sim.state().v[i], h * acceleration[i], 1e-15) << name(scheme);
      EXPECT_NEAR(sim.multipliers()[i], h * force[i], 1e-15) << name(scheme);
    }
  }
}

TEST(StewartTrinkle, TreatsFoundContacts) {
  const mechanics::PileOfSpheres pile{{.count = 20}};
  for (const Scheme& scheme : {Scheme{StewartTrinkle{.reach = 0.01}}, Scheme{AnitescuPotra{}}}) {
    Simulation sim(pile.model(), scheme, {.step = 2e-3});
    double deepest = 0;
    for (int k = 0; k < 300; ++k) {
      const StepReport report = sim.advance();
      ASSERT_TRUE(report.done()) << name(report.status);
      for (const DetectedContact& c : sim.contacts()) deepest = std::max(deepest, -c.gap);
    }
    // radii of 5 cm, speeds of up to 2 m/s: h v = 4 mm at velocity level, the curvature of
    // (h v)² / R = 0.3 mm at position level
    EXPECT_LT(deepest, std::holds_alternative<StewartTrinkle>(scheme) ? 4e-4 : 5e-3);
  }
}

TEST(StewartTrinkle, RefusesRestitutionAndAnInfiniteReachForSources) {
  EXPECT_ERROR(Simulation(BouncingBall{.e = 0.5}.model(), StewartTrinkle{}, {.step = 1e-3}),
               "StewartTrinkle: the law of ground has restitution e = 0.5");
  EXPECT_ERROR(
      Simulation(mechanics::PileOfSpheres{{.count = 2}}.model(), StewartTrinkle{}, {.step = 1e-3}),
      "give a finite reach");
}

TEST(StewartTrinkle, WarmStepsAllocateNothing) {
  const Model model = block_on_plane({-g, 0.0}, {0.0, 50.0}, 0.3);
  for (const Scheme& scheme :
       {Scheme{StewartTrinkle{.solver = Nsgs{}}}, Scheme{AnitescuPotra{.solver = Nsgs{}}}}) {
    StepWorkspace work;
    prepare(model, scheme, work);
    State state = model.initial_state();
    for (int k = 0; k < 5; ++k) ASSERT_TRUE(step(model, state, 5e-3, scheme, work).done());
    const testing::AllocationGuard guard;
    for (int k = 0; k < 10; ++k) ASSERT_TRUE(step(model, state, 5e-3, scheme, work).done());
    EXPECT_EQ(guard.count(), 0);
  }
}

}  // namespace
}  // namespace saltus
