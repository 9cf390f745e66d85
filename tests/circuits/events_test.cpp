// Events inside of chosen steps, and rows that are piecewise-linear functions: TI:TI-086, PL:C-05.
#include "saltus/algebra/hinge_sum.hpp"
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
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

}  // namespace
}  // namespace saltus
