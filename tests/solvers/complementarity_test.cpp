// The cards' complementarity cases, with their pivot and sweep counts.
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

constexpr double digits = 1e-8;  // of the printed values

struct Solved {
  Vector z;
  SolveReport report;
};

template <class Options>
Solved run(const Lcp& problem, const Options& options) {
  Workspace work;
  Solved solved{Vector::Zero(problem.q.size()), {}};
  solved.report = solve(problem, solved.z, options, work);
  return solved;
}

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

TEST(SeedLcp, IsSolvedInTheStatedNumberOfSteps) {  // S:V-01
  const Vector expected = Values{4, 1};
  const Solved murty = run(library::seed(), Murty{}), lemke = run(library::seed(), Lemke{}),
               pgs = run(library::seed(), Psor{}), block = run(library::seed(), BlockPivoting{});
  EXPECT_EQ(murty.report.iterations, 2);
  EXPECT_EQ(lemke.report.iterations, 3);
  EXPECT_EQ(pgs.report.iterations, 2);
  for (const Solved& s : {murty, lemke, pgs, block}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_VECTOR(s.z, expected, 1e-14);
  }
}

TEST(SpdLcp, IsSolvedInTheStatedNumberOfSteps) {  // S:V-09, S:V-15
  const Vector expected = Values{4.0 / 3, 7.0 / 3};
  const double tolerance = 1e-10 / 6;  // residual < 1e-10, ‖q‖∞ = 6
  EXPECT_EQ(run(library::spd(), Murty{}).report.iterations, 2);
  EXPECT_EQ(run(library::spd(), Lemke{}).report.iterations, 3);
  EXPECT_EQ(run(library::spd(), Psor{.tolerance = tolerance}).report.iterations, 19);
  EXPECT_EQ(run(library::spd(), Psor{.tolerance = tolerance, .omega = 1.2}).report.iterations, 16);
  EXPECT_EQ(run(library::spd(), Psor{.tolerance = tolerance, .omega = 0.8}).report.iterations, 33);
  const Solved rpgs = run(library::spd(), Psor{.tolerance = tolerance, .rho = 1});
  EXPECT_EQ(rpgs.report.iterations, 45);
  EXPECT_VECTOR(rpgs.z, expected, digits);  // the misprinted iteration ends at (0, 6)
  EXPECT_VECTOR(run(library::spd(), Lemke{}).z, expected, 1e-15);
}

TEST(SparseLcp, MayHaveASingleEntry) {
  Eigen::SparseMatrix<double> W(3, 3);
  W.insert(0, 0) = 2;
  const Lcp problem{BlockSparse::sparse(W), Values{-4, 1, 0.5}};
  for (const Solved& s : {run(problem, BlockPivoting{}), run(problem, Lemke{}),
                          run(problem, Automatic{}), run(problem, Keller{})}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_VECTOR(s.z, (Values{2, 0, 0}), 1e-15);
  }
}

TEST(PivotWorstCases, TakeExactlyTheExponentialNumberOfPivots) {  // S:V-11
  for (Index n : {3, 4, 5, 8}) {
    const int power = 1 << n;
    const Lcp upper = library::worst_case(n, false), lower = library::worst_case(n, true);
    EXPECT_EQ(run(upper, Murty{}).report.iterations, power - 1);
    EXPECT_EQ(run(upper, Lemke{}).report.iterations, 2);
    EXPECT_EQ(run(lower, Murty{}).report.iterations, 1);
    EXPECT_EQ(run(lower, Lemke{}).report.iterations, power);
    EXPECT_VECTOR(run(upper, Murty{}).z, Vector::Unit(n, n - 1), 0);
    EXPECT_VECTOR(run(lower, Lemke{}).z, Vector::Unit(n, 0), 0);
    const Solved block = run(upper, BlockPivoting{});
    EXPECT_VECTOR(block.z, Vector::Unit(n, n - 1), 0);
    EXPECT_LT(block.report.iterations, power - 1);
  }
}

TEST(PivotWorstCases, StopAtThePivotLimit) {  // S:V-11
  const Solved murty = run(library::worst_case(5, false), Murty{.max_iterations = 20});
  EXPECT_EQ(murty.report.status, SolveStatus::max_iterations);
  EXPECT_EQ(murty.report.iterations, 20);
  const Solved lemke = run(library::worst_case(5, true), Lemke{.max_iterations = 20});
  EXPECT_EQ(lemke.report.status, SolveStatus::max_iterations);
}

TEST(InfeasibleLcp, IsCertifiedByARowOrARay) {  // S:V-12, S:LCP-26
  const Lcp row = library::dense(Rows{{-1, 0}, {0, 1}}, Values{-1, 0});
  const Lcp zero = library::dense(Rows{{0.0}}, Values{-1});
  for (const Lcp& problem : {row, zero}) {
    EXPECT_EQ(run(problem, Lemke{}).report.status, SolveStatus::infeasible);
    EXPECT_EQ(run(problem, BlockPivoting{}).report.status, SolveStatus::infeasible);
    EXPECT_EQ(run(problem, Automatic{}).report.status, SolveStatus::infeasible);
    EXPECT_FALSE(run(problem, Psor{.max_iterations = 100}).report.converged());
  }
  // positive semi-definite, no row tells, but w₁ + w₂ = −2
  const Lcp skew = library::dense(Rows{{1, -1}, {-1, 1}}, Values{-1, -1});
  EXPECT_EQ(run(skew, Lemke{}).report.status, SolveStatus::infeasible);
}

TEST(Lemke, CallsARayWithoutACertificateStalled) {  // S:LCP-30
  // copositive, not plus: z = (1, 1) solves it, but once z₀ is in, nothing blocks the next column
  const Lcp problem = library::dense(Rows{{0, 1}, {1, 0}}, Values{-1, -1});
  EXPECT_EQ(residual(problem, Values{1, 1}), 0);
  EXPECT_EQ(run(problem, Lemke{}).report.status, SolveStatus::stalled);
  EXPECT_TRUE(run(problem, Automatic{}).report.converged());
}

TEST(DiodeBridge, IsSolvedByPivotingAndRefusedByPlainGaussSeidel) {  // S:V-13
  const Vector forward = Values{10, 0, 0.01, 0}, backward = Values{0, 10, 0, 0.01};
  EXPECT_EQ(run(library::diode_bridge(10), Lemke{}).report.iterations, 3);
  EXPECT_VECTOR(run(library::diode_bridge(10), Lemke{}).z, forward, 1e-14);
  EXPECT_VECTOR(run(library::diode_bridge(-10), Lemke{}).z, backward, 1e-14);
  EXPECT_VECTOR(run(library::diode_bridge(10), BlockPivoting{}).z, forward, digits);
  EXPECT_VECTOR(run(library::diode_bridge(-10), Automatic{}).z, backward, digits);
  const Solved pgs = run(library::diode_bridge(10), Psor{});
  EXPECT_EQ(pgs.report.status, SolveStatus::numerical_error);
  EXPECT_EQ(pgs.report.iterations, 0);
  // residual 1e-8 absolute, ‖q‖∞ = 10: about 27 600 sweeps
  const Solved rpgs =
      run(library::diode_bridge(10), Psor{.tolerance = 1e-9, .max_iterations = 30000, .rho = 1});
  EXPECT_TRUE(rpgs.report.converged());
  EXPECT_NEAR(rpgs.report.iterations, 27600, 300);
}

TEST(DiodeBridgeStep, NeedsPivotingOrAProximalShift) {  // S:V-14
  const Lcp problem = library::diode_bridge_step();
  const Solved lemke = run(problem, Lemke{});
  EXPECT_EQ(lemke.report.iterations, 3);
  EXPECT_VECTOR(lemke.z, (Vector(4) << 9.9895107515, 0, 0.0099895108, 0).finished(), digits);
  EXPECT_VECTOR(run(problem, BlockPivoting{}).z, lemke.z, digits);
  const double size = problem.q.lpNorm<Eigen::Infinity>();
  for (double omega : {1.0, 0.6, 0.3}) {
    const Solved pgs = run(problem, Psor{.max_iterations = 20000, .omega = omega});
    EXPECT_EQ(pgs.report.status, SolveStatus::max_iterations) << omega;
    EXPECT_GT(pgs.report.residual, 0.018) << omega;
  }
  EXPECT_EQ(run(problem, Psor{.tolerance = 1e-6 / size, .rho = 1}).report.iterations, 254);
  EXPECT_EQ(run(problem, Psor{.tolerance = 1e-6 / size, .omega = 0.6, .rho = 1}).report.iterations,
            468);
}

TEST(RedundantConstraints, GiveTheUniqueVelocityAndSum) {  // S:V-16
  for (const Solved& s :
       {run(library::redundant(), Lemke{}), run(library::redundant(), Murty{}),
        run(library::redundant(), BlockPivoting{}), run(library::redundant(), Psor{}),
        run(library::redundant(), Automatic{})}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_NEAR(s.z.sum(), 1, digits);
  }
}

TEST(SlowChain, TakesTheStatedNumberOfSteps) {  // S:V-17
  const Lcp problem = library::slow_chain();
  const Solved lemke = run(problem, Lemke{});
  EXPECT_EQ(lemke.report.iterations, 51);
  EXPECT_NEAR(lemke.z.sum(), 925.2, 1e-9);
  EXPECT_GT(lemke.z.minCoeff(), 0);
  EXPECT_EQ(run(problem, Psor{}).report.iterations, 4255);
  EXPECT_EQ(run(problem, Psor{.omega = 1.7}).report.iterations, 735);
  const Solved block = run(problem, BlockPivoting{});
  EXPECT_LE(block.report.iterations, 10);
  EXPECT_VECTOR(block.z, lemke.z, 1e-11);
}

TEST(BilateralContact, IsSolvedAsMlcpAndAsBlockForm) {  // S:V-18, S:FC-08
  const auto problem = [](double shift) {
    return make_mlcp(Rows{{2.0}}, Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}}, Values{2},
                     Values{-1 + shift});
  };
  const auto check = [](const Mlcp& mlcp, const Vector& expected) {
    Workspace work;
    const auto verify = [&](const auto& options, double tolerance) {
      Vector z = Vector::Zero(2), r = Vector::Zero(2);
      EXPECT_TRUE(solve(mlcp, z, options, work).converged());
      EXPECT_VECTOR(z, expected, tolerance);
      EXPECT_TRUE(solve(to_block_form(mlcp), r, options, work).converged());
      EXPECT_VECTOR(r, expected, tolerance);
    };
    verify(Lemke{}, 1e-14);
    verify(Murty{}, 1e-14);
    verify(BlockPivoting{}, 1e-14);
    verify(Automatic{}, 1e-14);
    verify(Psor{.tolerance = 1e-12}, 1e-10);
  };
  check(problem(0), Values{-3, 4});
  check(problem(-1), Values{-4, 6});
}

TEST(Restitution, EntersWithThePositiveSign) {  // S:V-19, S:FC-06
  const double free = -2, before = -2, e = 0.5;
  const Solved s = run(library::dense(Rows{{1.0}}, Values{free + e * before}), Automatic{});
  EXPECT_DOUBLE_EQ(s.z[0], 3);
  EXPECT_DOUBLE_EQ(free + s.z[0], 1);
}

TEST(StaticColumn, IsSolvedToTenDigitsForAThousandBeads) {  // PL:C-03
  const Index n = 1000;
  const Lcp problem = library::column(n);
  for (const Solved& s : {run(problem, BlockPivoting{}), run(problem, Murty{})}) {
    EXPECT_TRUE(s.report.converged());
    for (Index i = 0; i < n; ++i) {
      const double weight = static_cast<double>(n - i) * library::gh;
      ASSERT_NEAR(s.z[i], weight, 1e-10 * weight) << i;
    }
  }
  EXPECT_EQ(run(problem, Murty{}).report.iterations, n);
}

TEST(StaticColumn, NeedsTheStatedNumberOfGaussSeidelSweeps) {  // PL:C-03
  EXPECT_EQ(run(library::column(10), Psor{}).report.iterations, 557);
  EXPECT_EQ(run(library::column(50), Psor{.max_iterations = 20000}).report.iterations, 12346);
}

TEST(StaticColumn, OfTenThousandBeadsTakesBlockPivotingOneFactorisation) {  // PL:C-03
  const Index n = 10000;
  const Solved s = run(library::column(n), BlockPivoting{});
  EXPECT_TRUE(s.report.converged());
  EXPECT_EQ(s.report.iterations, 0);
  for (Index i = 0; i < n; ++i) {
    const double weight = static_cast<double>(n - i) * library::gh;
    ASSERT_NEAR(s.z[i], weight, 1e-10 * weight) << i;
  }
  RecordProperty("milliseconds", std::to_string(1e3 * s.report.seconds));
}

}  // namespace
}  // namespace saltus
