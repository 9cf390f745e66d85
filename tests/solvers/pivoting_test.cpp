// Principal pivoting: Bard, Cottle-Dantzig, Keller beside Murty and Lemke.
#include "problem_library.hpp"

#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/bard.hpp"
#include "saltus/solvers/cottle_dantzig.hpp"
#include "saltus/solvers/keller.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/murty.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

struct Solved {
  Vector z;
  SolveReport report;
  Vector certificate;
};

template <class Problem, class Options>
Solved run(const Problem& problem, const Options& options) {
  Workspace work;
  Solved solved{Vector::Zero(problem.q.size()), {}, {}};
  solved.report = solve(problem, solved.z, options, work);
  solved.certificate = work.certificate;
  return solved;
}

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

TEST(Bard, TakesTheExponentialNumberOfPivots) {  // S:V-11, S:LCP-27
  for (Index n : {3, 4, 5, 8}) {
    const Solved s = run(library::worst_case(n, false), Bard{});
    EXPECT_EQ(s.report.iterations, (1 << n) - 1);
    EXPECT_VECTOR(s.z, Vector::Unit(n, n - 1), 0);
  }
  const Solved limited = run(library::worst_case(5, false), Bard{.max_iterations = 20});
  EXPECT_EQ(limited.report.status, SolveStatus::max_iterations);
  EXPECT_EQ(limited.report.iterations, 20);
}

TEST(CottleDantzig, SolvesTheCardsProblems) {  // S:V-01, S:V-09, S:V-11, S:V-13, S:V-14, S:V-17
  EXPECT_VECTOR(run(library::seed(), CottleDantzig{}).z, Values({4, 1}), 1e-14);
  EXPECT_VECTOR(run(library::spd(), CottleDantzig{}).z, Values({4.0 / 3, 7.0 / 3}), 1e-14);
  for (bool transposed : {false, true})
    EXPECT_TRUE(run(library::worst_case(8, transposed), CottleDantzig{}).report.converged());
  EXPECT_VECTOR(run(library::diode_bridge(10), CottleDantzig{}).z, Values({10, 0, 0.01, 0}), 1e-13);
  EXPECT_VECTOR(run(library::diode_bridge(-10), CottleDantzig{}).z, Values({0, 10, 0, 0.01}),
                1e-13);
  EXPECT_TRUE(run(library::diode_bridge_step(), CottleDantzig{}).report.converged());
  EXPECT_NEAR(run(library::slow_chain(), CottleDantzig{}).z.sum(), 925.2, 1e-9);
  EXPECT_NEAR(run(library::redundant(), CottleDantzig{}).z.sum(), 1, 1e-14);  // S:V-16
}

TEST(CottleDantzig, SolvesRandomPAndSemidefiniteProblems) {
  library::Random random(5);
  for (const Index n : {1, 2, 5, 20, 60})
    for (int trial = 0; trial < 20; ++trial) {
      EXPECT_TRUE(run(library::random_p_lcp(n, random), CottleDantzig{}).report.converged()) << n;
      EXPECT_TRUE(run(library::random_pd_lcp(n, random), CottleDantzig{}).report.converged()) << n;
      EXPECT_TRUE(run(library::random_psd_lcp(n, random), CottleDantzig{}).report.converged()) << n;
    }
}

TEST(Keller, SolvesTheSymmetricProblemsOfTheCards) {  // S:V-09, S:V-16, S:V-17, PL:C-03
  const Solved spd = run(library::spd(), Keller{});
  EXPECT_EQ(spd.report.iterations, 2);
  EXPECT_VECTOR(spd.z, Values({4.0 / 3, 7.0 / 3}), 1e-14);
  EXPECT_NEAR(run(library::redundant(), Keller{}).z.sum(), 1, 1e-14);
  EXPECT_NEAR(run(library::slow_chain(), Keller{}).z.sum(), 925.2, 1e-9);
  EXPECT_EQ(run(library::column(40), Keller{}).report.iterations, 40);
}

TEST(Keller, SolvesIndefiniteStrictlyCopositiveProblems) {  // S:LCP-13, S:LCP-03e
  library::Random random(6);
  for (const Index n : {2, 5, 20, 60})
    for (int trial = 0; trial < 20; ++trial) {
      Matrix A = random.matrix(n, n).cwiseAbs();
      A = (A + A.transpose()).eval();
      const Solved s = run(library::dense(A, random.vector(n)), Keller{});
      EXPECT_TRUE(s.report.converged()) << n << ": " << name(s.report.status);
    }
}

TEST(Keller, RefusesAMatrixThatIsNotSymmetric) {
  EXPECT_EQ(run(library::seed(), Keller{}).report.status, SolveStatus::nonconvex);
}

TEST(Keller, CallsARayOfAnIndefiniteFunctionStalled) {
  // f = z − ½ z² falls for ever in the end, but z = 0 is stationary
  const Lcp solvable = library::dense(Rows{{-1.0}}, Values{1});
  EXPECT_TRUE(run(solvable, Keller{}).report.converged());
  // z = (1, 1) solves it, but f = z₁z₂ − ½ z₂² − z₁ falls for ever along the first axis
  const Lcp indefinite = library::dense(Rows{{0, 1}, {1, -1}}, Values{-1, 0});
  EXPECT_EQ(run(indefinite, Keller{}).report.status, SolveStatus::stalled);
}

template <class Options>
class RayProof : public ::testing::Test {};
using RayMethods = ::testing::Types<Lemke, CottleDantzig, Keller>;
TYPED_TEST_SUITE(RayProof, RayMethods);

TYPED_TEST(RayProof, OfASemidefiniteProblemIsCheckedAndKept) {  // S:V-12, S:LCP-26
  // no row tells, but w₁ + w₂ = −2
  const Lcp problem = library::dense(Rows{{1, -1}, {-1, 1}}, Values{-1, -1});
  const Solved s = run(problem, TypeParam{});
  EXPECT_EQ(s.report.status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(problem, s.certificate));
  const Lcp feasible = library::dense(Rows{{1, -1}, {-1, 1}}, Values{-1, 2});
  EXPECT_TRUE(run(feasible, TypeParam{}).report.converged());
  EXPECT_EQ(run(feasible, TypeParam{}).certificate.size(), 0);
}

template <class Options>
class GuessedBasis : public ::testing::Test {};
using TableauMethods = ::testing::Types<Lemke, Murty, Bard, CottleDantzig, Keller>;
TYPED_TEST_SUITE(GuessedBasis, TableauMethods);

TYPED_TEST(GuessedBasis, ThatSolvesCostsNoPivot) {  // S:GEN-01
  Workspace work;
  Vector z = Values{1, 1};
  const SolveReport report = solve(library::spd(), z, TypeParam{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 0);
}

TYPED_TEST(GuessedBasis, IsNotNeededForMixedProblems) {  // S:V-18, S:LCP-11
  const Mlcp mlcp =
      make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2}, Values{-1});
  EXPECT_VECTOR(run(mlcp, TypeParam{}).z, Values({-3, 4}), 1e-14);
}

}  // namespace
}  // namespace saltus
