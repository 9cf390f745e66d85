// What backward Euler does to systems of relative degree two and more, and the schemes that know
// better.

#include "analysis/integrator_chain.hpp"
#include "saltus/integrators/emts.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using testing::integrator_chain;

/// The same system through the model: Moreau–Jean at θ = 1 is backward Euler there.
Trajectory backward_euler(const Lcs& s, const Values& x0, double h, double end) {
  Model model;
  const auto system = model.add(FirstOrderLinear{.A = s.A}, {.x = x0});
  model.link(system, FirstOrderLinearRelation{.C = s.C, .B = s.B}, Complementarity{});
  return Simulation(model, MoreauJean{.theta = 1}, {.step = h}).run(end);
}

TEST(BackwardEuler, JumpsTooFarOrDiverges) {  // TI:V-20, TI:V-21, TI:E23, F:B2
  for (double h : {1e-1, 1e-2, 1e-3}) {
    const Trajectory rest = backward_euler(integrator_chain(3, 2), {0, -1, 0}, h, 4 * h);
    EXPECT_NEAR(rest.r(1, 0) * h, 1, 1e-9);  // λ_1 = 1/h
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(rest.x(4, i), 0, 1e-9);
    const Trajectory second = backward_euler(integrator_chain(3, 2), {-1, -1, 0}, h, 4 * h);
    EXPECT_NEAR(second.r(1, 0) * h * h, 1 + h, 1e-9);
    const Trajectory third = backward_euler(integrator_chain(3, 3), {0, -1, 0}, h, 4 * h);
    EXPECT_NEAR(third.r(1, 0) * h * h, 1, 1e-9);
    for (Index k = 1; k <= 4; ++k) {
      EXPECT_NEAR(second.x(k, 0), double(k - 1), 1e-9) << "whatever the step";
      EXPECT_NEAR(second.x(k, 1) * h, 1, 1e-9);
      EXPECT_NEAR(third.x(k, 0), h * double(k * (k - 1)) / 2, 1e-9);
      EXPECT_NEAR(third.x(k, 1), double(k - 1), 1e-9);
      EXPECT_NEAR(third.x(k, 2) * h, 1, 1e-9);
    }
  }
}

TEST(BackwardEuler, ReboundsWhereEmtsRests) {  // F:V53
  const Lcs s = integrator_chain(3, 3);
  for (double h : {1e-2, 1e-3}) {
    const Trajectory euler = backward_euler(s, {1, 0, -2}, h, 3);
    EXPECT_NEAR(euler.x(euler.size() - 1, 0), 2 / h - 1, 1e-4 / h);
    const EmtsRun run = simulate(s, Values{1, 0, -2}, h, 3);
    EXPECT_TRUE(run.x.rightCols(Index(1.5 / h)).isZero(0));
  }
}

TEST(BackwardEuler, CircuitAndImpactShareOneUpdate) {  // F:V63
  // Circuit (c) as a first-order system with w = −x2, and as a mass on a spring whose velocity is
  // held at −v ≥ 0 by a contact that is always closed.
  const double L = 1, C = 1 / (4 * M_PI * M_PI), R = 0.1, h = 1e-3;
  const Lcs s{.A = {{0, 1}, {-1 / (L * C), -R / L}}, .B = {{0}, {-1 / L}}, .C = {{0, -1}}};
  const Trajectory circuit = backward_euler(s, {1, 0}, h, 1);
  Model model;
  const auto mass =
      model.add(LinearLagrangian{.M = {{L}}, .C = {{R}}, .K = {{1 / C}}}, {.q = {1}, .v = {0}});
  model.link(mass, LinearRelation{.H = {{-1}}, .b = {-10}}, NewtonImpact{.e = 0});
  const Trajectory impact = Simulation(model, MoreauJean{.theta = 1}, {.step = h}).run(1);
  ASSERT_EQ(circuit.size(), impact.size());
  for (Index k = 0; k < circuit.size(); ++k) {
    EXPECT_NEAR(circuit.x(k, 0), impact.q(k, 0), 1e-12);
    EXPECT_NEAR(circuit.x(k, 1), impact.v(k, 0), 1e-11);
    EXPECT_NEAR(h * circuit.r(k, 0), impact.r(k, 0), 1e-11);  // λ, and its percussion
  }
}

TEST(BackwardEuler, AbsorbsAnInconsistentStartAtRelativeDegreeOne) {  // TI:V-23, TI:E13
  const Lcs s{.A = {{-1}}, .B = {{1}}, .C = {{1}}};
  for (double h : {1.0, 1e-2, 1e-5}) {
    const Trajectory euler = backward_euler(s, {-1}, h, 3 * h);
    EXPECT_NEAR(euler.r(1, 0), 1 / h, 1e-12 / h);
    EXPECT_NEAR(euler.x(1, 0), 0, 1e-12);
    EXPECT_NEAR(euler.r(2, 0), 0, 1e-12 / h);
  }
}

}  // namespace
}  // namespace saltus
