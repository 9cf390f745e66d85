// Signorini's law on positions, on velocities and with restitution, step by step, and the one-step
// problems that the schemes pose for it: FS:FS-05, FS:FS-06, FS:FS-07, S:FC-01, S:FC-03b, S:FC-15.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace saltus {
namespace {

using mechanics::BouncingBall;

/// A reduced one-step problem of one row per contact, and its solution.
struct Seen {
  Matrix W;
  Vector q, r;
};
void record(Simulation& sim, std::vector<Seen>& seen) {
  sim.observe_problems([&seen](const OneStepProblem& p) {
    ASSERT_NE(p.reduced, nullptr);
    seen.push_back({p.reduced->W.to_dense(), p.reduced->q, p.r});
  });
}

// S:FC-01: only contacts whose gap is closed at the forecast q̃ = q + γ h v take part; the others
// carry nothing.
TEST(Signorini, TheForecastDecidesWhichContactsTakePart) {
  const double h = 0.1;
  for (const double gamma : {0.5, 1.0}) {
    // q and q + γ h v: reaches the floor; stays above; below the floor already, but leaves; rests
    const double q[] = {0.04, 0.3, -0.01, 0}, v[] = {-1, -1, 1, 0};
    Model model;
    std::vector<SystemId> balls;
    for (int i = 0; i < 4; ++i) {
      balls.push_back(model.add(PointMass{.gravity = {0.0}}, {.q = {q[i]}, .v = {v[i]}}));
      model.link(balls.back(), LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = 0});
    }
    Simulation sim(model, MoreauJean{.gamma = gamma, .solver = Lemke{}}, {.step = h});
    std::vector<Seen> seen;
    record(sim, seen);
    ASSERT_TRUE(sim.advance().done());
    ASSERT_EQ(seen.size(), 1u);
    ASSERT_EQ(seen[0].r.size(), 2) << gamma;  // the first and the last
    EXPECT_EQ(seen[0].q, Vector(Values{-1, 0}));
    EXPECT_EQ(sim.state().v, Vector(Values{0, -1, 1, 0}));
  }
}

/// One step of a ball that moves by `speed` at a given height.
struct OneStepOf {
  double gap, before, after, r;
};
std::vector<OneStepOf> steps_of_a_ball(double e, double h, int count) {
  Simulation sim(BouncingBall{.e = e}.model(), MoreauJean{.solver = Lemke{}}, {.step = h});
  double percussion = 0;
  sim.observe_problems([&](const OneStepProblem& p) { percussion = p.r[0]; });
  std::vector<OneStepOf> steps;
  for (int k = 0; k < count; ++k) {
    const double q = sim.state().q[0], v = sim.state().v[0];
    percussion = 0;
    EXPECT_TRUE(sim.advance().done());
    steps.push_back({q + 0.5 * h * v, v, sim.state().v[0], percussion});
  }
  return steps;
}

// FS:FS-06: closed contacts obey 0 ≤ u_N ⟂ r_N ≥ 0, open ones have r_N = 0; FS:FS-07: with
// restitution the law is in u_N⁺ + e u_N⁻.
TEST(Signorini, HoldsOnVelocitiesForClosedContactsOnly) {
  for (const double e : {0.0, 0.6, 1.0}) {
    int closed = 0, open = 0;
    for (const OneStepOf& s : steps_of_a_ball(e, 2e-3, 1500)) {
      if (s.gap > 1e-9) {  // beyond the tolerance of the scheme
        ++open;
        EXPECT_EQ(s.r, 0);
        continue;
      }
      closed += s.r > 0 ? 1 : 0;
      // rounding of the pivot: a few units of 1e-16 on velocities of some m/s
      const double u = s.after + e * s.before;
      EXPECT_GE(u, -1e-14);
      EXPECT_GE(s.r, 0);
      EXPECT_LE(std::min(u, s.r), 1e-14);
    }
    EXPECT_GT(closed, 0) << e;
    EXPECT_GT(open, 0) << e;
  }
}

// FS:FS-06: the law on velocities keeps a gap that is not negative at the start so, but for what a
// step of that velocity passes before it is seen; FS:FS-05 is thus implied in the limit.
TEST(Signorini, OnVelocitiesKeepsTheGapUpToOneStep) {
  for (const double h : {1e-2, 5e-3, 2.5e-3}) {
    Simulation sim(BouncingBall{.e = 0.5}.model(), MoreauJean{}, {.step = h});
    double lowest = 0, fastest = 0;
    for (double t = 0; t < 2; t += h) {
      ASSERT_TRUE(sim.advance().done());
      lowest = std::min(lowest, sim.state().q[0]);
      fastest = std::max(fastest, std::abs(sim.state().v[0]));
    }
    EXPECT_GE(lowest, -h * fastest) << h;
  }
}

// FS:FS-07: restitution is the summand +e u_N⁻ of the free velocity, and of nothing else.
TEST(Signorini, RestitutionIsAddedToTheFreeVelocity) {
  const double h = 0.01, g = 9.81, e = 0.6, v = -2;
  Model model;
  const auto ball = model.add(PointMass{.m = 2, .gravity = {-g}}, {.q = {0.0}, .v = {v}});
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = e});
  Simulation sim(model, MoreauJean{.solver = Lemke{}}, {.step = h});
  std::vector<Seen> seen;
  record(sim, seen);
  ASSERT_TRUE(sim.advance().done());
  ASSERT_EQ(seen.size(), 1u);
  EXPECT_DOUBLE_EQ(seen[0].W(0, 0), 0.5);
  EXPECT_DOUBLE_EQ(seen[0].q[0], (v - h * g) + e * v);
  EXPECT_DOUBLE_EQ(sim.state().v[0], -e * v);
  EXPECT_DOUBLE_EQ(seen[0].r[0], -2 * (1 + e) * v + 2 * h * g);
}

/// The outside of the unit circle, by ½(x² + y² − 1) ≥ 0.
struct Circle {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& x, VectorRef y) const { y[0] = 0.5 * (x.q.squaredNorm() - 1); }
  void jacobian(const StateView& x, MatrixRef H) const { H = x.q.transpose(); }
};

/// A point of mass 1 under gravity with the drag −c‖v‖v and a cubic spring −k q³ in each direction.
struct Dragged {
  double c = 0, k = 0;
  Values gravity = {0.0, -1.0};
  [[nodiscard]] Index dof() const { return gravity.size(); }
  void mass(const StateView&, MatrixRef M) const { M.setIdentity(); }
  void force(const StateView& x, VectorRef F) const {
    F = gravity - c * x.v.norm() * x.v - k * x.q.cwiseProduct(x.q).cwiseProduct(x.q);
  }
  void damping(const StateView& x, MatrixRef C) const {
    const double speed = x.v.norm();
    C = c * speed * Matrix::Identity(dof(), dof());
    if (speed > 0) C += c / speed * x.v * x.v.transpose();
  }
  void stiffness(const StateView& x, MatrixRef K) const {
    K.setZero();
    K.diagonal() = 3 * k * x.q.cwiseProduct(x.q);
  }
};

// FS:FS-05: 0 ≤ g_N ⟂ r_N ≥ 0 on positions; S:FC-15: with a curved constraint and nonlinear forces
// this is an NCP, which every step solves: M(v⁺ − v) = h F + H(q⁺)ᵀ r, 0 ≤ y(q⁺) ⟂ r ≥ 0.
TEST(Signorini, HoldsOnPositionsForNonlinearDynamics) {
  const double h = 2e-3, drag = 0.3;
  Model model;
  const Dragged force{.c = drag};
  model.link(model.add(force, {.q = {0.0, 1.4}, .v = {0.4, 0.0}}), Circle{}, NewtonImpact{.e = 0});
  Simulation sim(model, PaoliSchatzman{}, {.step = h});
  double r = 0;
  sim.observe_problems([&](const OneStepProblem& p) { r = p.r[0]; });
  int touching = 0, several = 0;
  Vector v = sim.state().v;
  for (int k = 0; k < 800; ++k) {
    r = 0;
    const Vector q = sim.state().q;
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done()) << name(report.status);
    const Vector& end = sim.state().q;
    const double y = 0.5 * (end.squaredNorm() - 1);
    EXPECT_GE(y, -1e-14) << k;  // quadratic in the last Newton step of 1e-12
    EXPECT_GE(r, 0);
    EXPECT_LE(std::min(y, r), 1e-13) << k;
    if (k > 0) {  // the first step starts from a velocity of its own
      const Vector middle = (v + sim.state().v) / 2;
      const Vector F = force.gravity - drag * middle.norm() * middle;
      const Vector balance = sim.state().v - v - h * F - r * end;
      EXPECT_LE(balance.lpNorm<Eigen::Infinity>(), 1e-11) << k;  // ten times newton_tolerance
    }
    v = sim.state().v;
    touching += r > 0 ? 1 : 0;
    several += r > 0 && report.newton_iterations > 1 ? 1 : 0;
  }
  EXPECT_GT(touching, 50);
  EXPECT_GT(several, 50);  // a linear problem would need one
}

// S:FC-03b: a nonlinear system poses a linear contact problem per Newton iterate, with Ŵ = H M̂⁻¹ Hᵀ
// and the free velocity of that iterate; the last one gives the solution of the nonlinear problem.
TEST(Signorini, EveryNewtonIterateHasItsOwnDelassusMatrix) {
  const double h = 0.2, k = 40;
  const Vector q = Values{0.6, 0.4}, v = Values{1, -2}, H = Values{1, 0.5}, g = Values{-30, -10};
  Model model;
  const auto point = model.add(Dragged{.k = k, .gravity = g}, {.q = q, .v = v});
  model.link(point, LinearRelation{.H = H.transpose(), .b = {-0.8}}, NewtonImpact{.e = 0});
  Simulation sim(model, MoreauJean{.theta = 1, .gamma = 0, .solver = Lemke{}}, {.step = h});
  std::vector<Seen> seen;
  record(sim, seen);
  const StepReport report = sim.advance();
  ASSERT_TRUE(report.done()) << name(report.status);
  ASSERT_EQ(static_cast<int>(seen.size()), report.newton_iterations);
  ASSERT_GE(seen.size(), 3u);
  const auto force = [&](const Vector& x) { return Vector(g - k * x.array().cube().matrix()); };
  Vector iterate = v;
  for (const Seen& problem : seen) {
    const Vector x = q + h * iterate;
    const Vector inverse = (1 + h * h * 3 * k * x.array().square()).inverse();  // M̂⁻¹, diagonal
    const Vector free = iterate - inverse.cwiseProduct(iterate - v - h * force(x));
    const double W = H.dot(inverse.cwiseProduct(H)), r = std::max(0.0, -H.dot(free) / W);
    EXPECT_NEAR(problem.W(0, 0), W, 1e-14);
    EXPECT_NEAR(problem.q[0], H.dot(free), 1e-13);
    EXPECT_NEAR(problem.r[0], r, 1e-12);
    iterate = free + r * inverse.cwiseProduct(H);
  }
  EXPECT_GT(std::abs(seen[1].W(0, 0) - seen[0].W(0, 0)), 1e-3);  // they do differ
  const Vector end = sim.state().v, balance = end - v - h * force(sim.state().q);
  // tolerance 1e-12 relative to 1 + ‖v‖ + h‖F‖, some 20
  EXPECT_LE((balance - seen.back().r[0] * H).lpNorm<Eigen::Infinity>(), 1e-10);
  EXPECT_GT(seen.back().r[0], 0);
  EXPECT_NEAR(H.dot(end), 0, 1e-13);
}

}  // namespace
}  // namespace saltus
