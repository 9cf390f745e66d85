#include "saltus/systems/system.hpp"

#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <cmath>

namespace saltus {
namespace {

/// m l² θ̈ = −m g l sin θ − c θ̇
struct Pendulum {
  double m = 1, l = 0.5, c = 0.3;
  [[nodiscard]] Index dof() const { return 1; }
  void mass(const StateView&, MatrixRef M) const { M(0, 0) = m * l * l; }
  void force(const StateView& x, VectorRef F) const {
    F[0] = -m * 9.81 * l * std::sin(x.q[0]) - c * x.v[0];
  }
};

TEST(System, TakesAnyTypeThatSatisfiesTheConcept) {
  static_assert(SecondOrderSystem<Pendulum> && !FirstOrderSystem<Pendulum>);
  const System system = Pendulum{};
  EXPECT_EQ(system.order(), Order::second);
  EXPECT_EQ(system.size(), 1);
  EXPECT_EQ(system.bodies(), 1);
  EXPECT_FALSE(system.time_invariant());
}

TEST(System, DifferencesReplaceMissingJacobians) {  // PL:DS-06
  const System system = Pendulum{};
  const double q[] = {0.7}, v[] = {-2.0};
  const StateView x{.t = 0, .q = view_of(q, 1), .v = view_of(v, 1)};
  Matrix J(1, 1);
  // central differences: truncation step²·F'''/6 and rounding ε·F/step, both about 1e-10
  system.stiffness(x, 0, J);
  EXPECT_NEAR(J(0, 0), 9.81 * 0.5 * std::cos(0.7), 2e-9);
  system.damping(x, 0, J);
  EXPECT_NEAR(J(0, 0), 0.3, 2e-9);
}

TEST(System, PoolsHaveOneMassBlockPerBody) {
  const System pool = PointMasses{.m = {1.0, 2.0, 3.0}, .gravity = {0.0, -9.81}};
  EXPECT_EQ(pool.size(), 6);
  EXPECT_EQ(pool.bodies(), 3);
  EXPECT_EQ(pool.body_size(), 2);
  Matrix M(2, 2);
  pool.mass({}, 2, M);
  EXPECT_EQ(M, 3 * Matrix::Identity(2, 2));
  Vector F(6);
  pool.force({}, F);
  EXPECT_EQ(F[3], -2 * 9.81);
}

TEST(System, FunctionsMakeSystems) {  // PL:DS-03, PL:DS-06
  const System oscillator =
      Lagrangian{.n = 1,
                 .M = [](const StateView&, MatrixRef M) { M(0, 0) = 2; },
                 .F = [](const StateView& x, VectorRef F) { F[0] = -x.q[0] * x.q[0] * x.q[0]; },
                 .K = [](const StateView& x, MatrixRef K) { K(0, 0) = 3 * x.q[0] * x.q[0]; }};
  const double q[] = {2.0}, v[] = {0.0};
  const StateView x{.t = 0, .q = view_of(q, 1), .v = view_of(v, 1)};
  Matrix J(1, 1);
  oscillator.stiffness(x, 0, J);
  EXPECT_EQ(J(0, 0), 12);  // given, not differenced
  oscillator.damping(x, 0, J);
  EXPECT_EQ(J(0, 0), 0);  // differenced, F ignores v

  const System decay =
      FirstOrder{.n = 1, .f = [](const StateView& s, VectorRef f) { f[0] = -3 * s.x[0]; }};
  const StateView s{.t = 0, .x = view_of(q, 1)};
  decay.damping(s, 0, J);
  EXPECT_NEAR(J(0, 0), 3, 1e-9);
  decay.mass(s, 0, J);
  EXPECT_EQ(J(0, 0), 1);
}

TEST(System, InconsistentDataIsRefusedAtConstruction) {
  EXPECT_ERROR((System{LinearLagrangian{.M = {{1.0}}, .K = {{1.0, 0.0}, {0.0, 1.0}}}}),
               "LinearLagrangian: K is 2x2, expected 1x1");
  EXPECT_ERROR((System{LinearLagrangian{}}), "M is 0x0");
  EXPECT_ERROR((System{LinearLagrangian{.M = {{1.0}}, .F = {1.0, 2.0}}}), "F has size 2");
  EXPECT_ERROR((System{FirstOrderLinear{.A = {{1.0, 2.0}}}}), "A is 1x2, expected square");
  EXPECT_ERROR((System{FirstOrderLinear{.A = {{1.0}}, .E = {{1.0, 2.0}}}}),
               "E is 1x2, expected 1x1");
  EXPECT_ERROR((System{Lagrangian{.n = 1}}), "mass function M is not set");
  EXPECT_ERROR((System{FirstOrder{.n = 0}}), "n is 0");
}

}  // namespace
}  // namespace saltus
