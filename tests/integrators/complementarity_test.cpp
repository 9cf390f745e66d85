// Moreau–Jean on first-order complementarity systems and relays.

#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

Trajectory run_bridge(double h, double end = 5e-3, Algorithm solver = Lemke{}) {
  Simulation sim(circuits::DiodeBridge{}.model(), MoreauJean{.solver = solver}, {.step = h});
  return sim.run(end);
}

/// The linear parallel RLC circuit that the ideal bridge amounts to.
double exact_voltage(double t) {
  const double a = 500, w = std::sqrt(1e8 - a * a);
  return std::exp(-a * t) * (10 * std::cos(w * t) + (-1e4 + 10 * a) / w * std::sin(w * t));
}

double largest_error(const Trajectory& run) {
  double error = 0;
  for (Index k = 0; k < run.size(); ++k)
    error = std::max(error, std::abs(run.x(k, 0) - exact_voltage(run.t[k])));
  return error;
}

TEST(DiodeBridge, FollowsTheSchemeOfTheMonograph) {  // PL:C-01, PL:B3
  const Trajectory run = run_bridge(1e-6);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  EXPECT_EQ(run.report.steps, 5000);
  EXPECT_EQ(run.report.active_steps, 5000);  // Lemke solved each of them
  EXPECT_LE(run.report.solver_iterations, 3 * 5000);
  EXPECT_NEAR(run.x(100, 0), 4.7514752533, 1e-6);
  EXPECT_NEAR(run.x(1000, 0), -4.9784213353, 1e-6);
  EXPECT_NEAR(run.x(5000, 0), 0.7883868726, 1e-6);
  int sign_changes = 0;
  for (Index k = 1; k < run.size(); ++k) sign_changes += run.x(k, 0) * run.x(k - 1, 0) < 0;
  EXPECT_EQ(sign_changes, 16);
}

TEST(DiodeBridge, ErrorHalvesWithTheStep) {  // PL:C-01
  const double e1 = largest_error(run_bridge(1e-6)), e2 = largest_error(run_bridge(2e-6)),
               e4 = largest_error(run_bridge(4e-6));
  EXPECT_NEAR(e1, 0.01909, 1e-5);
  EXPECT_NEAR(e2, 0.03941, 1e-5);
  EXPECT_NEAR(e4, 0.08368, 1e-5);
  EXPECT_NEAR(e2 / e1, 2, 0.2);
  EXPECT_NEAR(e4 / e2, 2, 0.2);
  const auto error = [](double h) { return largest_error(run_bridge(h, 1e-3)); };
  EXPECT_NEAR(testing::fitted_order(testing::steps(4e-6, 4e-7, 16), error), 1.0, 0.1);
}

TEST(DiodeBridge, EverySuitableSolverGivesTheSameCurrents) {  // S:V-13, S:V-14
  const Trajectory lemke = run_bridge(1e-6, 5e-4);
  for (const Algorithm& solver : {Algorithm{Automatic{}}, Algorithm{BlockPivoting{}}}) {
    const Trajectory run = run_bridge(1e-6, 5e-4, solver);
    ASSERT_TRUE(run.report.ok()) << describe(solver) << ": " << run.report.message();
    EXPECT_LT((run.x.matrix() - lemke.x.matrix()).cwiseAbs().maxCoeff(), 1e-9) << describe(solver);
  }
  // at v > 0: λ = (v, 0, v/R, 0)
  const double v = lemke.x(100, 0);
  EXPECT_NEAR(lemke.r(100, 0), v, 1e-2);
  EXPECT_NEAR(lemke.r(100, 2), v / 1e3, 1e-5);
  EXPECT_NEAR(lemke.r(100, 1) + lemke.r(100, 3), 0, 1e-12);
}

TEST(Relay, SlidesExactlyOnItsSurface) {  // TI:V-08, TI:TI-079
  Model model;
  const auto plant = model.add(FirstOrderLinear{.A = {{0.0, 1.0}, {0.0, 0.0}}}, {.x = {1.0, 0.0}});
  model.link(plant, FirstOrderLinearRelation{.C = {{1.0, 1.0}}, .B = {{0.0}, {1.0}}}, Relay{});
  for (const Algorithm& solver :
       {Algorithm{Automatic{}}, Algorithm{Lemke{}}, Algorithm{BlockPivoting{}}}) {
    Simulation sim(model, MoreauJean{.theta = 1, .solver = solver}, {.step = 0.01});
    const Trajectory run = sim.run(10.0);
    ASSERT_TRUE(run.report.ok()) << describe(solver) << ": " << run.report.message();
    EXPECT_NEAR(run.x(73, 0), 0.72990099, 1e-8);
    EXPECT_NEAR(run.x(73, 1), -0.72990099, 1e-8);
    EXPECT_GT(std::abs(run.y(72, 0)), 1e-4);
    for (Index k = 73; k < 1000; ++k) {
      EXPECT_NEAR(run.y(k, 0), 0, 1e-12);
      EXPECT_NEAR(run.x(k + 1, 0), run.x(k, 0) / 1.01, 1e-12);
      EXPECT_NEAR(run.r(k + 1, 0), run.x(k + 1, 0), 1e-10);  // the equivalent control
    }
    EXPECT_NEAR(run.x(100, 0), 0.55793918, 1e-8);
    EXPECT_NEAR(run.x(1000, 0), 7.20029776e-5, 1e-12);
  }
}

TEST(Relay, ImplicitEulerReachesZeroInFiniteTime) {  // TI:V-07: ẋ ∈ −sgn(x)
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {0.33}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Relay{});
  Simulation sim(model, MoreauJean{.theta = 1}, {.step = 0.1});
  const Trajectory run = sim.run(1.0);
  const double expected[] = {0.33, 0.23, 0.13, 0.03, 0, 0, 0};
  for (Index k = 0; k < 7; ++k) EXPECT_NEAR(run.x(k, 0), expected[k], 1e-14);
  EXPECT_NEAR(run.r(8, 0), 0, 1e-14);
}

TEST(Complementarity, InconsistentStateJumpsOnce) {  // TI:V-23
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{-1.0}}}, {.x = {-1.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Complementarity{});
  const double h = 1e-2;
  Simulation sim(model, MoreauJean{.theta = 1}, {.step = h});
  const Trajectory run = sim.run(0.1);
  EXPECT_NEAR(run.r(1, 0), 1 / h, 1e-9);
  for (Index k = 1; k < run.size(); ++k) EXPECT_NEAR(run.x(k, 0), 0, 1e-13);
  EXPECT_NEAR(run.r(2, 0), 0, 1e-10);
}

/// ẋ = −x³ + λ, y = x² − ¼ ≥ 0: a nonlinear system and a nonlinear relation.
struct Barrier {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dimension() const { return 1; }
  void output(const StateView& x, VectorRef y) const { y[0] = x.x[0] * x.x[0] - 0.25; }
  void input(const StateView&, MatrixRef B) const { B(0, 0) = 1; }
};

TEST(FirstOrder, NewtonTreatsNonlinearSystemsAndRelations) {  // PL:DS-03, PL:RE-02
  Model model;
  const auto x = model.add(
      FirstOrder{.n = 1, .f = [](const StateView& s, VectorRef f) { f[0] = -std::pow(s.x[0], 3); }},
      {.x = {1.0}});
  model.link(x, Barrier{}, Complementarity{});
  Simulation sim(model, {}, {.step = 1e-3});
  const Trajectory run = sim.run(3.0);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  // free: x = 1/√(1 + 2t) until x = ½ at t = 1.5; then λ = x³ holds it there
  EXPECT_NEAR(run.x(1000, 0), 1 / std::sqrt(3.0), 1e-6);
  EXPECT_NEAR(run.x(3000, 0), 0.5, 1e-9);
  EXPECT_NEAR(run.r(3000, 0), 0.125, 1e-7);
}

}  // namespace
}  // namespace saltus
