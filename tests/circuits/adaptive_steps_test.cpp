// Steps chosen by their error: TR-BDF2 for descriptor systems (TI:TI-086), commutations included
// (F:V02, TI:V-13, F:F044).
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/integrators/descriptor_step.hpp"
#include "saltus/integrators/descriptor_trbdf2.hpp"
#include "saltus/io/circuit_run.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

using circuits::assemble;
using circuits::read_netlist;

CircuitResult simulate(const std::string& netlist, double accuracy) {
  CircuitResult result = run_circuit(read_netlist(netlist), {.accuracy = accuracy});
  EXPECT_EQ(result.failure, "");
  return result;
}

/// Largest |column − exact(t)|.
double worst(const CircuitResult& result, Index column,
             const std::function<double(double)>& exact) {
  double largest = 0;
  for (Index k = 0; k < result.trajectory.size(); ++k)
    largest =
        std::max(largest, std::abs(result.trajectory.x(k, column) - exact(result.trajectory.t[k])));
  return largest;
}

/// Errors of the steps add up at most, and the first is known by its estimate only to a factor.
double bound(const CircuitResult& result, double accuracy, double full_scale) {
  return static_cast<double>(result.trajectory.report.steps) * accuracy * full_scale;
}

const std::string rc = "RC\nV1 a 0 10\nR1 a b 1k\nC1 b 0 1u ic=0\n.tran 50u 5m uic\n.probe v(b)\n";
double charging(double t) { return 10 * (1 - std::exp(-t / 1e-3)); }

TEST(AdaptiveSteps, ChargeACapacitorToTheAccuracyAskedFor) {
  for (const double accuracy : {1e-2, 1e-3, 1e-4, 1e-5}) {
    const CircuitResult result = simulate(rc, accuracy);
    EXPECT_LE(worst(result, 0, charging), bound(result, accuracy, 10)) << accuracy;
  }
}

TEST(AdaptiveSteps, ErrorFallsWithTheAccuracyAsASecondOrderMethodDoes) {
  // local error h³ = accuracy, error h² = accuracy^(2/3); the lengths are halves, hence the
  // scatter; above 1e-5 it is the longest step, 1/50 of the run, that counts
  const auto error = [](double accuracy) { return worst(simulate(rc, accuracy), 0, charging); };
  EXPECT_NEAR(testing::fitted_order(testing::steps(1e-5, 1e-8, 24), error), 2.0 / 3, 0.1);
}

TEST(AdaptiveSteps, FollowARingingCircuitOverManyPeriods) {
  // L q̈ + R q̇ + q/C = 0, L = 1, R = 0.1, C = 1/(2π)², i(0) = 1
  const std::string rlc =
      "RLC\n.param c={1/(2*pi)^2}\nL1 a 0 1 ic=1\nR1 a b 0.1\nC1 b 0 {c} ic=0\n.tran 0.05 10 uic\n"
      ".probe i(l1)\n";
  const double decay = 0.05, omega = std::sqrt(4 * std::numbers::pi * std::numbers::pi - 0.0025);
  const auto exact = [&](double t) {
    return std::exp(-decay * t) * (std::cos(omega * t) - decay / omega * std::sin(omega * t));
  };
  for (const double accuracy : {1e-3, 1e-5}) {
    const CircuitResult result = simulate(rlc, accuracy);
    EXPECT_LE(worst(result, 0, exact), bound(result, accuracy, 1)) << accuracy;
    EXPECT_GT(result.trajectory.report.steps, 100);
  }
}

TEST(TrBdf2, IsOfSecondOrderWithEqualSteps) {
  const auto made = assemble(
      read_netlist("RLC\nL1 a 0 1 ic=1\nR1 a b 0.5\nC1 b 0 0.1 ic=1\n.probe v(b) i(l1)\n"), false);
  const double decay = 0.25, omega = std::sqrt(10 - 0.0625);
  // i(0) = 1 leaves the coil at ground: v_C̈ + 0.5 v_Ċ + 10 v_C = 0, v_C(0) = 1, v_Ċ(0) = −10
  const auto exact = [&](double t) {
    return std::exp(-decay * t) *
           (std::cos(omega * t) + (decay - 10) / omega * std::sin(omega * t));
  };
  const auto error = [&](double h) {
    DescriptorState state;
    DescriptorWorkspace work;
    DescriptorTrial trial;
    EXPECT_TRUE(start_descriptor(made.system, 0, 1e-10, {}, state, work).done());
    EXPECT_TRUE(restart(made.system, 1e-9, {}, state, work, trial).done());
    const double count = std::round(1 / h);
    for (double k = 1; k <= count; ++k) {
      EXPECT_TRUE(try_step(made.system, state, 1 / count, {}, work, trial).done());
      accept(k / count, trial, work, state);
    }
    return std::abs(state.z[made.probes[0].terms[0].index] - exact(1));
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(0.1, 0.005, 16), error), 2, 0.1);
}

TEST(AdaptiveSteps, FindTheCommutationsOfTheCard) {  // F:V02, TI:V-13
  const std::string circuit_b =
      "circuit (b)\n.param c={1/(2*pi)^2}\nC1 n 0 {c} ic={1/c}\nL1 n 0 1 ic=1\nR1 0 m 10\nD1 m n\n"
      ".tran 0.05 5 uic\n.probe v(n) i(l1)\n";
  const double C = 1 / (4 * std::numbers::pi * std::numbers::pi);
  for (const double accuracy : {1e-3, 1e-4, 1e-5, 1e-6}) {
    const CircuitResult result = simulate(circuit_b, accuracy);
    const Table& x = result.trajectory.x;
    const double error =
        std::hypot(C * x(x.rows() - 1, 0) - 0.0043527826, x(x.rows() - 1, 1) + 0.0221105130);
    EXPECT_LE(error, bound(result, accuracy, 6.4)) << accuracy;  // currents up to 6.4 A
    EXPECT_GT(result.trajectory.report.active_steps, 4);
  }
}

/// Largest difference of the columns, in parts of full scale.
double difference(const CircuitResult& a, const CircuitResult& fine, Index column, double scale) {
  double largest = 0;
  Index row = 0;
  for (Index k = 0; k < a.trajectory.size(); ++k) {
    while (row + 1 < fine.trajectory.size() && fine.trajectory.t[row] < a.trajectory.t[k] - 1e-15)
      ++row;
    largest =
        std::max(largest, std::abs(a.trajectory.x(k, column) - fine.trajectory.x(row, column)));
  }
  return largest / scale;
}

TEST(AdaptiveSteps, AgreeWithFineFixedStepsOnABridgeRectifier) {
  const std::string bridge =
      "bridge\nV1 a b sin(0 10 50)\nR1 b 0 1meg\nD1 a out\nD2 b out\nD3 0 a\nD4 0 b\nC1 out 0 1m\n"
      "Rs out 0 100\n.tran 0.5m 60m uic\n.probe v(out) v(a,b)\n";
  const CircuitResult fine = run_circuit(read_netlist(bridge), {.step = 2e-6, .theta = 1.0});
  for (const double accuracy : {1e-3, 1e-4}) {
    const CircuitResult result = simulate(bridge, accuracy);
    for (const Index column : {0, 1})
      EXPECT_LE(difference(result, fine, column, 10), 10 * accuracy);
  }
}

TEST(AdaptiveSteps, AgreeWithFineFixedStepsOnABuckConverter) {
  // discontinuous conduction: the diode commutes by itself when the current is used up
  const std::string buck =
      "buck\nV1 in 0 24\nS1 in x pulse(0 1 0 0 0 2u 10u)\nD1 0 x\nL1 x out 20u\nC1 out 0 47u\n"
      "R1 out 0 40\n.tran 0.5u 0.5m uic\n.probe v(out) i(l1)\n";
  const CircuitResult fine = run_circuit(read_netlist(buck), {.step = 5e-9, .theta = 1.0});
  const CircuitResult result = simulate(buck, 1e-3);
  EXPECT_LE(difference(result, fine, 0, 24), 0.01);
  EXPECT_LE(difference(result, fine, 1, 2.4), 0.01);
  EXPECT_LT(result.trajectory.report.steps, 5000);
}

TEST(AdaptiveSteps, TurnASwitchWhereItsControlCrosses) {
  // v rises to 6 V through 1 kΩ and falls to 4 V through 100 Ω: exponentials between known levels
  const std::string oscillator =
      "t\nV1 in 0 10\nR1 in v 1k\nC1 v 0 1u ic=0\nS1 v 0 v 0 sw\n.model sw sw(vt=5 vh=1 ron=100)\n"
      ".tran 10u 20m uic\n.probe v(v)\n.meas top max v(v) from=5m\n.meas low min v(v) from=5m\n";
  for (const double accuracy : {1e-3, 1e-4}) {
    const CircuitResult result = simulate(oscillator, accuracy);
    // the rate k jumps by Δk where it turns: h |Δk| (2 − √2)/3 ≤ accuracy · 6 V in the step that
    // does, and v runs on by h |k| at most
    const double overshoot = 6 * accuracy * 3 / (2 - std::numbers::sqrt2);
    EXPECT_NEAR(result.measures[0].value, 6, overshoot);
    EXPECT_NEAR(result.measures[1].value, 4, overshoot);
  }
}

TEST(AdaptiveSteps, LetChargesJumpWhenAnIdealSwitchConnectsThem) {
  // 2 F at 6 V and 1 F at 0 V: 4 V, at a known instant or where a ramp crosses 0.5 V
  for (const char* control :
       {"S1 a b pulse(0 1 1 0 0 1 10)\n",
        "Vc c 0 pwl(0 0 2 1)\nRc c 0 1\nS1 a b c 0 sw\n.model sw sw(vt=0.5)\n"}) {
    const CircuitResult result =
        simulate(std::string("t\nC1 a 0 2 ic=6\nC2 b 0 1 ic=0\nR1 a 0 1meg\nR2 b 0 1meg\n") +
                     control + ".tran 0.1 1.9 uic\n.probe v(a) v(b)\n",
                 1e-3);
    ASSERT_EQ(result.trajectory.size(), 20);
    for (Index k = 0; k < 20; ++k) {
      const Table& x = result.trajectory.x;
      if (k != 10) {
        EXPECT_NEAR(x(k, 0), k < 10 ? 6 : 4, 1e-4);
        EXPECT_NEAR(x(k, 1), k < 10 ? 0 : 4, 1e-4);
      }
    }
  }
}

TEST(AdaptiveSteps, EndWithASwitchThatChattersForEver) {
  // no hysteresis: the switch turns in every step; the shortest length grows until it gets on
  const CircuitResult result = simulate(
      "t\nV1 in 0 10\nR1 in v 1k\nC1 v 0 1u ic=0\nS1 v 0 v 0 sw\n.model sw sw(vt=5 vh=0 ron=1)\n"
      ".tran 10u 2m uic\n.probe v(v)\n",
      1e-3);
  EXPECT_NEAR(result.trajectory.x(result.trajectory.size() - 1, 0), 5, 0.5);
}

TEST(AdaptiveSteps, RecordTheInstantsAskedFor) {
  const CircuitResult result = simulate(rc, 1e-3);
  ASSERT_EQ(result.trajectory.size(), 101);
  for (Index k = 0; k <= 100; ++k)
    EXPECT_NEAR(result.trajectory.t[k], 5e-5 * static_cast<double>(k), 1e-12);
  EXPECT_LT(result.trajectory.report.steps, 100);
  EXPECT_GT(result.trajectory.report.longest_step, result.trajectory.report.shortest_step);
  const CircuitResult late = run_circuit(
      read_netlist("t\nV1 a 0 sin(0 1 50)\nR1 a 0 1\n.tran 0.3m 10m 5m\n.probe v(a)\n"));
  EXPECT_NEAR(late.trajectory.t.front(), 5.1e-3, 1e-12);
  EXPECT_EQ(late.trajectory.t.back(), 10e-3);
}

TEST(AdaptiveSteps, AreTheDefaultUnlessALongestStepOrThetaIsGiven) {
  const auto steps = [](const std::string& lines, const CircuitOptions& options = {}) {
    return run_circuit(read_netlist("RC\nV1 a 0 1\nR1 a b 1k\nC1 b 0 1u\n" + lines), options)
        .trajectory.report;
  };
  EXPECT_GT(steps(".tran 1u 1m uic\n").longest_step, 0);
  EXPECT_EQ(steps(".tran 1u 1m 0 10u uic\n").steps, 1000);
  EXPECT_EQ(steps(".tran 10u 1m uic\n.options theta=1\n").steps, 100);
  EXPECT_EQ(steps(".tran 10u 1m uic\n.options method=trap\n").steps, 100);
  EXPECT_EQ(steps(".tran 10u 1m uic\n.options accuracy=0\n").steps, 100);
  EXPECT_EQ(steps(".tran 10u 1m uic\n", {.step = 1e-6}).steps, 1000);
  EXPECT_GT(steps(".tran 10u 1m uic\n", {.step = 1e-6, .accuracy = 1e-3}).longest_step, 0);
  EXPECT_LT(steps(".tran 10u 1m uic\n.options accuracy=1e-2\n").steps,
            steps(".tran 10u 1m uic\n.options accuracy=1e-6\n").steps);
}

TEST(AdaptiveSteps, RefuseAnAccuracyOutOfRange) {
  EXPECT_ERROR(read_netlist("t\nR1 a 0 1\n.options accuracy=2\n"),
               "accuracy is 2, expected 0 or 1e-12 to 0.5");
  EXPECT_ERROR(read_netlist("t\nR1 a 0 1\n.options accuracy=-1\n"), "line 3, column 19");
  EXPECT_ERROR(run_circuit(read_netlist(rc), {.accuracy = 0.7}), "accuracy");
  EXPECT_ERROR(run_circuit(read_netlist(rc), {.accuracy = std::nan("")}), "accuracy");
}

TEST(AdaptiveSteps, FailWhereAnIdealSourceIsShorted) {
  const CircuitResult result = run_circuit(
      read_netlist("t\nV1 a 0 5\nS1 a 0 pulse(0 1 1m 0 0 1m 10m)\nR1 a 0 1\n.tran 0.1m 3m uic\n"));
  EXPECT_NE(result.failure.find("no solution at t = 0.001 s"), std::string::npos) << result.failure;
  EXPECT_NEAR(result.trajectory.t.back(), 1e-3, 1e-12);
}

}  // namespace
}  // namespace saltus
