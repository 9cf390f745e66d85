// Events inside of chosen steps, and rows that are piecewise-linear functions: TI:TI-086, PL:C-05.
#include "saltus/algebra/hinge_sum.hpp"
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/integrators/descriptor_step.hpp"
#include "saltus/integrators/descriptor_trbdf2.hpp"
#include "saltus/io/circuit_run.hpp"
#include "saltus/problems/block_form.hpp"
#include "saltus/solvers/mode_hinges.hpp"
#include "saltus/solvers/mode_pivoting.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

HingeSum square() {
  return {{circuits::mos_breaks.begin(), circuits::mos_breaks.end()},
          {circuits::mos_slopes.begin(), circuits::mos_slopes.end()}};
}

TEST(HingeSum, IsTheSumOfItsHingesOnEveryPiece) {  // PL:C-05
  const HingeSum f = square();
  EXPECT_EQ(f.pieces(), 6);
  for (double x = -1; x < 3; x += 0.01) EXPECT_NEAR(f(x), circuits::mos_square(x), 1e-14);
  EXPECT_EQ(f.piece(0.2), 2);
  EXPECT_EQ(f.piece(0.1 + 1e-9, 1, 1e-8), 1);  // within the slack of the piece it was on
  EXPECT_EQ(f.piece(0.1 + 1e-7, 1, 1e-8), 2);
}

TEST(HingeSum, RefusesBreaksThatDoNotIncrease) {
  EXPECT_ERROR((HingeSum({1, 1}, {2, 3})), "increasing breaks");
  EXPECT_ERROR((HingeSum({1}, {2, 3})), "1 breaks and 2 slopes");
}

/// r₀ − r₁/2 + q₀ = 0 and r₁ = f(x), x = r₀/3 − q₁.
BlockForm function_problem(double q0, double q1) {
  Eigen::SparseMatrix<double> W(2, 2);
  W.insert(0, 0) = 1;
  W.insert(0, 1) = -0.5;
  W.insert(1, 0) = -1.0 / 3;
  W.insert(1, 1) = 1;
  BlockForm problem;
  problem.W = BlockSparse::sparse(W);
  problem.q = Vector::Zero(2);
  problem.q << q0, q1;
  problem.K = {Reals{}, Reals{}};
  return problem;
}

TEST(ModePivoting, SolvesRowsThatAreFunctionsAsTheirHingesWrittenOut) {
  HingeRows hinges;
  hinges.functions.push_back(square());
  hinges.rows.push_back({1, 0});
  int pieces = 0;
  for (double q0 = 1; q0 > -4; q0 -= 0.37) {
    const BlockForm problem = function_problem(q0, 0.2);
    ModeWorkspace work, reference;
    prepare(problem, work, 0, hinges);
    Vector r = Vector::Zero(2);
    ASSERT_TRUE(solve_prepared(problem, r, ModePivoting{}, work).converged());
    EXPECT_NEAR(r[0] - 0.5 * r[1] + q0, 0, 1e-14);
    EXPECT_NEAR(r[1], hinges.functions[0](r[0] / 3 - 0.2), 1e-14);
    pieces = std::max(pieces, piece_of(work.modes[1]));
    const BlockForm larger = write_out_hinges(problem, hinges);
    Vector all = Vector::Zero(larger.q.size());
    ASSERT_TRUE(solve(larger, all, ModePivoting{}, reference).converged());
    EXPECT_NEAR((all.head(2) - r).lpNorm<Eigen::Infinity>(), 0, 1e-13);
  }
  EXPECT_GE(pieces, 3);  // or the test would see flat pieces only
}

TEST(ModePivoting, RefusesFunctionsThatAreCoupledWithOneAnother) {
  HingeRows hinges;
  hinges.functions.push_back(square());
  hinges.rows = {{0, 0}, {1, 0}};
  ModeWorkspace work;
  EXPECT_ERROR(prepare(function_problem(0, 0), work, 0, hinges), "not be coupled with another one");
}

TEST(AdaptiveSteps, MeetTheEndOfConductionWithFewRepeatedSteps) {
  // v_C = 1 − cos ωt, ω = 1/√(LC), until the current is used up at t = π/ω: the diode blocks for
  // good.
  const std::string text =
      "half wave\nV1 a 0 1\nD1 a b\nL1 b c 1m ic=0\nC1 c 0 1m ic=0\n.tran 50u 20m uic\n"
      ".probe v(c) i(l1)\n";
  const double omega = 1e3;
  for (const double accuracy : {1e-2, 1e-3, 1e-4}) {
    const CircuitResult result = run_circuit(circuits::read_netlist(text), {.accuracy = accuracy});
    ASSERT_EQ(result.failure, "");
    const RunReport& report = result.trajectory.report;
    const double steps = static_cast<double>(report.steps);
    for (Index k = 0; k < result.trajectory.size(); ++k) {
      const double t = result.trajectory.t[k];
      const double v = t < std::numbers::pi / omega ? 1 - std::cos(omega * t) : 2.0;
      // errors of the steps add up at most; full scale of the voltage is 2
      EXPECT_NEAR(result.trajectory.x(k, 0), v, 2 * steps * accuracy) << t;
      EXPECT_GE(result.trajectory.x(k, 1), -2 * accuracy);  // lateness times bend, full scale 1 A
    }
    // Met by a cut or two, not by halving; at the start full scale is not known yet.
    EXPECT_LE(report.rejected_steps, 12) << accuracy;
  }
}

TEST(AdaptiveSteps, EndAtTheEventsOfABridgeRectifierWithoutRepeatingThem) {
  const auto bridge = circuits::read_netlist(
      "bridge\nV1 a b sin(0 10 50)\nR1 b 0 1meg\nD1 a out\nD2 b out\nD3 0 a\nD4 0 b\n"
      "C1 out 0 1m ic=0\nRs out 0 100\n.tran 0.5m 0.5 uic\n.probe v(out)\n");
  const CircuitResult fine = run_circuit(bridge, {.accuracy = 1e-6});
  for (const double accuracy : {1e-1, 1e-2, 1e-3}) {
    const CircuitResult result = run_circuit(bridge, {.accuracy = accuracy});
    ASSERT_EQ(result.trajectory.size(), fine.trajectory.size());
    for (Index k = 0; k < result.trajectory.size(); ++k)  // full scale is 10 V
      EXPECT_NEAR(result.trajectory.x(k, 0), fine.trajectory.x(k, 0), 10 * accuracy) << k;
    const RunReport& report = result.trajectory.report;
    EXPECT_GE(report.active_steps,
              99);  // two in each of 50 half periods, the first begins with one
    EXPECT_LE(report.rejected_steps, 10) << accuracy;
  }
}

TEST(AdaptiveSteps, CountTheCommutationsAtTheEdgesOfASwitch) {
  // a buck converter whose current does not end: the diode takes over at every edge, two a period
  const int periods = 50;
  const auto result = run_circuit(circuits::read_netlist(
      "buck\nV1 in 0 24\nS1 in x pulse(0 1 0 0 0 4u 10u)\nD1 0 x\nL1 x out 100u ic=5\n"
      "C1 out 0 47u ic=9.6\nR1 out 0 2\n.tran 10u 500u uic\n.probe i(l1)\n"));
  ASSERT_EQ(result.failure, "");
  EXPECT_GE(result.trajectory.report.active_steps, 2 * periods - 1);
  EXPECT_LE(result.trajectory.report.active_steps, 2 * periods + 2);
}

TEST(TrBdf2, EndsAStepEarlyWithTheErrorOfTheWholeStep) {
  // v = V cos ωt + (V₁/ω) sin ωt of an LC circuit, and a capacitor that a source charges: its
  // charge is to be the one of the source at the end, whatever the cubic says.
  const auto made = circuits::assemble(
      circuits::read_netlist("LC\nL1 a 0 1 ic=0\nC1 a 0 1 ic=1\nV1 s 0 sin(0 1 0.2)\nC2 s 0 1\n"
                             ".probe v(a) v(s)\n"),
      false);
  const auto errors = [&](double h, double part) {
    DescriptorState state;
    DescriptorWorkspace work;
    DescriptorTrial trial;
    EXPECT_TRUE(start_descriptor(made.system, 0, 1e-12, {}, state, work).done());
    EXPECT_TRUE(restart(made.system, 1e-9, {}, state, work, trial).done());
    EXPECT_TRUE(try_step(made.system, state, h, {}, work, trial, true).done());
    EXPECT_TRUE(end_early(made.system, state, part, 1e-9, {}, work, trial).done());
    EXPECT_DOUBLE_EQ(trial.h, part * h);
    const auto value = [&](int k) { return trial.z[made.probes[k].terms[0].index]; };
    return std::pair(std::abs(value(0) - std::cos(trial.h)),
                     std::abs(value(1) - std::sin(0.4 * std::numbers::pi * trial.h)));
  };
  for (const double part : {0.2, 0.5, 0.9}) {
    const auto coarse = errors(0.2, part), fine = errors(0.1, part);
    EXPECT_LE(coarse.first, 0.2 * 0.2 * 0.2 / 12);  // the error constant of the method is 0.04
    EXPECT_LE(fine.first, coarse.first / 6);        // third order: 8
    EXPECT_LE(std::max(coarse.second, fine.second), 1e-12);  // a constraint
  }
}

TEST(AdaptiveSteps, PredictThePiecesOfTransistors) {  // PL:C-05
  std::string text =
      "chain\n.model n nmos(kp=129u vto=1 cgs=2f cgd=2f)\n.model p pmos(kp=43u vto=-1 w=3 cgs=2f "
      "cgd=2f)\n.subckt inv in out vdd\nMn out in 0 0 n\nMp out in vdd vdd p\nCL out 0 50f\n.ends\n"
      "Vdd vdd 0 5\nVin n0 0 pulse(0 5 1n 0.1n 0.1n 20n 40n)\n";
  for (int k = 1; k <= 4; ++k) text += fmt::format("X{} n{} n{} vdd inv\n", k, k - 1, k);
  const auto chain = circuits::read_netlist(text + ".tran 1n 80n\n.probe v(n4)\n");
  for (const double accuracy : {3e-2, 1e-3}) {
    const CircuitResult result = run_circuit(chain, {.accuracy = accuracy});
    const RunReport& report = result.trajectory.report;
    // Every edge of an inverter passes the five breaks of each of four functions: without the
    // prediction a commutation takes an exchange of modes, or more.
    EXPECT_GE(report.active_steps, 32) << accuracy;  // two steps for each of 16 edges, at least
    EXPECT_LT(report.solver_iterations, report.active_steps / 2) << accuracy;
    EXPECT_EQ(result.failure, "");
  }
}

TEST(ModePivoting, BeginsWithThePiecesItIsToldToExpect) {
  HingeRows hinges;
  hinges.functions.push_back(square());
  hinges.rows = {{1, 0}};
  const auto solved = [&](const double* expected) {
    const BlockForm problem = function_problem(0, -1);
    ModeWorkspace work;
    prepare(problem, work, 0, hinges);
    Vector r = Vector::Zero(problem.q.size());
    EXPECT_TRUE(solve_prepared(problem, r, {}, work).converged());
    work.modes.assign(work.modes.size(), Mode::free);
    work.modes[1] = mode_of_piece(0);
    if (expected != nullptr) expect_pieces(Vector::Constant(1, *expected), work);
    const SolveReport report = solve_prepared(problem, r, {}, work);
    EXPECT_TRUE(report.converged());
    return std::tuple(report.iterations, r, work.x[0]);
  };
  const auto [exchanges, r, x] = solved(nullptr);
  EXPECT_GT(exchanges, 0);
  for (const double guess : {x, x + 10, -10.0}) {  // right, and wrong on both sides
    const auto [fewer, same, argument] = solved(&guess);
    EXPECT_EQ(fewer == 0, guess == x);
    EXPECT_LE((same - r).lpNorm<Eigen::Infinity>(), 1e-14);
    EXPECT_NEAR(argument, x, 1e-14);
  }
}

}  // namespace
}  // namespace saltus
