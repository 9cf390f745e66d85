// Nonlinear programs: the cards' cases and small problems with known solutions.
#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/nlp_merit.hpp"
#include "saltus/solvers/nlp_methods.hpp"
#include "saltus/solvers/vi_algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

/// S:V-07: min x subject to x − 1 ≥ 0.
Nlp line() {
  Nlp problem;
  problem.n = problem.m = 1;
  problem.f = [](ConstVectorRef z) { return z[0]; };
  problem.g = [](ConstVectorRef z, VectorRef g) { g[0] = z[0] - 1; };
  return problem;
}

/// S:V-08: min x + y subject to x² + y² = 2.
Nlp circle() {
  Nlp problem;
  problem.n = 2;
  problem.p = 1;
  problem.f = [](ConstVectorRef z) { return z[0] + z[1]; };
  problem.gradient = [](ConstVectorRef, VectorRef gradient) { gradient.setOnes(); };
  problem.h = [](ConstVectorRef z, VectorRef h) { h[0] = z.squaredNorm() - 2; };
  problem.h_jacobian = [](ConstVectorRef z, MatrixRef J) { J = 2 * z.transpose(); };
  problem.hessian = [](ConstVectorRef, ConstVectorRef, ConstVectorRef mu, MatrixRef W) {
    W = -2 * mu[0] * Matrix::Identity(2, 2);
  };
  return problem;
}

/// Hock–Schittkowski 35: convex quadratic, one inequality and bounds; z = (4/3, 7/9, 4/9), λ = 2/9.
Nlp beale() {
  Nlp problem;
  problem.n = 3;
  problem.m = 4;
  problem.f = [](ConstVectorRef z) {
    return 9 - 8 * z[0] - 6 * z[1] - 4 * z[2] + 2 * z[0] * z[0] + 2 * z[1] * z[1] + z[2] * z[2] +
           2 * z[0] * z[1] + 2 * z[0] * z[2];
  };
  problem.g = [](ConstVectorRef z, VectorRef g) {
    g[0] = 3 - z[0] - z[1] - 2 * z[2];
    g.tail(3) = z;
  };
  return problem;
}
const Vector beale_solution = Values{4.0 / 3, 7.0 / 9, 4.0 / 9};

TEST(PenaltyFunction, HasItsMinimumEpsilonOutside) {  // S:V-07, S:NLP-02
  for (const double epsilon : {1.0, 0.1, 1e-3}) {
    Vector z = Values{3};
    EXPECT_EQ(minimise(line(), z, QuadraticPenalty{epsilon}, 1e-9, 100).status,
              SolveStatus::converged);
    EXPECT_NEAR(z[0], 1 - epsilon, 1e-8);  // |∇| ≤ 1e-9, ∇² = 1/ε ≥ 1
  }
}

TEST(BarrierFunction, HasItsMinimumEpsilonInside) {  // S:V-07, S:NLP-03
  for (const double epsilon : {1.0, 0.1, 1e-3}) {
    Vector z = Values{3};
    EXPECT_EQ(minimise(line(), z, LogBarrier{epsilon}, 1e-9, 100).status, SolveStatus::converged);
    EXPECT_NEAR(z[0], 1 + epsilon, 1e-8);  // ∇² = 1/ε
  }
}

TEST(AugmentedLagrangianFunction, IsExactAtTheMultiplier) {  // S:V-07, S:NLP-04
  for (const double sigma : {0.1, 1.0, 100.0}) {
    Vector z = Values{1.5};
    const AugmentedLagrangian exact{sigma, Vector(Values{1}), {}};
    EXPECT_EQ(minimise(line(), z, exact, 1e-9, 100).status, SolveStatus::converged);
    EXPECT_NEAR(z[0], 1, 1e-9 / sigma + 1e-10);
  }
}

TEST(NlpMethods, SolveTheLineWithItsMultiplier) {  // S:V-07
  Workspace work;
  NlpPoint penalty{Values{3}, {}, {}}, barrier = penalty, multiplier = penalty, sqp = penalty;
  EXPECT_TRUE(solve(line(), penalty, NlpPenalty{}, work).converged());
  EXPECT_TRUE(solve(line(), barrier, NlpBarrier{}, work).converged());
  EXPECT_TRUE(solve(line(), multiplier, NlpAugmentedLagrangian{}, work).converged());
  for (const NlpPoint& point : {penalty, barrier, multiplier}) {
    EXPECT_NEAR(point.z[0], 1, 1.1e-6);
    EXPECT_NEAR(point.lambda[0], 1, 1.1e-6);
  }
}

TEST(Sqp, MakesThePrintedIterates) {  // S:V-08, S:NLP-05
  Workspace work;
  const auto after = [&](int steps) {
    NlpPoint point{Values{-1.5, -0.5}, {}, Values{-0.4}};
    static_cast<void>(
        solve(circle(), point,
              NlpSqp{.tolerance = 1e-15, .max_iterations = steps, .line_search = false}, work));
    return point;
  };
  EXPECT_LE((after(1).z - Vector(Values{-1.1, -1.2})).norm(), 1e-14);
  EXPECT_LE((after(2).z - Vector(Values{-1.016552315609, -1.005660377358})).norm(), 1e-12);
  const Vector solution = Values{-1, -1};
  EXPECT_LE((after(4).z - solution).norm(), 1e-7);
  EXPECT_LE((after(5).z - solution).norm(), 1e-12);
  EXPECT_NEAR(after(5).mu[0], -0.5, 1e-12);
}

TEST(NlpMethods, AgreeOnTheCircle) {  // S:V-08, S:NLP-06
  Workspace work;
  for (const bool bfgs : {false, true}) {
    NlpPoint point{Values{-1.5, -0.5}, {}, {}};
    EXPECT_TRUE(solve(circle(), point, NlpSqp{.bfgs = bfgs}, work).converged()) << bfgs;
    EXPECT_LE((point.z - Vector(Values{-1, -1})).norm(), 1e-7);
  }
  NlpPoint point{Values{-1.5, -0.5}, {}, {}};
  EXPECT_TRUE(solve(circle(), point, NlpAugmentedLagrangian{}, work).converged());
  EXPECT_NEAR(point.mu[0], -0.5, 1e-7);
  point = {Values{-1.5, -0.5}, {}, {}};
  EXPECT_TRUE(solve(circle(), point, NlpPenalty{}, work).converged());
  EXPECT_NEAR(point.mu[0], -0.5, 1e-5);
}

TEST(NlpMethods, SolveAConvexProgramWithInequalities) {  // S:NLP-07, S:NLP-01
  Workspace work;
  const auto check = [&](const NlpPoint& point, const SolveReport& report, double digits) {
    EXPECT_TRUE(report.converged());
    EXPECT_LE((point.z - beale_solution).norm(), digits);
    EXPECT_NEAR(point.lambda[0], 2.0 / 9, digits);
    EXPECT_NEAR(report.residual, residual(beale(), point), 1e-15);
  };
  const NlpPoint start{Values{0.5, 0.5, 0.5}, {}, {}};
  // the Hessian has its eigenvalues in [0.5, 6]: errors below 10 times the tolerance times ‖∇f(0)‖
  NlpPoint point = start;
  check(point, solve(beale(), point, NlpSqp{}, work), 1e-6);
  point = start;
  check(point, solve(beale(), point, NlpSqp{.bfgs = true}, work), 1e-6);
  point = start;
  check(point, solve(beale(), point, NlpAugmentedLagrangian{}, work), 1e-6);
  point = start;
  check(point, solve(beale(), point, NlpPenalty{}, work), 1e-4);
  point = start;
  check(point, solve(beale(), point, NlpBarrier{}, work), 1e-4);
}

TEST(Nlp, IsSolvedThroughItsKktConditions) {  // S:NLP-01
  Workspace work;
  const Mcp kkt = to_mcp(beale());
  Vector x = Vector::Zero(kkt.n);
  EXPECT_TRUE(solve(kkt, x, NcpAutomatic{}, work).converged());
  EXPECT_LE((x.head(3) - beale_solution).norm(), 1e-6);
  EXPECT_NEAR(x[3], 2.0 / 9, 1e-6);
}

TEST(Nlp, OfAnNcpHasTheOptimumZero) {  // S:NCP-03
  library::Random random(7);
  Workspace work;
  const Lcp lcp = library::random_spd_lcp(4, random);
  const Nlp problem = to_nlp(to_ncp(lcp));
  NlpPoint point{Vector::Ones(4), {}, {}};
  EXPECT_TRUE(solve(problem, point, NlpAugmentedLagrangian{}, work).converged());
  EXPECT_NEAR(problem.f(point.z), 0, 1e-6);
  EXPECT_LE(residual(lcp, point.z), 1e-5);
}

TEST(NlpMethods, ReportTheCallersMistakes) {
  Workspace work;
  NlpPoint outside{Values{0.5}, {}, {}};
  EXPECT_ERROR(solve(line(), outside, NlpBarrier{}, work), "g_0 is -0.5 at the initial guess");
  NlpPoint wrong{Values{0, 0}, {}, {}};
  EXPECT_ERROR(solve(line(), wrong, NlpSqp{}, work), "z has size 2, the problem 1");
  Nlp empty = line();
  empty.g = {};
  EXPECT_ERROR(solve(empty, outside, NlpPenalty{}, work), "g is empty");
}

}  // namespace
}  // namespace saltus
