// Semismooth Newton on LCP, MLCP and box problems.
#include "problem_library.hpp"

#include "saltus/solvers/block_pivoting.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/semismooth_newton.hpp"
#include "saltus/solvers/semismooth_system.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

struct Solved {
  Vector z;
  SolveReport report;
};

template <class Problem>
Solved run(const Problem& problem, const SemismoothNewton& options = {}) {
  Workspace work;
  Solved solved{Vector::Zero(problem.q.size()), {}};
  solved.report = solve(problem, solved.z, options, work);
  EXPECT_EQ(solved.report.residual, residual(problem, solved.z)) << describe(options);
  return solved;
}

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

/// The functions whose convergence on P-matrices is proved or seen throughout.
std::vector<CFunction> fast_functions() {
  return {FischerBurmeister{}, PenalisedFischerBurmeister{}, Minimum{}, Maximum{}};
}

TEST(SemismoothNewton, SolvesTheSmallCasesInAFewSteps) {
  // S:V-01, S:V-09, S:V-13, S:V-14, S:V-17, S:LCP-39, S:NCP-12
  struct Case {
    Lcp problem;
    Vector expected;
  };
  const Lcp chain = library::slow_chain();
  Vector z = Vector::Zero(50);
  Workspace work;
  ASSERT_TRUE(solve(chain, z, Lemke{}, work).converged());
  const Case cases[] = {{library::seed(), Values{4, 1}},
                        {library::spd(), Values{4.0 / 3, 7.0 / 3}},
                        {library::diode_bridge(10), Values{10, 0, 0.01, 0}},
                        {library::diode_bridge(-10), Values{0, 10, 0, 0.01}},
                        {library::diode_bridge_step(), Values{9.9895107515, 0, 0.0099895108, 0}},
                        {chain, z}};
  for (const Case& c : cases)
    for (const CFunction& function : fast_functions()) {
      const Solved s = run(c.problem, {.tolerance = 1e-12, .function = function});
      EXPECT_TRUE(s.report.converged()) << describe(function);
      EXPECT_LE(s.report.iterations, 20) << describe(function);
      EXPECT_VECTOR(s.z, c.expected, 1e-8);
    }
}

TEST(SemismoothNewton, GivesTheUniqueSumOfRedundantConstraints) {  // S:V-16, S:NCP-13a
  // with Minimum both rows are active and H is singular: Levenberg–Marquardt takes over
  for (const CFunction& function : fast_functions()) {
    const Solved s = run(library::redundant(), {.function = function});
    EXPECT_TRUE(s.report.converged()) << describe(function);
    EXPECT_NEAR(s.z.sum(), 1, 1e-8);
  }
}

TEST(SemismoothNewton, ConvergesQuadratically) {  // S:NCP-12
  library::Random random(3);
  for (const CFunction& function : fast_functions()) {
    const Lcp problem = library::random_spd_lcp(15, random);
    const int steps = run(problem, {.tolerance = 1e-13, .function = function}).report.iterations;
    for (int k = 1; k < steps; ++k) {
      const auto error = [&](int count) {
        return run(problem, {.tolerance = 1e-300, .max_iterations = count, .function = function})
            .report.residual;
      };
      const double now = error(k), next = error(k + 1);
      // the constant of the square is of the order of the condition number, here below 100
      if (now < 1e-3) {
        EXPECT_LE(next, 100 * now * now + 1e-14) << describe(function);
      }
    }
  }
}

TEST(SemismoothNewton, SolvesTheColumnFromItsKinkInOneStepWithTheMinimum) {  // S:NCP-11, PL:C-03
  // at z = 0 all rows but the first are at the kink w = z = 0; the direction closes all contacts
  EXPECT_EQ(run(library::column(1000), {.function = Minimum{}}).report.iterations, 1);
  const Solved s = run(library::column(5000));
  EXPECT_TRUE(s.report.converged());
  EXPECT_LE(s.report.iterations, 20);
}

TEST(SemismoothNewton, CallsAStationaryNonSolutionStalled) {
  // w = −1 − z has no solution; ½φ² is stationary at z = −½, where a = b
  const Solved s = run(library::dense(Rows{{-1.0}}, Values{-1}));
  EXPECT_EQ(s.report.status, SolveStatus::stalled);
  EXPECT_NEAR(s.z[0], -0.5, 1e-4);
}

TEST(SemismoothNewton, SolvesTheBilateralContact) {  // S:V-18
  const Mlcp mlcp =
      make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2}, Values{-1});
  for (const CFunction& function : fast_functions())
    EXPECT_VECTOR(run(mlcp, {.tolerance = 1e-12, .function = function}).z, (Values{-3, 4}), 1e-11);
}

TEST(SemismoothNewton, SolvesTheBoundQp) {  // S:V-05
  Matrix Q = 2 * Matrix::Identity(5, 5);
  for (Index i = 1; i < 5; ++i) Q(i, i - 1) = Q(i - 1, i) = -1;
  const BlockForm form{BlockSparse::dense(Q, 1), Values{-1, -1, 3, -1, -1},
                       std::vector<BlockSet>(5, Interval{0, 0.9})};
  for (const CFunction& function : fast_functions())
    EXPECT_VECTOR(run(form, {.tolerance = 1e-12, .function = function}).z,
                  (Values{0.9, 0.9, 0, 0.9, 0.9}), 1e-10);
}

TEST(SemismoothNewton, AgreesWithBlockPivotingOnEveryKindOfBound) {
  library::Random random(9);
  for (Index n : {1, 3, 6, 20, 70, 100}) {
    BlockForm form{BlockSparse::dense(library::random_pd_lcp(n, random).M.to_dense(), 1),
                   random.vector(n),
                   {}};
    for (Index i = 0; i < n; ++i) {
      const double l = random.uniform(-1, 0);
      const BlockSet sets[] = {Reals{},          NonNegative{},     Interval{l, l + 0.5},
                               Interval{l, inf}, Interval{-inf, l}, Interval{l, l}};
      form.K.push_back(sets[i % 6]);
    }
    Vector expected = Vector::Zero(n);
    Workspace work;
    ASSERT_TRUE(solve(form, expected, BlockPivoting{.tolerance = 1e-12}, work).converged());
    // ‖z − z*‖ ≤ (1 + ‖W‖) / λ_min · residual, λ_min ≥ 0.1
    const double bound = 10 * (1 + form.W.to_dense().norm());
    for (const CFunction& function : fast_functions()) {
      const Solved s = run(form, {.function = function});
      EXPECT_TRUE(s.report.converged()) << describe(function) << n;
      EXPECT_LE((s.z - expected).norm(), bound * s.report.residual + 1e-9) << describe(function);
    }
  }
}

TEST(SemismoothNewton, ConvergesOnRandomMonotoneProblemsAndNeverClaimsToOnInfeasibleOnes) {
  library::Random random(17);
  for (Index n : {1, 2, 5, 13, 30, 70})
    for (int trial = 0; trial < 3; ++trial) {
      const Lcp problems[] = {library::random_spd_lcp(n, random), library::random_pd_lcp(n, random),
                              library::random_psd_lcp(n, random),
                              library::random_degenerate_lcp(n, random)};
      for (const Lcp& problem : problems) {
        EXPECT_TRUE(run(problem).report.converged()) << n;
        EXPECT_TRUE(run(problem, {.function = PenalisedFischerBurmeister{}}).report.converged());
      }
      for (const CFunction& function :
           {CFunction(FischerBurmeister{}), CFunction(Minimum{}), CFunction(EvtushenkoPurtov{})})
        EXPECT_FALSE(run(library::random_infeasible_lcp(n, random),
                         {.max_iterations = 50, .function = function})
                         .report.converged());
    }
}

TEST(SemismoothNewton, SolvesSparseProblemsWithoutStoredDiagonals) {
  // 25 diode bridges: rows without a diagonal entry, asymmetric
  const Matrix M = library::diode_bridge(10).M.to_dense();
  const Index copies = 25;
  Matrix all = Matrix::Zero(4 * copies, 4 * copies);
  Vector q(4 * copies), expected(4 * copies);
  for (Index k = 0; k < copies; ++k) {
    const double v = static_cast<double>(k + 1);
    all.block(4 * k, 4 * k, 4, 4) = M;
    q.segment(4 * k, 4) << 0, 0, -v, v;
    expected.segment(4 * k, 4) << v, 0, 1e-3 * v, 0;
  }
  const Lcp problem{BlockSparse::sparse(all.sparseView()), q};
  ASSERT_LT(problem.M.diagonal(2), 0);
  const Solved s = run(problem, {.tolerance = 1e-12});
  EXPECT_TRUE(s.report.converged());
  EXPECT_VECTOR(s.z, expected, 1e-8);
}

TEST(SemismoothSystem, SolvesAndMultipliesTheSameMatrixDenseAndSparse) {  // S:NCP-11
  library::Random random(19);
  for (Index n : {10, 80}) {
    const Matrix W = library::random_spd(n, random);
    Vector a = random.vector(n).cwiseAbs(), b = random.vector(n).cwiseAbs();
    a[0] = 0;  // an identity row
    b[1] = 0;  // a row of W
    const Matrix H = a.asDiagonal() * W + Matrix(b.asDiagonal());
    const Vector phi = random.vector(n), x = random.vector(n);
    const BlockSparse matrix = BlockSparse::dense(W, 1);
    Workspace work;
    SemismoothSystem system(matrix, a.data(), b.data(), work);
    Vector d(n), y(n);
    ASSERT_TRUE(system.solve(phi.data(), d.data()));
    // backward stable: residual of the order of rounding times ‖H‖ ‖d‖
    EXPECT_LE((H * d + phi).norm(), 1e-12 * (H.norm() * d.norm() + phi.norm()));
    system.multiply(x.data(), y.data());
    EXPECT_VECTOR(y, (H * x), 1e-13 * H.norm() * x.norm());
    system.multiply_transposed(x.data(), y.data());
    EXPECT_VECTOR(y, (H.transpose() * x), 1e-13 * H.norm() * x.norm());
    system.levenberg_marquardt(phi.data(), 0.5, d.data());
    const Matrix normal = H.transpose() * H + 0.5 * Matrix::Identity(n, n);
    EXPECT_LE((normal * d + H.transpose() * phi).norm(), 1e-8 * phi.norm() * H.norm());
  }
}

TEST(SemismoothNewton, DoesNotAllocateInAWarmSolve) {
  if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  library::Random random(2);
  for (Index n : {4, 20, 90}) {
    const Lcp spd = library::random_spd_lcp(n, random), pd = library::random_pd_lcp(n, random);
    for (const Lcp& problem : {spd, pd}) {
      Workspace work;
      Vector z = Vector::Zero(n);
      SolveReport report = solve(problem, z, SemismoothNewton{}, work);
      z.setZero();
      const testing::AllocationGuard guard;
      report = solve(problem, z, SemismoothNewton{}, work);
      const long count = guard.count();
      EXPECT_TRUE(report.converged());
      EXPECT_EQ(count, 0) << n;
    }
  }
}

TEST(SemismoothNewton, RefusesFrictionAndOptionsOutOfRange) {
  BlockForm contact{BlockSparse::dense(Matrix::Identity(3, 3)), Vector::Zero(3), {}};
  contact.K.push_back(FrictionCone{0.3});
  Workspace work;
  Vector r = Vector::Zero(3), z = Vector::Zero(2);
  EXPECT_ERROR(solve(contact, r, SemismoothNewton{}, work), "friction cone");
  EXPECT_ERROR(solve(library::spd(), z, SemismoothNewton{.function = Maximum{.rho = 0}}, work),
               "rho is 0");
}

}  // namespace
}  // namespace saltus
