// Event-driven integration of an oscillator with a stop, its orders and its sticking.

#include "saltus/integrators/vibro_impact.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

constexpr double pi = M_PI;

/// TI:V-15: ẍ + π²x = −λ, x ≤ ½, e = 0.8, from (−1, 0) to 3.2
const VibroImpactOscillator free_oscillator{.omega = pi, .x_max = 0.5, .e = 0.8};

/// Arcs of cosines between impacts.
struct Exact {
  double t1 = 2.0 / 3, v1 = pi * std::sin(2 * pi / 3);  // x = −cos πt
  double t2 = 0, v2 = 0, x = 0, v = 0;
  Exact() {
    const auto back = [](double speed) { return 2 - 2 * std::atan2(speed / pi, 0.5) / pi; };
    t2 = t1 + back(0.8 * v1);
    v2 = 0.8 * v1;  // no loss on the way
    const double tau = 3.2 - t2;
    x = 0.5 * std::cos(pi * tau) - 0.8 * v2 / pi * std::sin(pi * tau);
    v = -0.5 * pi * std::sin(pi * tau) - 0.8 * v2 * std::cos(pi * tau);
  }
};

double error(const VibroImpactScheme& scheme, int steps) {
  const Exact exact;
  const VibroImpactMotion run = integrate(free_oscillator, -1, 0, 3.2, steps, scheme);
  EXPECT_EQ(run.impacts.size(), 2U);
  return std::hypot(run.x[steps] - exact.x, run.v[steps] - exact.v);
}

double order(const VibroImpactScheme& scheme) {
  std::vector<double> h;
  for (int n = 100; n < 1700; n = n * 9 / 8) h.push_back(3.2 / n);
  return testing::fitted_order(
      h, [&](double step) { return error(scheme, static_cast<int>(std::lround(3.2 / step))); });
}

TEST(VibroImpact, ImpactsAreThoseOfTheCards) {  // TI:V-15, TI:TI-049
  const Exact exact;
  EXPECT_NEAR(exact.v1, 2.7206990464, 1e-10);
  EXPECT_NEAR(exact.t2, 2.0646391738, 1e-10);
  EXPECT_NEAR(exact.v2, 2.1765592371, 1e-10);
  EXPECT_NEAR(exact.x, -0.22681122, 1e-8);
  EXPECT_NEAR(exact.v, 2.23419298, 1e-8);
  const VibroImpactMotion run = integrate(free_oscillator, -1, 0, 3.2, 2512);
  ASSERT_EQ(run.impacts.size(), 2U);
  EXPECT_NEAR(run.impacts[0], exact.t1, 1e-10);
  EXPECT_NEAR(run.impacts[1], exact.t2, 1e-10);
}

TEST(VibroImpact,
     OrderIsThatOfTheImpactTime) {  // TI:V-15, TI:E7, TI:TI-050a, TI:TI-050b, TI:TI-050c
  const VibroImpactScheme line{.impact_time = ImpactTime::linear};
  const VibroImpactScheme parabola{.impact_time = ImpactTime::quadratic};
  const VibroImpactScheme dichotomy{.impact_time = ImpactTime::dichotomy};
  EXPECT_NEAR(order(line), 2.07, 0.2);  // E7: not 1, 2, 3, as the text has it
  EXPECT_NEAR(order(parabola), 3.04, 0.2);
  EXPECT_NEAR(order(dichotomy), 4.01, 0.2);
  // of the size of the cards' errors with 2512 steps
  EXPECT_NEAR(std::log10(error(line, 2512) / 2e-6), 0, 0.6);
  EXPECT_NEAR(std::log10(error(parabola, 2512) / 2e-9), 0, 0.6);
  EXPECT_LT(error(dichotomy, 2512), 6e-11);
}

TEST(VibroImpact, NewmarkIsOfOrderTwoHoweverImpactsAreFound) {  // TI:V-15, TI:TI-053f
  for (const ImpactTime time : {ImpactTime::linear, ImpactTime::quadratic, ImpactTime::dichotomy})
    EXPECT_NEAR(order({.method = SmoothMethod::newmark, .impact_time = time}), 2, 0.2);
}

TEST(VibroImpact, SticksWhilePressedAfterInfinitelyManyImpacts) {  // TI:TI-051, TI:TI-052, TI:E7
  // ẍ = f − λ, x ≤ 0, f = 1 until the impacts have died away, then it falls through 0 at t = 6:
  // from −½ they come at 1, then every 2 eⁿ, and end at 1 + 2e/(1−e) = 3 for e = ½
  const VibroImpactOscillator pressed{
      .omega = 0, .x_max = 0, .e = 0.5, .f = [](double t) { return t < 5 ? 1.0 : 6 - t; }};
  for (const ImpactTime time : {ImpactTime::quadratic, ImpactTime::dichotomy}) {
    const VibroImpactMotion run = integrate(pressed, -0.5, 0, 8, 800, {.impact_time = time});
    ASSERT_GT(run.impacts.size(), 5U);
    EXPECT_NEAR(run.impacts[0], 1, 1e-7);
    EXPECT_NEAR(run.impacts[1], 2, 1e-7);
    EXPECT_NEAR(run.impacts[2], 2.5, 1e-7);
    EXPECT_LT(run.impacts.back(), 3.0001);
    for (int k = 301; k <= 600; ++k) {
      EXPECT_EQ(run.x[k], 0) << run.t[k];
      EXPECT_EQ(run.v[k], 0) << run.t[k];
    }
    // let go at 6: ẍ = 6 − t
    EXPECT_NEAR(run.x[800], -8.0 / 6, 1e-7);
    EXPECT_NEAR(run.v[800], -2, 1e-7);
  }
}

TEST(VibroImpact, OneImpactPerStepFollowsAnAccumulationToFirstOrder) {  // TI:TI-050a, TI:TI-051
  const VibroImpactOscillator pressed{
      .omega = 0, .x_max = 0, .e = 0.5, .f = [](double) { return 1.0; }};
  const VibroImpactMotion run =
      integrate(pressed, -0.5, 0, 4, 4000, {.impact_time = ImpactTime::linear});
  EXPECT_NEAR(run.x[2700], -0.5 * 0.05 * 0.2, 2e-3);  // between 2.5 and 2.75, ẍ = 1
  for (int k = 3100; k <= 4000; ++k) EXPECT_EQ(run.x[k], 0);
}

TEST(VibroImpact, ErrorsSayWhatIsWrong) {
  const VibroImpactOscillator lively{.e = 2};
  const VibroImpactOscillator lost{.f = [](double t) { return t > 0.5 ? NAN : 0.0; }};
  EXPECT_ERROR(integrate(free_oscillator, 0.6, 0, 1, 10), "x is 0.6, beyond the stop");
  EXPECT_ERROR(integrate(free_oscillator, 0, NAN, 1, 10), "expected finite");
  EXPECT_ERROR(integrate(free_oscillator, 0, 0, -1, 10), "end is -1");
  EXPECT_ERROR(integrate(free_oscillator, 0, 0, 1, 0), "steps is 0");
  EXPECT_ERROR(integrate(lively, 0, 0, 1, 10), "e is 2");
  EXPECT_ERROR(integrate(lost, 0, 0, 1, 10), "expected a finite load");
}

}  // namespace
}  // namespace saltus
