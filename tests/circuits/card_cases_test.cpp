// The circuit cases of the cards: F:V01, F:V02, F:V03, F:V04, F:V05, F:V06, F:V07, F:V09, F:V26,
// F:V51, TI:V-11, TI:V-12, TI:V-13, F:F038, F:F039, F:F040, F:F041, F:F042, F:F043.
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/io/circuit_run.hpp"
#include "support/fitted_order.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace saltus {
namespace {

using circuits::assemble;
using circuits::read_netlist;

// L = 1, C = 1/(2π)²; charges x1 = C v, currents x2.
const std::string constants = ".param c={1/(2*pi)^2}\n";
constexpr double capacitance = 0.025330295910584444;

std::string circuit_a(double R) {
  return "circuit (a)\n" + constants +
         fmt::format("L1 0 n 1 ic=-1\nR1 n 0 {}\nC1 n m {{c}} ic={{1/c}}\nD1 0 m\n", R) +
         ".probe v(n,m) i(l1) v(m)\n";
}
const std::string circuit_b = "circuit (b)\n" + constants +
                              "C1 n 0 {c} ic={1/c}\nL1 n 0 1 ic=1\nR1 0 m 10\nD1 m n\n"
                              ".probe v(n) i(l1) i(d1)\n";
const std::string circuit_c = "circuit (c)\n" + constants +
                              "L1 0 a 1 ic=0\nR1 a b 0.1\nC1 b c {c} ic={1/c}\nD1 0 c\n"
                              ".probe v(b,c) i(l1) v(c)\n";
const std::string circuit_d = "circuit (d)\n" + constants +
                              "D1 0 k\nL1 k n 1 ic=-1\nC1 n 0 {c} ic={1/c}\nR1 n 0 10\n"
                              ".probe v(n) i(l1) v(k)\n";

DescriptorResult simulate(const std::string& netlist, double h, double end, double theta = 1,
                          bool damp = true) {
  const auto made = assemble(read_netlist(netlist));
  DescriptorRun options;
  options.step = h;
  options.end = end;
  options.scheme.theta = theta;
  options.scheme.damp = damp;
  DescriptorResult result = run(made.system, made.probes, options);
  EXPECT_EQ(result.failure, "");
  return result;
}

/// Charge and current at the end.
std::pair<double, double> final_state(const DescriptorResult& result) {
  const Table& x = result.trajectory.x;
  return {capacitance * x(x.rows() - 1, 0), x(x.rows() - 1, 1)};
}

// The start is made consistent by two steps of 1e-6 h of the implicit Euler method, whose effect on
// a consistent state is below 1e-5 h.

TEST(CircuitA, BackwardEulerMatchesTheCardAtThreeSteps) {  // F:V01
  const double expected[] = {-0.46737, -0.47652, -0.48118};
  const double steps[] = {5e-3, 2.5e-3, 1.25e-3};
  for (int k = 0; k < 3; ++k)
    EXPECT_NEAR(final_state(simulate(circuit_a(10), steps[k], 1)).first, expected[k], 1e-5);
}

TEST(CircuitA, ConvergesToTheExactSwitch) {  // TI:V-11
  const auto error = [](double h, double theta) {
    const auto [x1, x2] = final_state(simulate(circuit_a(10), h, 1, theta, false));
    return std::hypot(x1 + 0.485895555496, x2 + 0.004548243574);
  };
  EXPECT_NEAR(error(1e-4, 1), 3.8e-4, 1e-5);
  EXPECT_LE(error(1e-4, 0.5), 1e-7);
  const auto h = testing::steps(1e-2, 5e-4, 20);
  EXPECT_NEAR(testing::fitted_order(h, [&](double s) { return error(s, 1); }), 1, 0.1);
}

TEST(CircuitA, StiffAfterTheSwitchStaysBounded) {  // TI:V-12
  for (const double theta : {1.0, 0.5}) {
    const auto result = simulate(circuit_a(1e4), 5e-3, 1, theta, false);
    EXPECT_NEAR(final_state(result).first, -1.011686743842, 0.05);
    const Table& x = result.trajectory.x;
    for (Index k = x.rows() / 2; k < x.rows(); ++k) EXPECT_LE(std::abs(x(k, 1)), 0.05 + 1e-9);
  }
  const auto fine = simulate(circuit_a(1e4), 1e-4, 1);
  EXPECT_NEAR(final_state(fine).first, -1.011686743842, 2e-3);
  // the voltage of the blocking diode tends to λ = 39.939791758
  EXPECT_NEAR(fine.trajectory.x(fine.trajectory.x.rows() - 1, 2), 39.939791758, 0.1);
}

TEST(CircuitB, BackwardEulerMatchesTheCard) {  // F:V02
  const auto [x1, x2] = final_state(simulate(circuit_b, 5e-3, 1));
  EXPECT_NEAR(x1, 0.32432, 1e-5);
  EXPECT_NEAR(x2, -0.09020, 1e-5);
}

TEST(CircuitB, ErrorsAreThoseOfTheCard) {  // TI:V-13
  const auto error = [](double h, double theta) {
    const auto [x1, x2] = final_state(simulate(circuit_b, h, 5, theta, false));
    return std::max(std::abs(x1 - 0.00435278), std::abs(x2 + 0.02211051));
  };
  EXPECT_NEAR(error(5e-3, 1), 5.9e-3, 1e-4);
  EXPECT_NEAR(error(5e-4, 1), 6.4e-4, 1e-5);
  EXPECT_LE(error(5e-3, 0.5), 1e-4);
  EXPECT_LE(error(5e-4, 0.5), 1e-6);
}

TEST(CircuitB, SwitchesWhenTheCardSays) {  // F:V02, TI:V-13
  const double h = 1e-4;
  const auto result = simulate(circuit_b, h, 2, 0.5, false);
  std::vector<double> switches;
  const Table& x = result.trajectory.x;
  for (Index k = 1; k < x.rows(); ++k)
    if ((x(k, 2) > 1e-12) != (x(k - 1, 2) > 1e-12)) switches.push_back(result.trajectory.t[k]);
  const double expected[] = {0.2248803859, 0.7515452741, 1.2515452741, 1.7782101623};
  ASSERT_EQ(switches.size(), 4u);
  for (int k = 0; k < 4; ++k) EXPECT_NEAR(switches[k], expected[k], h + 1e-6);
}

TEST(CircuitB, DampedStepsKeepTheSecondOrder) {  // TI:V-13
  const auto error = [](double h) {
    const auto [x1, x2] = final_state(simulate(circuit_b, h, 5, 0.5, true));
    return std::hypot(x1 - 0.0043527826, x2 + 0.0221105130);
  };
  const auto h = testing::steps(2e-2, 2e-3, 20);
  EXPECT_NEAR(testing::fitted_order(h, error), 2, 0.4);
}

TEST(CircuitB, IsTheRectifierOfTheSecondBook) {  // F:V51, F:F042
  // ẋ = A x + B i_D, y = −v_L + R i_D with x = (v_L, i_L), by hand; x1 = −C v_L, x2 = −i_L
  Descriptor rectifier;
  rectifier.E.resize(3, 3);
  rectifier.G.resize(3, 3);
  for (int i = 0; i < 2; ++i) rectifier.E.insert(i, i) = 1;
  rectifier.G.insert(0, 1) = 1 / capacitance;
  rectifier.G.insert(0, 2) = 1 / capacitance;
  rectifier.G.insert(1, 0) = -1;
  rectifier.G.insert(2, 0) = -1;
  rectifier.G.insert(2, 2) = 10;
  rectifier.E.makeCompressed();
  rectifier.G.makeCompressed();
  rectifier.lower = Values{-inf, -inf, 0};
  rectifier.upper = Values{inf, inf, inf};
  rectifier.initial = Values{-1 / capacitance, -1, 0};
  rectifier.constant = Vector::Zero(3);
  rectifier.by_step.assign(3, 0);
  rectifier.names = {"v_L", "i_L", "i_D"};
  DescriptorRun options;
  options.step = 5e-3;
  options.end = 1;
  const auto by_hand = run(rectifier, {{"v_L", {{0, 1}}}, {"i_L", {{1, 1}}}}, options);
  const auto [x1, x2] = final_state(simulate(circuit_b, 5e-3, 1));
  const Table& x = by_hand.trajectory.x;
  EXPECT_NEAR(-capacitance * x(x.rows() - 1, 0), x1, 1e-11);
  EXPECT_NEAR(-x(x.rows() - 1, 1), x2, 1e-11);
}

TEST(CircuitC, StopsExactlyAndForEver) {  // F:V03
  for (const auto& [h, expected] : {std::pair{1e-3, -0.9657314}, {1e-4, -0.9743470}}) {
    const auto result = simulate(circuit_c, h, 1);
    EXPECT_NEAR(final_state(result).first, expected, 1e-6);
    const Table& x = result.trajectory.x;
    for (Index k = 0; k < x.rows(); ++k)
      if (result.trajectory.t[k] > 0.51) {
        EXPECT_LE(std::abs(x(k, 1)), 1e-25);  // rounding²
      }
    EXPECT_EQ(x(x.rows() - 1, 1), 0);
    EXPECT_NEAR(x(x.rows() - 1, 2), -expected / capacitance, 1e-4);
  }
}

TEST(CircuitC, StepIsTheProximalPoint) {  // F:V05, F:C0-02
  const double h = 1e-3, R = 0.1;
  const auto result = simulate(circuit_c, h, 0.7);
  const Table& x = result.trajectory.x;
  double x1 = capacitance * x(0, 0), x2 = x(0, 1);
  for (Index k = 1; k < x.rows(); ++k) {
    const double free = (x2 - h * x1 / capacitance) / (1 + h * R + h * h / capacitance);
    x2 = std::min(free, 0.0);
    x1 += h * x2;
    // 700 steps, each with roundings of 1e-15 of currents up to 6 A
    ASSERT_NEAR(x(k, 1), x2, 4e-12);
    ASSERT_NEAR(capacitance * x(k, 0), x1, 4e-12);
  }
}

TEST(CircuitD, StartsWithTheLeastJump) {  // F:V04
  const auto result = simulate(circuit_d, 1e-3, 0.5);
  EXPECT_EQ(result.trajectory.x(0, 1), 0);  // the flux L x2 jumps from −1 to 0: impulse 1
  EXPECT_NEAR(capacitance * result.trajectory.x(0, 0), 1, 1e-6);
  EXPECT_NEAR(final_state(result).first, 0.1394520, 2e-6);
  const Table& x = result.trajectory.x;
  for (Index k = 0; k < x.rows(); ++k) EXPECT_EQ(x(k, 1), 0);
  EXPECT_NEAR(x(x.rows() - 1, 2), 0.1394520 / capacitance, 1e-3);
}

TEST(Circuits, RestWhereTheCardSays) {  // F:V06
  // the largest change of the charge in 0.2 s from (x1, 0)
  const auto change = [](std::string netlist, double charge) {
    for (const auto& [given, wanted] :
         {std::pair<std::string, std::string>{"ic={1/c}", fmt::format("ic={{{}/c}}", charge)},
          {"ic=-1", "ic=0"},
          {"ic=1\n", "ic=0\n"}})
      if (const auto at = netlist.find(given); at != std::string::npos)
        netlist.replace(at, given.size(), wanted);
    const auto result = simulate(netlist, 1e-3, 0.2);
    double largest = 0;
    for (Index k = 0; k < result.trajectory.x.rows(); ++k)
      largest = std::max(largest, std::abs(capacitance * result.trajectory.x(k, 0) - charge));
    return largest;
  };
  for (const std::string& circuit : {circuit_a(10), circuit_c}) {  // {x1 ≤ 0, x2 = 0}
    EXPECT_LE(change(circuit, -0.3), 1e-12);
    EXPECT_GE(change(circuit, 0.3), 0.1);
  }
  for (const std::string& circuit : {circuit_b, circuit_d}) {  // 0 only
    EXPECT_LE(change(circuit, 0), 1e-12);
    EXPECT_GE(change(circuit, -0.3), 0.1);
    EXPECT_GE(change(circuit, 0.3), 0.1);
  }
}

TEST(ZenerCircuit, SticksWhereTheCardSays) {  // F:V07, F:F034
  for (const auto& [voltage, stuck, end] :
       {std::tuple{10.0, 0.038312, 2.0}, {5.0, 0.082655, 4.0}}) {
    const auto result =
        simulate("Zener\n" + constants +
                     fmt::format("L1 0 a 1 ic=1\nR1 a b 0.1\nC1 b c {{c}} ic={{1/c}}\nD1 c 0 dz\n"
                                 ".model dz d(bv={})\n.probe v(b,c) i(l1) v(c)\n",
                                 voltage),
                 1e-4, end);
    const auto [x1, x2] = final_state(result);
    EXPECT_NEAR(x1, stuck, 1e-5);
    const Table& x = result.trajectory.x;
    for (Index k = x.rows() - 1000; k < x.rows(); ++k) EXPECT_EQ(x(k, 1), 0);
    EXPECT_NEAR(-x(x.rows() - 1, 2), x1 / capacitance, 1e-9);  // v of the Zener diode balances C
  }
}

TEST(ZenerCircuit, RestsWithChargesThatTheDiodeCanHold) {  // F:C0-04
  // at rest for x1 in [0, C Vz], the units of a charge; outside the capacitor drives a current
  const double voltage = 10;
  for (const auto& [share, rests] :
       {std::pair{0.1, true}, {0.9, true}, {1.2, false}, {-0.1, false}}) {
    const double charge = share * capacitance * voltage;
    const auto result =
        simulate("Zener\n" + constants +
                     fmt::format("L1 0 a 1 ic=0\nR1 a b 0.1\nC1 b c {{c}} ic={{{}/c}}\nD1 c 0 dz\n"
                                 ".model dz d(bv={})\n.probe v(b,c) i(l1) v(c)\n",
                                 charge, voltage),
                 1e-3, 0.1);
    const double moved = std::abs(final_state(result).first - charge);
    if (rests)
      EXPECT_LE(moved, 1e-14) << share;
    else
      EXPECT_GE(moved, 1e-4) << share;
  }
}

TEST(ZenerDiode, HoldsItsVoltageBackwardsAndNoneForwards) {  // F:V09
  for (const double current : {1.0, -1.0}) {
    const auto made = assemble(read_netlist(fmt::format(
        "t\nI1 0 a {}\nD1 a 0 dz\nR1 a 0 1meg\n.model dz d(bv=5)\n.probe v(a)\n", current)));
    DescriptorState state;
    DescriptorWorkspace work;
    ASSERT_TRUE(operating_point(made.system, 0, {}, state, work).done());
    EXPECT_NEAR(state.z[0], current > 0 ? 0 : -5, 1e-9);
  }
}

TEST(TwoDiodes, JumpsAreThoseOfTheThreeRules) {  // F:V26, F:F043
  struct Case {
    double i3, i2, after3, after2;
  };
  for (const Case& c : {Case{-1, 0.5, 0, 0}, Case{1, 2, 4.0 / 3, 4.0 / 3}, Case{-1, -2, 0, -2}}) {
    const auto result = simulate(
        fmt::format("two diodes\nD2 0 k\nL3 k n 2 ic={}\nD1 n 0\nL2 n m 1 ic={}\nR1 m p 1\nC4 p 0 "
                    "0.5\n.probe i(l3) i(l2)\n",
                    c.i3, c.i2),
        1e-3, 1e-2);
    // the start takes 2e-9 s, in which currents move by less than 1e-8
    EXPECT_NEAR(result.trajectory.x(0, 0), c.after3, 1e-7);
    EXPECT_NEAR(result.trajectory.x(0, 1), c.after2, 1e-7);
  }
}

}  // namespace
}  // namespace saltus
