// Formalisms, each lowered to a model, and the conversions between them.

#include "inclusions/run.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "saltus/inclusions/piecewise.hpp"
#include "saltus/inclusions/reachable_set.hpp"
#include "saltus/inclusions/switched.hpp"
#include "saltus/inclusions/variational.hpp"
#include "saltus/integrators/shooting.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

namespace saltus {
namespace {

using std::numbers::pi;

double difference(const Trajectory& a, const Trajectory& b) {
  return (a.x.matrix() - b.x.matrix()).cwiseAbs().maxCoeff();
}

SweepingProcess disc(const Values& x0) {
  return {.x0 = x0, .set = Disk{1}, .center = [](double t, VectorRef c) { c << t, 0; }};
}

TEST(SweepingProcess, IntervalsPushAndJump) {  // F:V22, F:V61, F:F065
  const auto moving = [](double shift) {
    return SweepingProcess{.x0 = {0.5},
                           .set = Interval{0, 1},
                           .center = [shift](double t, VectorRef c) { c[0] = t + shift; }};
  };
  const Trajectory x = run(moving(0).model(), 0.01, 2), z = run(moving(0.1).model(), 0.01, 2);
  for (Index k = 0; k < x.size(); ++k) {
    EXPECT_NEAR(x.x(k, 0), std::max(0.5, x.t[k]), 1e-13);
    const double apart = x.x(k, 0) - z.x(k, 0);
    EXPECT_LE(apart * apart, 0.4 * x.t[k] + 0.01);  // |x − z|² ≤ 2(c + l)∫d_H, up to one step
  }
  EXPECT_NEAR(x.x(200, 0) - z.x(200, 0), -0.1, 1e-13);
  SweepingProcess other = moving(0);
  other.x0 = {0.9};
  const Trajectory second = run(other.model(), 0.01, 2);
  for (Index k = 1; k < x.size(); ++k)  // contraction
    EXPECT_LE(std::abs(second.x(k, 0) - x.x(k, 0)),
              std::abs(second.x(k - 1, 0) - x.x(k - 1, 0)) + 1e-14);
  const SweepingProcess jump{.x0 = {0.5},
                             .set = Interval{0, 1},
                             .center = [](double t, VectorRef c) { c[0] = t < 1 ? 0 : 2; }};
  const Trajectory r = run(jump.model(), 0.1, 2);
  EXPECT_NEAR(r.x(8, 0), 0.5, 1e-15);
  EXPECT_NEAR(r.x(20, 0), 2, 1e-15);
}

TEST(SweepingProcess, ADiscPullsAPointAlongATractrix) {  // F:V23, F:F190
  const auto error = [](double h) {
    const Trajectory r = run(disc({0.0, 1.0}).model(), h, 2, CatchingUp{});
    double worst = 0;
    for (Index k = 0; k < r.size(); ++k)
      worst = std::max(worst, std::hypot(r.x(k, 0) - (r.t[k] - std::tanh(r.t[k])),
                                         r.x(k, 1) - 1 / std::cosh(r.t[k])));
    return worst;
  };
  EXPECT_LT(error(1e-3), 2e-4);
  EXPECT_NEAR(testing::fitted_order({0.1, 0.05, 0.025, 0.0125}, error), 1, 0.1);
}

TEST(SweepingProcess, ADiscTakesUpAPointOnItsWay) {  // TI:V-26, TI:TI-082
  const double expected[] = {0.08135872, 0.07453794, 0.07384523};
  for (int i = 0; i < 3; ++i) {
    const Trajectory r = run(disc({0.0, 0.6}).model(), std::pow(10, -1 - i), 3);
    EXPECT_NEAR(r.x(r.size() - 1, 1), expected[i], 1e-8);
  }
}

TEST(SweepingProcess, GrowingSetsAndPolyhedraMoveTheState) {  // F:F063, TI:TI-083
  // [−s, s] shrinking as e^−t; the same as the polyhedron x + s ≥ 0, s − x ≥ 0
  const SweepingProcess ball{
      .x0 = {0.8}, .set = Interval{-1, 1}, .scale = [](double t) { return std::exp(-t); }};
  const PolyhedralSweeping walls{.x0 = {0.8}, .A = {{1.0}, {-1.0}}, .b = [](double t, VectorRef b) {
                                   b.setConstant(std::exp(-t));
                                 }};
  const Trajectory r = run(ball.model(), 0.05, 2), s = run(walls.model(), 0.05, 2);
  EXPECT_LT(difference(r, s), 1e-12);
  EXPECT_NEAR(r.x(40, 0), std::exp(-2.0), 1e-12);
}

TEST(Play, FollowsItsInputLazily) {  // TI:V-25
  const Play play{.radius = 0.5, .input = [](double t) { return t < 2 ? t : 4 - t; }};
  for (const double h : {0.5, 0.1, 0.05}) {
    const Trajectory r = run(play.model(), h, 4, CatchingUp{});
    const auto at = [&](double t) { return r.x(Index(std::lround(t / h)), 0); };
    EXPECT_NEAR(at(2), 1.5, 1e-13);
    EXPECT_NEAR(at(2.5), 1.5, 1e-13);
    EXPECT_NEAR(at(3), 1.5, 1e-13);
    EXPECT_NEAR(at(4), 0.5, 1e-13);
  }
}

TEST(Play, ARelayBehindItComesToRestInsideTheZone) {  // F:V58: implicit Euler leaves no saw-tooth
  const double eps = 0.1;
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {0.25}});
  const auto play = add_play(model, x, {{1.0}}, eps, 0.15);
  model.link({x, play}, FirstOrderLinearRelation{.C = {{0.0, 1.0}}, .B = {{1.0}, {0.0}}}, Relay{});
  const Trajectory r = run(model, 1e-3, 2);
  // ẋ = −1 while the play p > 0; p follows only after x has crossed the zone, from 0.25 to 0.05,
  // and is 0 at x = −ε
  EXPECT_NEAR(r.x(100, 0), 0.15, 1e-12);
  EXPECT_NEAR(r.x(100, 1), 0.15, 1e-12);
  for (Index k = 400; k < r.size(); ++k) {
    EXPECT_NEAR(r.x(k, 0), -eps, 1e-12);
    EXPECT_NEAR(r.x(k, 1), 0, 1e-12);
  }
}

TEST(Formalisms, OneInequalityInFiveLanguages) {  // F:V24, F:B32, F:F067, F:F071, F:F076, F:F078
  // ẋ = cos t + λ, 0 ≤ x ⟂ λ ≥ 0
  const UnilateralInclusion inclusion{
      .x0 = {0.0}, .f = [](double t, ConstVectorRef, VectorRef f) { f[0] = -std::cos(t); }};
  const EvolutionVariationalInequality evi = to_evi(inclusion);
  const double h = 1e-3, end = 2.5 * pi;
  const Trajectory r = run(inclusion.model(), h, end);
  const auto exact = [](double t) {
    if (t < pi) return std::sin(t);
    return t < 1.5 * pi ? 0.0 : 1 + std::sin(t);
  };
  for (Index k = 0; k < r.size(); k += 10) EXPECT_NEAR(r.x(k, 0), exact(r.t[k]), 4 * h);  // order 1
  for (Index k = 3200; k < 4700; k += 50) {
    EXPECT_NEAR(r.x(k, 0), 0, 1e-14);
    EXPECT_NEAR(r.r(k, 0), -std::cos(r.t[k]), 1e-9);
  }
  const NonlinearLcs nlcs{.x0 = {0.0},
                          .f = [](double t, ConstVectorRef, VectorRef f) { f[0] = std::cos(t); },
                          .g = [](double, ConstVectorRef, MatrixRef g) { g(0, 0) = 1; },
                          .h = [](double, ConstVectorRef x, VectorRef y) { y = x; }};
  EXPECT_LT(difference(r, run(evi.model(), h, end)), 1e-13);
  EXPECT_LT(difference(r, run(to_projected(to_inclusion(evi)).model(), h, end)), 1e-13);
  EXPECT_LT(difference(r, run(to_dvi(evi).model(), h, end)), 1e-12);
  EXPECT_LT(difference(r, run(nlcs.model(), h, end)), 1e-12);
  EXPECT_ERROR(to_dvi(EvolutionVariationalInequality{.x0 = {0.0}, .set = Interval{0, 1}}),
               "no cone");
}

TEST(ProjectedDynamicalSystem, MovesAlongTheTangentCone) {  // F:F078, F:F069
  // ẋ = proj[T_K; (1, ½)] in the unit disk: on the circle the tangential part of (1, ½)
  const ProjectedDynamicalSystem pds{
      .x0 = {1.0, 0.0}, .set = Disk{1}, .f = [](double, ConstVectorRef, VectorRef f) {
        f << -1, -0.5;
      }};
  const double h = 1e-3;
  const Trajectory r = run(pds.model(), h, 6);
  const Eigen::Vector2d x(r.x(500, 0), r.x(500, 1)), next(r.x(501, 0), r.x(501, 1));
  const Eigen::Vector2d normal = x / x.norm(), f(1, 0.5);
  EXPECT_LT(((next - x) / h - (f - f.dot(normal) * normal)).norm(), 2e-3);  // O(h)
  EXPECT_NEAR(r.x(6000, 0), 2 / std::sqrt(5.0), 1e-3);  // rests where (1, ½) is normal
}

TEST(DifferentialVariationalInequality, OfAnIntervalIsTheRelay) {  // TI:V-28, TI:V-07, TI:TI-090
  const DifferentialVariationalInequality dvi{
      .x0 = {0.33},
      .B = {{1.0}},
      .G = [](double, ConstVectorRef x, VectorRef y) { y = x; },
      .set = Interval{-1, 1}};
  const Trajectory r = run(dvi.model(), 0.1, 0.8);
  const double expected[] = {0.33, 0.23, 0.13, 0.03, 0, 0, 0};
  for (Index k = 0; k < 7; ++k) EXPECT_NEAR(r.x(k, 0), expected[k], 1e-14);
}

TEST(Lcs, WithFeedthroughIsAnOrdinaryEquation) {  // F:V25, F:F079
  const Lcs lcs{.A = {{-1.0}}, .B = {{1.0}}, .C = {{1.0}}, .D = {{1.0}}, .b = {-1.0}};
  const Trajectory r = run(to_model(lcs, {0.0}), 1e-3, 2,
                           ThetaMethod{.theta = 0.5, .multiplier = AveragedMultiplier{}});
  for (Index k = 0; k < r.size(); k += 100) {
    EXPECT_NEAR(r.x(k, 0), (1 - std::exp(-2 * r.t[k])) / 2, 1e-6);
    if (k > 0) {
      EXPECT_NEAR(r.r(k, 0), 1 - r.x(k, 0), 1e-12);
    }
  }
}

TEST(Lcs, ReportsStatesWithoutSolution) {  // F:V31, F:V49
  Simulation none(to_model({.A = {{-1.0}}, .B = {{1.0}}, .C = {{1.0}}, .D = {{-1.0}}}, {-1.0}),
                  MoreauJean{.theta = 1}, {.step = 0.01});
  EXPECT_EQ(none.run(0.1).report.last.status, StepStatus::solver_failed);
  const NonlinearLcs stuck{
      .x0 = {0.0},
      .f = [](double, ConstVectorRef x, VectorRef f) { f[0] = std::sin(x[0] + 5 * pi / 4); },
      .g = [](double, ConstVectorRef x, MatrixRef g) { g(0, 0) = std::cos(x[0] + 3 * pi / 4); },
      .h = [](double, ConstVectorRef x, VectorRef y) { y = x; }};
  Simulation no(stuck.model(), MoreauJean{.theta = 1}, {.step = 0.01});
  EXPECT_EQ(no.run(0.1).report.last.status, StepStatus::solver_failed);
}

TEST(MixedLcs, KeepsEqualitiesAndDescriptors) {  // F:F083, F:F012
  // 2ẋ = −x + λ₁, w₁ = x + λ₂ − 1 = 0 (equality), 2w₂ = 2x + 2λ₁ + 2λ₂: λ₁ = 0 while w₂ > 0
  const MixedLcs mixed{.system = {.A = {{-1.0}},
                                  .B = {{0.0, 1.0}},
                                  .C = {{1.0}, {2.0}},
                                  .D = {{1.0, 0.0}, {2.0, 2.0}},
                                  .b = {-1.0, 0.0}},
                       .E = {{2.0}},
                       .M = {{1.0, 0.0}, {0.0, 2.0}},
                       .equalities = {0}};
  const Trajectory r = run(mixed.model({2.0}), 0.01, 1);
  for (Index k = 1; k < r.size(); ++k) {
    EXPECT_NEAR(r.x(k, 0), 2 * std::pow(1 + 0.005, -double(k)), 1e-12);
    EXPECT_NEAR(r.r(k, 0), 1 - r.x(k, 0), 1e-12);  // may be negative
    EXPECT_NEAR(r.r(k, 1), 0, 1e-13);
  }
}

TEST(RelaySystem, IsAComplementaritySystemToo) {  // TI:TI-079, TI:E12, F:F037, F:C0-05
  const RelaySystem relay{.system = {.A = {{0, 1}, {0, 0}}, .B = {{0.0}, {1.0}}, .C = {{1, 1}}}};
  const Trajectory direct = run(relay.model({1.0, 0.0}), 0.01, 3);
  const Trajectory pairs = run(to_model(to_lcs(relay), {1.0, 0.0}), 0.01, 3);
  EXPECT_LT(difference(direct, pairs), 1e-11);
  EXPECT_NEAR(direct.x(73, 0), 0.72990099, 1e-8);  // TI:V-08
}

TEST(ZenerCircuit, SticksWhereTheCardsSay) {  // F:V07, F:C0-06, F:C0-07
  const double R = 0.1, L = 1, C = 1 / (4 * pi * pi);
  const double voltage[] = {10, 5}, expected[] = {0.038312, 0.082655};
  for (int i = 0; i < 2; ++i) {
    const RelaySystem relay{
        .system = {.A = {{0, 1}, {-1 / (L * C), -R / L}}, .B = {{0.0}, {1 / L}}, .C = {{0, 1}}},
        .lower = 0,
        .upper = voltage[i]};
    const Trajectory r = run(relay.model({1.0, 1.0}), 1e-4, 4);
    const Index end = r.size() - 1;
    EXPECT_NEAR(r.x(end, 0), expected[i], 1e-5);
    EXPECT_NEAR(r.r(end, 0), r.x(end, 0) / C, 1e-8);
    for (Index k = 37000; k <= end; ++k) EXPECT_NEAR(r.x(k, 1), 0, 1e-15);
    if (i == 1) {
      const Trajectory chatter = run(relay.model({1.0, 1.0}), 5e-3, 6, ExplicitInclusion{});
      int changes = 0;
      for (Index k = 1001; k < 1201; ++k) changes += chatter.x(k, 1) * chatter.x(k - 1, 1) < 0;
      EXPECT_GT(changes, 50);
    }
  }
}

TEST(RelayStep, HasOneSolutionIfMonotoneAndUpToThreeIfNot) {  // F:V08, F:V10, F:B3
  const double h = 5e-3, Vz = 5, c = h / (1 + 0.1 * h + h * h * 4 * pi * pi);
  const auto solutions = [&](double gain, double b) {
    Lcp lcp;
    lcp.M = BlockSparse::dense((Matrix(2, 2) << gain, 1, -1, 0).finished());
    lcp.q = (Vector(2) << -b, Vz).finished();
    return enumerate_solutions(lcp);
  };
  const double b[] = {-0.3, 0.01, 0.3}, z1[] = {0, 2.002974, 5}, z2[] = {0, 0, 0.275037};
  for (int i = 0; i < 3; ++i) {
    const auto found = solutions(c, b[i]);
    ASSERT_EQ(found.size(), 1);
    EXPECT_NEAR(found[0].z[0], z1[i], 1e-6);
    EXPECT_NEAR(found[0].z[1], z2[i], 1e-6);
  }
  const double k = c * Vz;
  EXPECT_EQ(solutions(-c, -2 * k).size(), 1);
  EXPECT_EQ(solutions(-c, k).size(), 1);
  EXPECT_EQ(solutions(-c, -k / 2).size(), 3);
}

TEST(PiecewiseAffineSystem, TheModesOfAComplementaritySystemAreItsField) {  // F:V28, F:B12, F:F198
  const double R = 10, L = 1, C = 1 / (4 * pi * pi);
  const Lcs circuit{.A = {{-1 / (R * C), 1}, {-1 / (L * C), 0}},
                    .B = {{-1 / R}, {-1 / L}},
                    .C = {{1 / (R * C), -1}},
                    .D = {{1 / R}}};
  const PiecewiseAffineSystem pwa = to_piecewise(circuit);
  ASSERT_EQ(pwa.cells.size(), 2);
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 100; ++k) {
    const Vector x = (Vector(2) << normal(random), normal(random)).finished();
    const double w = circuit.C.row(0).dot(x), lambda = std::max(0.0, -w * R);
    const auto at = pwa.cells_at(x, 0);
    ASSERT_EQ(at.size(), 1);
    EXPECT_LT((pwa.cells[at[0]].rate(x) - circuit.A * x - circuit.B * lambda).norm(), 1e-12);
  }
  pwa.require_continuous((Matrix(2, 1) << R * C, 1).finished());
  const Trajectory direct = run(to_model(circuit, {1.0, -1.0}), 5e-3, 1);
  EXPECT_NEAR(direct.x(200, 0), -0.46737, 1e-5);  // F:V01
  EXPECT_LT(difference(direct, run(pwa.model({1.0, -1.0}), 5e-3, 1)), 1e-9);
  EXPECT_ERROR(to_piecewise({.A = {{0.0}}, .B = {{1.0}}, .C = {{1.0}}}), "no P-matrix");
}

TEST(LexicographicField, IsThatOfSystemsOfDegreeOne) {  // F:V28, F:F019, F:V03
  const Lcs stop{.A = {{0, 1}, {-4 * pi * pi, -0.1}}, .B = {{0.0}, {-1.0}}, .C = {{0, -1}}};
  const Vector held = lexicographic_rate(stop, (Vector(2) << -0.5, 0).finished());
  EXPECT_NEAR(held[1], 0, 1e-14);  // the spring pushes x₂ up, the constraint holds it
  const Vector free = lexicographic_rate(stop, (Vector(2) << 0.5, 0).finished());
  EXPECT_NEAR(free[1], -2 * pi * pi, 1e-12);
  const Trajectory r = run(to_model(stop, {1.0, 0.0}), 1e-3, 2);
  EXPECT_NEAR(r.x(2000, 0), -0.9657314, 1e-7);
  EXPECT_EQ(r.x(2000, 1), 0);
  EXPECT_NEAR(r.r(2000, 0), 0.9657314 * 4 * pi * pi, 1e-4);
}

TEST(Lcs, PositiveRealOnesAreSweepingProcesses) {  // F:B15, F:F204
  Matrix P(2, 2), B(2, 1);
  P << 2, 0.5, 0.5, 1;
  B << 1, -1;
  const Lcs lcs{.A = {{-1, 1}, {-1, -0.5}},
                .B = B,
                .C = Matrix((P * B).transpose()),
                .a = {-1, 1},
                .b = {0.2}};
  const SweepingForm form = to_sweeping(lcs, P, {0.5, 0.0});
  const Trajectory direct = run(to_model(lcs, {0.5, 0.0}), 0.01, 3),
                   z = run(form.process.model(), 0.01, 3);
  const Matrix back = (form.root.inverse() * z.x.matrix().transpose()).transpose();
  EXPECT_LT((back - direct.x.matrix()).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_GT(direct.r.matrix().maxCoeff(), 0.1);  // the constraint acts
  EXPECT_ERROR(to_sweeping(lcs, Matrix::Identity(2, 2), {0.5, 0.0}), "must be equal");
}

TEST(GradientSystem, IsTheInclusionOnItsSet) {  // F:F070, F:F004
  const GradientSystem circle{
      .x0 = {0.0, 0.6},
      .f = [](double, ConstVectorRef, VectorRef f) { f << -1, 0; },
      .g = [](double, ConstVectorRef x, VectorRef g) { g[0] = 0.5 * (1 - x.squaredNorm()); },
      .slope = [](ConstVectorRef x, MatrixRef G) { G.row(0) = -x.transpose(); }};
  const UnilateralInclusion disk{.x0 = {0.0, 0.6}, .set = Disk{1}, .f = circle.f};
  EXPECT_LT(difference(run(circle.model(), 0.02, 3), run(disk.model(), 0.02, 3)), 1e-10);
}

TEST(Shooting, SolvesTheBoundaryValueProblemOfAnInequality) {  // TI:V-28, TI:TI-093, F:F110
  // ẋ = −1 + λ, 0 ≤ x ⟂ λ ≥ 0, x(0) + x(1)/4 = b; x_k = max(x₀ − kh, 0)
  const Model model = to_model({.A = {{0.0}}, .B = {{1.0}}, .C = {{1.0}}, .a = {-1.0}}, {1.0});
  const double b[] = {0.5, 2}, start[] = {0.5, 1.8}, end[] = {0, 0.8};
  for (int i = 0; i < 2; ++i)
    for (const int steps : {7, 100}) {
      Vector x0 = Vector::Constant(1, 1.0);
      const ShootingReport report =
          solve(model, {{{1.0}}, {{0.25}}, {b[i]}}, 1, steps, MoreauJean{.theta = 1}, x0);
      ASSERT_TRUE(report.converged());
      EXPECT_NEAR(x0[0], start[i], 1e-9);
      EXPECT_NEAR(report.x_end[0], end[i], 1e-9);
      EXPECT_LE(report.iterations, 4);
    }
  Vector x0 = Vector::Zero(2);
  EXPECT_ERROR(solve(model, {{{1.0}}, {{0.25}}, {1.0}}, 1, 10, MoreauJean{}, x0), "x0 has size 2");
}

TEST(SwitchedSystem, FollowsItsSignal) {  // F:V27, F:F096, F:F090
  // ẋ = −sgn(t)|1 − |t|| x², shifted to t = −2 at the beginning: orders 1, 0, 1 at −1, 0, 1
  const auto field = [](double sign) {
    return [sign](double s, ConstVectorRef x, VectorRef f) {
      f[0] = -sign * std::abs(1 - std::abs(s - 2)) * x[0] * x[0];
    };
  };
  const SwitchedSystem system{
      .x0 = {2.0 / 3}, .fields = {field(-1), field(1)}, .times = {2.0}, .modes = {0, 1}};
  const Trajectory r = run(system.model(), 1e-3, 4, ExplicitInclusion{.order = 4});
  EXPECT_NEAR(r.x(1000, 0), 1, 1e-9);
  // the last stage before t = 2 falls on the other side: weight 1/6, and f = 4 changes its sign
  const double late = 1.01 * 1e-3 / 6 * 2 * 4;
  EXPECT_NEAR(r.x(2000, 0), 2, late);
  EXPECT_NEAR(r.x(3000, 0), 1, late);
  EXPECT_NEAR(r.x(4000, 0), 2.0 / 3, late);
}

TEST(SwitchedSystem, ComesToRestThroughInfinitelyManySwitches) {  // F:V29, F:F097
  // ẋ = −2ⁿ x on |x| ∈ [2^−n−1, 2^−n): each halving takes 2^−n ln 2
  const TimeField f = [](double, ConstVectorRef x, VectorRef out) {
    const double n = x[0] > 0 ? -std::floor(std::log2(x[0])) - 1 : 0;
    out[0] = x[0] > 0 ? -std::exp2(n) * x[0] : 0;
  };
  const SwitchedSystem system{.x0 = {1.0 - 1e-12}, .fields = {f}, .modes = {0}};
  const double h = 1e-4;
  const Trajectory r = run(system.model(), h, 1.4, ExplicitInclusion{});
  const auto half = Index(std::lround(std::log(2.0) / h));
  EXPECT_NEAR(r.x(half, 0), 0.5, 2 * h);
  const auto end = Index(std::lround(2 * std::log(2.0) / h));
  EXPECT_LT(r.x(end, 0), 10 * h);  // 0 at T = 2 ln 2, O(h)
}

TEST(ImpulsiveSystem, JumpsFollowTheFlowOfTheirField) {  // F:V30, F:B16, F:F100
  ImpulsiveSystem system{.x0 = {1.5},
                         .g = [](ConstVectorRef x, VectorRef g) { g = x; },
                         .times = {1.0},
                         .jumps = {1.0}};
  EXPECT_NEAR(system.solve(0.9, 0.01)[0], 1.5, 1e-15);
  EXPECT_NEAR(system.solve(2, 0.01)[0], 1.5 * std::exp(1.0), 1e-8);  // not 1.5 (1 + 1)
  EXPECT_NEAR(system.after_jump(Vector::Constant(1, 1.0), -1)[0], std::exp(-1.0), 1e-9);
  // the limit of smooth inputs that rise by 1 in a time δ (F:F102)
  system.jumps = {}, system.times = {};
  system.rate = [](double t) { return t > 1 && t < 1.01 ? 100.0 : 0.0; };
  EXPECT_NEAR(system.solve(2, 1e-4)[0], 1.5 * std::exp(1.0),
              5e-2);  // two steps at the edges, O(h/δ)
}

TEST(ReachableSet, ConvergesWithOrderTwo) {  // TI:V-10, TI:TI-073
  const ReachableSet set{.A = [](double, MatrixRef A) { A(0, 0) = -1; },
                         .B = [](double, MatrixRef B) { B(0, 0) = 1; },
                         .x0 = {2.0}};
  const int steps[] = {10, 20, 40};
  const double expected[] = {6.6154e-4, 1.5918e-4, 3.9049e-5};
  for (int i = 0; i < 3; ++i) {
    const double h = 1.0 / steps[i], a = std::pow(1 - h + h * h / 2, steps[i]);
    const Matrix box = set.box(1, steps[i]);
    EXPECT_NEAR(box(0, 0), 3 * a - 1, 1e-13);
    EXPECT_NEAR(box(0, 1), a + 1, 1e-13);
    EXPECT_NEAR(a - std::exp(-1.0), expected[i], 1e-8);
  }
}

}  // namespace
}  // namespace saltus
