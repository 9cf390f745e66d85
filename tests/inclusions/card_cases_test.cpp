// Cases of the cards that need several parts of the library at once.

#include "inclusions/run.hpp"
#include "saltus/analysis/set_valued_map.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "saltus/inclusions/dissipative.hpp"
#include "saltus/inclusions/piecewise.hpp"
#include "saltus/integrators/lcs_events.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

using std::numbers::pi;

/// Circuit (a) with L = 1, C = 1/(2π)², as an ordinary equation with two cells.
PiecewiseAffineSystem circuit_a(double R) {
  const double C = 1 / (4 * pi * pi);
  return to_piecewise({.A = {{-1 / (R * C), 1}, {-1 / C, 0}},
                       .B = {{-1 / R}, {-1}},
                       .C = {{1 / (R * C), -1}},
                       .D = {{1 / R}}});
}

/// Explicit Runge–Kutta methods: rows of a, and the weights b.
struct Tableau {
  std::vector<std::vector<double>> a;
  std::vector<double> b;
};
const Tableau euler{{{}}, {1}};
const Tableau rk3{{{}, {0.5}, {-1, 2}}, {1 / 6., 2 / 3., 1 / 6.}};
const Tableau fehlberg{{{},
                        {1 / 4.},
                        {3 / 32., 9 / 32.},
                        {1932 / 2197., -7200 / 2197., 7296 / 2197.},
                        {439 / 216., -8, 3680 / 513., -845 / 4104.},
                        {-8 / 27., 2, -3544 / 2565., 1859 / 4104., -11 / 40.}},
                       {16 / 135., 0, 6656 / 12825., 28561 / 56430., -9 / 50., 2 / 55.}};
const Tableau dopri{{{},
                     {1 / 5.},
                     {3 / 40., 9 / 40.},
                     {44 / 45., -56 / 15., 32 / 9.},
                     {19372 / 6561., -25360 / 2187., 64448 / 6561., -212 / 729.},
                     {9017 / 3168., -355 / 33., 46732 / 5247., 49 / 176., -5103 / 18656.}},
                    {35 / 384., 0, 500 / 1113., 125 / 192., -2187 / 6784., 11 / 84.}};

/// x(end) from (1, −1), in whole steps near h; `largest` |x₂| over the second half.
template <class Rate>
Vector explicit_run(const Tableau& method, const Rate& rate, double h, double end,
                    double* largest = nullptr) {
  Vector x = Values{1, -1};
  const long steps = std::lround(std::ceil(end / h));
  h = end / double(steps);
  std::vector<Vector> k(method.b.size());
  for (long i = 0; i < steps; ++i) {
    for (std::size_t s = 0; s < k.size(); ++s) {
      Vector stage = x;
      for (std::size_t j = 0; j < method.a[s].size(); ++j) stage += h * method.a[s][j] * k[j];
      k[s] = rate(stage);
    }
    for (std::size_t s = 0; s < k.size(); ++s) x += h * method.b[s] * k[s];
    if (largest != nullptr && 2 * i > steps) *largest = std::max(*largest, std::abs(x[1]));
  }
  return x;
}

TEST(CircuitA, ExplicitMethodsLoseTheirOrderAtTheSwitch) {  // TI:V-11, TI:TI-053a, TI:TI-013
  const PiecewiseAffineSystem circuit = circuit_a(10);
  const auto open = [&](const Vector& x) { return circuit.cells[0].rate(x); };
  const auto field = [&](const Vector& x) { return circuit.rate(x); };
  const Vector linear = Values{2.475869e-5, 3.603865e-4};  // of the card, at t = 5
  EXPECT_LE((explicit_run(dopri, open, 1e-3, 5) - linear).norm(), 1e-9);
  const Vector smooth = explicit_run(dopri, open, 1e-4, 1);
  const Vector switched = Values{-0.485895555496, -0.004548243574};
  const struct {
    const Tableau& method;
    double order, largest, smallest;
  } cases[] = {{euler, 1, 5e-3, 5e-4},
               {rk3, 3, 2e-2, 2e-3},
               {fehlberg, 5, 4e-2, 1e-2},
               {dopri, 5, 4e-2, 1e-2}};
  for (const auto& c : cases) {
    const auto fit = [&](const auto& rate, const Vector& exact, double largest, double smallest) {
      return testing::fitted_order(testing::steps(largest, smallest, 24), [&](double h) {
        return (explicit_run(c.method, rate, h, 1) - exact).norm();
      });
    };
    EXPECT_NEAR(fit(open, smooth, c.largest, c.smallest), c.order, 0.25) << c.order;
    // A kink of ẋ: order 2 at most, errors below 0.5 h² in steps that hit it anywhere
    const double across = fit(field, switched, 1e-2, 1e-3);
    EXPECT_NEAR(across, c.order == 1 ? 1.0 : 2.0, 0.3) << c.order;
    if (c.order > 1) {
      EXPECT_LE((explicit_run(c.method, field, 5e-3, 1) - switched).norm(), 0.5 * 5e-3 * 5e-3);
    }
  }
}

TEST(CircuitA, ExplicitMethodsRingBehindAStiffSwitch) {  // TI:V-12, TI:E8
  const PiecewiseAffineSystem circuit = circuit_a(1e4);
  const auto ringing = [&](const Tableau& method, double h) {
    double largest = 0;
    (void)explicit_run(
        method, [&](const Vector& x) { return circuit.rate(x); }, h, 1.6, &largest);
    return largest;
  };
  // Behind the switch x₂ decays by e^(−10⁴t): stable below 2, 2.51 and 3.3 over 10⁴
  EXPECT_LE(ringing(euler, 1.9e-4), 1e-6);
  EXPECT_GT(ringing(euler, 2.5e-4), 1e-3);
  EXPECT_GT(ringing(rk3, 3.2e-4), 1e-3);
  EXPECT_GT(ringing(dopri, 3.5e-4), 1e-4);
  EXPECT_GT(ringing(dopri, 5e-3), 1e3);
}

/// ẋ = amplitude · sin t − s, s ∈ Sgn(x), as a complementarity system with the sine as a state.
Lcs driven_sign(double amplitude) {
  return to_lcs(RelaySystem{.system = {.A = {{0, amplitude, 0}, {0, 0, 1}, {0, -1, 0}},
                                       .B = {{1.0}, {0.0}, {0.0}},
                                       .C = {{1, 0, 0}}}});
}

TEST(SignInclusion, SlidesLeavesAndCrossesAtTheExactTimes) {  // TI:V-02, TI:TI-055
  const LcsEventRun r = simulate_events(driven_sign(2), Values{0, 0, 1}, 5);
  ASSERT_TRUE(r.done()) << name(r.status);
  ASSERT_EQ(r.stays.size(), 3u);
  EXPECT_NEAR(r.stays[1].t, pi / 6, 1e-8);
  EXPECT_NEAR(r.stays[2].t, 3.8168019161, 1e-8);  // crosses, does not slide
  EXPECT_NEAR(r.x(0.4)[0], 0, 1e-14);
  EXPECT_NEAR(r.x(5 * pi / 6)[0], 1.3697065127, 1e-8);
  EXPECT_NEAR(r.x(5)[0], -0.9452786199, 1e-8);
}

TEST(SignInclusion, StopsOnceAndForAll) {  // TI:V-04, TI:E3
  const LcsEventRun r = simulate_events(driven_sign(0), Values{3, 0, 1}, 10);
  ASSERT_TRUE(r.done());
  ASSERT_EQ(r.stays.size(), 2u);
  EXPECT_NEAR(r.stays[1].t, 3, 1e-10);
  EXPECT_NEAR(r.x(10)[0], 0, 1e-14);
  EXPECT_NEAR(r.lambda(10)[0] - 1, 0, 1e-12);  // λ₁ − 1 = u = 0: half of each field
}

TEST(LipschitzInclusion, SelectionsStayNearASolution) {  // TI:V-09, F:F207, F:F048
  const LipschitzConstants c = lipschitz_constants(
      [](double x) {
        return ValueInterval{-2 + std::sin(x), 2 + std::sin(x)};
      },
      -4, 4, {});
  EXPECT_NEAR(c.lipschitz, 1, 1e-2);
  // Explicit Euler with the middle selection: ẏ = sin y_k is off by at most 3h from F(y).
  const double h = 0.01, end = 1;
  const Vector t = Vector::LinSpaced(101, 0, end), g = Vector::Constant(101, 3 * h);
  const Vector bound = neighbourhood_bound(t, g, 1);
  EXPECT_NEAR(bound[100], 3 * h * (std::exp(1.0) - 1), 1e-14);
  double y = 0.7;
  for (Index k = 0; k <= 100; ++k, y += h * std::sin(y)) {
    const double exact = 2 * std::atan(std::tan(0.35) * std::exp(t[k]));
    EXPECT_LE(std::abs(y - exact), bound[k] + 1e-15);
  }
  EXPECT_LE(bound[100], 3 * h * std::exp(end));  // the bound of the card
  EXPECT_NEAR(neighbourhood_bound(Values{0, 2}, Values{0, 1}, 0, 0.5)[1], 1.5, 1e-15);
  EXPECT_ERROR((void)neighbourhood_bound(Values{0, 0}, Values{0, 1}, 0), "not after");
  // ẋ ∈ [−1, 1]: the shortest velocity is none
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = {{0.0}}}, {.x = {0.3}});
  model.link(x, FirstOrderLinearRelation{.C = {{0.0}}, .B = {{1.0}}}, Relay{});
  const Trajectory r = run(model, 0.1, 1, ExplicitInclusion{.selection = MinimalNorm{}});
  EXPECT_NEAR(r.x(10, 0), 0.3, 1e-12);
}

TEST(SweepingProcess, ADiscTakesUpAPointAtTheFinestStepOfTheCard) {  // TI:V-26
  const SweepingProcess disc{
      .x0 = {0.0, 0.6}, .set = Disk{1}, .center = [](double t, VectorRef c) { c << t, 0; }};
  const Trajectory r = run(disc.model(), 1e-4, 3, CatchingUp{});
  EXPECT_NEAR(r.x(r.size() - 1, 1), 0.07377585, 1e-8);
  const double a = 2 * std::atan(std::exp(-2.2) / 3);
  EXPECT_NEAR(r.x(r.size() - 1, 0), 3 - std::cos(a), 1e-4);
}

TEST(RelayStep, HasTheSolutionsOfTheCardWhereItIsNotMonotone) {  // F:V10
  const double c = 2, Vz = 5, k = c * Vz;
  const auto solutions = [&](double b) {
    Lcp lcp;
    lcp.M = BlockSparse::dense((Matrix(2, 2) << -c, 1, -1, 0).finished());
    lcp.q = (Vector(2) << -b, Vz).finished();
    std::vector<double> x;
    for (const EnumeratedSolution& s : enumerate_solutions(lcp)) {
      const double v = -c * s.z[0] - b;  // x = −cλ − b
      if (std::find_if(x.begin(), x.end(), [&](double y) { return std::abs(y - v) < 1e-12; }) ==
          x.end())
        x.push_back(v);
    }
    std::sort(x.begin(), x.end());
    return x;
  };
  EXPECT_EQ(solutions(-1.5 * k).size(), 1u);
  EXPECT_EQ(solutions(0.5 * k).size(), 1u);
  EXPECT_EQ(solutions(0).size(), 2u);
  EXPECT_EQ(solutions(-k).size(), 2u);
  const double b = -0.3 * k;
  const std::vector<double> three = solutions(b);
  ASSERT_EQ(three.size(), 3u);
  EXPECT_NEAR(three[0], -k - b, 1e-12);
  EXPECT_NEAR(three[1], 0, 1e-12);
  EXPECT_NEAR(three[2], -b, 1e-12);
}

TEST(Spiral, RunBackwardsFromItsCentreStaysThere) {  // F:V57: one of infinitely many solutions
  Model model;
  const auto x = model.add(FirstOrderLinear{.A = Matrix::Zero(2, 2)}, {.x = {0.0, 0.0}});
  model.link(x, FirstOrderLinearRelation{.C = Matrix::Identity(2, 2), .B = {{-1, 2}, {-2, -1}}},
             Relay{});
  EXPECT_EQ(run(model, 1e-2, 0.6).x.matrix().cwiseAbs().maxCoeff(), 0);
}

TEST(Play, ARelayBehindItThatIsExplicitDrawsASawTooth) {  // F:V58
  // ẋ = −Sgn(p) with the p of the last step, p the play of half width ε on x
  const double eps = 0.1, h = 1e-3;
  double x = 0.05;
  const Model play = Play{.radius = eps, .input = [&x](double) { return x; }, .x0 = 0}.model();
  StepWorkspace work;
  const Scheme scheme = CatchingUp{};
  prepare(play, scheme, work);
  State state = play.initial_state();
  std::vector<double> turns;
  double sign = 1, highest = 0;
  for (int k = 0; k < 4000; ++k) {
    if (state.x[0] != 0 && (state.x[0] > 0) != (sign > 0)) {
      sign = -sign;
      if (sign > 0) turns.push_back(k * h);
    }
    x -= h * sign;
    ASSERT_TRUE(step(play, state, h, scheme, work).done());
    if (k > 500) highest = std::max(highest, std::abs(x));
  }
  EXPECT_NEAR(highest, eps, 2 * h);
  ASSERT_GE(turns.size(), 5u);
  for (std::size_t i = 2; i < turns.size(); ++i)
    EXPECT_NEAR(turns[i] - turns[i - 1], 4 * eps,
                6 * h);  // two turns, each late by up to two steps
}

TEST(DissipativeSystem, IsASweepingProcessInItsStorageCoordinates) {  // F:F086, F:F205, F:B15
  // V = Σ x_i²/2 + x_i⁴/12: V'' = 1 + x², h = ½(x√(1 + x²) + asinh x)
  DissipativeSystem system{
      .x0 = {1.0, -0.2},
      .f = [](double t, ConstVectorRef x,
              VectorRef f) { f << -x[0] - x[1] + std::sin(t), x[0] - x[1] - 1; },
      .B = {{0.5}, {1.0}},
      .gradient = [](ConstVectorRef x, VectorRef g) { g = x.array() + x.array().cube() / 3; }};
  const auto forward = [](double x) { return (x * std::sqrt(1 + x * x) + std::asinh(x)) / 2; };
  const StorageCoordinates coordinates{
      .forward = [=](ConstVectorRef x, VectorRef z) { z = x.unaryExpr(forward); },
      .backward =
          [=](ConstVectorRef z, VectorRef x) {
            x = z;
            for (int k = 0; k < 30; ++k)
              for (Index i = 0; i < z.size(); ++i)
                x[i] -= (forward(x[i]) - z[i]) / std::sqrt(1 + x[i] * x[i]);
          },
      .root = [](ConstVectorRef x,
                 MatrixRef L) { L = (1 + x.array().square()).sqrt().matrix().asDiagonal(); }};
  const ProxRegularSweeping process = to_sweeping(system, coordinates, 0.3);
  const auto difference = [&](double h) {
    const CatchingUpRun z = process.run(h, 4);
    const Trajectory x = run(system.model(), h, 4);
    EXPECT_TRUE(z.done());
    EXPECT_GT(x.r.matrix().maxCoeff(), 0.1);  // the constraint acts
    double worst = 0;
    for (Index k = 0; k < x.size(); ++k) {
      Vector back(2);
      coordinates.backward(z.x.col(k), back);
      worst = std::max(worst, (back - x.x.matrix().row(k).transpose()).norm());
    }
    return worst;
  };
  const double coarse = difference(0.02), fine = difference(0.005);
  EXPECT_LT(fine, 0.02);
  EXPECT_NEAR(std::log2(coarse / fine), 2, 0.4);  // both of order 1
  system.gradient = [](ConstVectorRef x, VectorRef g) { g = x; };
  EXPECT_ERROR((void)to_sweeping(system, coordinates, 0.3), "second derivatives of V");
  system.gradient = {};
  EXPECT_ERROR((void)system.model(), "gradient of V is missing");
}

}  // namespace
}  // namespace saltus
