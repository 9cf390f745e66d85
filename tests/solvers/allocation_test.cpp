// After a first solve of some size and pattern, another one of that size and pattern uses no heap.
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"
#include "support/allocation_guard.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

class Allocation : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  }
};

/// Solves twice, cold and with another q, and counts the allocations of the second solve.
template <class Problem, class Options>
long second_solve(Problem problem, const Options& options) {
  Workspace work;
  Vector z = Vector::Zero(problem.q.size());
  SolveReport report = solve(problem, z, options, work);
  EXPECT_TRUE(report.converged()) << describe(options);
  z.setZero();
  problem.q *= 1.5;
  const testing::AllocationGuard guard;
  report = solve(problem, z, options, work);
  const long count = guard.count();
  EXPECT_TRUE(report.converged()) << describe(options);
  return count;
}

TEST_F(Allocation, TheGuardCounts) {
  const testing::AllocationGuard guard;
  const Vector x(1000);
  const auto p = std::make_unique<double>(1.0);
  EXPECT_EQ(guard.count(), 2);
}

TEST_F(Allocation, DoesNotHappenInAWarmComplementaritySolve) {
  library::Random random(2);
  for (Index n : {1, 4, 20, 90}) {
    const Lcp problem = library::random_spd_lcp(n, random);
    EXPECT_EQ(second_solve(problem, Lemke{}), 0);
    EXPECT_EQ(second_solve(problem, Murty{}), 0);
    EXPECT_EQ(second_solve(problem, BlockPivoting{}), 0);
    EXPECT_EQ(second_solve(problem, Psor{}), 0);
    EXPECT_EQ(second_solve(problem, Automatic{}), 0);
    EXPECT_EQ(second_solve(to_block_form(problem), Nsgs{.max_iterations = 5000}), 0);
    EXPECT_EQ(second_solve(to_block_form(problem), Algorithm(Automatic{})), 0);
  }
  EXPECT_EQ(second_solve(library::redundant(), BlockPivoting{}), 0);
  EXPECT_EQ(second_solve(library::diode_bridge(10), Automatic{}), 0);
}

TEST_F(Allocation, DoesNotHappenInAWarmSparseSolve) {
  EXPECT_EQ(second_solve(library::column(20000), BlockPivoting{}), 0);
  library::Random random(4);
  const Lcp unsymmetric = library::random_pd_lcp(100, random);
  EXPECT_EQ(second_solve(unsymmetric, BlockPivoting{}), 0);
}

TEST_F(Allocation, DoesNotHappenInAWarmMixedOrFrictionSolve) {
  library::Random random(6);
  const Mlcp mlcp =
      make_mlcp(library::random_spd(3, random), library::random_spd(4, random), Matrix::Zero(3, 4),
                Matrix::Zero(4, 3), random.vector(3), random.vector(4));
  EXPECT_EQ(second_solve(mlcp, Lemke{}), 0);
  EXPECT_EQ(second_solve(mlcp, BlockPivoting{}), 0);
  for (Index dimension : {2, 3})
    EXPECT_EQ(second_solve(library::random_contacts(dimension, 10, random), Nsgs{}), 0);
}

}  // namespace
}  // namespace saltus
