// Misprints of the books that the cards correct, on mechanics: what is tested differs from what is
// printed.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/alpha_stepping.hpp"
#include "support/random_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include <cmath>

namespace saltus {
namespace {

/// The outside of the unit circle, g = ½(x² + y² − 1) ≥ 0, or its inside.
struct Circle {
  double side = 1;  ///< −1: inside
  [[nodiscard]] static constexpr Index rows() { return 1; }
  [[nodiscard]] static constexpr Index dof() { return 2; }
  void output(const StateView& s, VectorRef y) const {
    y[0] = 0.5 * side * (s.q.squaredNorm() - 1);
  }
  void jacobian(const StateView& s, MatrixRef H) const { H = side * s.q.transpose(); }
};

TEST(Corrections, BeadLeavesTheHillWhereItsWeightHoldsItNoMore) {  // TI:E5
  // In contact ∇gᵀγ = −d/dt(∇gᵀ) v (printed with the other sign), that is q·γ = −|v|², and the
  // force is F = 10 y − |v|². From the top with speed 1: |v|² = 1 + 20(1 − y), F = 0 at y = 0.7.
  Model model;
  const auto bead = model.add(PointMass{.gravity = {0.0, -10.0}}, {.q = {0, 1}, .v = {1, 0}});
  model.link(bead, Circle{}, NewtonImpact{});
  const double h = 1e-4;
  testing::AlphaStepping run(model, {}, h);
  const State& s = run.state;
  run.advance();
  while (run.lambda()[0] > 0 && s.t < 1) {
    EXPECT_NEAR(s.q.dot(run.acceleration()), -s.v.squaredNorm(), 1e-7) << s.t;
    EXPECT_NEAR(run.lambda()[0], 10 * s.q[1] - s.v.squaredNorm(), 1e-7) << s.t;
    run.advance();
  }
  EXPECT_NEAR(s.q[1], 0.7, 2 * h * s.v.norm());  // found at the end of a step
}

/// One-dimensional: F of a hard spring, quadratic drag and a load that changes with time.
double hard_spring(double t, double q, double v) {
  return 4 * std::sin(3 * t) - 20 * q - 50 * q * q * q - 0.3 * v * std::abs(v);
}

TEST(Corrections, NewtonEndsWhereTheResidualIsThePercussion) {  // TI:E17
  // R(u) = M(u − v) − h[θF(t⁺, q⁺, u) + (1−θ)F(t, q, v)], the external force in it, and M̂ δu = −R +
  // p (printed: +R, with the error ‖R + p‖)
  const double h = 0.02, theta = 0.6, m = 2;
  Model model;
  const auto mass = model.add(
      Lagrangian{
          .n = 1,
          .M = [=](const StateView&, MatrixRef M) { M(0, 0) = m; },
          .F = [](const StateView& x, VectorRef F) { F[0] = hard_spring(x.t, x.q[0], x.v[0]); }},
      {.q = {0.05}, .v = {-3}});
  model.link(mass, LinearRelation{.H = {{1}}}, NewtonImpact{.e = 0.5});
  Simulation sim(model, MoreauJean{.theta = theta}, {.step = h});
  int impacts = 0;
  for (int k = 0; k < 200; ++k) {
    const State before = sim.state();
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done()) << k;
    EXPECT_LE(report.newton_iterations, 5) << k;  // quadratic convergence
    const State& after = sim.state();
    const double force = theta * hard_spring(after.t, after.q[0], after.v[0]) +
                         (1 - theta) * hard_spring(before.t, before.q[0], before.v[0]);
    const double p = sim.multipliers()[0];
    // newton_tolerance of sizes of 10, K and C by differences
    EXPECT_NEAR(m * (after.v[0] - before.v[0]) - h * force, p, 1e-10) << k;
    impacts += p > 0.1 ? 1 : 0;
  }
  EXPECT_GT(impacts, 2);
}

TEST(Corrections, MoreausStepIsTheProjectionWithTheAppliedForce) {  // TI:E19, TI:TI-105
  // q_{k+1} = q_k + h v_k,   v_{k+1} = −e v_k + (1+e) proj[v_k + h/(1+e) M⁻¹F], F = F_ext − F_int,
  // and for g ≤ 0: proj x = x + max(0, −∇gᵀx) M⁻¹∇g/(∇gᵀM⁻¹∇g). Printed: F_int − F_ext, and the
  // normal of the other side.
  const Matrix M = Rows{{2, 0.5}, {0.5, 1}}, inverse = M.inverse();
  const Vector F = Values{0.3, -4};
  const double e = 0.7, h = 0.01;
  Model model;
  const auto bead =
      model.add(LinearLagrangian{.M = M, .F = F}, {.q = {0.5, 0.2}, .v = {1.5, -0.5}});
  model.link(bead, Circle{.side = -1}, NewtonImpact{.e = e});
  Simulation sim(model, MoreauJean{.theta = 0, .gamma = 1, .gap_tolerance = 0, .solver = Lemke{}},
                 {.step = h});
  int contacts = 0;
  for (int k = 0; k < 300; ++k) {
    const Vector q = sim.state().q + h * sim.state().v, v = sim.state().v;
    Vector x = v + h / (1 + e) * inverse * F;
    const double into = q.dot(x);  // −∇gᵀx
    if (q.squaredNorm() >= 1 && into > 0) {
      x -= into * inverse * q / q.dot(inverse * q);
      ++contacts;
    }
    ASSERT_TRUE(sim.advance().done());
    EXPECT_LT((sim.state().q - q).norm(), 1e-13) << k;
    EXPECT_LT((sim.state().v - (-e * v + (1 + e) * x)).norm(), 1e-12) << k;
  }
  EXPECT_GT(contacts, 5);
}

TEST(Corrections, LinearJointsAreKeptWhileContactsAct) {  // TI:E20, TI:TI-115
  // Gᵀq + b = 0 for G with a column per joint (printed: Gq + b), v⁺ = v_free + M̂⁻¹(G p_μ + Hᵀp_λ)
  // (printed: M̂), M̂ = M + hθC + h²θ²K
  RandomMatrix matrix(8);
  const Index n = 4;
  const double h = 0.05, theta = 0.7;
  const auto positive = [&] {
    const Matrix A = matrix(n, n);
    return Matrix(A * A.transpose() + Matrix::Identity(n, n));
  };
  const Matrix M = positive(), C = positive(), K = 20 * positive(), G = matrix(n, 2);
  const Matrix H = -matrix(1, n);
  const Vector F = 30 * matrix(n, 1), b = matrix(2, 1);
  const Vector q0 = -G * (G.transpose() * G).inverse() * b;
  Model model;
  const auto body = model.add(LinearLagrangian{.M = M, .C = C, .K = K, .F = F}, {.q = q0});
  model.link(body, LinearRelation{.H = G.transpose(), .b = b}, Equality{});
  model.link(body, LinearRelation{.H = H, .b = Values{0.02 - (H * q0)[0]}}, NewtonImpact{.e = 0.3});
  Simulation sim(model, MoreauJean{.theta = theta}, {.step = h});
  const Matrix inverse = (M + h * theta * C + h * h * theta * theta * K).inverse();
  int pressed = 0;
  for (int k = 0; k < 100; ++k) {
    const Vector q = sim.state().q, v = sim.state().v;
    ASSERT_TRUE(sim.advance().done());
    const Vector free = v + h * inverse * (F - C * v - K * (q + h * theta * v)),
                 p = sim.multipliers();
    const Vector expected = free + inverse * (G * p.head(2) + H.transpose() * p[2]);
    EXPECT_LT((sim.state().v - expected).norm(), 1e-11) << k;
    EXPECT_LT((G.transpose() * sim.state().q + b).norm(), 1e-13) << k;  // 100 steps of rounding
    pressed += p[2] > 1e-3 ? 1 : 0;
  }
  EXPECT_GT(pressed, 5);
  EXPECT_LT(pressed, 100);
}

}  // namespace
}  // namespace saltus
