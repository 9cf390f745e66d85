// Moreau–Jean with dry friction: closed forms of sliding, sticking and stopping.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

constexpr double g = 9.81;

TEST(Friction, OscillatorUnderAKnownLoadStops) {  // TI:V-32: ẍ + x ∈ −0.1 sgn(ẋ)
  for (const auto& [theta, rest, tolerance] :
       {std::tuple{0.5, -0.0500001168, 1e-9}, std::tuple{1.0, -0.0457022607, 1e-9}}) {
    Model model;
    const auto mass = model.add(LinearLagrangian{.M = {{1.0}}, .K = {{1.0}}}, {.q = {1.05}});
    model.link(mass, LinearRelation{.H = {{1.0}}}, Relay{.lower = -0.1, .upper = 0.1});
    Simulation sim(model, MoreauJean{.theta = theta}, {.step = 1e-3});
    const Trajectory run = sim.run(20.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    EXPECT_NEAR(run.q(run.size() - 1, 0), rest, tolerance);
    EXPECT_NEAR(run.v(run.size() - 1, 0), 0, 1e-14);
    if (theta == 0.5) {
      Index stop = run.size() - 1;
      while (std::abs(run.v(stop - 1, 0)) < 1e-14) --stop;
      EXPECT_NEAR(run.t[stop], 15.709, 1e-9);  // exact: 5π
    }
  }
}

/// A point resting on the plane, contact frame (n, t…).
Model block_on_plane(Values gravity, Values velocity, double mu) {
  const Index d = gravity.size();
  Model model;
  const auto block = model.add(PointMass{.m = 1, .gravity = gravity},
                               {.q = Vector::Zero(d), .v = velocity}, "block");
  model.link(block, LinearRelation{.H = Matrix::Identity(d, d)}, Coulomb{.mu = mu}, "plane");
  return model;
}

TEST(Friction, SlidingBlockStops) {  // TI:V-32: v⁺ = max(v − μ g h, 0)
  Simulation sim(block_on_plane({-g, 0.0}, {0.0, 2.0}, 0.3), {}, {.step = 0.01});
  const Trajectory run = sim.run(1.0);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  double v = 2;
  for (Index k = 1; k < run.size(); ++k) {
    v = std::max(v - 0.3 * g * 0.01, 0.0);
    EXPECT_NEAR(run.v(k, 1), v, 1e-7);  // solver tolerance 1e-8 per step, while it slides
  }
  EXPECT_NEAR(run.v(68, 1), 0, 1e-7);
  EXPECT_GT(run.v(67, 1), 0.01);
}

TEST(Friction, SlidingInSpaceKeepsItsDirection) {  // TI:V-32
  MoreauJean scheme{.solver = Nsgs{.tolerance = 1e-13}};
  Simulation sim(block_on_plane({-g, 0.0, 0.0}, {0.0, 3.0, 4.0}, 0.5), scheme, {.step = 1e-3});
  const Trajectory run = sim.run(1.5);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  const Index last = run.size() - 1;
  for (Index k = 0; k < 1000; ++k) EXPECT_NEAR(run.v(k, 1) / run.v(k, 2), 0.75, 1e-9);
  EXPECT_NEAR(std::hypot(run.v(last, 1), run.v(last, 2)), 0, 1e-12);
  // exact rest point (1.52905199, 2.03873598); order 1, v h = 5e-3 at most
  EXPECT_NEAR(run.q(last, 1), 1.52905199, 5e-3);
  EXPECT_NEAR(run.q(last, 2), 2.03873598, 5e-3);
}

TEST(Friction, InclineSlidesOrHolds) {  // TI:V-32
  const double c = std::cos(M_PI / 6), s = std::sin(M_PI / 6);
  const MoreauJean scheme{.solver = Nsgs{.tolerance = 1e-13}};
  Simulation slides(block_on_plane({-g * c, g * s}, {0.0, 0.0}, 0.3), scheme, {.step = 0.01});
  EXPECT_NEAR(slides.run(1.0).v(100, 1), 2.3562872367, 1e-9);
  Simulation holds(block_on_plane({-g * c, g * s}, {0.0, 0.0}, 0.7), scheme, {.step = 0.01});
  EXPECT_NEAR(holds.run(1.0).v(100, 1), 0, 1e-11);
}

TEST(Friction, OneContactStepSticksOrSlides) {  // TI:V-32
  for (const auto& [tangential, rt, ut] :
       {std::tuple{0.3, -0.3, 0.0}, std::tuple{2.0, -0.5, 1.5}}) {
    const MoreauJean scheme{.solver = Nsgs{.tolerance = 1e-14}};
    Simulation sim(block_on_plane({0.0, 0.0}, {-1.0, tangential}, 0.5), scheme, {.step = 1e-3});
    ASSERT_TRUE(sim.advance().done());
    EXPECT_NEAR(sim.multipliers()[0], 1, 1e-13);
    EXPECT_NEAR(sim.multipliers()[1], rt, 1e-13);
    EXPECT_NEAR(sim.state().v[1], ut, 1e-13);
  }
}

}  // namespace
}  // namespace saltus
