// Broken lines and normal cones as laws of first-order models.

#include "inclusions/run.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// ẋ = a + λ, y = x, scalar or in space, under a law.
Model integrator(const Values& start, const Values& drift, const Law& law) {
  Model model;
  const Index n = start.size();
  const auto x = model.add(FirstOrderLinear{.A = Matrix::Zero(n, n), .b = drift}, {.x = start});
  model.link(x, FirstOrderLinearRelation{.C = Matrix::Identity(n, n), .B = Matrix::Identity(n, n)},
             law);
  return model;
}

TEST(PiecewiseLinear, SaturationSlidesDownItsRampAndThenDecays) {  // PL:NL-05, PL:B10
  const double h = 0.01;
  const Trajectory r = run(integrator({2.0}, {0.0}, saturation(2, 1)), h, 4);
  double x = 2;
  for (Index k = 1; k < r.size(); ++k) {
    // x⁺ = x − h clip(2x⁺, ±1): saturated as long as x − h > ½
    x = x - h >= 0.5 ? x - h : x / (1 + 2 * h);
    EXPECT_NEAR(r.x(k, 0), x, 1e-13) << k;
    EXPECT_NEAR(r.r(k, 0), -std::min(2 * x, 1.0), 1e-12);
  }
}

TEST(PiecewiseLinear, DeadZoneDoesNothingInside) {  // PL:NL-05
  // ẋ = 1 + λ, λ = −4 (x − ½) above ½: at rest where 4 (x − ½) = 1
  const Trajectory r = run(integrator({0.0}, {1.0}, dead_zone(0.5, 4)), 0.01, 5);
  EXPECT_NEAR(r.x(30, 0), 0.3, 1e-13);
  EXPECT_EQ(r.r(30, 0), 0);
  EXPECT_NEAR(r.x(500, 0), 0.75, 1e-8);  // e^(−4·4.5) = 1.5e-8, and less by backward Euler
}

TEST(PiecewiseLinear, RelayWithDeadZoneRestsOnItsEdge) {  // PL:NL-05
  const Trajectory r = run(integrator({0.0}, {0.5}, relay_with_dead_zone(0.3, 2)), 0.01, 2);
  EXPECT_NEAR(r.x(40, 0), 0.2, 1e-13);
  for (Index k = 61; k < r.size(); ++k) {
    EXPECT_NEAR(r.x(k, 0), 0.3, 1e-13);
    EXPECT_NEAR(r.r(k, 0), -0.5, 1e-11);
  }
}

TEST(PiecewiseLinear, TwoPointsOnOneLineAreTheRelay) {  // F:V09, PL:NL-03
  const Law laws[] = {Relay{.lower = 0, .upper = 3}, zener(3), NormalCone{.set = Interval{0, 3}},
                      NormalCone{.set = Box{{0.0}, {3.0}}}};
  for (const double start : {-0.5, 0.5}) {
    const Trajectory expected = run(integrator({start}, {-1.0}, laws[0]), 0.01, 1);
    for (const Law& law : laws) {
      const Trajectory r = run(integrator({start}, {-1.0}, law), 0.01, 1);
      EXPECT_LT((r.x.matrix() - expected.x.matrix()).cwiseAbs().maxCoeff(), 1e-14);
      EXPECT_LT((r.r.matrix() - expected.r.matrix()).cwiseAbs().maxCoeff(), 1e-11);
    }
  }
}

TEST(PiecewiseLinear, BoundsDampingOfABody) {  // PL:NL-05 on velocities
  Model model;
  const auto body = model.add(PointMass{.m = 2.0, .gravity = {0.0}}, {.q = {0.0}, .v = {3.0}});
  model.link(body, LinearRelation{.H = {{1.0}}}, saturation(4, 2));
  const double h = 0.01;
  const Trajectory r = run(model, h, 4);
  double v = 3;
  for (Index k = 1; k < r.size(); ++k) {
    v = v - h >= 0.5 ? v - h : v / (1 + 2 * h);  // m v̇ = −clip(4v, ±2)
    EXPECT_NEAR(r.v(k, 0), v, 1e-12);
  }
}

TEST(PiecewiseLinear, RefusesGraphsThatAreNotMonotone) {
  const auto message = "does not fall";
  EXPECT_ERROR(integrator({0.0}, {0.0}, PiecewiseLinear{.points = {{0, 0}, {1, 1}}}), message);
  EXPECT_ERROR(integrator({0.0}, {0.0}, PiecewiseLinear{.points = {{0, 0}, {-1, -1}}}), message);
  EXPECT_ERROR(integrator({0.0}, {0.0}, PiecewiseLinear{.after = 1}), "after is 1");
  EXPECT_ERROR(integrator({0.0}, {0.0}, PiecewiseLinear{.points = {{0, 0, 0}}}), "1x3");
  EXPECT_ERROR(integrator({0.0}, {0.0}, hinge_sum({1, -2}, {0, 1})), "expected a slope <= 0");
  EXPECT_ERROR(integrator({0.0}, {0.0}, NormalCone{.set = Box{{1.0}, {0.0}}}), "Box");
  EXPECT_ERROR(integrator({0.0}, {0.0}, NormalCone{.set = Disk{}}), "Disk");
}

TEST(PiecewiseLinear, HingesAreTheSumOfTheirRamps) {  // PL:B10
  // ẋ = λ, backward Euler: x⁺ + h Σ s_j max(0, x⁺ − a_j) = x, checked by inserting
  const Values s{0.09, 0.224055, 0.466367}, a{0.0, 0.1, 0.2487};
  const double h = 0.1;
  const Trajectory r = run(integrator({1.0}, {0.0}, hinge_sum(s, a)), h, 2);
  for (Index k = 1; k < r.size(); ++k) {
    double f = 0;
    for (Index j = 0; j < 3; ++j) f += s[j] * std::max(0.0, r.x(k, 0) - a[j]);
    EXPECT_NEAR(r.x(k, 0) + h * f, r.x(k - 1, 0), 1e-14);
    EXPECT_NEAR(r.r(k, 0), -f, 1e-12);
  }
}

TEST(NormalCone, KeepsTheOutputInABox) {  // TI:TI-084, F:F067
  // ẋ = (1, −2) + λ, x ∈ [0, 0.5] × [−1, 1]
  const Law law = NormalCone{.set = Box{{0.0, -1.0}, {0.5, 1.0}}, .of_output = true};
  const Trajectory r = run(integrator({0.0, 0.0}, {1.0, -2.0}, law), 0.05, 1);
  for (Index k = 0; k < r.size(); ++k) {
    EXPECT_NEAR(r.x(k, 0), std::min(0.05 * double(k), 0.5), 1e-13);
    EXPECT_NEAR(r.x(k, 1), -std::min(0.1 * double(k), 1.0), 1e-13);
  }
  EXPECT_NEAR(r.r(20, 0), -1, 1e-10);
  EXPECT_NEAR(r.r(20, 1), 2, 1e-10);
}

TEST(NormalCone, KeepsTheOutputInABallAndSlidesAlongIt) {  // F:F067, F:F007
  // ẋ = (1, 0) + λ in the unit disk: backward Euler projects x + h(1, 0)
  const Law law = NormalCone{.set = Ball{{0.0, 0.0}, 1.0}, .of_output = true};
  const Trajectory r = run(integrator({0.0, 0.6}, {1.0, 0.0}, law), 0.02, 3);
  for (Index k = 1; k < r.size(); ++k) {
    Vector x = r.x.matrix().row(k - 1).transpose();
    x[0] += 0.02;
    x /= std::max(1.0, x.norm());
    EXPECT_NEAR((r.x.matrix().row(k).transpose() - x).norm(), 0, 1e-12);
  }
}

TEST(NormalCone, RelayInThePlaneStopsAtTheOrigin) {  // F:F076: −x ∈ N_D(λ), ẋ = λ
  const Trajectory r =
      run(integrator({3.0, 4.0}, {0.0, 0.0}, NormalCone{.set = Disk{2.0}}), 0.1, 4);
  for (Index k = 0; k < r.size(); ++k) {
    const double left = std::max(0.0, 5 - 0.2 * double(k));
    EXPECT_NEAR(r.x(k, 0), 0.6 * left, 1e-11) << k;
    EXPECT_NEAR(r.x(k, 1), 0.8 * left, 1e-11);
  }
}

TEST(NormalCone, ConesAndTheirDualsSayTheSame) {  // F:F010, F:F077: −λ ∈ N_K(y) ⇔ −y ∈ N_K*(λ)
  const PolyhedralCone K = PolyhedralCone::from_inequalities(Rows{{1, 1}, {-1, 2}});
  const Values start{1.0, 1.0}, drift{-1.0, -0.3};
  const Trajectory direct =
      run(integrator(start, drift, NormalCone{.set = K, .of_output = true}), 0.05, 3);
  const Trajectory swapped =
      run(integrator(start, drift, NormalCone{.set = dual(Set{K})}), 0.05, 3);
  EXPECT_LT((direct.x.matrix() - swapped.x.matrix()).cwiseAbs().maxCoeff(), 1e-10);
  for (Index k = 0; k < direct.size(); ++k)
    EXPECT_LE(distance(K, direct.x.matrix().row(k).transpose()), 1e-11);
}

TEST(NormalCone, GoesWithOtherLawsInOneModel) {
  Model model;
  const auto x =
      model.add(FirstOrderLinear{.A = {{-1, 1, 0}, {-1, -1, 0}, {0, 0, -1}}, .b = {2, 1, 1}},
                {.x = {0.0, 0.0, 0.0}});
  const Rows plane{{1, 0, 0}, {0, 1, 0}}, axis{{0, 0, 1}};
  model.link(x, FirstOrderLinearRelation{.C = plane, .B = plane.transpose()},
             NormalCone{.set = Disk{0.5}, .of_output = true});
  model.link(x, FirstOrderLinearRelation{.C = axis, .B = axis.transpose()}, saturation(2, 0.5));
  const Trajectory r = run(model, 0.01, 20);
  const Index end = r.size() - 1;
  // x₃: 1 − x − 2x = 0 off saturation would be ⅓ with λ = −⅔: saturated, so x₃ = ½
  EXPECT_NEAR(r.x(end, 2), 0.5, 1e-8);
  EXPECT_NEAR(std::hypot(r.x(end, 0), r.x(end, 1)), 0.5, 1e-11);
  const Vector f =
      (Vector(2) << 2 - r.x(end, 0) + r.x(end, 1), 1 - r.x(end, 0) - r.x(end, 1)).finished();
  EXPECT_NEAR(r.r(end, 0), -f[0], 1e-7);  // at rest
  EXPECT_NEAR(r.r(end, 1), -f[1], 1e-7);
}

TEST(PiecewiseLinear, StepDoesNotAllocate) {
  const Model model = integrator({2.0}, {0.3}, relay_with_dead_zone(0.3, 2));
  const MoreauJean scheme{.theta = 1};
  StepWorkspace work;
  prepare(model, scheme, work);
  State state = model.initial_state();
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(step(model, state, 0.01, scheme, work).done());
  testing::AllocationGuard none;
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(step(model, state, 0.01, scheme, work).done());
  EXPECT_EQ(none.count(), 0);
}

TEST(Relations, NonlinearOnesAreIteratedUnderLinearSystems) {  // PL:RE-02, F:F070
  // ẋ = −1 + λ∇g, g = x² − ¼ ≥ 0: the outputs must hold at the end of the step, not in
  // linearisation
  struct Square {
    [[nodiscard]] Index rows() const { return 1; }
    [[nodiscard]] Index dimension() const { return 1; }
    void output(const StateView& x, VectorRef y) const { y[0] = x.x[0] * x.x[0] - 0.25; }
    void input(const StateView& x, MatrixRef B) const { B(0, 0) = 2 * x.x[0]; }
  };
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}, .b = {-1.0}}, {.x = {1.0}});
  model.link(x, Square{}, Complementarity{});
  const Trajectory r = run(model, 0.1, 2);
  EXPECT_NEAR(r.x(5, 0), 0.5, 1e-12);
  EXPECT_NEAR(r.x(20, 0), 0.5, 1e-12);
  EXPECT_NEAR(r.r(20, 0), 1, 1e-10);
}

}  // namespace
}  // namespace saltus
