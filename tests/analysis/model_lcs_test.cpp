// A model written as one linear complementarity system.

#include "saltus/analysis/model_lcs.hpp"

#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(Linearised, BallOnTheFloorHasRelativeDegreeTwo) {  // F:V50, F:F081
  Model model;
  const auto ball = model.add(PointMass{.m = 2, .gravity = {-9.81}}, {.q = {1}, .v = {0.5}});
  model.link(ball, LinearRelation{.H = {{1}}, .b = {-0.25}}, NewtonImpact{.e = 0.5});
  const Lcs lcs = linearised(model);
  EXPECT_EQ(relative_degree(lcs).uniform(), 2);
  EXPECT_EQ(Matrix(lcs.A), (Matrix(2, 2) << 0, 1, 0, 0).finished());
  EXPECT_EQ(Matrix(lcs.B), (Values{0, 0.5}));
  EXPECT_EQ(Vector(lcs.a), (Values{0, -9.81}));
  EXPECT_EQ(Vector(lcs.b), (Values{-0.25}));
  EXPECT_EQ(linearised_state(model), (Values{1, 0.5}));
}

TEST(Linearised, DiodeBridgeKeepsItsMatrices) {  // F:F081, PL:C-01
  const Lcs lcs = linearised(circuits::DiodeBridge{}.model());
  EXPECT_EQ(lcs.states(), 2);
  EXPECT_EQ(lcs.pairs(), 4);
  EXPECT_NEAR(lcs.A(0, 1), -1e6, 1e-9);  // −1/C
  EXPECT_NEAR(lcs.A(1, 0), 100, 1e-12);  // 1/L
  EXPECT_GT(Matrix(lcs.D).norm(), 0);
  EXPECT_EQ(Vector(lcs.a), Vector::Zero(2));
}

TEST(Linearised, OscillatorCoupledToACircuit) {  // F:F081
  Model model;
  const auto mass = model.add(LinearLagrangian{.M = {{2}}, .C = {{0.5}}, .K = {{8}}, .F = {4}},
                              {.q = {1}, .v = {-1}});
  const auto circuit = model.add(FirstOrderLinear{.A = {{-3}}, .b = {6}, .E = {{2}}}, {.x = {5}});
  model.link(mass, LinearRelation{.H = {{-1}}, .b = {3}}, NewtonImpact{});
  model.link(circuit, FirstOrderLinearRelation{.C = {{4}}, .B = {{1}}, .D = {{0.5}}, .e = {-1}},
             Complementarity{});
  const Lcs lcs = linearised(model);
  EXPECT_LE((lcs.A - Rows{{0, 1, 0}, {-4, -0.25, 0}, {0, 0, -1.5}}).norm(), 1e-14);
  EXPECT_LE((lcs.B - Rows{{0, 0}, {-0.5, 0}, {0, 0.5}}).norm(), 1e-14);
  EXPECT_LE((lcs.C - Rows{{-1, 0, 0}, {0, 0, 4}}).norm(), 1e-14);
  EXPECT_LE((lcs.D - Rows{{0, 0}, {0, 0.5}}).norm(), 1e-14);
  EXPECT_LE((lcs.a - Values{0, 2, 3}).norm(), 1e-14);
  EXPECT_LE((lcs.b - Values{3, -1}).norm(), 1e-14);
  EXPECT_EQ(relative_degree(lcs).degrees, (std::vector<Index>{2, 0}));
}

TEST(Linearised, RefusesFriction) {
  Model model;
  const auto block =
      model.add(PointMass{.m = 1, .gravity = {0, -9.81}}, {.q = {0, 0}, .v = {0, 0}});
  model.link(block, LinearRelation{.H = {{0, 1}, {1, 0}}}, Coulomb{.mu = 0.3}, "floor");
  EXPECT_ERROR(linearised(model), "'floor' has the law Coulomb");
}

}  // namespace
}  // namespace saltus
