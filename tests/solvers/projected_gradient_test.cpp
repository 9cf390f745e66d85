// Gradient projection and conjugate gradients on bound-constrained quadratic programmes.
#include "problem_library.hpp"

#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/projected_gradient.hpp"
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

/// Runs `test` with every method of this file.
template <class Test>
void with_each(double tolerance, Test&& test) {
  test(GradientProjection{.tolerance = tolerance});
  test(GradientProjection{.tolerance = tolerance, .search = SufficientDecrease{.memory = 1}});
  test(GradientProjection{.tolerance = tolerance, .search = CauchyPoint{}});
  test(Gpcg{.tolerance = tolerance});
  test(TwoPhaseProjection{.tolerance = tolerance});
}

/// S:V-05: tridiag(−1, 2, −1), n = 5, 0 ≤ z ≤ upper.
BlockForm bound_qp(const Vector& p, double upper) {
  Matrix Q = 2 * Matrix::Identity(5, 5);
  for (Index i = 1; i < 5; ++i) Q(i, i - 1) = Q(i - 1, i) = -1;
  return {BlockSparse::dense(Q, 1), p, std::vector<BlockSet>(5, Interval{0, upper})};
}

TEST(BoundQp, HasTheStatedSolutionGradientAndObjective) {
  // S:V-05, S:QP-15, S:QP-16, S:QP-17, S:QP-18
  // the reduced Hessian has λ_min ≥ 0.26: errors are below 1e-12 · (1 + 4) / 0.26
  const double error = 5e-11;
  const BlockForm a = bound_qp(Vector::Constant(5, -1), 2);
  const BlockForm b = bound_qp(Values{-1, -1, 3, -1, -1}, 0.9);
  with_each(1e-12, [&](const auto& options) {
    const Vector z = run(a, options).z, gradient = a.W.to_dense() * z + a.q;
    EXPECT_VECTOR(z, (Values{1.5, 2, 2, 2, 1.5}), error);
    EXPECT_VECTOR(gradient, (Values{0, -0.5, -1, -0.5, 0}), 4 * error);
    const Vector y = run(b, options).z, slope = b.W.to_dense() * y + b.q;
    EXPECT_VECTOR(y, (Values{0.9, 0.9, 0, 0.9, 0.9}), error);
    EXPECT_VECTOR(slope, (Values{-0.1, -0.1, 1.2, -0.1, -0.1}), 4 * error);
    EXPECT_NEAR(0.5 * y.dot(b.W.to_dense() * y) + b.q.dot(y), -1.98, error);
  });
}

TEST(GradientMethods, SolveTheSymmetricCases) {  // S:V-09, S:V-16, S:LCP-23a
  with_each(1e-12, [](const auto& options) {
    EXPECT_VECTOR(run(library::spd(), options).z, (Values{4.0 / 3, 7.0 / 3}), 1e-10);
    const Solved s = run(library::redundant(), options);
    EXPECT_TRUE(s.report.converged());
    EXPECT_NEAR(s.z.sum(), 1, 1e-11);
  });
}

TEST(GradientMethods, CallAnAsymmetricMatrixNonconvex) {  // S:V-13, S:V-14
  with_each(1e-8, [](const auto& options) {
    for (const Lcp& problem : {library::diode_bridge(10), library::diode_bridge_step()}) {
      const Solved s = run(problem, options);
      EXPECT_EQ(s.report.status, SolveStatus::nonconvex);
      EXPECT_EQ(s.report.iterations, 0);
    }
  });
}

TEST(GradientMethods, CallAnObjectiveThatFallsForEverNonconvex) {  // S:QP-05
  const Lcp problem = library::dense(Rows{{-1, 0}, {0, 1}}, Values{-1, -1});
  with_each(1e-8, [&](const auto& options) {
    EXPECT_EQ(run(problem, options).report.status, SolveStatus::nonconvex);
  });
  const Lcp flat = library::dense(Rows{{0.0}}, Values{-1});
  EXPECT_EQ(run(flat, Gpcg{}).report.status, SolveStatus::stalled);
}

TEST(Gpcg, FindsAVertexOfAnIndefiniteProblemInABox) {  // S:QP-16
  // −½ z² − ¼ z on [−1, 1]: the stationary point with the right signs reached from 0 is z = 1
  BlockForm form{BlockSparse::dense(Rows{{-1.0}}), Values{-0.25}, {Interval{-1, 1}}};
  const Solved s = run(form, Gpcg{});
  EXPECT_TRUE(s.report.converged());
  EXPECT_EQ(s.z[0], 1);
}

TEST(Gpcg, TakesFewRoundsWhereGradientsTakeThousandsOfSteps) {  // S:V-17
  const Lcp problem = library::slow_chain();
  const Solved gpcg = run(problem, Gpcg{});
  EXPECT_LE(gpcg.report.iterations, 10);
  EXPECT_NEAR(gpcg.z.sum(), 925.2, 1e-6);
  const Solved cauchy = run(problem, GradientProjection{.search = CauchyPoint{}});
  const Solved spectral = run(problem, GradientProjection{});
  EXPECT_TRUE(cauchy.report.converged());
  // steepest descent needs O(κ) steps, Barzilai–Borwein far fewer; κ = 1 / sin²(π/102) = 1054
  EXPECT_GT(cauchy.report.iterations, 1054);
  EXPECT_LT(spectral.report.iterations, cauchy.report.iterations / 3);
}

TEST(TwoPhaseProjection, RemovesTheSlowTailOfItsSweeps) {  // S:LCP-23b, S:V-17
  const Solved s = run(library::slow_chain(), TwoPhaseProjection{});
  EXPECT_LE(s.report.iterations, 10);
  EXPECT_NEAR(s.z.sum(), 925.2, 1e-6);
  const Lcp zero = library::dense(Rows{{0, 1}, {1, 0}}, Values{-1, -1});
  EXPECT_EQ(run(zero, TwoPhaseProjection{}).report.status, SolveStatus::numerical_error);
}

TEST(Gpcg, SolvesTheColumnOfAThousandBeads) {  // PL:C-03
  const Solved s = run(library::column(1000), Gpcg{});
  EXPECT_TRUE(s.report.converged());
  EXPECT_LE(s.report.iterations, 100);
}

TEST(GradientProjection, WithMemoryOneLowersTheObjectiveInEveryStep) {  // S:QP-17
  library::Random random(5);
  const Lcp problem = library::random_spd_lcp(12, random);
  const Matrix M = problem.M.to_dense();
  for (const StepSearch& search :
       {StepSearch(SufficientDecrease{.memory = 1}), StepSearch(CauchyPoint{})}) {
    double last = inf;
    for (int k = 1; k <= 20; ++k) {
      const GradientProjection options{.tolerance = 1e-14, .max_iterations = k, .search = search};
      const Vector z = run(problem, options).z;
      const double f = 0.5 * z.dot(M * z) + problem.q.dot(z);
      EXPECT_GE(z.minCoeff(), 0);
      EXPECT_LE(f, last + 1e-15 * std::abs(f));
      last = f;
    }
  }
}

class Path : public ::testing::Test {
 protected:
  Path() {
    library::Random random(8);
    form = {BlockSparse::dense(library::random_spd(n, random), 2), random.vector(n),
            std::vector<BlockSet>(3, Interval{-0.3, 0.4})};
    z = 0.1 * random.vector(n);
    z = z.cwiseMax(-0.3).cwiseMin(0.4);
    d = random.vector(n);
    u = form.W.to_dense() * z + form.q;
    if (u.dot(d) > 0) d = -d;
  }
  [[nodiscard]] Vector at(double t) const { return (z + t * d).cwiseMax(-0.3).cwiseMin(0.4); }
  [[nodiscard]] double objective(const Vector& x) const {
    return 0.5 * x.dot(form.W.to_dense() * x) + form.q.dot(x);
  }
  const Index n = 6;
  BlockForm form;
  Vector z, d, u, s = Vector(6), Ws = Vector(6);
  Workspace work;
};

TEST_F(Path, CauchyPointIsTheFirstLocalMinimiser) {  // S:QP-18
  const BoxView box = as_box(form, z, "test", work);
  const double spacing = 1e-5;
  double first = 0;
  while (objective(at(first + spacing)) < objective(at(first))) first += spacing;
  const Vector start = z, direction = d;
  const double before = objective(z);
  Vector scratch = d;
  const PathStep step =
      walk_path(box, {z.data(), u.data(), s.data(), Ws.data()}, scratch.data(), work);
  ASSERT_TRUE(step.moved);
  EXPECT_NEAR(step.length, first, spacing);
  const Vector expected = (start + step.length * direction).cwiseMax(-0.3).cwiseMin(0.4);
  EXPECT_VECTOR(z, expected, 1e-15);
  EXPECT_NEAR(step.decrease, before - objective(z), 1e-14);
  EXPECT_VECTOR(u, (form.W.to_dense() * z + form.q), 1e-14);
}

TEST_F(Path, SearchEndsWithASufficientDecrease) {  // S:QP-17
  const BoxView box = as_box(form, z, "test", work);
  const Vector start = z, gradient = u;
  const double before = objective(z);
  const PathStep step =
      search_path(box, {z.data(), u.data(), s.data(), Ws.data()}, d.data(), 100, 0.1);
  ASSERT_TRUE(step.moved);
  EXPECT_LE(objective(z) - before, 0.1 * gradient.dot(z - start) + 1e-15);
  EXPECT_NEAR(step.decrease, before - objective(z), 1e-14);
  EXPECT_VECTOR(u, (form.W.to_dense() * z + form.q), 1e-14);
}

TEST(GradientMethods, AgreeWithBlockPivotingOnEveryKindOfBound) {
  library::Random random(9);
  for (Index n : {1, 3, 6, 20, 70}) {
    BlockForm form{BlockSparse::dense(library::random_spd(n, random), 1), random.vector(n), {}};
    for (Index i = 0; i < n; ++i) {
      const double l = random.uniform(-1, 0);
      const BlockSet sets[] = {Reals{},          NonNegative{},     Interval{l, l + 0.5},
                               Interval{l, inf}, Interval{-inf, l}, Interval{l, l}};
      form.K.push_back(sets[i % 6]);
    }
    const Vector expected = run(form, BlockPivoting{.tolerance = 1e-12}).z;
    // ‖z − z*‖ ≤ (1 + ‖W‖) / λ_min · residual, λ_min ≥ 0.1
    const double bound = 10 * (1 + form.W.to_dense().norm());
    with_each(1e-8, [&](const auto& options) {
      const Solved s = run(form, options);
      EXPECT_TRUE(s.report.converged()) << describe(options) << n;
      EXPECT_LE((s.z - expected).norm(), bound * s.report.residual + 1e-9) << describe(options);
    });
  }
}

TEST(GradientMethods, ConvergeOnRandomSymmetricProblemsAndNeverClaimToOnInfeasibleOnes) {
  library::Random random(13);
  for (Index n : {1, 2, 5, 13, 30, 70})
    for (int trial = 0; trial < 3; ++trial) {
      const Lcp spd = library::random_spd_lcp(n, random),
                degenerate = library::random_degenerate_lcp(n, random),
                psd = library::random_psd_lcp(n, random),
                infeasible = library::random_infeasible_lcp(n, random);
      with_each(1e-8, [&](const auto& options) {
        EXPECT_TRUE(run(spd, options).report.converged()) << describe(options) << n;
        EXPECT_TRUE(run(degenerate, options).report.converged()) << describe(options) << n;
        EXPECT_FALSE(run(infeasible, options).report.converged()) << describe(options) << n;
      });
      EXPECT_TRUE(run(psd, Gpcg{}).report.converged()) << n;
    }
}

TEST(GradientMethods, SolveAMixedProblem) {  // S:V-18
  const Mlcp mlcp =
      make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2}, Values{-1});
  with_each(1e-12, [&](const auto& options) {
    EXPECT_VECTOR(run(mlcp, options).z, (Values{-3, 4}), 1e-10);
  });
}

TEST(GradientMethods, DoNotAllocateInAWarmSolve) {
  if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  library::Random random(2);
  for (Index n : {4, 20, 90}) {
    Lcp problem = library::random_spd_lcp(n, random);
    with_each(1e-8, [&](const auto& options) {
      Workspace work;
      Vector z = Vector::Zero(n);
      SolveReport report = solve(problem, z, options, work);
      z.setZero();
      const testing::AllocationGuard guard;
      report = solve(problem, z, options, work);
      const long count = guard.count();
      EXPECT_TRUE(report.converged()) << describe(options);
      EXPECT_EQ(count, 0) << describe(options);
    });
  }
}

TEST(GradientMethods, RefuseFrictionAndOptionsOutOfRange) {
  BlockForm contact{BlockSparse::dense(Matrix::Identity(3, 3)), Vector::Zero(3), {}};
  contact.K.push_back(FrictionCone{0.3});
  Workspace work;
  Vector r = Vector::Zero(3), z = Vector::Zero(2);
  EXPECT_ERROR(solve(contact, r, Gpcg{}, work), "Gpcg solves complementarity problems");
  EXPECT_ERROR(solve(library::spd(), z, Gpcg{.mu = 0.7}, work), "mu is 0.7");
  const GradientProjection options{.search = SufficientDecrease{.memory = 0}};
  EXPECT_ERROR(solve(library::spd(), z, options, work), "memory is 0");
}

}  // namespace
}  // namespace saltus
