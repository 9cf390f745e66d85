// Event-driven integration of linear complementarity systems: exact between events.

#include "saltus/integrators/lcs_events.hpp"

#include "analysis/circuits.hpp"
#include "analysis/integrator_chain.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "saltus/integrators/emts.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

using testing::diode_circuit;
using testing::integrator_chain;
using testing::two_diodes;

LcsEventRun events(const Lcs& system, const Values& x0, double end, const LcsEvents& options = {}) {
  LcsEventRun run = simulate_events(system, x0, end, options);
  EXPECT_TRUE(run.done()) << name(run.status) << " at " << run.end;
  return run;
}

/// Complementarity at samples over the run: the defect of w ≥ 0, λ ≥ 0 and wλ = 0.
double complementarity_defect(const LcsEventRun& run, int samples = 200) {
  double worst = 0;
  for (int k = 0; k <= samples; ++k) {
    const double t = run.end * k / samples;
    worst = std::max(worst, run.lambda(t).cwiseMin(run.w(t)).lpNorm<Eigen::Infinity>());
  }
  return worst;
}

TEST(LcsEvents, CircuitASwitchesOnce) {  // TI:V-11, F:V01, TI:TI-055, TI:B.13
  const LcsEventRun run = events(diode_circuit('a', 10), {1, -1}, 1);
  ASSERT_EQ(run.stays.size(), 2u);
  EXPECT_TRUE(run.stays[0].mode.held.empty());
  EXPECT_EQ(run.stays[1].mode.held, std::vector<Index>{0});
  EXPECT_NEAR(run.stays[1].t, 0.3955578396552, 1e-12);  // digits of the card
  EXPECT_LE((run.stays[1].x - Values{-0.485895555496, -1.918238765197}).norm(), 1e-11);
  EXPECT_LE((run.x(1) - Values{-0.485895555496, -0.004548243574}).norm(), 1e-11);
  EXPECT_TRUE(run.stays[1].jump.isZero(0));
  EXPECT_LE(complementarity_defect(run), 1e-9);
}

TEST(LcsEvents, CircuitBSwitchesForEver) {  // TI:V-13, F:V02
  const LcsEventRun run = events(diode_circuit('b', 10), {1, 1}, 5);
  const double times[] = {.2248803859, .7515452741, 1.2515452741, 1.7782101623};
  const double currents[] = {6.3622651316, -2.2496837415, 2.2496837415, -.7954835003};
  ASSERT_GE(run.stays.size(), 5u);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(run.stays[i + 1].t, times[i], 1e-10);
    EXPECT_NEAR(run.stays[i + 1].x[1], currents[i], 1e-9);
  }
  EXPECT_LE((run.x(5) - Values{.00435278, -.02211051}).norm(), 1e-8);
  EXPECT_GT(run.shortest, 0.4);  // the least time between two switches
}

TEST(LcsEvents, CircuitCIsCaughtAndStays) {  // F:V03
  const double R = 0.1, omega = std::sqrt(4 * M_PI * M_PI - R * R / 4);
  const LcsEventRun run = events(diode_circuit('c', R), {1, 0}, 3);
  ASSERT_EQ(run.stays.size(), 2u);
  EXPECT_NEAR(run.stays[1].t, M_PI / omega, 1e-11);
  EXPECT_NEAR(run.x(3)[0], -std::exp(-R * M_PI / (2 * omega)), 1e-11);
  EXPECT_EQ(run.x(3)[1], 0);
  EXPECT_NEAR(run.lambda(3)[0], 38.503662, 1e-6);
}

TEST(LcsEvents, CircuitDJumpsAtFirst) {  // F:V04, F:C0-01
  const LcsEventRun run = events(diode_circuit('d', 10), {1, -1}, 1);
  ASSERT_EQ(run.stays.size(), 1u);
  EXPECT_LE((run.stays[0].jump - Values{0, 1}).norm(), 1e-12);
  EXPECT_NEAR(run.x(0.5)[0], std::exp(-0.5 * 4 * M_PI * M_PI / 10), 1e-12);
  EXPECT_EQ(run.x(0.5)[1], 0);
  EXPECT_NEAR(run.lambda(0.5)[0], 5.483992, 1e-6);
}

/// The circuit with two diodes, driven by two sources as states: (cos 3t, sin 3t).
Lcs driven_diodes() {
  const Lcs s = two_diodes();
  Lcs driven{.A = Matrix::Zero(5, 5), .B = Matrix::Zero(5, 2), .C = Matrix::Zero(2, 5)};
  driven.A.topLeftCorner(3, 3) = s.A;
  driven.A.topRightCorner(3, 2) << 0, 0, 2, -1, -1, 2;
  driven.A.bottomRightCorner(2, 2) << 0, -3, 3, 0;
  driven.B.topRows(3) = s.B;
  driven.C.leftCols(3) = s.C;
  return driven;
}

TEST(LcsEvents, AgreeWithTimeSteppingOnTwoDiodes) {  // F:V26, TI:TI-086
  const Lcs s = driven_diodes();
  const Values x0{1, -1, 0.5, 1, 0};
  const LcsEventRun run = events(s, x0, 4);
  EXPECT_LE((run.stays[0].x - Values{1, 0, 0, 1, 0}).norm(), 1e-7);  // the jump of the card
  EXPECT_GE(run.stays.size(), 5u);
  EXPECT_LE(complementarity_defect(run), 1e-8);
  const auto error = [&](double h) {
    Simulation sim(to_model(s, x0), MoreauJean{.theta = 1}, {.step = h});
    const Trajectory steps = sim.run(4);
    double worst = 0;
    for (Index k = 1; k < steps.size(); ++k)
      worst = std::max(worst, (steps.x.matrix().row(k).transpose() - run.x(steps.t[k])).norm());
    return worst;
  };
  // Backward Euler damps the sources by h ω²/2 per unit of time: 1.8e-2 at h = 1e-3, t = 4.
  const double coarse = error(1e-3), fine = error(1e-4);
  EXPECT_LT(fine, 5e-3);
  EXPECT_NEAR(std::log10(coarse / fine), 1, 0.1);
}

/// Two carts: q₁'' = −2q₁ + q₂ + λ₁ + λ₂, q₂'' = q₁ − q₂ − λ₂; a stop q₁ ≥ 0, a hook q₁ − q₂ ≥ 0.
Lcs carts() {
  return {.A = {{0, 0, 1, 0}, {0, 0, 0, 1}, {-2, 1, 0, 0}, {1, -1, 0, 0}},
          .B = {{0, 0}, {0, 0}, {1, 1}, {0, -1}},
          .C = {{1, 0, 0, 0}, {1, -1, 0, 0}}};
}

TEST(LcsEvents, CartsWithAHookHitItThenTheStop) {  // F:V55, F:C0-32
  const double eps = 0.1;
  const LcsEventRun run = events(carts(), {eps, eps, -2, 1}, 0.3);
  // The hook first: both at −½; then they move as one, q'' = −q/2, until the stop.
  EXPECT_LE((run.stays[0].x - Values{eps, eps, -0.5, -0.5}).norm(), 1e-9);
  const double stop = std::sqrt(2) * std::atan(std::sqrt(2) * eps);
  const auto at_stop = std::find_if(run.stays.begin(), run.stays.end(),
                                    [&](const LcsStay& s) { return std::abs(s.t - stop) < 1e-9; });
  ASSERT_NE(at_stop, run.stays.end());
  const double g = 0.5 - std::sqrt(0.25 + eps * eps / 2);
  EXPECT_LE((at_stop->x - Values{0, 0, 0, -0.5 + g}).norm(), 1e-9);
  EXPECT_NEAR(at_stop->x[3], -0.5049752, 1e-7);
  // Both at once, from the corner, leave nothing.
  const LcsEventRun corner = events(carts(), {0, 0, -2, 1}, 1);
  EXPECT_LE(corner.x(1).norm(), 1e-9);
}

TEST(LcsEvents, ATripleIntegratorIsStopped) {  // F:V53, TI:V-22, TI:TI-143
  const LcsEventRun run = events(integrator_chain(3, 3), {1, 0, -2}, 3);
  ASSERT_EQ(run.stays.size(), 2u);
  EXPECT_NEAR(run.stays[1].t, 1, 1e-12);  // x = 1 − t²
  EXPECT_LE((run.stays[1].jump - Values{0, 2, 2}).norm(), 1e-9);
  EXPECT_TRUE(run.x(3).isZero(1e-9));
  const LcsEventRun first = events(integrator_chain(3, 3), {-1, -1, -1}, 1);
  EXPECT_TRUE(first.x(0).isZero(1e-12));
  const LcsEventRun free = events(integrator_chain(3, 3), {0, 1, -5}, 1);
  EXPECT_NEAR(free.stays[1].t, 0.4, 1e-12);
}

TEST(LcsEvents, BallOnTheGroundObeysTheLawOfAccelerations) {  // F:C0-08
  // q̈ = f − g + λ with the load f = 4t: in contact 0 ≤ q̈⁺ ⟂ λ ≥ 0 (printed: 0 ≤ q̇⁺ ⟂ λ ≤ 0), so
  // that λ = g − f until f = g at 2.5, then q̈ = f − g
  const double g = 10, rate = 4, leave = g / rate;
  const Lcs ball{.A = {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}},
                 .B = {{0}, {1}, {0}},
                 .C = {{1, 0, 0}},
                 .a = {0, -g, rate}};
  const LcsEventRun run = events(ball, {0, 0, 0}, 4);
  ASSERT_EQ(run.stays.size(), 2u);
  EXPECT_EQ(run.stays[0].mode.held, std::vector<Index>{0});
  EXPECT_TRUE(run.stays[1].mode.held.empty());
  EXPECT_NEAR(run.stays[1].t, leave, 1e-9);
  for (const double t : {0.0, 1.0, 2.0, 3.0, 4.0}) {
    const double lambda = run.lambda(t)[0], acceleration = run.x(t)[2] - g + lambda;
    EXPECT_NEAR(lambda, std::max(g - rate * t, 0.0), 1e-9);
    EXPECT_NEAR(acceleration, std::max(rate * t - g, 0.0), 1e-9);
    EXPECT_NEAR(run.x(t)[0], rate / 6 * std::pow(std::max(t - leave, 0.0), 3), 1e-8);
  }
}

TEST(LcsEvents, ContactThatAnImpactOpensIsNotHeld) {  // TI:E5
  // A rod of mass 1, inertia 3, on its two ends, q = (z, φ): w₁ = z − φ, w₂ = z + φ. The impact at
  // the first end, ẇ = (−1, 0), leaves ẇ₂⁺ = ½ > 0 at w₂ = 0: not one of the contacts whose
  // accelerations are looked at, although that of w₂, −g/2, would close it.
  const double g = 10;
  const Lcs rod{.A = {{0, 0, 1, 0}, {0, 0, 0, 1}, {0, 0, 0, 0}, {0, 0, 0, 0}},
                .B = {{0, 0}, {0, 0}, {1, 1}, {-1.0 / 3, 1.0 / 3}},
                .C = {{1, -1, 0, 0}, {1, 1, 0, 0}},
                .a = {0, 0, -g, 0}};
  const LcsEventRun run = events(rod, {0, 0, -0.5, 0.5}, 0.25);
  ASSERT_EQ(run.stays.size(), 2u);
  EXPECT_LE((run.stays[0].x - Values{0, 0, 0.25, 0.25}).norm(), 1e-12);
  EXPECT_EQ(run.stays[0].mode.held, std::vector<Index>{0});
  EXPECT_NEAR(run.lambda(0.1)[0], 0.75 * g, 1e-9);
  EXPECT_NEAR(run.w(0.1)[1], 0.5 * 0.1 - 0.25 * g * 0.01, 1e-12);
  EXPECT_NEAR(run.stays[1].t, 2 / g, 1e-10);  // it comes back, and the other end goes up
  EXPECT_EQ(run.stays[1].mode.held, std::vector<Index>{1});
  EXPECT_LE((run.stays[1].x.tail(2) - Values{0.125, -0.125}).norm(), 1e-9);
}

/// ẍ + ω²x = F cos(νt) − λ, 0 ≤ λ ⟂ x_max − x ≥ 0, the load as two states (cos, sin).
Lcs vibro_impact(double omega, double x_max, double F, double nu) {
  return {.A = {{0, 1, 0, 0}, {-omega * omega, 0, F, 0}, {0, 0, 0, -nu}, {0, 0, nu, 0}},
          .B = {{0}, {-1}, {0}, {0}},
          .C = {{-1, 0, 0, 0}},
          .b = {x_max}};
}

TEST(LcsEvents, OscillatorHitsItsStopMovingUpAndSticksWhilePressed) {  // TI:E7, TI:V-15
  // λ has the minus sign, impacts have ẋ⁻ > 0 (printed: < 0); without restitution here, with it and
  // its orders in integrators/vibro_impact_test.cpp
  const LcsEventRun hit = events(vibro_impact(M_PI, 0.5, 0, 1), {-1, 0, 1, 0}, 1);
  ASSERT_EQ(hit.stays.size(), 2u);
  EXPECT_NEAR(hit.stays[1].t, 2.0 / 3, 1e-11);
  EXPECT_NEAR(hit.stays[1].jump[1], -2.7206990464, 1e-9);
  EXPECT_TRUE(hit.stays[1].mode.held.empty());  // f − ω²x_max < 0: it does not stick
  EXPECT_NEAR(hit.x(1)[0], 0.5 * std::cos(M_PI / 3), 1e-10);
  // pressed by f = cos 2t: sticks while f − ω²x_max > 0, until cos 2t = ½
  const LcsEventRun stick = events(vibro_impact(1, 0.5, 1, 2), {0.5, 0, 1, 0}, 0.6);
  ASSERT_EQ(stick.stays.size(), 2u);
  EXPECT_EQ(stick.stays[0].mode.held, std::vector<Index>{0});
  EXPECT_NEAR(stick.lambda(0.3)[0], std::cos(0.6) - 0.5, 1e-10);
  EXPECT_NEAR(stick.stays[1].t, M_PI / 6, 1e-9);
  EXPECT_LT(stick.x(0.6)[0], 0.5);
}

/// ẋ₁ = −s₁ + 2s₂, ẋ₂ = −2s₁ − s₂, s = Sgn(x) as −u.
Lcs spiral() {
  const RelaySystem relays{
      .system = {.A = Matrix::Zero(2, 2), .B = {{1, -2}, {2, 1}}, .C = Matrix::Identity(2, 2)}};
  return to_lcs(relays);
}

TEST(LcsEvents, StopWhereSwitchesAccumulate) {  // F:V57, F:F211, F:B30
  const LcsEventRun run = simulate_events(spiral(), Values{0, 1}, 1, {.min_dwell = 1e-4});
  EXPECT_EQ(run.status, EventStatus::accumulation);
  EXPECT_NEAR(run.end, 0.5, 1e-4);  // stays of 3⁻ⁿ, until 8 of them are below 1e-4
  for (std::size_t i = 2; i + 1 < run.stays.size() && run.stays[i].t < 0.49; ++i)
    EXPECT_NEAR((run.stays[i + 1].t - run.stays[i].t) / (run.stays[i].t - run.stays[i - 1].t),
                1.0 / 3, 1e-6);
}

TEST(LcsEvents, SayWhatStopsThem) {  // F:V49
  const Lcs none{.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{-1}}};
  EXPECT_ERROR(simulate_events(none, Values{1}, 1), "D is not zero");
  // w = x − 1 does not feel λ: a state that leaves x ≥ 1 has no mode.
  const Lcs blind{.A = {{-1}}, .B = {{0.0}}, .C = {{1}}, .b = {-1}};
  EXPECT_EQ(simulate_events(blind, Values{2}, 2).status, EventStatus::no_mode);
  EXPECT_ERROR(simulate_events(two_diodes(), Values{1}, 1), "x0 has size 1");
  EXPECT_ERROR(simulate_events(two_diodes(), Values{1, 1, 1}, 0), "expected > 0");
  const LcsEventRun run = events(two_diodes(), {1, 1, 1}, 1);
  EXPECT_ERROR((void)run.x(2), "the run is from 0 to 1");
}

}  // namespace
}  // namespace saltus
