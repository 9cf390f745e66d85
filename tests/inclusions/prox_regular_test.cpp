// Sweeping processes with sets that are not convex, but prox-regular.

#include "saltus/inclusions/prox_regular_sweeping.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// All but an ellipse with the half axes 2 and 1: curvature at most 2, r = 1/2.
SmoothSet outside_ellipse() {
  return {.n = 2,
          .m = 1,
          .g = [](ConstVectorRef x, VectorRef g) { g[0] = x[0] * x[0] / 4 + x[1] * x[1] - 1; },
          .slope = [](ConstVectorRef x, MatrixRef G) { G << x[0] / 2, 2 * x[1]; },
          .r = 0.5};
}

/// A disc of radius R that moves along c = (t, 0) into a point at rest at (2R, y).
ProxRegularSweeping snowplough(double R, double y) {
  return {.x0 = {2 * R, y},
          .set = BallComplement{.center = {0.0, 0.0}, .radius = R},
          .center = [](double t, VectorRef c) { c << t, 0; }};
}

/// With x − c = R (cos a, sin a), ẋ = λ(cos a, sin a) gives ȧ = sin(a)/R from the contact on, until
/// a = π/2, where the disc lets go.
Vector pushed(double R, double y, double t) {
  const double angle = std::asin(y / R), contact = R * (2 - std::cos(angle));
  if (t <= contact) return Values{2 * R, y};
  const double free = contact - R * std::log(std::tan(angle / 2));
  const double until = std::min(t, free);
  const double a = 2 * std::atan(std::tan(angle / 2) * std::exp((until - contact) / R));
  return Values{until + R * std::cos(a), R * std::sin(a)};
}

TEST(ProxRegularSweeping, ADiscPushesAPointAsideAndLetsItGo) {  // F:F063, F:F023, TI:TI-081
  const double R = 0.8, y = 0.3;
  const auto error = [&](double h) {
    const CatchingUpRun run = snowplough(R, y).run(h, 4);
    EXPECT_TRUE(run.done());
    double worst = 0;
    for (Index k = 0; k < run.t.size(); ++k)
      worst = std::max(worst, (run.x.col(k) - pushed(R, y, run.t[k])).norm());
    return worst;
  };
  EXPECT_LT(error(1e-3), 2e-3);
  EXPECT_NEAR(testing::fitted_order({0.04, 0.02, 0.01, 0.005, 0.0025}, error), 1, 0.15);
  const CatchingUpRun run = snowplough(R, y).run(1e-3, 4);
  EXPECT_EQ(run.x(0, 4000), run.x(0, 3900));  // at rest behind the disc,
  EXPECT_NEAR(run.x(1, 4000), R, 2e-3);       // to which it has moved by its radius
  EXPECT_NEAR(run.longest, 1e-3, 1e-12);
}

TEST(ProxRegularSweeping, TheModelSaysTheSame) {  // TI:TI-082
  const ProxRegularSweeping plough = snowplough(0.8, 0.3);
  const CatchingUpRun run = plough.run(0.01, 2);
  const Trajectory steps =
      Simulation(plough.model(), MoreauJean{.theta = 1}, {.step = 0.01}).run(2);
  ASSERT_TRUE(steps.report.ok()) << steps.report.message();
  EXPECT_LT((steps.x.matrix().transpose() - run.x).cwiseAbs().maxCoeff(), 1e-8);
}

TEST(ProxRegularSweeping, RefusesStepsThatMayFindTheWrongSide) {
  EXPECT_ERROR((void)snowplough(0.5, 0.1).run(0.5, 4), "within 0.5 only: take steps below 0.5");
  ProxRegularSweeping inside = snowplough(0.5, 0.1);
  inside.x0 = {0.0, 0.0};
  EXPECT_ERROR((void)inside.run(0.1, 4), "no nearest point of x0");
  inside.set = BallComplement{.center = {0.0}, .radius = 1};
  EXPECT_ERROR((void)inside.run(0.1, 4), "center has size 1");
  inside.set = SmoothSet{.n = 2};
  EXPECT_ERROR((void)inside.model(), "g or its slope is missing");
}

TEST(ProxRegularSweeping, APushedPointSlidesAroundAnEllipse) {  // F:F066, F:F063
  // ẋ = (−1, 0) − N_K(x): along the boundary at the tangential part of the push, never inside.
  const ProxRegularSweeping slide{.x0 = {3.0, 0.4},
                                  .set = outside_ellipse(),
                                  .f = [](double, ConstVectorRef, VectorRef f) { f << -1, 0; }};
  const auto end = [&](double h) {
    const CatchingUpRun run = slide.run(h, 6);
    EXPECT_TRUE(run.done());
    for (Index k = 0; k < run.t.size(); ++k) {
      Vector g(1);
      evaluate(slide.set, run.x.col(k), g);
      EXPECT_GE(g[0], -1e-12);
    }
    return Vector(run.x.col(run.t.size() - 1));
  };
  // In contact: with the angle φ of (2 cos φ, sin φ), speed −(−2 sin φ)/‖τ‖² φ̇ … by Runge–Kutta.
  double phi = std::asin(0.4), t = 3 - 2 * std::cos(phi);  // contact
  const auto rate = [](double p) {
    return 2 * std::sin(p) / (4 * std::sin(p) * std::sin(p) + std::cos(p) * std::cos(p));
  };
  const double h = 1e-5;
  while (phi < M_PI / 2) {
    const double k1 = rate(phi), k2 = rate(phi + h / 2 * k1);
    phi += h * k2;
    t += h;
  }
  const double left = 0 - (6 - t);  // leaves at the top, x₁ = 0, and moves on freely
  const Vector exact = Values{left, 1};
  const double coarse = (end(0.02) - exact).norm(), fine = (end(0.005) - exact).norm();
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.5);  // order 1 over a factor of 4
}

TEST(ProxRegularSet, NearestPointsAreNormal) {  // F:F003, F:F023
  const ProxRegularSet set = outside_ellipse();
  for (const double angle : {0.1, 0.7, 1.4, 2.5}) {
    const Vector on = Values{2 * std::cos(angle), std::sin(angle)};
    Matrix slope(1, 2);
    evaluate_slope(set, on, slope);
    const Vector inward = -slope.row(0).transpose().normalized();
    for (const double depth : {0.01, 0.2, 0.45}) {  // below r: back to the same point
      Vector p(2);
      const SolveReport report = project(set, on + depth * inward, p);
      ASSERT_TRUE(report.converged()) << angle << " " << depth;
      EXPECT_LE((p - on).norm(), 1e-11);
    }
  }
  // Two constraints: the corner of two discs that are cut out
  const SmoothSet two{
      .n = 2,
      .m = 2,
      .g =
          [](ConstVectorRef x, VectorRef g) {
            g[0] = std::pow(x[0] - 0.6, 2) + x[1] * x[1] - 1;
            g[1] = std::pow(x[0] + 0.6, 2) + x[1] * x[1] - 1;
          },
      .slope = [](ConstVectorRef x,
                  MatrixRef G) { G << 2 * (x[0] - 0.6), 2 * x[1], 2 * (x[0] + 0.6), 2 * x[1]; },
      .r = 0.5};
  Vector p(2);
  ASSERT_TRUE(project(two, Values{0, 0.7}, p).converged());
  EXPECT_LE((p - Values{0, 0.8}).norm(), 1e-10);
  EXPECT_EQ(project(BallComplement{.center = {0.0, 0.0}}, Values{0, 0}, p).status,
            SolveStatus::stalled);
}

}  // namespace
}  // namespace saltus
