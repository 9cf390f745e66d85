// Devices and converters: PL:C-05, PL:C-06, PL:C-07, PL:NL-05, F:F030, F:F031, F:F036, F:F037.
#include "saltus/circuits/measure.hpp"
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/io/circuit_run.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

using circuits::assemble;
using circuits::mos_square;
using circuits::read_netlist;

CircuitResult simulate(const std::string& netlist) {
  CircuitResult result = run_circuit(read_netlist(netlist));
  EXPECT_EQ(result.failure, "");
  return result;
}

double measured(const CircuitResult& result, std::string_view name) {
  for (const MeasuredValue& m : result.measures)
    if (m.name == name) return m.value;
  fail("no measure {}", name);
}

/// Unknown `index` at rest.
Vector at_rest(const std::string& netlist) {
  const auto made = assemble(read_netlist(netlist));
  DescriptorState state;
  DescriptorWorkspace work;
  EXPECT_TRUE(operating_point(made.system, 0, {}, state, work).done());
  Vector values(static_cast<Index>(made.probes.size()));
  for (std::size_t k = 0; k < made.probes.size(); ++k) {
    values[k] = 0;
    for (const auto& term : made.probes[k].terms) values[k] += term.factor * state.z[term.index];
  }
  return values;
}

TEST(MosSquare, IsNearTheSquareAsTheCardSays) {  // PL:C-05
  double relative = 0, absolute = 0;
  for (double x = 0.1; x < 3.82; x += 1e-4)
    relative = std::max(relative, std::abs(mos_square(x) - x * x) / (x * x));
  for (double x = 0; x < 0.1; x += 1e-4)
    absolute = std::max(absolute, std::abs(mos_square(x) - x * x));
  EXPECT_LE(relative, 0.101);
  EXPECT_GE(relative, 0.1);
  EXPECT_LE(absolute, 2.03e-3);
  EXPECT_EQ(mos_square(-1), 0);
}

TEST(Mos, StaticCharacteristicIsThatOfTheCard) {  // PL:C-06
  struct Point {
    double gate, drain, current;
  };
  // K = μ C_ox W / L from the data of the card. Its values come from the straight pieces, which
  // jump by up to 1.54e-5 where the hinges are continuous: K/2 · 2 · 2e-5.
  const double gain = 750e-4 * 3.9 * 8.8541878e-12 / 20e-9;
  EXPECT_NEAR(gain, 1.2949250e-4, 1e-11);
  for (const Point& p :
       {Point{2, 5, 7.0237766e-5}, Point{3, 1, 2.1196782e-4}, Point{3, 5, 2.8220559e-4},
        Point{5, 5, 9.0735133e-4}, Point{5, 2, 6.2514575e-4}}) {
    const auto current = [&](const char* type, double sign) {
      return at_rest(
          fmt::format("t\nVG g 0 {}\nVD d 0 {}\nM1 d g 0 0 m\n.model m {}(kp={} vto={})\n"
                      ".probe i(m1) i(vd)\n",
                      sign * p.gate, sign * p.drain, type, gain, sign));
    };
    const Vector n = current("nmos", 1), q = current("pmos", -1);
    EXPECT_NEAR(n[0], p.current, 2e-5 * gain);
    EXPECT_NEAR(n[1], -n[0], 1e-15);
    EXPECT_NEAR(q[0], -n[0], 1e-15);
  }
}

std::string inverter_chain(int stages) {
  std::string text =
      "chain\n.model n nmos(kp=129.4925u vto=1 cgs=2f cgd=2f)\n"
      ".model p pmos(kp=43.164u vto=-1 w=3 cgs=2f cgd=2f)\n"
      ".subckt inv in out vdd\nMn out in 0 0 n\nMp out in vdd vdd p\nCL out 0 50f\n.ends\n"
      "Vdd vdd 0 5\nVin n0 0 pulse(0 5 1n 0.1n 0.1n 20n 40n)\n";
  for (int k = 1; k <= stages; ++k) text += fmt::format("X{} n{} n{} vdd inv\n", k, k - 1, k);
  return text + ".tran 20p 20n\n";
}

TEST(InverterChain, InvertsFromRailToRailWithEqualDelays) {  // PL:C-07
  constexpr int stages = 8;
  const CircuitResult result = simulate(inverter_chain(stages));
  const Table& x = result.trajectory.x;
  const auto column = [&](int k) {
    return std::find(x.names.begin(), x.names.end(), fmt::format("v(n{})", k)) - x.names.begin();
  };
  std::vector<double> crossing;
  for (int k = 1; k <= stages; ++k) {
    const Index c = column(k);
    const bool rises = k % 2 == 0;
    EXPECT_NEAR(x(0, c), rises ? 0 : 5, 1e-9);
    EXPECT_NEAR(x(x.rows() - 1, c), rises ? 5 : 0, 1e-3);
    Index row = 0;
    while (rises ? x(row, c) < 2.5 : x(row, c) > 2.5) ++row;
    crossing.push_back(result.trajectory.t[row]);
  }
  // rising and falling edges differ, so pairs of stages are compared; one step is 20 ps
  const double pair = (crossing[7] - crossing[1]) / 3;
  EXPECT_GT(pair, 0);
  for (int k = 2; k < stages; ++k) EXPECT_NEAR(crossing[k] - crossing[k - 2], pair, 4e-11);
}

TEST(Diode, WithForwardVoltageAndResistance) {  // F:F031
  const Vector v = at_rest(
      "t\nV1 a 0 5\nR1 a b 98\nD1 b 0 dm\n.model dm d(vf=1 ron=2)\n.probe v(b) "
      "i(d1)\n");
  EXPECT_NEAR(v[1], 0.04, 1e-12);
  EXPECT_NEAR(v[0], 1.08, 1e-12);
}

TEST(OpAmp, WithFeedbackAmplifiesUpToItsRails) {  // PL:NL-05: saturation
  for (const double in : {0.5, 2.0, -3.0}) {
    const Vector v = at_rest(fmt::format(
        "t\nV1 a 0 {}\nR1 a m 1k\nR2 m o 4k\nO1 0 m o low=-5 high=5\n.probe v(o)\n", in));
    EXPECT_NEAR(v[0], std::clamp(-4 * in, -5.0, 5.0), 1e-9);
  }
}

TEST(OpAmp, WithoutFeedbackIsARelayThatSlides) {  // PL:NL-05: relay
  // C v̇ = (u − v)/R with u = −sign(v − 1)·5: reaches v = 1 and stays, u the equivalent control 1
  const CircuitResult result = simulate(
      "t\nO1 ref v u low=-5 high=5\nVref ref 0 1\nR1 u v 1k\nC1 v 0 1u ic=0\n.tran 10u 2m\n.probe "
      "v(v) v(u)\n");
  const Table& x = result.trajectory.x;
  for (Index k = 0; k < x.rows(); ++k)
    if (result.trajectory.t[k] > 0.25e-3) {  // reached at R C ln(5/4) = 0.223 ms
      EXPECT_NEAR(x(k, 0), 1, 1e-12);
      if (result.trajectory.t[k] > 0.26e-3) {
        EXPECT_NEAR(x(k, 1), 1, 1e-9);
      }
    }
}

TEST(Transformer, ChangesVoltageAndCurrent) {
  const Vector v = at_rest("t\nV1 a 0 12\nT1 a 0 s 0 3\nR1 s 0 2\n.probe v(s) i(v1)\n");
  EXPECT_NEAR(v[0], 4, 1e-12);
  EXPECT_NEAR(v[1], -2.0 / 3, 1e-12);
}

TEST(CoupledInductors, ConserveTheFluxWhenTheSwitchOpens) {
  // L1 carries 2 A when its loop opens at t = 0: the flux of the core passes to L2, i2 = 2 n
  const CircuitResult result = simulate(
      "t\nL1 a 0 4 ic=2\nL2 0 b 1\nK1 L1 L2 1\nR2 b 0 1\nR1 a 0 1g\n.tran 1m 10m\n.probe i(l2) "
      "i(l1)\n");
  // k = 1: fluxes (8, 4); i1 = 0 gives M i2 = −… with the orientation of L2: i2 = 4 A
  EXPECT_NEAR(std::abs(result.trajectory.x(0, 0)), 4, 1e-3);
}

TEST(Capacitors, ShareTheChargeOfAnInconsistentStart) {
  // 2 F at 6 V beside 1 F at 0 V: the charge 12 C is shared, 4 V
  const CircuitResult result =
      simulate("t\nC1 a 0 2 ic=6\nC2 a 0 1 ic=0\nR1 a 0 1meg\n.tran 1m 2m\n");
  EXPECT_NEAR(result.trajectory.x(0, 0), 4, 1e-6);
  ASSERT_EQ(result.remarks.size(), 3u);
  EXPECT_EQ(result.remarks[0],
            "c2, c1 form a loop of capacitors and voltage sources: charges may jump");
  EXPECT_EQ(result.remarks[1], "at the start the voltage of c1 jumps from 6 to 4");
  EXPECT_EQ(result.remarks[2], "at the start the voltage of c2 jumps from 0 to 4");
}

TEST(Capacitors, GiveTheSameWithAndWithoutTheirCurrents) {
  const auto circuit = read_netlist(
      "t\nV1 in 0 sin(0 10 50)\nR1 in a 10\nC1 a b 10u ic=1\nD1 b c\nC2 c 0 47u\nC3 c d 5u\nL1 d 0 "
      "1m\nR2 c 0 100\n");
  DescriptorRun options;
  options.step = 1e-4;
  options.end = 0.1;
  const auto with = assemble(circuit, true), without = assemble(circuit, false);
  EXPECT_EQ(with.system.size(), without.system.size() + 3);
  const auto first = run(with.system, with.probes, options);
  const auto second = run(without.system, without.probes, options);
  ASSERT_EQ(first.trajectory.x.values.size(), second.trajectory.x.values.size());
  for (std::size_t k = 0; k < first.trajectory.x.values.size(); ++k)
    ASSERT_NEAR(first.trajectory.x.values[k], second.trajectory.x.values[k], 1e-6);
}

TEST(Sources, ControlledByVoltageAndCurrent) {
  const Vector v = at_rest(
      "t\nV1 a 0 2\nR1 a 0 1\nE1 e 0 a 0 3\nR2 e 0 1\nG1 0 g a 0 4\nR3 g 0 1\nF1 0 f V1 -5\nR4 f 0 "
      "1\nH1 h 0 V1 -6\nR5 h 0 1\n.probe v(e) v(g) v(f) v(h)\n");
  EXPECT_NEAR(v[0], 6, 1e-12);
  EXPECT_NEAR(v[1], 8, 1e-12);
  EXPECT_NEAR(v[2], 10, 1e-12);  // i(V1) = −2
  EXPECT_NEAR(v[3], 12, 1e-12);
}

// Averages of ideal converters in continuous conduction. The ripple and the step leave 0.3 %.

struct Converter {
  const char* name;
  const char* lines;
  double average;
};

class Converters : public ::testing::TestWithParam<Converter> {};

TEST_P(Converters, ReachTheTextbookAverage) {
  const CircuitResult result =
      simulate(std::string("converter\n.param d=0.4 t=10u\n") + GetParam().lines +
               "\n.tran 0.1u 20m uic\n.meas vout avg v(out) from=18m\n");
  EXPECT_NEAR(measured(result, "vout"), GetParam().average, 3e-3 * std::abs(GetParam().average));
}

INSTANTIATE_TEST_SUITE_P(
    Ideal, Converters,
    ::testing::Values(
        Converter{"buck",
                  "V1 in 0 24\nS1 in x pulse(0 1 0 0 0 {d*t} {t})\nD1 0 x\nL1 x out 100u\nC1 out 0 "
                  "47u\nR1 out 0 4",
                  0.4 * 24},
        Converter{"boost",
                  "V1 in 0 12\nL1 in x 100u\nS1 x 0 pulse(0 1 0 0 0 {d*t} {t})\nD1 x out\nC1 out 0 "
                  "47u\nR1 out 0 20",
                  12 / 0.6},
        Converter{"buck_boost",
                  "V1 in 0 12\nS1 in x pulse(0 1 0 0 0 {d*t} {t})\nL1 x 0 100u\nD1 out x\nC1 out 0 "
                  "47u\nR1 out 0 10",
                  -12 * 0.4 / 0.6},
        Converter{"cuk",
                  "V1 in 0 12\nL1 in x 200u\nS1 x 0 pulse(0 1 0 0 0 {d*t} {t})\nC1 x y 20u\nD1 y "
                  "0\nL2 y out 200u\nC2 out 0 47u\nR1 out 0 10",
                  -12 * 0.4 / 0.6},
        Converter{"flyback",
                  "V1 in 0 24\nL1 in x 400u\nS1 x 0 pulse(0 1 0 0 0 {d*t} {t})\nL2 0 s 100u\nK1 L1 "
                  "L2 1\nD1 s out\nC1 out 0 47u\nR1 out 0 10",
                  24 * 0.5 * 0.4 / 0.6}),
    [](const auto& converter) { return converter.param.name; });

TEST(Measures, OfASineAndOfASquareWave) {
  const CircuitResult result = simulate(
      "t\nV1 a 0 sin(1 2 50)\nV2 b 0 pulse(-1 1 0 0 0 10m 20m)\nR1 a 0 1\nR2 b 0 1\n.tran 10u "
      "40m uic\n.meas mean avg v(a)\n.meas r rms v(a)\n.meas top max v(a)\n.meas span pp v(a)\n"
      ".meas pure thd v(a) freq=50\n.meas square thd v(b) freq=50\n.meas end last v(a)\n");
  // trapezoidal sums over whole periods are exact for a sine; straight lines miss (ωh)²/12
  EXPECT_NEAR(measured(result, "mean"), 1, 1e-6);
  EXPECT_NEAR(measured(result, "r"), std::sqrt(3), 1e-5);
  EXPECT_NEAR(measured(result, "top"), 3, 1e-5);
  EXPECT_NEAR(measured(result, "span"), 4, 2e-5);
  EXPECT_NEAR(measured(result, "pure"), 0, 1e-4);
  double sum = 0;  // of the square wave's harmonics 4/(π k), odd k up to 39
  for (int k = 3; k < 40; k += 2) sum += 1.0 / (k * k);
  EXPECT_NEAR(measured(result, "square"), std::sqrt(sum), 2e-3);
  EXPECT_NEAR(measured(result, "end"), 1, 1e-9);
}

TEST(Circuit, ShortedSourceFailsAndNamesThePlace) {
  const CircuitResult result = run_circuit(
      read_netlist("t\nV1 a 0 5\nS1 a 0 pulse(0 1 1m 0 0 1m 10m)\nR1 a 0 1\n.tran 0.1m 3m uic\n"));
  EXPECT_NE(result.failure.find("no solution at t = 0.001 s"), std::string::npos) << result.failure;
  EXPECT_EQ(result.trajectory.report.end, RunEnd::step_failed);
  EXPECT_NEAR(result.trajectory.t.back(), 1e-3, 1e-12);
}

TEST(Circuit, NamesWhatItCannotFind) {
  const auto make = [](const char* lines) {
    return assemble(read_netlist(std::string("t\n") + lines));
  };
  EXPECT_ERROR(make("R1 a 0 1\nF1 a 0 Vx 1"), "f1 is controlled by the current of 'vx'");
  EXPECT_ERROR(make("L1 a 0 1\nR1 a 0 1\nK1 L1 R1 0.5"), "k1 couples 'r1', expected");
  EXPECT_ERROR(run_circuit(read_netlist("t\nR1 a 0 1\n")), "there is no .tran");
}

TEST(Circuit, WarmStepAllocatesNothing) {
  const auto made = assemble(read_netlist(
      "t\nV1 in 0 sin(0 10 50)\nD1 in p\nD2 0 p\nD3 n in\nD4 n 0\nR1 p n 100\nC1 p n 1m\nR2 n 0 "
      "1k\n"));
  DescriptorState state;
  DescriptorWorkspace work;
  const DescriptorTheta scheme;
  ASSERT_TRUE(start_descriptor(made.system, 0, 1e-10, scheme, state, work).done());
  for (int k = 0; k < 800; ++k) ASSERT_TRUE(step(made.system, state, 1e-4, scheme, work).done());
  const testing::AllocationGuard guard;
  for (int k = 0; k < 400; ++k) ASSERT_TRUE(step(made.system, state, 1e-4, scheme, work).done());
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace saltus
