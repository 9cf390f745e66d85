// Schemes for first-order inclusions on the cases of the cards.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

using Source = std::function<void(double, VectorView, VectorRef)>;

/// ẋ = g(t) + λ, λ ∈ −Sgn(x)
Model sign_model(double start, const Source& g = {}) {
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}, .source = g}, {.x = {start}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Relay{});
  return model;
}

/// TI:V-08: ẋ₁ = x₂, ẋ₂ = u, u ∈ −Sgn(x₁ + x₂)
Model sliding_model() {
  Model model;
  const auto plant = model.add(FirstOrderLinear{.A = {{0.0, 1.0}, {0.0, 0.0}}}, {.x = {1.0, 0.0}});
  model.link(plant, FirstOrderLinearRelation{.C = {{1.0, 1.0}}, .B = {{0.0}, {1.0}}}, Relay{});
  return model;
}

Trajectory run(const Model& model, const Scheme& scheme, double h, double end) {
  Simulation sim(model, scheme, {.step = h});
  Trajectory result = sim.run(end);
  EXPECT_TRUE(result.report.ok()) << name(scheme) << ": " << result.report.message();
  return result;
}

double last(const Trajectory& r, Index i = 0) { return r.x(r.size() - 1, i); }

TEST(ThetaMethod, LeavesOscillationsThatDecayAsTheCardsSay) {  // TI:V-07, TI:TI-074, TI:E11
  const auto x = [](double theta, double start) {
    return run(sign_model(start), ThetaMethod{.theta = theta}, 0.1, 0.8).x.matrix().col(0).eval();
  };
  const auto same = [](const Vector& given, const Values& expected) {
    for (Index k = 0; k < expected.size(); ++k) EXPECT_NEAR(given[k], expected[k], 1e-14) << k;
  };
  same(x(1, 0.33), {0.33, 0.23, 0.13, 0.03, 0, 0, 0, 0});
  same(x(0.75, 0.33), {0.33, 0.23, 0.13, 0.03, -0.01, 0.01 / 3, -0.01 / 9});
  same(x(0.5, 0.33), {0.33, 0.23, 0.13, 0.03, -0.03, 0.03, -0.03, 0.03});
  same(x(0.25, 0.33), {0.33, 0.23, 0.13, 0.03, -0.07, 0.03, -0.07, 0.03});
  same(x(1, 0.2), {0.2, 0.1, 0, 0});  // TI:E12
}

TEST(ImplicitSchemes, SlideWithoutChatteringAndFindTheEquivalentControl) {     // TI:V-08, F:F062
  const double exact_1 = (std::sqrt(3.0) - 1) * std::exp(std::sqrt(3.0) - 2);  // x₁(1)
  const double h = 0.01;
  for (const Scheme& scheme : {Scheme{ThetaMethod{.theta = 1}}, Scheme{Bdf2{}}, Scheme{Sdirk{}},
                               Scheme{Sdirk{.order = 3}}, Scheme{ZeroOrderHold{}}}) {
    const Trajectory r = run(sliding_model(), scheme, h, 10);
    for (Index k = 80; k < r.size(); ++k) {
      EXPECT_NEAR(r.x(k, 0) + r.x(k, 1), 0, 1e-12) << name(scheme) << k;
      EXPECT_NEAR(r.r(k, 0), r.x(k, 0), 2 * h) << name(scheme);  // u = −x₂ = x₁ of the last sample
    }
    EXPECT_NEAR(r.x(100, 0), exact_1, h) << name(scheme);
    EXPECT_LT(std::abs(last(r)), 8e-5);
  }
}

TEST(ImplicitSchemes, AreOfTheirOrdersInSmoothMotion) {  // TI:TI-075, TI:TI-076, TI:B.6
  // ẋ₁ = x₂, ẋ₂ = −x₁ − x₂/2 + sin 2t; the relay does not act (B = 0)
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0, 1}, {-1, -0.5}},
                                            .source = [](double t, VectorView,
                                                         VectorRef b) { b << 0, std::sin(2 * t); }},
                           {.x = {1.0, 0.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1, 0}}, .B = Matrix::Zero(2, 1)}, Relay{});
  const auto end = [&](const Scheme& scheme, double h) {
    const Trajectory r = run(model, scheme, h, 3);
    return Vector(r.x.matrix().row(r.size() - 1).transpose());
  };
  const Vector reference = end(Sdirk{.order = 3}, 2e-4);
  const auto order = [&](const Scheme& scheme) {
    return testing::fitted_order({0.04, 0.02, 0.01, 0.005},
                                 [&](double h) { return (end(scheme, h) - reference).norm(); });
  };
  EXPECT_NEAR(order(ThetaMethod{.theta = 1}), 1, 0.1);
  EXPECT_NEAR(order(ThetaMethod{.theta = 0.5}), 2, 0.1);
  EXPECT_NEAR(order(ThetaMethod{.theta = 0.5, .multiplier = AveragedMultiplier{}}), 2, 0.1);
  EXPECT_NEAR(order(Bdf2{}), 2, 0.15);
  EXPECT_NEAR(order(Sdirk{}), 2, 0.1);
  EXPECT_NEAR(order(Sdirk{.order = 3}), 3, 0.15);
  EXPECT_NEAR(order(ZeroOrderHold{}), 2, 0.1);
  EXPECT_NEAR(order(ExplicitInclusion{}), 1, 0.15);
  EXPECT_NEAR(order(ExplicitInclusion{.order = 4}), 4, 0.2);
}

TEST(ThetaMethod, AveragedMultipliersKeepOrderTwoOnSystemsOfDegreeZero) {  // TI:V-11, TI:TI-089
  const double R = 10, L = 1, C = 1 / (4 * std::numbers::pi * std::numbers::pi);
  Model model;
  const auto x =
      model.add(FirstOrderLinear{.A = {{-1 / (R * C), 1}, {-1 / (L * C), 0}}}, {.x = {1.0, -1.0}});
  model.link(
      x,
      FirstOrderLinearRelation{.C = {{1 / (R * C), -1}}, .B = {{-1 / R}, {-1 / L}}, .D = {{1 / R}}},
      Complementarity{});
  const ThetaMethod trapezoidal{.theta = 0.5, .multiplier = AveragedMultiplier{}};
  const Trajectory r = run(model, trapezoidal, 1e-3, 1);
  EXPECT_NEAR(last(r, 0), -0.485895555496, 1e-5);  // 100 times the 1e-7 of h = 1e-4
  EXPECT_NEAR(last(r, 1), -0.004548243574, 1e-5);
  // λ → 19.182387652 as x₂ → 0; λ = R x₂ − x₁/C
  EXPECT_NEAR(r.r(1000, 0), 19.182387652 + R * -0.004548243574, 1e-3);
  const auto error = [&](double h) {
    return std::abs(last(run(model, trapezoidal, h, 1)) + 0.485895555496);
  };
  const double order = testing::fitted_order(
      {1.0 / 101, 1.0 / 199, 1.0 / 403, 1.0 / 797, 1.0 / 1601, 1.0 / 3203}, error);
  EXPECT_GT(order, 1.6);  // 2 ± .3: where in its step the switch falls scatters
}

TEST(ImplicitEuler, HoldsTheRelayWhereTheLoadIsWithinItsBounds) {  // F:V17, F:V19, F:C0-13, TI:V-01
  const Source g = [](double t, VectorView, VectorRef b) { b[0] = std::sin(5 * t); };
  const Trajectory r = run(sign_model(0, g), MoreauJean{.theta = 1}, 0.01, 3);
  for (Index k = 1; k < r.size(); ++k) {
    EXPECT_EQ(r.x(k, 0), 0);
    EXPECT_NEAR(r.r(k, 0), -std::sin(5 * r.t[k]), 1e-12);
  }
  const Trajectory stop = run(sign_model(-1.234), MoreauJean{.theta = 1}, 0.01, 3);
  for (Index k = 0; k < stop.size(); ++k)
    EXPECT_NEAR(stop.x(k, 0), -std::max(1.234 - stop.t[k], 0.0), k < 124 ? 1e-12 : 0);
}

TEST(ImplicitSchemes, HoldSlidingStatesAtExactlyZero) {  // TI:V-08, F:V17: any step, gain and load
  for (const Scheme& scheme : {Scheme{MoreauJean{.theta = 1}}, Scheme{ThetaMethod{.theta = 1}},
                               Scheme{Sdirk{}}, Scheme{ZeroOrderHold{}}})
    for (const double h : {0.1, 0.013, 0.007})
      for (const double a : {0.0, -0.3, -2.1})
        for (const double gain : {1.0, 1.3, 0.37}) {
          Model model;
          const auto x = model.add(FirstOrderLinear{.A = {{a, 0.1}, {-0.2, a}},
                                                    .source =
                                                        [](double t, VectorView, VectorRef b) {
                                                          b << 0.1 * std::sin(3 * t),
                                                              0.05 * std::cos(1.7 * t);
                                                        }},
                                   {.x = {0.04, -0.03}});
          model.link(x,
                     FirstOrderLinearRelation{.C = {{2.0, 0.0}, {0.0, 0.7}},
                                              .B = {{gain, 0.1}, {-0.1, 0.6 * gain}}},
                     Relay{});
          const Trajectory r = run(model, scheme, h, 3);
          for (Index k = r.size() / 3; k < r.size(); ++k)
            ASSERT_EQ(r.x.matrix().row(k).cwiseAbs().maxCoeff(), 0)
                << name(scheme) << ", h = " << h << ", a = " << a << ", gain " << gain;
        }
}

TEST(ImplicitEuler, StaysAtZeroWhereSolutionsAreNotUnique) {  // F:V20: x''' ∈ −Sgn x
  Model model;
  const auto x =
      model.add(FirstOrderLinear{.A = {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}}, {.x = {0.0, 0.0, 0.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1, 0, 0}}, .B = {{0.0}, {0.0}, {1.0}}}, Relay{});
  const Trajectory r = run(model, MoreauJean{.theta = 1}, 0.01, 2);
  EXPECT_EQ(r.x.matrix().cwiseAbs().maxCoeff(), 0);
}

/// F:V21: ẋ ∈ L(h − x) + h' + L − L Sgn x, h = −(4/π) atan(t − 1)
Model stiff_model(double start, double L) {
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{-L}},
                                            .source =
                                                [L](double t, VectorView, VectorRef b) {
                                                  const double s = t - 1, c = -4 / std::numbers::pi;
                                                  b[0] = L * c * std::atan(s) + c / (1 + s * s) + L;
                                                }},
                           {.x = {start}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}},
             Relay{.lower = -L, .upper = L});
  return model;
}

TEST(ImplicitEuler, FollowsTheOneSidedLipschitzInclusion) {  // F:V21, F:V62, F:F056
  const double expected[] = {2.860e-3, 1.437e-3, 7.20e-4};
  for (int i = 0; i < 3; ++i) {
    const int N = 100 << i;
    const Trajectory r = run(stiff_model(1, 2), MoreauJean{.theta = 1}, 2.0 / N, 2);
    double error = 0;
    for (Index k = 0; k < r.size(); ++k)
      error = std::max(error, std::abs(r.x(k, 0) - std::max(0.0, -4 / std::numbers::pi *
                                                                     std::atan(r.t[k] - 1))));
    EXPECT_NEAR(error, expected[i], 0.01 * expected[i]);
    EXPECT_NEAR(last(r), 0, 1e-15);
    const Trajectory other = run(stiff_model(0.2, 2), MoreauJean{.theta = 1}, 2.0 / N, 2);
    for (Index k = 0; k < r.size(); ++k)  // backward Euler contracts by 1/(1 + 2h) per step
      EXPECT_LE(std::abs(r.x(k, 0) - other.x(k, 0)),
                0.8 * std::pow(1 + 4.0 / N, -double(k)) + 1e-14);
  }
}

/// F:V57: ẋ₁ = −s₁ + 2s₂, ẋ₂ = −2s₁ − s₂, s ∈ Sgn(x)
Model spiral(double direction) {
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = Matrix::Zero(2, 2)}, {.x = {0.0, direction}});
  model.link(x, FirstOrderLinearRelation{.C = Matrix::Identity(2, 2), .B = {{1, -2}, {2, 1}}},
             Relay{});
  return model;
}

TEST(ImplicitEuler, EndsAnAccumulationOfSwitchesExactly) {  // F:V57, F:F211
  const double h[] = {1e-2, 1e-3, 1e-4}, expected[] = {0.490, 0.498, 0.4997};
  for (int i = 0; i < 3; ++i) {
    const Trajectory r = run(spiral(1), MoreauJean{.theta = 1}, h[i], 0.6);
    Index k = 0;
    while (k < r.size() && r.x.matrix().row(k).norm() > 1e-13) ++k;
    EXPECT_NEAR(r.t[k], expected[i], 1.01 * h[i]);
    EXPECT_LE(r.x.matrix().bottomRows(r.size() - k).cwiseAbs().maxCoeff(), 1e-13);
  }
  const Trajectory stays = run(spiral(0), MoreauJean{.theta = 1}, 1e-2, 0.6);
  EXPECT_EQ(stays.x.matrix().cwiseAbs().maxCoeff(), 0);
}

TEST(ExplicitInclusion, ChattersAroundTheSurface) {  // TI:V-08, F:F179, F:V07
  const double h = 0.01;
  const Trajectory r = run(sliding_model(), ExplicitInclusion{}, h, 10);
  int switches = 0;
  double largest = 0;
  for (Index k = 900; k < r.size(); ++k) {
    switches += r.r(k, 0) * r.r(k - 1, 0) < 0;
    largest = std::max(largest, std::abs(r.x(k, 0) + r.x(k, 1)));
  }
  EXPECT_GT(switches, 50);      // in 100 steps
  EXPECT_GT(largest, 0.2 * h);  // does not settle,
  EXPECT_LT(largest, 2.1 * h);  // amplitude O(h): one step changes y by at most h(1 + |x₂|)
}

TEST(ExplicitInclusion, OscillatesWithOneStepAboutZero) {  // TI:E12, F:F181
  const Trajectory r = run(sign_model(0.33), ExplicitInclusion{}, 0.1, 1);
  const double expected[] = {0.33, 0.23, 0.13, 0.03, -0.07, 0.03, -0.07, 0.03};
  for (Index k = 0; k < 8; ++k) EXPECT_NEAR(r.x(k, 0), expected[k], 1e-14);
}

TEST(ExplicitInclusion, MinimalNormSelectionTakesTheSlowSolution) {  // TI:V-09, TI:TI-072b, F:F048
  // ẋ ∈ sin x + [−2, 2]: 0 is always among the velocities
  Model model;
  const auto x = model.add(
      FirstOrder{.n = 1, .f = [](const StateView& s, VectorRef f) { f[0] = std::sin(s.x[0]); }},
      {.x = {0.7}});
  model.link(x, FirstOrderLinearRelation{.C = {{0.0}}, .B = {{1.0}}},
             Relay{.lower = -2, .upper = 2});
  const Trajectory slow = run(model, ExplicitInclusion{.selection = MinimalNorm{}}, 0.05, 1);
  const Trajectory smooth = run(model, ExplicitInclusion{.selection = MinimalVariation{}}, 0.05, 1);
  EXPECT_NEAR((slow.x.matrix().array() - 0.7).abs().maxCoeff(), 0, 1e-12);
  EXPECT_NEAR((smooth.x.matrix().array() - 0.7).abs().maxCoeff(), 0, 1e-12);
  // the middle of the values is a solution of ẋ = sin x: within 3he^T of it
  const Trajectory middle = run(model, ExplicitInclusion{}, 0.01, 1);
  const double exact = 2 * std::atan(std::tan(0.35) * std::exp(1.0));
  EXPECT_NEAR(last(middle), exact, 3 * 0.01 * std::exp(1.0));
}

TEST(ExplicitInclusion, ABandLetsMinimalNormSlide) {  // F:B4, F:F180
  const double h = 0.01;
  const Trajectory r =
      run(sliding_model(), ExplicitInclusion{.selection = MinimalNorm{.band = 2 * h}}, h, 10);
  int switches = 0;
  for (Index k = 200; k < r.size(); ++k) switches += r.r(k, 0) * r.r(k - 1, 0) < 0;
  EXPECT_LT(switches, 5);
  EXPECT_GT(std::abs(last(r, 0) + last(r, 1)), 1e-6);  // but sits somewhere in the band
}

TEST(SwitchModel, IsStableBelowTwiceItsWidthOnly) {  // TI:V-10b, TI:B.8, TI:E11
  const auto end = [](double h) {
    const Trajectory r = run(
        sign_model(0.1), ExplicitInclusion{.selection = SwitchModel{.epsilon = 0.01}}, h, 400 * h);
    return r.x.matrix().bottomRows(20).cwiseAbs().maxCoeff();
  };
  EXPECT_LT(end(0.019), 1e-10);
  EXPECT_NEAR(end(0.021), 0.01, 0.005);
  const Trajectory r =
      run(sign_model(0), ExplicitInclusion{.selection = SwitchModel{.epsilon = 0.01}}, 0.01, 0.1);
  EXPECT_EQ(r.r(1, 0), 0);  // α = ½
}

TEST(Sigmoid, IsStiffAndOffTheSurface) {  // TI:TI-077
  const auto rest = [](double epsilon, double h) {
    const Source load = [](double, VectorView, VectorRef b) { b[0] = 0.5; };
    const Trajectory r =
        run(sign_model(0.1, load), ExplicitInclusion{.selection = Sigmoid{.epsilon = epsilon}}, h,
            300 * h);
    return r.x.matrix().bottomRows(2).eval();
  };
  const auto slow = rest(0.01, 0.005);
  EXPECT_NEAR(slow(1, 0), 0.01 * std::atanh(0.5), 1e-9);  // rests beside y = 0
  EXPECT_GT(std::abs(rest(0.001, 0.005)(1, 0) - rest(0.001, 0.005)(0, 0)), 1e-3);  // h > 2ε: rings
}

TEST(Mannshardt, KeepsOrderFourAcrossASwitch) {  // TI:V-14, TI:TI-060, TI:B.5, F:F176
  Model model;  // ẋ = 3 − x − λ, λ = ±1: 2 − x below x = 1, 4 − x above
  const auto x = model.add(FirstOrderLinear{.A = {{-1.0}}, .b = {3.0}}, {.x = {0.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{-1.0}}, .e = {-1.0}}, Relay{});
  const double exact = 4 - 6 * std::exp(-2.0);
  const auto error = [&](const Scheme& scheme, int N) {
    return std::abs(last(run(model, scheme, 2.0 / N, 2)) - exact);
  };
  const double expected[] = {1.45e-6, 8.70e-8, 5.34e-9, 3.32e-10, 2.07e-11};
  std::vector<double> steps;
  for (int i = 0; i < 5; ++i) {
    EXPECT_NEAR(error(Mannshardt{}, 20 << i), expected[i], 0.02 * expected[i] + 2e-13);
    steps.push_back(2.0 / (20 << i));
  }
  const auto naive = [&](double h) {
    return error(ExplicitInclusion{.order = 4}, int(std::lround(2 / h)));
  };
  EXPECT_NEAR(testing::fitted_order(steps, naive), 1, 0.6);  // erratic
  EXPECT_GT(naive(2.0 / 320), 1e-4);
}

TEST(Mannshardt,
     SlidesAndLeavesWhenTheMultiplierReachesItsBound) {  // TI:V-02, F:B5, F:F055, F:F183
  const Source g = [](double t, VectorView, VectorRef b) { b[0] = 2 * std::sin(t); };
  const Trajectory r = run(sign_model(0, g), Mannshardt{}, 0.01, 5);
  const double leave = std::numbers::pi / 6;
  double highest = 0;
  for (Index k = 0; k < r.size(); ++k) {
    if (r.t[k] < leave) {
      EXPECT_NEAR(r.x(k, 0), 0, 1e-15);
    }
    highest = std::max(highest, r.x(k, 0));
  }
  EXPECT_NEAR(highest, 1.3697065127, 1e-4);  // at a sample
  EXPECT_NEAR(last(r), -0.9452786199, 1e-8);
  // event times, from the exact motion after them: x = ∫(2 sin t − 1) from `leave`
  const double t = r.t[100], from = r.x(100, 0) + 2 * std::cos(t) + t;  // 2cos(t₀) + t₀
  EXPECT_NEAR(from, 2 * std::cos(leave) + leave, 1e-9);
}

TEST(Mannshardt, StopsForGoodAtTheSurface) {  // TI:V-04
  const Trajectory r = run(sign_model(3), Mannshardt{}, 0.07, 10);
  for (Index k = 0; k < r.size(); ++k) EXPECT_NEAR(r.x(k, 0), std::max(3 - r.t[k], 0.0), 1e-12);
  EXPECT_NEAR(r.r(r.size() - 1, 0), 0, 1e-15);  // z = (½, ½)
}

TEST(CatchingUp, IsExplicitInTheFieldAndImplicitInTheLaw) {  // TI:V-27, F:B9
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}, .b = {-1.0}}, {.x = {1.0}});
  model.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Complementarity{});
  const Trajectory r = run(model, CatchingUp{}, 0.25, 2);
  for (Index k = 0; k < r.size(); ++k)
    EXPECT_NEAR(r.x(k, 0), std::max(1 - 0.25 * double(k), 0.0), 1e-15);
  EXPECT_NEAR(r.r(6, 0) * 0.25, 0.25, 1e-14);
}

TEST(InclusionSchemes, RefuseWhatTheyCannotDo) {
  Model flow;
  const auto x = flow.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {1.0}});
  flow.link(x, FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0}}}, Complementarity{});
  EXPECT_ERROR(Simulation(flow, ExplicitInclusion{}, {.step = 0.1}), "bounded multipliers");
  EXPECT_ERROR(Simulation(sign_model(1), ExplicitInclusion{.order = 3}, {.step = 0.1}),
               "expected 1 or 4");
  EXPECT_ERROR(Simulation(spiral(1), Mannshardt{}, {.step = 0.1}), "at most 1");
  EXPECT_ERROR(Simulation(sign_model(1), ThetaMethod{.theta = 0}, {.step = 0.1}), "theta is 0");
}

}  // namespace
}  // namespace saltus
