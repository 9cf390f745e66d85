// Interior points on the cards' problems, with their iteration counts and neighbourhoods.
#include "problem_library.hpp"

#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/solvers/interior_point.hpp"
#include "saltus/solvers/mehrotra.hpp"
#include "saltus/solvers/path_following.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

constexpr double digits = 1e-8;  // of the printed values

struct Solved {
  Vector z;
  SolveReport report;
};

template <class Problem, class Options>
Solved run(const Problem& problem, const Options& options) {
  Workspace work;
  Solved solved{Vector::Zero(problem.q.size()), {}};
  solved.report = solve(problem, solved.z, options, work);
  return solved;
}

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

template <class Options>
class EveryInteriorPoint : public ::testing::Test {};
using Methods = ::testing::Types<InteriorPoint, PotentialReduction, Mehrotra, ShortStep,
                                 PredictorCorrector, LongStep>;
TYPED_TEST_SUITE(EveryInteriorPoint, Methods);

// S:LCP-32, S:LCP-33, S:LCP-34, S:LCP-35, S:LCP-36, S:LCP-37, S:QP-22
TYPED_TEST(EveryInteriorPoint, SolvesTheMonotoneCasesOfTheCardsToTenDigits) {
  const TypeParam options{.tolerance = 1e-10};
  // S:V-09, S:V-13, S:V-14, S:V-17
  EXPECT_VECTOR(run(library::spd(), options).z, (Values{4.0 / 3, 7.0 / 3}), digits);
  for (const Lcp& problem : {library::spd(), library::diode_bridge(10), library::diode_bridge(-10),
                             library::diode_bridge_step(), library::slow_chain()})
    EXPECT_TRUE(run(problem, options).report.converged())
        << describe(options) << " " << run(problem, options).report.residual;
}

TYPED_TEST(EveryInteriorPoint, TendsToTheCentreOfTheSolutionSet) {  // S:V-16
  const Solved s = run(library::redundant(), TypeParam{});
  EXPECT_TRUE(s.report.converged());
  EXPECT_NEAR(s.z.sum(), 1, digits);
  EXPECT_VECTOR(s.z, (Values{0.5, 0.5}), 1e-6);  // symmetric up to the rounding of a singular basis
}

TYPED_TEST(EveryInteriorPoint, SolvesMixedAndBoundedProblems) {  // S:LCP-05
  library::Random random(3);
  const Matrix B = random.matrix(6, 6), M = B * B.transpose() + 0.1 * Matrix::Identity(6, 6);
  const Mlcp mixed{BlockSparse::dense(M), random.vector(6), {0, 3}};
  EXPECT_TRUE(run(mixed, TypeParam{}).report.converged());
  BlockForm relay{BlockSparse::dense(M, 1), 3 * random.vector(6), {}};
  relay.K = {Interval{-1, 1},    Reals{},        NonNegative{}, Interval{-inf, 2},
             Interval{0.5, 0.5}, Interval{-1, 3}};
  EXPECT_TRUE(run(relay, TypeParam{}).report.converged());
  EXPECT_LE(residual(relay, run(relay, TypeParam{.tolerance = 1e-10}).z), 1e-9);
}

TYPED_TEST(EveryInteriorPoint, SolvesHorizontalProblems) {  // S:LCP-06, S:LCP-11
  library::Random random(5);
  const Lcp lcp = library::random_spd_lcp(8, random);
  const Matrix T = random.matrix(8, 8);  // rows mixed: the same problem, R no longer −I
  HorizontalLcp problem = to_horizontal_lcp(lcp);
  problem.Q = (T * problem.Q).eval().sparseView();
  problem.R = (T * problem.R).eval().sparseView();
  problem.q = T * problem.q;
  Workspace work;
  HorizontalPoint point;
  EXPECT_TRUE(solve(problem, point, TypeParam{}, work).converged());
  EXPECT_LE(residual(lcp, point.x), 1e-6);  // 1e-8 max(1, ‖q‖∞) times the condition of T
}

TYPED_TEST(EveryInteriorPoint, ProvesThatAMonotoneProblemIsInfeasible) {  // S:V-12
  const Lcp zero = library::dense(Rows{{0.0}}, Values{-1});
  const Lcp pair = library::dense(Rows{{1, -1}, {-1, 1}}, Values{-1, -1});
  for (const Lcp& problem : {zero, pair}) {
    Workspace work;
    Vector z = Vector::Zero(problem.q.size());
    const SolveReport report = solve(problem, z, TypeParam{}, work);
    ASSERT_EQ(report.status, SolveStatus::infeasible);
    Vector sum(z.size());
    problem.M.multiply_transposed(work.certificate, sum);
    EXPECT_GE(work.certificate.minCoeff(), 0);
    EXPECT_LE(sum.maxCoeff(), 1e-9);
    EXPECT_LT(problem.q.dot(work.certificate), 0);
  }
}

TYPED_TEST(EveryInteriorPoint, RefusesFrictionAndWrongOptions) {
  BlockForm contact{
      BlockSparse::dense(Matrix::Identity(3, 3)), Vector::Zero(3), {FrictionCone{0.3}}};
  Workspace work;
  Vector r = Vector::Zero(3), wrong = Vector::Zero(2);
  EXPECT_ERROR(solve(contact, r, TypeParam{}, work), "friction cone");
  EXPECT_ERROR(solve(library::spd(), r, TypeParam{}, work), "size");
  EXPECT_ERROR(solve(library::spd(), wrong, TypeParam{.tolerance = -1}, work), "tolerance");
}

TEST(Mehrotra, TakesTheStatedNumberOfIterations) {  // S:V-01, S:V-09, S:V-17
  EXPECT_LE(run(library::spd(), Mehrotra{.tolerance = 1e-10 / 6}).report.iterations, 10);
  const Solved chain = run(library::slow_chain(), Mehrotra{.purify = false});
  EXPECT_TRUE(chain.report.converged());
  EXPECT_EQ(chain.report.iterations, 8);
  EXPECT_NEAR(run(library::slow_chain(), Mehrotra{}).z.sum(), 925.2, 1e-6);
  EXPECT_VECTOR(run(library::seed(), Mehrotra{}).z, (Values{4, 1}), digits);
}

TEST(Mehrotra, SolvesLargeSparseChains) {
  const Index n = 20000;
  const Lcp problem = library::column(n);
  const Solved s = run(problem, Mehrotra{});
  EXPECT_TRUE(s.report.converged());
  EXPECT_LE(s.report.iterations, 40);
}

/// x and s after k iterations, for every k until the method converges.
template <class Options, class Check>
void trace(const Lcp& problem, const Vector& start, Options options, Check&& check) {
  options.purify = false;
  for (int k = 1; k < 200; ++k) {
    options.max_iterations = k;
    Workspace work;
    Vector x = start;
    const SolveReport report = solve(problem, x, options, work);
    Vector s(x.size());
    problem.M.multiply(x, s);
    s += problem.q;
    check(x, s);
    if (report.converged()) return;
  }
  ADD_FAILURE() << "not converged in 200 iterations";
}

/// ‖x ∘ s − μ 1‖ ≤ θ μ, with the rounding of s = M x + q near the end
void expect_narrow(const Vector& x, const Vector& s, double theta) {
  const double mu = x.dot(s) / static_cast<double>(x.size());
  const double rounding = 1e-14 * x.lpNorm<Eigen::Infinity>();
  EXPECT_LE((x.cwiseProduct(s).array() - mu).matrix().norm(), theta * mu + rounding);
}

TEST(PathFollowing, FollowsTheCentralPathOfTheScalarProblem) {  // S:V-10
  const Lcp problem = library::dense(Rows{{1.0}}, Values{-1});
  const auto on_path = [](const Vector& x, const Vector& s) {
    EXPECT_GT(s[0], 0);
    EXPECT_NEAR(x[0], (1 + std::sqrt(1 + 4 * x[0] * s[0])) / 2, 1e-14);
  };
  const Vector start = Values{3};
  trace(problem, start, ShortStep{}, on_path);
  trace(problem, start, PredictorCorrector{}, on_path);
  trace(problem, start, LongStep{}, on_path);
}

TEST(PathFollowing, KeepsTheIteratesInTheirNeighbourhood) {  // S:V-10, S:LCP-34, S:LCP-35, S:LCP-36
  library::Random random(7);
  const Matrix B = random.matrix(6, 6), M = B * B.transpose() + Matrix::Identity(6, 6);
  Vector x0 = Vector::Ones(6);  // strictly feasible and perfectly centred
  const Lcp problem = library::dense(M, Vector::Ones(6) - M * x0);
  trace(problem, x0, ShortStep{},
        [](const Vector& x, const Vector& s) { expect_narrow(x, s, 0.4); });
  trace(problem, x0, PredictorCorrector{},
        [](const Vector& x, const Vector& s) { expect_narrow(x, s, 0.25); });
  trace(problem, x0, LongStep{}, [](const Vector& x, const Vector& s) {
    const double mu = x.dot(s) / 6;
    EXPECT_GE(x.cwiseProduct(s).minCoeff(), 1e-3 * mu - 1e-14 * x.maxCoeff());
  });
}

TEST(PathFollowing, TakesFullShortStepsFromAFeasibleStart) {  // S:LCP-34
  // μ falls by exactly 1 − 0.4/√m while α = 1: the equations hold and dxᵀds adds less than μ/m
  const Lcp problem = library::dense(Rows{{2, 1}, {1, 2}}, Values{-2, -2});
  double mu = 1;
  for (int k = 1; k < 20; ++k) {
    Workspace work;
    Vector x = Values{1, 1};
    static_cast<void>(solve(problem, x, ShortStep{.max_iterations = k, .purify = false}, work));
    const Vector s = Rows{{2, 1}, {1, 2}} * x + Vector::Constant(2, -2);
    const double now = x.dot(s) / 2;
    EXPECT_NEAR(now / mu, 1 - 0.4 / std::sqrt(2.0), 0.4 * 0.4 / 2);
    mu = now;
  }
}

TEST(InteriorPointAllocation, DoesNotHappenInAWarmSolve) {
  if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  library::Random random(2);
  for (Index n : {4, 60}) {
    const Lcp problem = library::random_spd_lcp(n, random);
    Workspace work;
    Vector z = Vector::Zero(n);
    EXPECT_TRUE(solve(problem, z, Mehrotra{}, work).converged());
    z.setZero();
    const testing::AllocationGuard guard;
    const SolveReport report = solve(problem, z, Mehrotra{}, work);
    EXPECT_EQ(guard.count(), 0);
    EXPECT_TRUE(report.converged());
  }
}

}  // namespace
}  // namespace saltus
