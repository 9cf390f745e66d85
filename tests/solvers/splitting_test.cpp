// Splittings: Jacobi, symmetric relaxation, blocks, line search, and Latin.
#include "problem_library.hpp"

#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/latin.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/psor.hpp"
#include "saltus/solvers/splitting.hpp"
#include "saltus/solvers/splitting_block.hpp"
#include "saltus/solvers/splitting_line_search.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

struct Solved {
  Vector z;
  SolveReport report;
};

template <class Problem, class Options>
Solved run(const Problem& problem, const Options& options) {
  Workspace work;
  Solved solved{Vector::Zero(problem.q.size()), {}};
  solved.report = solve(problem, solved.z, options, work);
  EXPECT_EQ(solved.report.residual, residual(problem, solved.z)) << describe(options);
  return solved;
}

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

const double small = 1e-10 / 6;  // of S:V-09: residual < 1e-10, ‖q‖∞ = 6
const Vector spd_solution = Values{4.0 / 3, 7.0 / 3};

TEST(ProjectedJacobi, HalvesTheResidualOfTheSpdCaseInEverySweep) {  // S:V-09, S:LCP-16
  // u_k = M (z_k − z*), and I − M/2 maps it to half its mirror image: ‖u_k‖∞ = 6 · 2⁻ᵏ
  const Solved s = run(library::spd(), ProjectedJacobi{.tolerance = small});
  EXPECT_EQ(s.report.iterations, static_cast<int>(std::ceil(std::log2(6e10))));
  EXPECT_VECTOR(s.z, spd_solution, 1e-10);
}

TEST(SymmetricPsor, QuartersTheResidualOfTheSpdCaseInEveryPair) {  // S:V-09
  // after the first pair u₂ = −7/8; each later one changes z₂ and z₁ once, a factor ½ each
  const Solved s = run(library::spd(), SymmetricPsor{.tolerance = small});
  EXPECT_EQ(s.report.iterations, 1 + static_cast<int>(std::ceil(std::log2(0.875e10) / 2)));
  EXPECT_VECTOR(s.z, spd_solution, 1e-10);
}

TEST(Splittings, WithAProximalShiftKeepTheSolution) {  // S:V-15, S:LCP-20a, S:LCP-20b
  // the misprinted iteration ends at (0, 6), the solution for M − ρI
  EXPECT_VECTOR(run(library::spd(), SymmetricPsor{.tolerance = small, .rho = 1}).z, spd_solution,
                1e-10);
  EXPECT_VECTOR(run(library::spd(), BlockSplitting{.tolerance = small, .rho = 1}).z, spd_solution,
                1e-10);
}

TEST(Splittings, RefuseAZeroDiagonal) {  // S:V-13
  const Lcp bridge = library::diode_bridge(10);
  Lcp scalar = bridge;
  scalar.M = BlockSparse::dense(bridge.M.to_dense(), 1);
  const auto refused = [](const Solved& s) {
    return s.report.status == SolveStatus::numerical_error && s.report.iterations == 0;
  };
  EXPECT_TRUE(refused(run(bridge, ProjectedJacobi{})));
  EXPECT_TRUE(refused(run(bridge, SymmetricPsor{})));
  EXPECT_TRUE(refused(run(scalar, BlockSplitting{})));
  const Lcp zero = library::dense(Rows{{0, 1}, {1, 0}}, Values{-1, -1});
  EXPECT_TRUE(refused(run(zero, LineSearchSplitting{})));
}

TEST(Splittings, ThatDoNotNeedTheDiagonalSolveTheDiodeBridge) {  // S:V-13, S:V-14, S:LCP-22
  const Vector expected = Values{10, 0, 0.01, 0};
  const Lcp bridge = library::diode_bridge(10), step = library::diode_bridge_step();
  const Vector after = Values{9.9895107515, 0, 0.0099895108, 0};
  // ‖z − z*‖ ≤ 1000 residual: g = 1e-3 divides a voltage in the worst row
  const double residual_of_1 = 1e3 * 10;
  for (double tolerance : {1e-8, 1e-11}) {
    const double error = residual_of_1 * tolerance + 1e-9;
    EXPECT_VECTOR(run(bridge, BlockSplitting{.tolerance = tolerance}).z, expected, error);
    EXPECT_VECTOR(run(bridge, Latin{.tolerance = tolerance}).z, expected, error);
    EXPECT_VECTOR(run(bridge, LineSearchSplitting{.tolerance = tolerance}).z, expected, error);
    EXPECT_VECTOR(run(step, BlockSplitting{.tolerance = tolerance}).z, after, error);
    EXPECT_VECTOR(run(step, Latin{.tolerance = tolerance}).z, after, error);
    EXPECT_VECTOR(run(step, LineSearchSplitting{.tolerance = tolerance}).z, after, error);
  }
  EXPECT_TRUE(run(bridge, SymmetricPsor{.max_iterations = 20000, .rho = 1}).report.converged());
  EXPECT_EQ(run(step, SymmetricPsor{.max_iterations = 20000}).report.status,
            SolveStatus::max_iterations);
}

TEST(Splittings, GiveTheUniqueSumOfRedundantConstraints) {  // S:V-16
  for (const Solved& s :
       {run(library::redundant(), SymmetricPsor{}), run(library::redundant(), BlockSplitting{}),
        run(library::redundant(), LineSearchSplitting{}), run(library::redundant(), Latin{}),
        run(library::redundant(), ProjectedJacobi{.omega = 0.5})}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_NEAR(s.z.sum(), 1, 1e-8);
  }
}

TEST(Splittings, TakeTheirNumberOfSweepsOnTheSlowChain) {  // S:V-17
  const Lcp problem = library::slow_chain();
  const int pgs = 4255;
  const Solved block = run(problem, BlockSplitting{});
  EXPECT_EQ(block.report.iterations, pgs);  // scalar blocks: Gauss–Seidel
  // spectral radius cos(π/51) for Jacobi, its square for Gauss–Seidel: twice the sweeps
  EXPECT_NEAR(run(problem, ProjectedJacobi{}).report.iterations, 2 * pgs, 0.05 * 2 * pgs);
  // the symmetric sweep has the same radius here in the limit, and is never worse than one sweep
  EXPECT_LT(run(problem, SymmetricPsor{}).report.iterations, pgs);
  EXPECT_LT(run(problem, LineSearchSplitting{}).report.iterations, pgs);
  EXPECT_NEAR(run(problem, BlockSplitting{.tolerance = 1e-11}).z.sum(), 925.2, 1e-5);
}

TEST(BlockSplitting, NeedsFewerSweepsWithLargerBlocksAndOneForASingleBlock) {  // S:LCP-19
  const Lcp chain = library::slow_chain();
  int last = run(chain, BlockSplitting{}).report.iterations;
  for (Index size : {2, 5, 10, 25}) {
    Lcp blocks = chain;
    blocks.M = BlockSparse::dense(chain.M.to_dense(), size);
    const Solved s = run(blocks, BlockSplitting{});
    EXPECT_TRUE(s.report.converged());
    EXPECT_LT(s.report.iterations, last);
    last = s.report.iterations;
  }
  Lcp one = chain;
  one.M = BlockSparse::dense(chain.M.to_dense());
  const Solved direct = run(one, BlockSplitting{});
  EXPECT_EQ(direct.report.iterations, 1);
  EXPECT_VECTOR(direct.z, run(chain, Lemke{}).z, 1e-11);
}

TEST(LineSearchSplitting, LowersTheObjectiveInEveryStep) {  // S:LCP-21
  library::Random random(5);
  const Lcp problem = library::random_psd_lcp(12, random);
  const Matrix M = problem.M.to_dense();
  double last = inf;
  for (int k = 1; k <= 20; ++k) {
    const Vector z = run(problem, LineSearchSplitting{.tolerance = 1e-14, .max_iterations = k}).z;
    const double f = 0.5 * z.dot(M * z) + problem.q.dot(z);
    EXPECT_GE(z.minCoeff(), 0);
    EXPECT_LE(f, last + 1e-15 * std::abs(f));
    last = f;
  }
}

TEST(LineSearchSplitting, SolvesAnIndefiniteCopositiveProblem) {  // S:LCP-21
  // B = L + D/ω is positive definite for ω = 0.4; ½ zᵀMz + qᵀz is bounded below on z ≥ 0
  const Lcp problem = library::dense(Rows{{1, 2}, {2, 1}}, Values{-1, -1});
  EXPECT_TRUE(run(problem, LineSearchSplitting{.omega = 0.4}).report.converged());
}

TEST(LineSearchSplitting, SolvesAnAsymmetricPMatrixThatIsNotPositiveDefinite) {  // S:V-01, S:LCP-22
  EXPECT_VECTOR(run(library::seed(), LineSearchSplitting{}).z, (Values{4, 1}), 1e-8);
}

TEST(LineSearchSplitting, StallsWithoutAFeasiblePoint) {  // S:V-12
  const Lcp problem = library::dense(Rows{{-1, 1}, {0, -1}}, Values{-1, -1});
  EXPECT_EQ(run(problem, LineSearchSplitting{}).report.status, SolveStatus::stalled);
}

TEST(Latin, ConvergesForEverySearchDirection) {
  for (double k : {0.1, 1.0, 10.0})
    for (double relaxation : {0.5, 0.8, 1.0}) {
      const Solved s = run(library::spd(), Latin{.k = k, .relaxation = relaxation});
      EXPECT_TRUE(s.report.converged()) << k;
      EXPECT_VECTOR(s.z, spd_solution, 1e-7);
    }
}

TEST(Latin, IsFastestForTheGeometricMeanOfTheEigenvalues) {
  // eigenvalues 1 and 3: with k = √3 the error of s falls by (√3 − 1)/(√3 + 1) per step, and the
  // residual is at most (1 + ‖M‖) times it; s₀ = q/k, s* = z*
  const double k = std::sqrt(3.0), factor = (k - 1) / (k + 1);
  const double start = 4 * (Values{-5 / k, -6 / k} - spd_solution).norm(), end = 6e-8;
  const Solved best = run(library::spd(), Latin{.k = k, .relaxation = 1});
  EXPECT_LE(best.report.iterations, std::ceil(std::log(end / start) / std::log(factor)));
  // k = 20: 19/21 and 17/23 at best; the slower one rules, and both parts are excited
  const Solved slow = run(library::spd(), Latin{.k = 20, .relaxation = 1});
  EXPECT_GT(slow.report.iterations, 4 * best.report.iterations);
}

/// Symmetric positive definite with every kind of bound.
BlockForm mixed_bounds(Index n, library::Random& random) {
  BlockForm form{BlockSparse::dense(library::random_spd(n, random), 1), random.vector(n), {}};
  for (Index i = 0; i < n; ++i) {
    const double l = random.uniform(-1, 0);
    const BlockSet sets[] = {Reals{},          NonNegative{},     Interval{l, l + 0.5},
                             Interval{l, inf}, Interval{-inf, l}, Interval{l, l}};
    form.K.push_back(sets[i % 6]);
  }
  return form;
}

TEST(Splittings, AgreeWithBlockPivotingOnEveryKindOfBound) {
  library::Random random(9);
  for (Index n : {1, 3, 6, 20, 40}) {
    const BlockForm form = mixed_bounds(n, random);
    const Vector expected = run(form, BlockPivoting{.tolerance = 1e-12}).z;
    // ‖z − z*‖ ≤ (1 + ‖W‖) / λ_min · residual, λ_min ≥ 0.1
    const double bound = 10 * (1 + form.W.to_dense().norm());
    const auto verify = [&](const auto& options) {
      const Solved s = run(form, options);
      EXPECT_TRUE(s.report.converged()) << describe(options) << n;
      EXPECT_LE((s.z - expected).norm(), bound * s.report.residual + 1e-9) << describe(options);
    };
    verify(ProjectedJacobi{.max_iterations = 20000, .omega = 1.0 / static_cast<double>(n)});
    verify(SymmetricPsor{});
    verify(BlockSplitting{});
    verify(LineSearchSplitting{});
    verify(Latin{});
    BlockForm asymmetric = form;
    asymmetric.W =
        BlockSparse::dense(form.W.to_dense() + library::random_pd_lcp(n, random).M.to_dense(), 1);
    EXPECT_TRUE(run(asymmetric, LineSearchSplitting{}).report.converged());
    EXPECT_TRUE(run(asymmetric, Latin{}).report.converged());
  }
}

TEST(Splittings, SolveTheBilateralContact) {  // S:V-18
  const Mlcp mlcp =
      make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2}, Values{-1});
  const Vector expected = Values{-3, 4};
  EXPECT_VECTOR(run(mlcp, ProjectedJacobi{}).z, expected, 1e-7);
  EXPECT_VECTOR(run(mlcp, SymmetricPsor{}).z, expected, 1e-7);
  EXPECT_VECTOR(run(mlcp, BlockSplitting{}).z, expected, 1e-7);
  EXPECT_VECTOR(run(mlcp, LineSearchSplitting{}).z, expected, 1e-7);
  EXPECT_VECTOR(run(mlcp, Latin{}).z, expected, 1e-7);
}

TEST(Splittings, ConvergeWhereTheoryPromisesIt) {
  library::Random random(11);
  for (Index n : {1, 2, 5, 13, 30, 70})
    for (int trial = 0; trial < 3; ++trial) {
      const Lcp spd = library::random_spd_lcp(n, random), pd = library::random_pd_lcp(n, random),
                degenerate = library::random_degenerate_lcp(n, random);
      for (const Lcp& problem : {spd, degenerate}) {
        EXPECT_TRUE(run(problem, SymmetricPsor{}).report.converged()) << n;
        EXPECT_TRUE(run(problem, BlockSplitting{}).report.converged()) << n;
        EXPECT_TRUE(run(problem, LineSearchSplitting{}).report.converged()) << n;
      }
      for (const Lcp& problem : {spd, degenerate, pd})
        EXPECT_TRUE(run(problem, Latin{}).report.converged()) << n;
      EXPECT_TRUE(run(pd, LineSearchSplitting{}).report.converged()) << n;
      const Lcp infeasible = library::random_infeasible_lcp(n, random);
      EXPECT_FALSE(run(infeasible, SymmetricPsor{.max_iterations = 200}).report.converged());
      EXPECT_FALSE(run(infeasible, ProjectedJacobi{.max_iterations = 200}).report.converged());
      EXPECT_FALSE(run(infeasible, BlockSplitting{.max_iterations = 200}).report.converged());
      EXPECT_FALSE(run(infeasible, Latin{.max_iterations = 200}).report.converged());
    }
}

TEST(Splittings, RefuseFrictionAndOptionsOutOfRange) {
  BlockForm contact{BlockSparse::dense(Matrix::Identity(3, 3)), Vector::Zero(3), {}};
  contact.K.push_back(FrictionCone{0.3});
  Workspace work;
  Vector r = Vector::Zero(3), z = Vector::Zero(2);
  EXPECT_ERROR(solve(contact, r, Latin{}, work), "Latin solves complementarity problems");
  EXPECT_ERROR(solve(contact, r, BlockSplitting{}, work), "friction cone");
  EXPECT_ERROR(solve(library::spd(), z, SymmetricPsor{.omega = 2.5}, work), "omega is 2.5");
  EXPECT_ERROR(solve(library::spd(), r, ProjectedJacobi{}, work), "initial guess 3");
}

template <class Options>
long second_solve(Lcp problem, const Options& options) {
  Workspace work;
  Vector z = Vector::Zero(problem.q.size());
  SolveReport report = solve(problem, z, options, work);
  z.setZero();
  problem.q *= 1.5;
  const testing::AllocationGuard guard;
  report = solve(problem, z, options, work);
  const long count = guard.count();
  EXPECT_TRUE(report.converged()) << describe(options);
  return count;
}

TEST(Splittings, DoNotAllocateInAWarmSolve) {
  if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  library::Random random(2);
  for (Index n : {4, 20, 90}) {
    const Lcp problem = library::random_spd_lcp(n, random);
    EXPECT_EQ(second_solve(problem, ProjectedJacobi{.omega = 0.1}), 0);
    EXPECT_EQ(second_solve(problem, SymmetricPsor{}), 0);
    EXPECT_EQ(second_solve(problem, BlockSplitting{}), 0);
    EXPECT_EQ(second_solve(problem, LineSearchSplitting{}), 0);
    EXPECT_EQ(second_solve(problem, Latin{}), 0);
  }
}

}  // namespace
}  // namespace saltus
