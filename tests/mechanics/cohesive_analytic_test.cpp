// Cohesive zone with damage: tearing off, unloading, viscosity, and the contact that remains.

#include "saltus/mechanics/cohesive_zone.hpp"
#include "saltus/relations/driven.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace saltus::mechanics {
namespace {

constexpr double step = 1e-4;
const CohesiveZone zone{.c_N = 50, .w = 2};

/// A point of mass 1 over the ground, at q ≥ 0, glued to it: z is β.
Lagrangian glued(double load) {
  return {.n = 1,
          .M = [](const StateView&, MatrixRef M) { M(0, 0) = 1; },
          .F = [=](const StateView& x,
                   VectorRef F) { F[0] = load + zone.normal_force(x.z[0], x.q[0]); }};
}

struct Torn {
  double peak = 0, work = 0, last = 0;  ///< of the pull, and its value at the end
  double beta = 1;
};

/// Pulled along g(t) = path(t) by a drive; what it takes.
Torn pull(const CohesiveZone& law, const std::function<double(double)>& path, double end,
          double h = step) {
  Model model;
  const auto point = model.add(glued(0), {.q = {path(0)}, .z = {1}});
  const auto hand = model.link(
      point,
      Driven{
          .n = 1, .coordinates = {0}, .position = [&](double t, VectorRef y) { y[0] = path(t); }},
      Equality{});
  Simulation sim(model, MoreauJean{}, {.step = h});
  Torn torn;
  double before = path(0);
  const int steps = static_cast<int>(std::round(end / h));
  for (int k = 0; k < steps; ++k) {
    EXPECT_TRUE(sim.advance().done());
    const double g = sim.state().q[0];
    torn.last = sim.multipliers()[model.row_offset(hand)] / h;
    torn.beta = law.adhesion(torn.beta, g, 0, h);
    sim.set_parameters(point, {torn.beta});
    if (k == 0) continue;  // the first step sets the point in motion
    torn.peak = std::max(torn.peak, torn.last);
    torn.work += torn.last * (g - before);
    before = g;
  }
  return torn;
}

TEST(CohesiveZone, TearingOffTakesTheWorkOfDecohesion) {  // F:V47, F:F171, F:B26
  // elastic to g₀ = √(w/c_N) = 0.2 with the peak √(w c_N) = 10, then R = −w²/(c_N g³)
  const double speed = 1;
  const Torn elastic = pull(
      zone, [&](double t) { return speed * t; }, 0.15);
  EXPECT_EQ(elastic.beta, 1);
  EXPECT_NEAR(elastic.last, 50 * 0.15, 50 * speed * step);
  const double far = 2;
  const Torn torn = pull(
      zone, [&](double t) { return speed * t; }, far);
  // β is that of the step before: the force lags by the motion of a step, relative 4 speed h/g
  EXPECT_NEAR(torn.peak, 10, 10 * 4 * speed * step / 0.2);
  EXPECT_NEAR(torn.beta, 2 / (50 * far * far), 1e-3 * torn.beta);
  EXPECT_NEAR(torn.last, 4 / (50 * far * far * far), 1e-2 * torn.last);
  // ½ w to the peak, the rest from there to g: ½ w − ½ w²/(c_N g²)
  EXPECT_NEAR(torn.work, 2 - 0.5 * 4 / (50 * far * far), 5e-3);
}

TEST(CohesiveZone, WorkConvergesWithOrderOne) {  // F:V47
  const double exact = 2 - 0.5 * 4 / (50 * 4.0);
  const auto error = [&](double h) {
    return std::abs(pull(
                        zone, [](double t) { return t; }, 2, h)
                        .work -
                    exact);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(4e-3, 2e-4, 10), error), 1, 0.15);
}

TEST(CohesiveZone, UnloadsElasticallyWithTheAdhesionThatIsLeft) {  // F:F171
  // to g = 0.4 and back to 0.1: β = w/(c_N 0.16) = ¼, R = β² c_N g
  const Torn torn = pull(
      zone, [](double t) { return t < 0.4 ? t : 0.8 - t; }, 0.7);
  EXPECT_NEAR(torn.beta, 0.25, 1e-3);
  EXPECT_NEAR(torn.last, 0.25 * 0.25 * 50 * 0.1, 50 * step);
}

TEST(CohesiveZone, ViscosityDelaysTheDamage) {  // F:F171
  // opened to g at once: b β̇ = w − β G has β = w/G + (1 − w/G) exp(−G t/b)
  const CohesiveZone slow{.c_N = 50, .w = 2, .b = 4};
  const double G = 50 * 0.16, h = 1e-5;
  double beta = 1;
  for (int k = 0; k < 50000; ++k) beta = slow.adhesion(beta, 0.4, 0, h);
  EXPECT_NEAR(beta, 0.25 + 0.75 * std::exp(-G * 0.5 / 4), 1e-5);  // implicit Euler: ½ G h/b
  EXPECT_EQ(slow.adhesion(0.1, 0.4, 0, 1), 0.1);                  // it does not heal
  EXPECT_EQ(zone.adhesion(1, -0.4, 0, 1), 1);                     // and a penetration is no opening
  const CohesiveZone shear{.c_N = 50, .c_T = 20, .w = 2};
  EXPECT_NEAR(shear.adhesion(1, 0.1, 0.5, 1), 2 / (50 * 0.01 + 20 * 0.25), 1e-15);
  EXPECT_NEAR(shear.tangential_force(0.5, 0.2), -0.25 * 20 * 0.2, 1e-15);
  EXPECT_NEAR(zone.energy(0.5, 0.2, 0), 0.5 * 0.25 * 2, 1e-15);
}

TEST(CohesiveZone, BrokenInterfaceIsAPlainContact) {  // F:V47, F:F146
  // glued on the ground under a load that pulls for a while: below √(w c_N) it holds, above not
  const auto height = [](double load, double beta) {
    Model model;
    const auto point = model.add(glued(load), {.q = {0}, .z = {beta}});
    model.link(point, LinearRelation{.H = {{1}}}, NewtonImpact{});
    Simulation sim(model, MoreauJean{}, {.step = step});
    double left = beta;
    sim.observe([&](const Observation& o) {
      left = zone.adhesion(left, o.state.q[0], 0, step);
      sim.set_parameters(point, {left});
    });
    EXPECT_TRUE(sim.run(1.0).report.ok());
    return sim.state().q[0];
  };
  // a sudden load swings to twice its rest, so that half of the peak is the most it holds
  EXPECT_LT(height(4.9, 1), 0.2);
  EXPECT_GT(height(6, 1), 0.4);
  EXPECT_EQ(height(-3, 0), 0);                   // β = 0: Signorini, pressed
  EXPECT_NEAR(height(3, 0), 0.5 * 3 * 1, 1e-3);  // and free to leave
}

}  // namespace
}  // namespace saltus::mechanics
