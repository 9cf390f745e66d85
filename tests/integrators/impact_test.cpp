// Moreau–Jean on impacting mechanics: exact replays of the scheme, analytic solutions, invariants.

#include "saltus/mechanics/bead_column.hpp"
#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/bouncing_height.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"
#include "support/metric_projection.hpp"
#include "support/random_matrix.hpp"
#include "support/three_balls.hpp"

#include <cmath>

namespace saltus {
namespace {

using mechanics::BeadColumn;
using mechanics::BouncingBall;

Trajectory bounce(double e, double h, double end, MoreauJean scheme = {.solver = Lemke{}}) {
  Simulation sim(BouncingBall{.e = e}.model(), scheme, {.step = h});
  return sim.run(end);
}

/// Rows (from 0) at which the percussion is an impact, not the weight over a step.
std::vector<Index> impact_rows(const Trajectory& run, double h) {
  std::vector<Index> rows;
  for (Index k = 1; k < run.size(); ++k)
    if (run.r(k, 0) > 3 * 9.81 * h) rows.push_back(k);
  return rows;
}

/// The three-coordinate ball of the monograph: q = (z, x, θ), M = I.
Model monograph_ball() {
  Model model;
  const auto ball = model.add(LinearLagrangian{.M = Matrix::Identity(3, 3), .F = {-9.81, 0.0, 0.0}},
                              {.q = {1.0, 0.0, 0.0}});
  model.link(ball, LinearRelation{.H = {{1.0, 0.0, 0.0}}}, NewtonImpact{.e = 0.9});
  return model;
}

TEST(MoreauJean, BallImpactsAtTheStepsOfTheMonograph) {  // PL:C-02, TI:V-30
  for (double gamma : {0.5, 1.0}) {
    Simulation sim(monograph_ball(), MoreauJean{.gamma = gamma, .solver = Lemke{}}, {.step = 5e-3});
    const Trajectory run = sim.run(10.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    const auto rows = impact_rows(run, 5e-3);
    ASSERT_GE(rows.size(), 3u);
    EXPECT_EQ(rows[0], 91);
    EXPECT_EQ(rows[1], 254);
    EXPECT_EQ(rows[2], 401);
    const double before[] = {-4.4145, -3.97305, -3.585555}, after[] = {3.97305, 3.575745, 3.226999};
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(run.v(rows[i] - 1, 0), before[i], 1e-6);
      EXPECT_NEAR(run.v(rows[i], 0), after[i], 1e-6);
    }
    double lowest = 1;
    for (Index k = 0; k < run.size(); ++k) lowest = std::min(lowest, run.q(k, 0));
    if (gamma == 0.5) {
      EXPECT_NEAR(run.q(91, 0), 0.005634, 1e-6);
      EXPECT_NEAR(lowest, -7.4466563750e-3, 1e-12);
      double apex = 0;
      for (Index k = 91; k < 254; ++k) apex = std::max(apex, run.q(k, 0));
      EXPECT_NEAR(apex, 0.8101765, 1e-7);
    } else {
      EXPECT_NEAR(lowest, -1.4424e-4, 1e-8);
    }
    EXPECT_LT(std::abs(run.v(run.size() - 1, 0)), 1e-10);
  }
}

TEST(MoreauJean, BallReplaysExactly) {  // TI:V-30
  const Trajectory run = bounce(0.9, 5e-3, 1.5);
  EXPECT_NEAR(run.q(200, 0), 0.7140385, 1e-12);
  EXPECT_NEAR(run.v(200, 0), -1.3734, 1e-12);
  EXPECT_NEAR(run.q(300, 0), 0.5675874625, 1e-12);
  EXPECT_NEAR(run.v(300, 0), 1.319445, 1e-12);
  const Trajectory half = bounce(0.5, 5e-3, 1.0);
  EXPECT_NEAR(half.q(200, 0), 0.0580560625, 1e-12);
  EXPECT_NEAR(half.v(200, 0), 0.220725, 1e-12);
  const Trajectory plastic = bounce(0, 5e-3, 2.0);
  for (Index k = 200; k <= 400; ++k) {
    EXPECT_NEAR(plastic.q(k, 0), -0.00429875, 1e-12);
    EXPECT_NEAR(plastic.v(k, 0), 0, 1e-13);
    EXPECT_NEAR(plastic.r(k, 0), 0.04905, 1e-13);
  }
}

TEST(MoreauJean, BallImpactTimesAreWithinOneStepOfTheExactOnes) {  // PL:C-02, TI:V-19
  const double h = 5e-3;
  const auto rows = impact_rows(bounce(0.9, h, 2.5), h);
  const double exact[] = {0.4515236410, 1.2642661948, 1.9957344932};
  ASSERT_GE(rows.size(), 3u);
  // the first impact is caught within a step; each later one inherits the O(h) of those before
  EXPECT_LE(std::abs(double(rows[0]) * h - exact[0]), h);
  for (int i = 1; i < 3; ++i) EXPECT_LE(std::abs(double(rows[i]) * h - exact[i]), (i + 1) * h);
  const auto fine = impact_rows(bounce(0.9, 1e-4, 2.0), 1e-4);
  ASSERT_GE(fine.size(), 3u);
  EXPECT_EQ(fine[0], 4516);
  EXPECT_EQ(fine[1], 12644);
  EXPECT_EQ(fine[2], 19959);
}

TEST(MoreauJean, OrderOneAcrossImpacts) {  // TI:TI-054, TI:V-19
  // mean error of the height over [0, 3]: an integral norm, fitted over 48 incommensurate steps
  const auto error = [](double h) {
    Simulation sim(BouncingBall{}.model(), {}, {.step = h});
    return testing::mean_height_error(sim.run(3.0), 0.9);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 1.0, 0.1);
}

TEST(MoreauJean, PassesTheAccumulationPoint) {  // TI:V-30, PL:C-02: accumulation at 8.579 s
  const Trajectory run = bounce(0.9, 5e-3, 10.0);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  EXPECT_EQ(run.report.steps, 2000);
  EXPECT_LT(std::abs(run.v(2000, 0)), 1e-12);
  EXPECT_LT(std::abs(run.q(2000, 0)), 8e-3);
  double impulse = 0;
  for (Index k = 1; k < run.size(); ++k) impulse += run.r(k, 0);
  EXPECT_NEAR(impulse, 98.1, 1e-9);  // Σ p = m g T + m (v_N − v_0)
}

TEST(MoreauJean, EnergyOfTheBallNeverGrows) {
  const double h = 5e-3, g = 9.81;
  for (double e : {0.0, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const Trajectory run = bounce(e, h, 10.0);
    const auto energy = [&](Index k) { return run.v(k, 0) * run.v(k, 0) / 2 + g * run.q(k, 0); };
    // A step changes the energy by ½(v⁺ + v) r = ½(1−e) v r. A ball that arrives (v ≤ 0) loses. One
    // that leaves slower than g h / (1+e) is caught again by its weight, r = g h − (1+e) v, and
    // gains at most (1−e)/(1+e) (g h)²/8, the maximum over v.
    const double release = (1 - e) / (1 + e) * g * h * g * h / 8;
    for (Index k = 1; k < run.size(); ++k) {
      const bool caught = run.r(k, 0) > 0 && run.v(k - 1, 0) > 0;
      EXPECT_LE(energy(k), energy(k - 1) + (caught ? release : 0) + 1e-12) << e << ", step " << k;
      EXPECT_LE(energy(k), g + 1e-12);
    }
  }
}

TEST(MoreauJean, FreeOscillatorConservesOrDissipatesAsTheTheorySays) {  // TI:V-29
  for (const auto& [theta, ratio] :
       {std::pair{0.5, 1.0}, std::pair{1.0, 0.3697112123}, std::pair{0.0, 2.7048138294}}) {
    Model model;
    model.add(LinearLagrangian{.M = {{1.0}}, .K = {{1.0}}}, {.q = {1.0}});
    Simulation sim(model, MoreauJean{.theta = theta}, {.step = 0.1});
    const Trajectory run = sim.run(10.0);
    const double q = run.q(100, 0), v = run.v(100, 0);
    EXPECT_NEAR(q * q + v * v, ratio, 1e-9) << theta;
    if (theta == 0.5) {
      EXPECT_NEAR(q, -0.8435691509, 1e-9);
      EXPECT_NEAR(v, 0.5370205654, 1e-9);
    }
  }
}

/// ẍ + x + x³ = λ with a stop at 0, elastic.
Model duffing_with_stop(bool jacobian_given) {
  Lagrangian duffing{
      .n = 1,
      .M = [](const StateView&, MatrixRef M) { M(0, 0) = 1; },
      .F = [](const StateView& x, VectorRef F) { F[0] = -x.q[0] - std::pow(x.q[0], 3); },
  };
  if (jacobian_given) {
    duffing.K = [](const StateView& x, MatrixRef K) { K(0, 0) = 1 + 3 * x.q[0] * x.q[0]; };
    duffing.C = [](const StateView&, MatrixRef C) { C(0, 0) = 0; };
  }
  Model model;
  const auto mass = model.add(duffing, {.q = {1.0}});
  model.link(mass, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = 1});
  return model;
}

TEST(MoreauJean, NewtonTreatsNonlinearForces) {  // TI:V-31, PL:DS-06
  for (bool given : {true, false}) {
    for (const auto& [h, speed] : {std::pair{1e-2, 1.2247593784}, std::pair{1e-3, 1.2247450415}}) {
      Simulation sim(duffing_with_stop(given), MoreauJean{}, {.step = h});
      double impact_speed = 0;
      int most = 0;
      sim.observe([&](const Observation& o) {
        most = std::max(most, o.report.newton_iterations);
        if (o.report.solve.converged() && impact_speed == 0) impact_speed = o.state.v[0];
      });
      ASSERT_TRUE(sim.run(2.0).report.ok());
      EXPECT_NEAR(impact_speed, speed, 2e-9) << h;
      EXPECT_LE(most, given ? 3 : 4);
    }
  }
}

TEST(MoreauJean, SimultaneousImpactOfThreeBalls) {  // TI:V-18
  for (const testing::ThreeBalls& balls : testing::three_balls) {
    Simulation sim(balls.model(), {}, {.step = 1e-3});
    ASSERT_TRUE(sim.advance().done());
    for (Index i = 0; i < 3; ++i) EXPECT_NEAR(sim.state().v[i], balls.after[i], 1e-14);
  }
}

TEST(MoreauJean, StepIsTheProjectionOfMoreau) {  // TI:V-35, TI:E18
  RandomMatrix matrix(3);
  int contacts = 0;
  for (int trial = 0; trial < 50; ++trial) {
    const Index n = 4, m = 3;
    const Matrix A = matrix(n, n), M = A * A.transpose() + Matrix::Identity(n, n);
    const Matrix H = matrix(m, n);
    const Vector F = 10 * matrix(n, 1), v = matrix(n, 1);
    const double e = 0.5 + 0.5 * matrix.number(), h = 0.1;
    Model model;
    const auto body = model.add(LinearLagrangian{.M = M, .F = F}, {.q = Vector::Zero(n), .v = v});
    model.link(body, LinearRelation{.H = H, .b = Vector::Constant(m, -1.0)}, NewtonImpact{.e = e});
    Simulation sim(model, {.solver = Lemke{}}, {.step = h});
    ASSERT_TRUE(sim.advance().done());
    const Vector free = v + h * M.ldlt().solve(F);
    const Vector middle = (free + e * v) / (1 + e);
    const Vector z = testing::project_on_cone(M, H, Vector::Zero(m), middle);
    EXPECT_LT((sim.state().v - (-e * v + (1 + e) * z)).lpNorm<Eigen::Infinity>(), 1e-10) << trial;
    contacts += (z - middle).norm() > 1e-9 ? 1 : 0;
  }
  EXPECT_GT(contacts, 10);
}

TEST(MoreauJean, SmoothMotionHasOrderTwoAtOneHalfAndOneElsewhere) {  // TI:TI-102, TI:TI-105
  // ẍ + x + x³ = 0 from (1, 0): the error of its energy, 3/4
  const auto error = [](double theta) {
    return [theta](double h) {
      Simulation sim(duffing_with_stop(true), {.theta = theta}, {.step = h});
      EXPECT_TRUE(sim.run(1.0).report.ok());  // before the first impact at 1.192
      return std::abs(sim.state().v[0] * sim.state().v[0] / 2 + std::pow(sim.state().q[0], 2) / 2 +
                      std::pow(sim.state().q[0], 4) / 4 - 0.75);
    };
  };
  std::vector<double> h;
  for (int n = 20; n < 2000; n = n * 5 / 4) h.push_back(1.0 / n);
  EXPECT_NEAR(testing::fitted_order(h, error(0.5)), 2, 0.05);
  EXPECT_NEAR(testing::fitted_order(h, error(1.0)), 1, 0.1);
  EXPECT_NEAR(testing::fitted_order(h, error(0.0)), 1, 0.1);
}

TEST(MoreauJean, VibroImpactHasOrderOne) {  // TI:V-15: ẍ + π²x = −λ, x ≤ ½, e = 0.8
  const auto run = [](double h) {
    Model model;
    const auto mass =
        model.add(LinearLagrangian{.M = {{1.0}}, .K = {{M_PI * M_PI}}}, {.q = {-1.0}});
    model.link(mass, LinearRelation{.H = {{-1.0}}, .b = {0.5}}, NewtonImpact{.e = 0.8});
    Simulation sim(model, {}, {.step = h});
    EXPECT_TRUE(sim.run(3.2).report.ok());
    return sim.state();
  };
  const auto error = [&](double h) {
    const State end = run(h);
    return std::hypot(end.q[0] + 0.22681122, end.v[0] - 2.23419298);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(1e-2, 2e-4, 48), error), 1.15, 0.3);
}

TEST(MoreauJean, BilateralConstraintKeepsThePosition) {  // TI:V-34
  Model model;
  const auto pair = model.add(LinearLagrangian{.M = {{1.0, 0.0}, {0.0, 2.0}}, .F = {1.0, 0.0}},
                              {.q = {0.0, 0.0}});
  model.link(pair, LinearRelation{.H = {{1.0, 1.0}}}, Equality{});
  Simulation sim(model, {}, {.step = 0.1});
  const Trajectory run = sim.run(1.0);
  EXPECT_NEAR(run.q(10, 0), 1 / 6., 1e-14);
  EXPECT_NEAR(run.q(10, 1), -1 / 6., 1e-14);
  EXPECT_NEAR(run.v(10, 0), 1 / 3., 1e-14);
  EXPECT_NEAR(run.r(10, 0) / 0.1, -2 / 3., 1e-13);
  for (Index k = 0; k <= 10; ++k) EXPECT_NEAR(run.y(k, 0), 0, 1e-15);
}

TEST(MoreauJean, RestingColumnCarriesItsWeight) {  // PL:C-03
  const BeadColumn column{.count = 1000};
  const double h = 1e-3;
  for (const Algorithm& solver : {Algorithm{Automatic{}}, Algorithm{BlockPivoting{}}}) {
    Simulation sim(column.model(), MoreauJean{.solver = solver}, {.step = h});
    for (int k = 0; k < 50; ++k) {
      const StepReport report = sim.advance();
      ASSERT_TRUE(report.done());
      ASSERT_EQ(report.active_rows, 1000);
    }
    for (Index i = 0; i < 1000; ++i)
      EXPECT_NEAR(sim.multipliers()[i], double(1000 - i) * 9.81 * h, 1e-10);
  }
}

TEST(MoreauJean, FallingColumnDissipatesAndBarelyPenetrates) {  // PL:C-03
  for (double e : {0.0, 0.5}) {
    const BeadColumn column{.count = 100, .e = e, .drop = 0.1, .gap = 1e-3};
    const double h = 1e-3;
    Simulation sim(column.model(), {}, {.step = h});
    const Trajectory run = sim.run(1.0);
    ASSERT_TRUE(run.report.ok()) << run.report.message();
    double previous = inf, fastest = 0;
    for (Index k = 0; k < run.size(); ++k) {
      double energy = 0, release = 0;
      for (Index i = 0; i < 100; ++i) {
        energy += run.v(k, i) * run.v(k, i) / 2 + 9.81 * run.q(k, i);
        fastest = std::max(fastest, std::abs(run.v(k, i)));
        // ΔE = ½(1−e) Σ u⁻ r: only contacts caught again while they leave can add
        if (k > 0) release += (1 - e) / 2 * std::max(run.u(k - 1, i), 0.0) * run.r(k, i);
      }
      EXPECT_LE(energy, previous + release + 1e-13 * energy) << "step " << k;
      previous = energy;
    }
    for (double gap : run.y.values) EXPECT_GE(gap, -2 * h * fastest);
  }
}

TEST(MoreauJean, SolversAgreeOnTheFallingColumn) {
  const auto end = [](const Algorithm& solver) {
    Simulation sim(BeadColumn{.count = 20, .e = 0.3, .drop = 0.05}.model(),
                   MoreauJean{.solver = solver}, {.step = 1e-3});
    const Trajectory run = sim.run(0.5);
    EXPECT_TRUE(run.report.ok()) << describe(solver) << ": " << run.report.message();
    return Vector(run.q.matrix().row(run.size() - 1));
  };
  const Vector reference = end(Lemke{});
  for (const Algorithm& solver :
       {Algorithm{Murty{}}, Algorithm{BlockPivoting{}}, Algorithm{Automatic{}}})
    EXPECT_LT((end(solver) - reference).lpNorm<Eigen::Infinity>(), 1e-9) << describe(solver);
}

}  // namespace
}  // namespace saltus
