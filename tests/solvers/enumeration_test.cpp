#include "saltus/solvers/enumeration.hpp"

#include "problem_library.hpp"

#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(Enumeration, ReturnsAllThreeSolutionsOfTheSignProblem) {  // TI:V-03
  const Lcp problem = library::dense(Rows{{2, 4}, {4, 2}}, Values{-1, -1});
  const auto solutions = enumerate_solutions(problem);
  ASSERT_EQ(solutions.size(), 3U);
  EXPECT_EQ(solutions[0].z, Vector(Values{0.5, 0}));
  EXPECT_EQ(solutions[1].z, Vector(Values{0, 0.5}));
  EXPECT_LE((solutions[2].z - Vector::Constant(2, 1.0 / 6)).norm(), 1e-15);
  for (const auto& s : solutions) {
    EXPECT_FALSE(s.family);
    EXPECT_FALSE(s.degenerate);
  }
}

TEST(Enumeration, FindsTheOneSolutionOfAPMatrix) {  // S:V-01, S:V-09, S:LCP-03a
  library::Random random(3);
  for (int trial = 0; trial < 20; ++trial) {
    const Lcp problem = library::random_p_lcp(8, random);
    const auto solutions = enumerate_solutions(problem);
    ASSERT_EQ(solutions.size(), 1U);
    EXPECT_LE(residual(problem, solutions[0].z), 1e-10);
  }
  EXPECT_EQ(enumerate_solutions(library::seed()).at(0).z, Vector(Values{4, 1}));
}

TEST(Enumeration, MarksASegmentOfSolutionsAsAFamily) {  // S:V-16
  const auto solutions = enumerate_solutions(library::redundant());
  ASSERT_EQ(solutions.size(), 2U);  // the ends of z₁ + z₂ = 1
  for (const auto& s : solutions) {
    EXPECT_NEAR(s.z.sum(), 1, 1e-14);
    EXPECT_TRUE(s.degenerate);
  }
  EXPECT_TRUE(solutions[0].family || solutions[1].family);
}

TEST(Enumeration, MarksASegmentOnASingularBasisAsAFamily) {
  // w = (z₂, 1 − z₁): every z₁ in [0, 1] with z₂ = 0 solves it
  const Lcp problem = library::dense(Rows{{0, 1}, {-1, 0}}, Values{0, 1});
  const auto solutions = enumerate_solutions(problem);
  EXPECT_TRUE(
      std::any_of(solutions.begin(), solutions.end(), [](const auto& s) { return s.family; }));
}

TEST(Enumeration, SolvesWhereLemkeEndsOnARay) {  // S:LCP-30
  const Lcp problem = library::dense(Rows{{0, 1}, {1, 0}}, Values{-1, -1});
  Workspace work;
  Vector z = Vector::Zero(2);
  EXPECT_TRUE(solve(problem, z, Enumeration{}, work).converged());
  EXPECT_EQ(z, Vector(Values{1, 1}));
}

TEST(Enumeration, ReportsThatThereIsNoSolution) {
  // feasible, but w₁ = z₂ − 1 ≥ 0 makes z₂ > 0 and w₂ = z₁ + z₂ + 1 > 0
  const Lcp problem = library::dense(Rows{{0, 1}, {1, 1}}, Values{-1, 1});
  EXPECT_TRUE(enumerate_solutions(problem).empty());
  Workspace work;
  Vector z = Vector::Zero(2);
  const SolveReport report = solve(problem, z, Enumeration{}, work);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_EQ(report.iterations, 4);
}

TEST(Enumeration, RefusesLargeProblems) {
  library::Random random(1);
  const Lcp problem = library::random_spd_lcp(21, random);
  EXPECT_ERROR(enumerate_solutions(problem), "21 rows");
  Workspace work;
  Vector z = Vector::Zero(21);
  EXPECT_EQ(solve(problem, z, Enumeration{}, work).status, SolveStatus::max_iterations);
}

TEST(Enumeration, TreatsEqualitiesAndIntervals) {  // S:V-18
  Workspace work;
  const Mlcp mlcp =
      make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2}, Values{-1});
  Vector z = Vector::Zero(2);
  EXPECT_TRUE(solve(mlcp, z, Enumeration{}, work).converged());
  EXPECT_LE((z - Vector(Values{-3, 4})).norm(), 1e-14);
  const BlockForm relay{BlockSparse::dense(Rows{{1.0}}, 1), Values{-5}, {Interval{-1, 1}}};
  Vector r = Vector::Zero(1);
  EXPECT_TRUE(solve(relay, r, Enumeration{}, work).converged());
  EXPECT_EQ(r[0], 1);
}

}  // namespace
}  // namespace saltus
