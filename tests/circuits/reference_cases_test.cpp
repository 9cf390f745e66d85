// Circuits against references computed here: the five forms of the Zener diode (F:V09, F:F034,
// F:F035, F:F036, F:F037), the inverter chain with level-1 transistors (PL:C-07), and warm steps
// with every element that allocate nothing.
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/integrators/descriptor_step.hpp"
#include "saltus/integrators/descriptor_trbdf2.hpp"
#include "saltus/io/circuit_run.hpp"
#include "support/allocation_guard.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <Eigen/Cholesky>

#include <cmath>

namespace saltus {
namespace {

using circuits::assemble;
using circuits::read_netlist;

constexpr double zener_voltage = 5, capacitance = 0.025330295910584444;

/// ẋ1 = x2, ẋ2 = −x1/C − 0.1 x2 + v and a law between v and i = x2 in the rows after these. A row
/// is a constant and terms (column, factor).
struct LawRow {
  double lower, upper, constant;
  std::vector<std::pair<int, double>> terms;
};
Descriptor zener_circuit(const std::vector<LawRow>& law,
                         const std::vector<std::pair<int, double>>& v, double v_constant) {
  const Index n = 2 + static_cast<Index>(law.size());
  std::vector<Eigen::Triplet<double>> G{{0, 1, -1}, {1, 0, 1 / capacitance}, {1, 1, 0.1}};
  for (const auto& [column, factor] : v) G.emplace_back(1, column, -factor);
  Descriptor made;
  made.E.resize(n, n);
  made.E.insert(0, 0) = 1;
  made.E.insert(1, 1) = 1;
  made.lower = Vector::Constant(n, -inf);
  made.upper = Vector::Constant(n, inf);
  made.initial = Vector::Zero(n);
  made.initial.head<2>().setOnes();
  made.constant = Vector::Zero(n);
  made.constant[1] = -v_constant;
  for (std::size_t k = 0; k < law.size(); ++k) {
    const Index row = 2 + static_cast<Index>(k);
    made.lower[row] = law[k].lower;
    made.upper[row] = law[k].upper;
    made.constant[row] = law[k].constant;
    for (const auto& [column, factor] : law[k].terms) G.emplace_back(row, column, factor);
  }
  made.G.resize(n, n);
  made.G.setFromTriplets(G.begin(), G.end());
  made.E.makeCompressed();
  made.by_step.assign(static_cast<std::size_t>(n), 0);
  made.names.assign(static_cast<std::size_t>(n), "row");
  return made;
}

struct ZenerForm {
  const char* name;
  std::vector<LawRow> law;
  std::vector<std::pair<int, double>> v;  // v = v_constant + Σ factor z
  double v_constant = 0;
};

std::vector<ZenerForm> zener_forms() {
  const double Vz = zener_voltage;
  return {
      // −i ∈ N_[0, Vz](v)
      {"inclusion", {{0, Vz, 0, {{1, 1}}}}, {{2, 1}}},
      // the slack form with l1 = Vz − l2: l2 ∈ [0, Vz] against (|i| + i) − (|i| − i), and
      // |i| = i + 2 m, 0 ≤ m ⟂ m + i ≥ 0
      {"slack", {{0, inf, 0, {{2, 1}, {1, 1}}}, {0, Vz, 0, {{2, 2}, {1, 2}, {2, -2}}}}, {{3, 1}}},
      // mixed: i = i⁺ − i⁻, 0 ≤ i⁺ ⟂ v ≥ 0, 0 ≤ i⁻ ⟂ Vz − v ≥ 0
      {"mixed",
       {{-inf, inf, 0, {{3, -1}, {4, 1}, {1, 1}}}, {0, inf, 0, {{2, 1}}}, {0, inf, Vz, {{2, -1}}}},
       {{2, 1}}},
      // without i⁻: 0 ≤ l1 ⟂ i⁺ − i ≥ 0, 0 ≤ i⁺ ⟂ Vz − l1 ≥ 0, v = Vz − l1
      {"positive part", {{0, inf, 0, {{3, 1}, {1, -1}}}, {0, inf, Vz, {{2, -1}}}}, {{2, -1}}, Vz},
      // w = C x + D λ + g, D = [[0, 1], [−1, 0]], g = (0, Vz)
      {"complementarity", {{0, inf, 0, {{3, 1}, {1, 1}}}, {0, inf, Vz, {{2, -1}}}}, {{2, 1}}}};
}

double voltage(const ZenerForm& form, const Vector& z) {
  double v = form.v_constant;
  for (const auto& [column, factor] : form.v) v += factor * z[column];
  return v;
}

TEST(ZenerForms, GiveTheSameTrajectory) {  // F:V09
  const double h = 5e-3;
  std::vector<double> first;
  for (const ZenerForm& form : zener_forms()) {
    const Descriptor system = zener_circuit(form.law, form.v, form.v_constant);
    DescriptorState state;
    DescriptorWorkspace work;
    ASSERT_TRUE(start_descriptor(system, 0, 1e-9, {}, state, work).done()) << form.name;
    std::vector<double> seen;
    for (int k = 0; k < 900; ++k) {
      ASSERT_TRUE(step(system, state, h, {}, work).done()) << form.name;
      seen.insert(seen.end(), {state.z[0], state.z[1], voltage(form, state.z)});
    }
    if (first.empty()) first = seen;
    // 900 steps with roundings of 1e-16 of velocities up to 7, and of v/L h
    for (std::size_t k = 0; k < seen.size(); ++k) ASSERT_NEAR(seen[k], first[k], 1e-9) << form.name;
    EXPECT_NEAR(state.z[1], 0, 1e-12) << form.name;  // it sticks, and v balances the capacitor
    EXPECT_NEAR(voltage(form, state.z), state.z[0] / capacitance, 1e-9) << form.name;
  }
}

TEST(ZenerForms, GiveTheVoltageOfTheCurrent) {  // F:V09
  for (const ZenerForm& form : zener_forms())
    for (const double current : {1.0, -1.0, 0.0}) {
      Descriptor system = zener_circuit(form.law, form.v, form.v_constant);
      // both states held: x1 = 0 and x2 = current in a step, whatever v is
      system.E.coeffRef(0, 0) = 1e20;
      system.E.coeffRef(1, 1) = 1e20;
      system.initial.setZero();
      system.initial[1] = 1e20 * current;
      DescriptorState state;
      DescriptorWorkspace work;
      ASSERT_TRUE(start_descriptor(system, 0, 1, {}, state, work).done()) << form.name;
      const double v = voltage(form, state.z);
      if (current != 0) {
        EXPECT_NEAR(v, current > 0 ? 0 : zener_voltage, 1e-9) << form.name;
      } else {
        EXPECT_GE(v, -1e-9);
        EXPECT_LE(v, zener_voltage + 1e-9);
      }
    }
}

// The inverter chain by hand: node voltages v_k, C v̇ = −i(v), the matrix C of C_L = 50 fF, of
// C_GS = 2 fF and C_GD = 2 fF of each of the two transistors of a stage; fourth-order Runge-Kutta
// with 1 ps.
constexpr int stages = 8;

class ChainByHand {
 public:
  explicit ChainByHand(double (*square)(double)) : square_(square), C_(stages, stages) {
    C_.setZero();
    for (int k = 0; k < stages; ++k) {
      C_(k, k) = 50e-15 + 4e-15 + (k + 1 < stages ? 8e-15 : 0);
      if (k + 1 < stages) C_(k, k + 1) = C_(k + 1, k) = -4e-15;
    }
    solver_.compute(C_);
  }
  /// Instants at which the stages cross 2.5 V.
  std::vector<double> crossings() const {
    Vector v(stages);
    for (int k = 0; k < stages; ++k) v[k] = k % 2 == 0 ? 5 : 0;
    std::vector<double> found(stages, 0);
    const double h = 1e-12;
    for (int n = 0; n < 20000; ++n) {
      const double t = n * h;
      const Vector a = rate(t, v), b = rate(t + h / 2, v + h / 2 * a),
                   c = rate(t + h / 2, v + h / 2 * b), d = rate(t + h, v + h * c);
      const Vector next = v + h / 6 * (a + 2 * b + 2 * c + d);
      for (int k = 0; k < stages; ++k)
        if ((v[k] - 2.5) * (next[k] - 2.5) < 0) found[k] = t + h * (2.5 - v[k]) / (next[k] - v[k]);
      v = next;
    }
    return found;
  }

 private:
  static double input(double t) { return std::clamp((t - 1e-9) / 0.1e-9, 0.0, 1.0) * 5; }
  Vector rate(double t, const Vector& v) const {
    Vector i(stages);
    for (int k = 0; k < stages; ++k) {
      const double gate = k == 0 ? input(t) : v[k - 1], out = v[k];
      const double n = square_(gate - 1) - square_(gate - out - 1);
      const double p = square_(5 - gate - 1) - square_(out - gate - 1);
      i[k] = -(129.4925e-6 * n - 3 * 43.164e-6 * p) / 2;
    }
    const bool ramp = t > 1e-9 && t < 1.1e-9;
    i[0] += 4e-15 * (ramp ? 5 / 0.1e-9 : 0.0);
    return solver_.solve(i);
  }
  double (*square_)(double);
  Matrix C_;
  Eigen::LLT<Matrix> solver_;
};

double level_one(double x) { return x > 0 ? x * x : 0.0; }

std::vector<double> chain_crossings(double accuracy) {
  std::string text =
      "chain\n.model n nmos(kp=129.4925u vto=1 cgs=2f cgd=2f)\n"
      ".model p pmos(kp=43.164u vto=-1 w=3 cgs=2f cgd=2f)\n"
      ".subckt inv in out vdd\nMn out in 0 0 n\nMp out in vdd vdd p\nCL out 0 50f\n.ends\n"
      "Vdd vdd 0 5\nVin n0 0 pulse(0 5 1n 0.1n 0.1n 20n 40n)\n";
  std::string probes = ".probe";
  for (int k = 1; k <= stages; ++k) {
    text += fmt::format("X{} n{} n{} vdd inv\n", k, k - 1, k);
    probes += fmt::format(" v(n{})", k);
  }
  const CircuitResult result =
      run_circuit(read_netlist(text + probes + "\n.tran 1p 20n\n"), {.accuracy = accuracy});
  EXPECT_EQ(result.failure, "");
  std::vector<double> found(stages, 0);
  const Trajectory& run = result.trajectory;
  for (Index row = 1; row < run.size(); ++row)
    for (int k = 0; k < stages; ++k) {
      const double before = run.x(row - 1, k) - 2.5, after = run.x(row, k) - 2.5;
      if (before * after < 0)
        found[k] = run.t[row - 1] + (run.t[row] - run.t[row - 1]) * before / (before - after);
    }
  return found;
}

TEST(InverterChain, EdgesAreThoseOfTheSameTransistorsByHand) {  // PL:C-07
  const auto expected = ChainByHand(circuits::mos_square).crossings();
  const auto found = chain_crossings(1e-4);
  // an edge takes 0.7 ns for 5 V: an error of 1e-3 of full scale is 1e-3 of that, and the errors of
  // the stages add up
  for (int k = 0; k < stages; ++k)
    EXPECT_NEAR(found[k], expected[k], 0.7e-12 * (k + 1)) << "stage " << k + 1;
}

TEST(InverterChain, DelaysAreNearThoseOfLevelOneTransistors) {  // PL:C-07
  const auto expected = ChainByHand(level_one).crossings();
  const auto found = chain_crossings(1e-3);
  // currents of the piecewise-linear square are between 1.101 (PL:C-05) and 0.8 (PL:C-06, gate 5 V,
  // drain 2 V) of those of the square, hence the delays
  for (int k = 0; k < stages; ++k) {
    const double exact = expected[k] - 1.05e-9, ours = found[k] - 1.05e-9;
    EXPECT_GE(ours, exact / 1.101) << "stage " << k + 1;
    EXPECT_LE(ours, exact / 0.8) << "stage " << k + 1;
  }
}

/// One of every element, all at work: half of them commute in a period of 20 ms.
const std::string every_element =
    "all\nV1 in 0 sin(0 10 50)\nR1 in a 10\nD1 a b\nC1 b 0 100u\nR2 b 0 200\nDz 0 z dz\nR3 in z "
    "50\n"
    ".model dz d(bv=4)\nL1 in l 10m\nR4 l 0 20\nL2 s 0 10m\nK1 L1 L2 0.5\nR5 s 0 10\nI1 0 i "
    "pulse(0 1m 0 1m 1m 4m 10m)\nR6 i 0 1k\nE1 e 0 a 0 2\nR7 e 0 1k\nG1 0 g a 0 1m\nR8 g 0 1k\nF1 "
    "0 "
    "f V1 0.1\nR9 f 0 1k\nH1 h 0 V1 5\nR10 h 0 1k\nVc c 0 pulse(0 5 0 0 0 5m 10m)\nRc c 0 1k\n"
    "S1 a q c 0 sw\nR11 q 0 100\n.model sw sw(vt=2 vh=0.5 ron=1 roff=1meg)\nS2 e r pulse(0 1 0 0 0 "
    "2m "
    "5m)\nR12 r 0 100\nM1 m c 0 0 n\nR13 c m 10k\n.model n nmos(kp=100u vto=1)\nM2 w c vdd vdd "
    "p\nR14 "
    "w 0 10k\nVdd vdd 0 5\n.model p pmos(kp=100u vto=-1)\nO1 0 y o low=-5 high=5\nR15 a y 1k\nR16 "
    "y o "
    "3k\nO2 in 0 k low=-1 high=1\nR17 k 0 1k\nT1 in 0 t 0 2\nR18 t 0 50\n.options theta=1\n";

TEST(Circuit, WarmStepsWithEveryElementAllocateNothing) {
  const auto made = assemble(read_netlist(every_element));
  DescriptorState state;
  DescriptorWorkspace work;
  const DescriptorTheta scheme;
  const double h = 1e-4;
  ASSERT_TRUE(start_descriptor(made.system, 0, 1e-10, scheme, state, work).done());
  const auto period = [&] {
    long iterations = 0;
    for (int k = 1; k <= 200; ++k) {
      const double begin = state.t;
      const StepReport report = step(made.system, state, h, scheme, work);
      EXPECT_TRUE(report.done());
      iterations += report.solver_iterations;
      state.t = begin + h;
    }
    return iterations;
  };
  for (int k = 0; k < 20; ++k) static_cast<void>(period());  // the slowest time constant is 20 ms
  const testing::AllocationGuard guard;
  EXPECT_GT(period(), 10);  // commutations
  EXPECT_EQ(guard.count(), 0);
}

TEST(Circuit, WarmTrialStepsWithEveryElementAllocateNothing) {
  const auto made = assemble(read_netlist(every_element), false);
  DescriptorState state;
  DescriptorWorkspace work;
  DescriptorTrial trial;
  const DescriptorTrBdf2 scheme;
  ASSERT_TRUE(start_descriptor(made.system, 0, 1e-10, {}, state, work).done());
  ASSERT_TRUE(restart(made.system, 1e-9, scheme, state, work, trial).done());
  double begin = 0;
  const auto period = [&] {
    bool done = true;
    for (int k = 0; k < 200; ++k) {
      const double h = k % 2 == 0 ? 5e-5 : 1.5e-4;
      done = done && try_step(made.system, state, h, scheme, work, trial).done();
      accept(begin + 1e-4 * k + (k % 2 == 0 ? 5e-5 : 1e-4), trial, work, state);
    }
    begin += 20e-3;
    return done;
  };
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(period());  // the slowest time constant is 20 ms
  const testing::AllocationGuard guard;
  EXPECT_TRUE(period());
  EXPECT_EQ(guard.count(), 0);
}

}  // namespace
}  // namespace saltus
