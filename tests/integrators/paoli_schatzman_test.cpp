// Paoli–Schatzman: exact replays, the metric projection, order.

#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/allocation_guard.hpp"
#include "support/bouncing_height.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"
#include "support/metric_projection.hpp"
#include "support/random_matrix.hpp"

#include <cmath>

namespace saltus {
namespace {

using mechanics::BouncingBall;

TEST(PaoliSchatzman, ReversesTheVelocityInTwoSteps) {  // TI:V-33, TI:E21
  Model model;
  const auto ball = model.add(PointMass{.gravity = {0.0}}, {.q = {0.25}, .v = {-1.0}});
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = 0.5});
  Simulation sim(model, PaoliSchatzman{}, {.step = 0.1});
  const Trajectory run = sim.run(0.7);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  const double q[] = {.25, .15, .05, -.05, -.025, .025, .075, .125};
  const double v[] = {-1, -1, -1, .25, .5, .5, .5};
  int closed = 0;
  for (Index k = 0; k < 8; ++k) EXPECT_NEAR(run.q(k, 0), q[k], 1e-15) << k;
  for (Index k = 1; k < 8; ++k) {
    EXPECT_NEAR(run.v(k, 0), v[k - 1], 1e-14) << k;
    closed += run.r(k, 0) > 0 ? 1 : 0;
  }
  EXPECT_EQ(closed, 2);
}

TEST(PaoliSchatzman, BallReplaysAndConverges) {  // TI:V-33
  for (const auto& [h, height] :
       {std::pair{1e-2, .0527170}, std::pair{1e-3, .0598969}, std::pair{1e-4, .0610662}}) {
    Simulation sim(BouncingBall{.e = 0.5}.model(), PaoliSchatzman{}, {.step = h});
    ASSERT_TRUE(sim.run(1.0).report.ok());
    EXPECT_NEAR(sim.state().q[0], height, 5e-8) << h;
  }
}

TEST(PaoliSchatzman, OrderOneAcrossImpacts) {  // TI:TI-130, TI:V-19
  const auto error = [](double h) {
    Simulation sim(BouncingBall{.e = 0.9}.model(), PaoliSchatzman{}, {.step = h});
    return testing::mean_height_error(sim.run(3.0), 0.9);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 1.0, 0.15);
}

TEST(PaoliSchatzman, StepIsTheMetricProjectionOfTheTheory) {  // TI:TI-131, TI:E22
  RandomMatrix matrix(7);
  int contacts = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 4, m = 3;
    const Matrix A = matrix(n, n), M = A * A.transpose() + Matrix::Identity(n, n);
    const Matrix H = matrix(m, n);
    const Vector F = matrix(n, 1), q = 0.05 * matrix(n, 1), v = matrix(n, 1);
    const double e = trial % 2 == 0 ? 0 : 0.4, h = 0.1;
    Model model;
    const auto body = model.add(LinearLagrangian{.M = M, .F = F}, {.q = q, .v = v});
    model.link(body, LinearRelation{.H = H, .b = Vector::Constant(m, 0.02)}, NewtonImpact{.e = e});
    Simulation sim(model, PaoliSchatzman{.solver = Lemke{}}, {.step = h});
    ASSERT_TRUE(sim.advance().done());
    // q₋₁ of the start: q − h v + ½h² M⁻¹F
    const Vector a = M.ldlt().solve(F), before = q - h * v + h * h / 2 * a;
    const Vector w = (2 * q - (1 - e) * before + h * h * a) / (1 + e);
    const Vector z = testing::project_on_cone(M, H, Vector::Constant(m, 0.02), w);
    const Vector expected = (1 + e) * z - e * before;
    EXPECT_LT((sim.state().q - expected).lpNorm<Eigen::Infinity>(), 1e-12) << trial;
    contacts += (z - w).norm() > 1e-9 ? 1 : 0;
  }
  EXPECT_GT(contacts, 10);
}

/// The outside of the unit circle, by ½(x² + y² − 1) ≥ 0, or the circle itself.
struct Circle {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& x, VectorRef y) const { y[0] = 0.5 * (x.q.squaredNorm() - 1); }
  void jacobian(const StateView& x, MatrixRef H) const { H = x.q.transpose(); }
};

TEST(PaoliSchatzman, CurvedConstraintsHoldExactly) {  // TI:TI-131
  Model joint, slide;
  const Initial at{.q = {0.6, 0.8}, .v = {0.8, -0.6}};
  joint.link(joint.add(PointMass{.gravity = {0.0, -9.81}}, at), Circle{}, Equality{});
  slide.link(slide.add(PointMass{.gravity = {0.0, -1.0}}, {.q = {0.0, 1.5}, .v = {0.4, 0.0}}),
             Circle{}, NewtonImpact{.e = 0});
  // the sliding point leaves the circle after a fall of 0.11 m at 0.8 m/s: at least 0.1 s on it
  for (const auto& [model, least] : {std::pair{&joint, 1000}, std::pair{&slide, 50}}) {
    Simulation sim(*model, PaoliSchatzman{}, {.step = 2e-3});
    int touching = 0;
    for (int k = 0; k < 1000; ++k) {
      const StepReport report = sim.advance();
      ASSERT_TRUE(report.done()) << name(report.status);
      const double y = 0.5 * (sim.state().q.squaredNorm() - 1);
      // the last Newton step changes v by 1e-12 at most, and that is quadratic in the constraint
      EXPECT_GE(y, -1e-14);
      touching += std::abs(y) < 1e-13 ? 1 : 0;
      EXPECT_LE(report.newton_iterations, 6);
    }
    EXPECT_GE(touching, least);
  }
}

TEST(PaoliSchatzman, DampedOscillatorHasOrderOneInSmoothMotion) {
  // v of the state is a difference over the last step: q has order 2, v order 1
  const auto error = [](bool velocity) {
    return [velocity](double h) {
      Model model;
      model.add(LinearLagrangian{.M = {{1.0}}, .C = {{0.2}}, .K = {{1.0}}}, {.q = {1.0}});
      Simulation sim(model, PaoliSchatzman{}, {.step = h});
      EXPECT_TRUE(sim.run(2.0).report.ok());
      const double d = 0.1, w = std::sqrt(1 - d * d), t = 2;
      const double q = std::exp(-d * t) * (std::cos(w * t) + d / w * std::sin(w * t));
      const double v = -std::exp(-d * t) / w * std::sin(w * t);
      return velocity ? std::abs(sim.state().v[0] - v) : std::abs(sim.state().q[0] - q);
    };
  };
  std::vector<double> h;
  for (int n = 20; n < 2000; n = n * 5 / 4) h.push_back(2.0 / n);  // whole steps to the end
  EXPECT_NEAR(testing::fitted_order(h, error(false)), 2, 0.05);
  EXPECT_NEAR(testing::fitted_order(h, error(true)), 1, 0.05);
}

TEST(PaoliSchatzman, StartsAnewWhenTheStateIsChanged) {
  Simulation once(BouncingBall{.e = 0.5}.model(), PaoliSchatzman{}, {.step = 1e-2});
  Simulation twice(BouncingBall{.e = 0.5}.model(), PaoliSchatzman{}, {.step = 1e-2});
  const State start = once.state();
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(once.advance().done());
  for (int k = 0; k < 7; ++k) ASSERT_TRUE(twice.advance().done());
  twice.set_state(start);
  for (int k = 0; k < 40; ++k) ASSERT_TRUE(twice.advance().done());
  EXPECT_EQ(once.state().q[0], twice.state().q[0]);
}

TEST(PaoliSchatzman, RefusesWhatItCannotTreat) {
  EXPECT_ERROR(
      Simulation(mechanics::PileOfSpheres{{.count = 2}}.model(), PaoliSchatzman{}, {.step = 1e-3}),
      "no vector (rotations on the group)");
  Model friction;
  friction.link(friction.add(PointMass{.gravity = {-9.81, 0.0}}, {.q = {0.0, 0.0}}, "block"),
                LinearRelation{.H = Matrix::Identity(2, 2)}, Coulomb{.mu = 0.3}, "plane");
  EXPECT_ERROR(Simulation(friction, PaoliSchatzman{}, {.step = 1e-3}),
               "PaoliSchatzman: the law of plane is neither");
}

TEST(PaoliSchatzman, WarmStepsAllocateNothing) {
  const Model model = BouncingBall{.e = 0}.model();
  const PaoliSchatzman scheme;
  StepWorkspace work;
  prepare(model, scheme, work);
  State state = model.initial_state();
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(step(model, state, 5e-3, scheme, work).done());
  const testing::AllocationGuard guard;
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(step(model, state, 5e-3, scheme, work).done());
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace saltus
