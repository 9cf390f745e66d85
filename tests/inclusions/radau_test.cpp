// Radau IIA methods for inclusions: their orders, on surfaces and off them.

#include "saltus/integrators/radau.hpp"

#include "saltus/relations/linear.hpp"
#include "saltus/systems/first_order.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// ẋ = −x + λ, w = x + λ − 1: λ = 1 − x, x = (1 − e^(−2t))/2.
Model pump() {
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{-1.0}}}, {.x = {0.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}, .D = {{1.0}}, .e = {-1.0}},
             Complementarity{});
  return model;
}

/// ẋ₁ = x₂, ẋ₂ = u, u ∈ −Sgn(x₁ + x₂)
Model relay(const Values& x0) {
  Model model;
  const auto plant = model.add(FirstOrderLinear{.A = {{0.0, 1.0}, {0.0, 0.0}}}, {.x = x0});
  model.link(plant, FirstOrderLinearRelation{.C = {{1.0, 1.0}}, .B = {{0.0}, {1.0}}}, Relay{});
  return model;
}

double error(const Model& model, int stages, double h, double end, const Vector& exact) {
  const RadauRun run = simulate(model, h, end, {.stages = stages});
  EXPECT_TRUE(run.done());
  return (run.x.col(run.t.size() - 1) - exact).norm();
}

TEST(RadauIIA, HasTheOrdersOneThreeAndFive) {  // TI:TI-076, F:V25
  const Vector exact = Values{(1 - std::exp(-2.0)) / 2};
  const double expected[] = {1, 3, 5};
  for (int stages : {1, 2, 3})
    EXPECT_NEAR(testing::fitted_order({0.25, 0.2, 0.125, 0.1},
                                      [&](double h) { return error(pump(), stages, h, 1, exact); }),
                expected[stages - 1], 0.25);
  const RadauRun run = simulate(pump(), 0.1, 1, {.stages = 3});
  for (Index k = 1; k < run.t.size(); ++k)  // stiffly accurate: the law holds at the end of a step
    EXPECT_NEAR(run.lambda(0, k), 1 - run.x(0, k), 1e-12);
}

TEST(RadauIIA, KeepsItsOrderWhileItSlides) {  // TI:TI-076, TI:V-08, F:F062
  // On x₁ + x₂ = 0: x₁ = e^(−t)/2, u = x₁.
  const Vector exact = Values{std::exp(-2.0) / 2, -std::exp(-2.0) / 2};
  const double expected[] = {1, 3, 5};
  for (int stages : {1, 2, 3})
    EXPECT_NEAR(testing::fitted_order({0.5, 0.4, 0.25, 0.2},
                                      [&](double h) {
                                        return error(relay({0.5, -0.5}), stages, h, 2, exact);
                                      }),
                expected[stages - 1], 0.3);
  const RadauRun run = simulate(relay({1.0, 0.0}), 0.01, 3, {.stages = 2});
  ASSERT_TRUE(run.done());
  for (Index k = 80; k < run.t.size(); ++k) {  // reaches the surface, and stays
    EXPECT_NEAR(run.x(0, k) + run.x(1, k), 0, 1e-11);
    EXPECT_NEAR(run.lambda(0, k), run.x(0, k), 0.02);
  }
}

TEST(RadauIIA, OneStageIsBackwardEuler) {  // F:V17, TI:V-07
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {0.33}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Relay{});
  const RadauRun run = simulate(model, 0.1, 0.7, {.stages = 1});
  const double expected[] = {0.33, 0.23, 0.13, 0.03, 0, 0, 0, 0};
  for (Index k = 0; k < 8; ++k) EXPECT_NEAR(run.x(0, k), expected[k], 1e-13);
  for (int stages : {2, 3})  // and more of them end at zero, too
    EXPECT_NEAR(simulate(model, 0.1, 0.7, {.stages = stages}).x(0, 7), 0, 1e-12);
}

TEST(RadauIIA, RefusesWhatItIsNotFor) {
  EXPECT_ERROR((void)simulate(pump(), 0, 1, RadauIIA{}), "expected 0 < step");
  EXPECT_ERROR((void)simulate(pump(), 0.1, 1, RadauIIA{.stages = 4}), "stages is 4");
}

}  // namespace
}  // namespace saltus
