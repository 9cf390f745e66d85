// Solvers for the less common rows of the card: each on a problem with a known solution, and where
// it must fail.
#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/algorithm.hpp"
#include "saltus/solvers/gap_minimisation.hpp"
#include "saltus/solvers/nlp_algorithm.hpp"
#include "saltus/solvers/nlp_dual.hpp"
#include "saltus/solvers/qp_automatic.hpp"
#include "saltus/solvers/qp_interior_point.hpp"
#include "saltus/solvers/vi_algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

/// F(z) = (z − 1)² − 1.01: the solution is 1 + √1.01, and at z = 0 the merit functions have a local
/// minimum with F = −0.01.
Ncp hill() {
  return {1, [](ConstVectorRef z, VectorRef F) { F[0] = (z[0] - 1) * (z[0] - 1) - 1.01; },
          [](ConstVectorRef z, MatrixRef J) { J(0, 0) = 2 * (z[0] - 1); }};
}

TEST(NcpNeSqp, StallsAtALocalMinimumOfItsMeritFunction) {  // S:NCP-14
  Workspace work;
  Vector z = Vector::Zero(1);
  EXPECT_EQ(solve(hill(), z, NcpNeSqp{}, work).status, SolveStatus::stalled);
  EXPECT_NEAR(z[0], 0, 1e-12);
  z = Values{3};  // on the right side of the hill
  EXPECT_TRUE(solve(hill(), z, NcpNeSqp{}, work).converged());
  EXPECT_NEAR(z[0], 1 + std::sqrt(1.01), 1e-8);
}

TEST(NcpPerturbation, LeavesTheLocalMinimum) {  // S:NCP-15a, S:NCP-15b
  Workspace work;
  Vector plain = Vector::Zero(1);
  EXPECT_FALSE(solve(hill(), plain, NcpNewton{}, work).converged());
  for (const NcpAlgorithm& algorithm : {NcpAlgorithm(NcpQpcomp{}), NcpAlgorithm(NcpSemicomp{})}) {
    Vector z = Vector::Zero(1);
    EXPECT_TRUE(solve(hill(), z, algorithm, work).converged()) << describe(algorithm);
    EXPECT_NEAR(z[0], 1 + std::sqrt(1.01), 1e-7) << describe(algorithm);
  }
}

TEST(NcpNeSqp, KeepsItsIteratesBetweenTheBounds) {  // S:NCP-14
  // F asks for its square root: outside z ≥ 0 it is not defined
  Ncp problem{1, [](ConstVectorRef z, VectorRef F) { F[0] = std::sqrt(z[0]) - 2; }, {}};
  problem.jacobian = [](ConstVectorRef z, MatrixRef J) {
    J(0, 0) = z[0] > 0 ? 0.5 / std::sqrt(z[0]) : 1e8;
  };
  Workspace work;
  Vector z = Values{100};  // the full Newton step leads to −60
  EXPECT_TRUE(solve(problem, z, NcpNeSqp{}, work).converged());
  EXPECT_NEAR(z[0], 4, 1e-6);
}

TEST(NcpInteriorPoint, ReducesTheResidualLinearlyOnAMonotoneProblem) {  // S:NCP-18
  library::Random random(3);
  Workspace work;
  for (const Index n : {1, 5, 40}) {
    const Lcp lcp = library::random_pd_lcp(n, random);
    Vector z = Vector::Zero(n), expected = Vector::Zero(n);
    ASSERT_TRUE(solve(lcp, expected, Lemke{}, work).converged());
    const SolveReport report = solve(to_ncp(lcp), z, NcpInteriorPoint{}, work);
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 40);
    EXPECT_VECTOR(z, expected, 1e-5);
    EXPECT_GT(z.minCoeff(), 0);  // strictly inside to the end
  }
}

TEST(NcpInteriorPoint, HoldsRowsWithEqualBounds) {  // S:NCP-18
  Mcp problem = to_mcp(to_ncp(library::spd()));
  problem.lower[0] = problem.upper[0] = 2;  // then 2 + 2 z₂ − 6 = 0
  Workspace work;
  Vector z = Vector::Zero(2);
  EXPECT_TRUE(solve(problem, z, NcpInteriorPoint{}, work).converged());
  EXPECT_VECTOR(z, (Values{2, 2}), 1e-7);
}

/// F = z − c on X.
Vi identity(const Set& X, const Vector& c) {
  return {c.size(), X, [c](ConstVectorRef z, VectorRef F) { F = z - c; },
          [](ConstVectorRef, MatrixRef J) { J.setIdentity(); }};
}

TEST(ViDiminishingStep, NeedsNoLipschitzConstant) {  // S:VI-16
  // F = z³ − 8 on z ≥ 0: no Lipschitz constant; the fixed step γ = 1 leaves every bound from 10
  const Vi problem{
      1, NonNegative{}, [](ConstVectorRef z, VectorRef F) { F[0] = z[0] * z[0] * z[0] - 8; }, {}};
  Workspace work;
  Vector z = Values{10};
  EXPECT_FALSE(solve(problem, z, ViFixedPoint{.max_iterations = 1000}, work).converged());
  z = Values{10};
  EXPECT_TRUE(solve(problem, z, ViDiminishingStep{}, work).converged());
  EXPECT_NEAR(z[0], 2, 1e-8);
  EXPECT_ERROR(solve(problem, z, ViDiminishingStep{.power = 0.5}, work), "power is 0.5");
}

TEST(GapDescent, StepsToAVertexAtOnce) {  // S:VI-19
  // the solution is the vertex (1, −1, 1); F ≠ 0 there, and one linear program finds it
  Workspace work;
  const Vi problem = identity(Interval{-1, 1}, Values{3, -4, 5});
  Vector z = Vector::Zero(3);
  const SolveReport report = solve(problem, z, GapDescent{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 1);
  EXPECT_VECTOR(z, (Values{1, -1, 1}), 0);
}

TEST(GapDescent, LowersTheGapInEveryStep) {  // S:VI-19
  // skew part: monotone, not symmetric; the solution is inside the ball
  const Matrix M = Rows{{1, 2}, {-2, 1}};
  const Vector q = Values{0.2, -0.1};
  const Vi problem{2, Ball{Values{0, 0}, 1}, [=](ConstVectorRef z, VectorRef F) { F = M * z + q; },
                   [=](ConstVectorRef, MatrixRef J) { J = M; }};
  Workspace work;
  Vector z = Values{0.9, 0.1};
  double last = gap(problem, z);
  for (int k = 0; k < 20; ++k) {
    static_cast<void>(solve(problem, z, GapDescent{.max_iterations = 1}, work));
    EXPECT_LT(gap(problem, z), last);
    last = gap(problem, z);
  }
  EXPECT_ERROR(solve(identity(NonNegative{}, Values{1}), z.head(1), GapDescent{}, work),
               "not compact");
}

TEST(SmoothedProjection, TendsToTheProjectionAndHasItsDerivative) {  // S:VI-24a
  const std::vector<std::pair<Set, Index>> sets{
      {Interval{-1, 2}, 3},           {Disk{0.7}, 2},
      {Ball{Values{1, 0, -1}, 2}, 3}, {FrictionCone{0.5}, 3},
      {FrictionCone{2}, 2},           {Product{{{NonNegative{}, 1}, {Disk{1}, 2}}}, 3}};
  library::Random random(9);
  for (const auto& [X, n] : sets)
    for (int k = 0; k < 20; ++k) {
      const Vector x = 2 * random.vector(n);
      Vector p(n), exact(n), forward(n), backward(n);
      Matrix J(n, n), unused(n, n);
      project(X, x, exact);
      smoothed_projection(X, x, 1e-6, p, J);
      EXPECT_VECTOR(p, exact, 4e-6) << name(X);  // p_ε − max ≤ ε, at most 4 of them
      smoothed_projection(X, x, 0.3, p, J);
      const double h = 1e-6;
      for (Index j = 0; j < n; ++j) {
        smoothed_projection(X, x + h * Vector::Unit(n, j), 0.3, forward, unused);
        smoothed_projection(X, x - h * Vector::Unit(n, j), 0.3, backward, unused);
        // third derivatives of order 1/ε², h² = 1e-12; rounding 1e-16/h
        EXPECT_VECTOR(Vector(J.col(j)), Vector((forward - backward) / (2 * h)), 1e-8) << name(X);
      }
    }
}

TEST(ViPivoting, SolvesAffineProblemsInOneLinearProblem) {  // S:VI-24b
  library::Random random(15);
  Workspace work;
  const Matrix G = Rows{{1, 1, 0}, {0, 1, 1}, {1, 0, 1}};
  const std::vector<Set> sets{
      NonNegative{}, Interval{-0.1, 0.2}, PolyhedralCone::from_generators(G),
      PolyhedralCone::from_inequalities(G),
      Product{{{PolyhedralCone::from_generators(Rows{{1, 1}, {0, 1}}), 2}, {NonNegative{}, 1}}}};
  for (const Set& X : sets)
    for (int k = 0; k < 5; ++k) {
      const Matrix M = library::random_pd_lcp(3, random).M.to_dense();
      const Vector q = random.vector(3);
      const Vi problem{3, X, [=](ConstVectorRef z, VectorRef F) { F = M * z + q; },
                       [=](ConstVectorRef, MatrixRef J) { J = M; }};
      Vector z = Vector::Zero(3);
      const SolveReport report = solve(problem, z, ViPivoting{}, work);
      EXPECT_TRUE(report.converged()) << name(X);
      EXPECT_LE(report.iterations, 1) << name(X);  // 0: the guess solves it
    }
  Vector z = Vector::Zero(2);
  EXPECT_ERROR(solve(identity(Disk{1}, Values{1, 2}), z, ViPivoting{}, work),
               "Disk is not polyhedral");
}

/// Extended Rosenbrock function, minimum 0 at (1, …, 1).
SetNlp rosenbrock(const Set& X) {
  SetNlp problem;
  problem.n = 2;
  problem.X = X;
  problem.f = [](ConstVectorRef z) {
    return 100 * std::pow(z[1] - z[0] * z[0], 2) + std::pow(1 - z[0], 2);
  };
  problem.gradient = [](ConstVectorRef z, VectorRef g) {
    g[0] = -400 * z[0] * (z[1] - z[0] * z[0]) - 2 * (1 - z[0]);
    g[1] = 200 * (z[1] - z[0] * z[0]);
  };
  return problem;
}

TEST(NlpGradientProjection, FindsTheMinimumOfAQuadraticOnABall) {  // S:NLP-08, S:NLP-09
  // min ½‖z − c‖²: the projection of c
  SetNlp problem;
  problem.n = 2;
  problem.X = Ball{Values{0, 0}, 1};
  problem.f = [](ConstVectorRef z) { return (z - Vector(Values{3, 4})).squaredNorm() / 2; };
  Workspace work;
  Vector z = Vector::Zero(2);
  EXPECT_TRUE(solve(problem, z, NlpGradientProjection{}, work).converged());
  EXPECT_VECTOR(z, (Values{0.6, 0.8}), 1e-7);
}

TEST(NlpGradientProjection, ConvergesFastWithTheNewtonScaling) {  // S:NLP-09
  // with z₁ ≤ ½ the minimum is (½, ¼), ∂₁f = −1 there
  Workspace work;
  const SetNlp problem = rosenbrock(Box{Values{-2, -2}, Values{0.5, 2}});
  Vector z = Values{-1.2, 1};
  const SolveReport report = solve(problem, z, NlpGradientProjection{.newton = true}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_LE(report.iterations, 40);
  EXPECT_VECTOR(z, (Values{0.5, 0.25}), 1e-8);
  Vector slow = Values{-1.2, 1};
  const SolveReport plain = solve(problem, slow, NlpGradientProjection{.tolerance = 1e-6}, work);
  EXPECT_TRUE(plain.converged());
  EXPECT_GT(plain.iterations, 3 * report.iterations);
  EXPECT_ERROR(solve(rosenbrock(Disk{1}), z, NlpGradientProjection{.newton = true}, work),
               "expected a box");
}

/// Hock–Schittkowski 35; z = (4/3, 7/9, 4/9), λ₁ = 2/9, f = 1/9.
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

TEST(NlpAlgorithms, AgreeOnAConvexProgram) {  // S:NLP-10, S:NLP-11
  Workspace work;
  for (const NlpAlgorithm& algorithm :
       {NlpAlgorithm(NlpInteriorPoint{}), NlpAlgorithm(NlpRosen{}), NlpAlgorithm(NlpSqp{})}) {
    NlpPoint point{Values{0.5, 0.5, 0.5}, {}, {}};
    const SolveReport report = solve(beale(), point, algorithm, work);
    EXPECT_TRUE(report.converged()) << describe(algorithm);
    // ‖∇f(0)‖ = 8, Hessian ≥ 0.5, tolerance at most 1e-6
    EXPECT_VECTOR(point.z, (Values{4.0 / 3, 7.0 / 9, 4.0 / 9}), 2e-5) << describe(algorithm);
    EXPECT_NEAR(point.lambda[0], 2.0 / 9, 5e-5) << describe(algorithm);
  }
}

TEST(NlpRosen, LeavesAFaceWithANegativeMultiplier) {  // S:NLP-10
  // min (x − 1)² + (y − 2)² on x, y ≥ 0, x + y = 2, from the vertex (2, 0): y ≥ 0 must be left
  Nlp problem;
  problem.n = problem.m = 2;
  problem.p = 1;
  problem.f = [](ConstVectorRef z) { return std::pow(z[0] - 1, 2) + std::pow(z[1] - 2, 2); };
  problem.g = [](ConstVectorRef z, VectorRef g) { g = z; };
  problem.h = [](ConstVectorRef z, VectorRef h) { h[0] = z[0] + z[1] - 2; };
  Workspace work;
  NlpPoint point{Values{2, 0}, {}, {}};
  EXPECT_TRUE(solve(problem, point, NlpRosen{}, work).converged());
  EXPECT_VECTOR(point.z, (Values{0.5, 1.5}), 1e-5);
  EXPECT_NEAR(point.mu[0], -1, 1e-5);
  NlpPoint outside{Values{3, 0}, {}, {}};
  EXPECT_ERROR(solve(problem, outside, NlpRosen{}, work), "h_0 is 1 at the initial guess");
  problem.h = [](ConstVectorRef z, VectorRef h) { h[0] = z.squaredNorm() - 4; };
  EXPECT_ERROR(solve(problem, point, NlpRosen{}, work), "affine");
}

TEST(NlpInteriorPoint, SolvesAConvexProblemWithACurvedConstraint) {  // S:NLP-11
  // min −x − y on the unit disk, x = y: (1, 1)/√2, λ = 1/√2
  Nlp problem;
  problem.n = 2;
  problem.m = problem.p = 1;
  problem.f = [](ConstVectorRef z) { return -z.sum(); };
  problem.g = [](ConstVectorRef z, VectorRef g) { g[0] = 1 - z.squaredNorm(); };
  problem.h = [](ConstVectorRef z, VectorRef h) { h[0] = z[0] - z[1]; };
  Workspace work;
  NlpPoint point{Values{3, -2}, {}, {}};  // not feasible
  EXPECT_TRUE(solve(problem, point, NlpInteriorPoint{}, work).converged());
  EXPECT_VECTOR(point.z, Vector(Vector::Constant(2, std::sqrt(0.5))), 1e-7);
  EXPECT_NEAR(point.lambda[0], std::sqrt(0.5), 1e-7);
}

TEST(DualFunction, IsBelowThePrimalAndEqualAtTheMultipliers) {  // S:NLP-12
  // min x² + y², x + y ≥ 2: θ(λ) = 2λ − λ²/2, maximal at λ = 2 with the value 2
  Nlp problem;
  problem.n = 2;
  problem.m = 1;
  problem.f = [](ConstVectorRef z) { return z.squaredNorm(); };
  problem.g = [](ConstVectorRef z, VectorRef g) { g[0] = z.sum() - 2; };
  for (const double lambda : {0.0, 1.0, 2.0, 3.0}) {
    const NlpDualValue dual =
        dual_function(problem, Values{lambda}, Vector(0), Vector::Zero(2), 1e-9);
    EXPECT_EQ(dual.status, SolveStatus::converged);
    EXPECT_NEAR(dual.value, 2 * lambda - lambda * lambda / 2, 1e-9);
    EXPECT_NEAR(dual.lambda_slope[0], 2 - lambda, 1e-8);
  }
  EXPECT_ERROR(dual_function(problem, Values{-1}, Vector(0), Vector::Zero(2)), "lambda_0 is -1");
}

TEST(NlpMethods, SeeAnUnboundedLagrangian) {  // S:NLP-12
  // min x, x ≥ 1: L = (1 − λ)x + λ has no minimum unless λ = 1
  Nlp line;
  line.n = line.m = 1;
  line.f = [](ConstVectorRef z) { return z[0]; };
  line.g = [](ConstVectorRef z, VectorRef g) { g[0] = z[0] - 1; };
  EXPECT_NEAR(dual_function(line, Values{1}, Vector(0), Values{5}, 1e-8).value, 1, 1e-7);
  EXPECT_NE(dual_function(line, Values{0}, Vector(0), Values{5}, 1e-8).status,
            SolveStatus::converged);
}

TEST(ProjectedMultigrid, RemovesTheSlowTailOfTheSweeps) {  // S:LCP-23c, S:V-17
  Workspace work;
  Vector z = Vector::Zero(50);
  const SolveReport report = solve(library::slow_chain(), z, ProjectedMultigrid{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_LE(report.iterations, 30);  // measured 25; the sweeps alone: 4255
  EXPECT_NEAR(z.sum(), 925.2, 1e-3);  // ‖M⁻¹‖ of order 50²/π² = 260, times 50 rows, times 1e-8
}

TEST(ProjectedMultigrid, NeedsHardlyMoreCyclesOnAFinerGrid) {  // S:LCP-23c
  // obstacle problem: a string under load above the ground, contact in the middle
  const auto cycles = [](int n) {
    std::vector<Eigen::Triplet<double>> entries;
    const double h = 1.0 / (n + 1);
    Vector q(n);
    for (int i = 0; i < n; ++i) {
      entries.emplace_back(i, i, 2);
      if (i > 0) entries.emplace_back(i, i - 1, -1);
      if (i + 1 < n) entries.emplace_back(i, i + 1, -1);
      const double x = (i + 1) * h;
      q[i] = h * h * (std::abs(x - 0.5) < 0.2 ? 30 : -10);
    }
    Eigen::SparseMatrix<double> M(n, n);
    M.setFromTriplets(entries.begin(), entries.end());
    Workspace work;
    Vector z = Vector::Zero(n);
    const SolveReport report =
        solve(Lcp{BlockSparse::sparse(M), q}, z, ProjectedMultigrid{.tolerance = 1e-8 * h}, work);
    EXPECT_TRUE(report.converged()) << n;
    EXPECT_GT((z.array() == 0).count(), n / 10);
    return report.iterations;
  };
  const int coarse = cycles(50), fine = cycles(800);
  EXPECT_LE(2 * fine, 3 * coarse);  // measured 24 and 27; sweeps alone: 16² times as many
}

TEST(ProjectedMultigrid, RefusesWhatItCannotSolve) {  // S:LCP-23c
  Workspace work;
  Vector z = Vector::Zero(4), two = Vector::Zero(2);
  EXPECT_EQ(solve(library::diode_bridge(10), z, ProjectedMultigrid{}, work).status,
            SolveStatus::nonconvex);
  const Lcp flat = library::dense(Rows{{0, 0}, {0, 1}}, Values{-1, -1});
  EXPECT_EQ(solve(flat, two, ProjectedMultigrid{}, work).status, SolveStatus::numerical_error);
}

TEST(GapMinimisation, SolvesMonotoneProblemsOfEveryForm) {  // S:LCP-10, S:LCP-11
  library::Random random(21);
  Workspace work;
  for (const Index n : {1, 3, 8}) {
    const Lcp lcp = library::random_pd_lcp(n, random);
    Vector expected = Vector::Zero(n);
    ASSERT_TRUE(solve(lcp, expected, Lemke{}, work).converged());
    GeneralisedPoint point;
    const GeneralisedLcp problem = to_generalised_lcp(to_horizontal_lcp(lcp));
    const SolveReport report = solve(problem, point, GapMinimisation{}, work);
    EXPECT_TRUE(report.converged()) << name(report.status);
    EXPECT_EQ(report.residual, residual(problem, point.z, point.w, point.y));
    EXPECT_VECTOR(point.z, expected, 1e-6);
  }
}

TEST(GapMinimisation, UsesTheFreeNonnegativeVariables) {  // S:LCP-10
  // z − w + y = 1 with z ⟂ w and the second row y = 0.4: z = 0.6, w = 0
  const GeneralisedLcp problem{Rows{{1.0}, {0.0}}, Rows{{-1.0}, {0.0}}, Rows{{1.0}, {1.0}},
                               Values{1, 0.4}};
  Workspace work;
  GeneralisedPoint point;
  EXPECT_TRUE(solve(problem, point, GapMinimisation{}, work).converged());
  EXPECT_NEAR(point.z[0], 0.6, 1e-8);
  EXPECT_NEAR(point.w[0], 0, 1e-8);
  EXPECT_NEAR(point.y[0], 0.4, 1e-8);
}

TEST(GapMinimisation, TriesThePiecesOfAProblemThatIsNotMonotone) {  // S:LCP-09, S:LCP-10
  // z + w ∈ [1, 2] and z ⟂ w: two separate segments of solutions
  const ExtendedLcp problem{Rows{{1.0}}, Rows{{1.0}}, Rows{{1.0}, {-1.0}}, Values{1, -2}};
  Workspace work;
  GeneralisedPoint point;
  const SolveReport report = solve(problem, point, GapMinimisation{}, work);
  EXPECT_TRUE(report.converged()) << name(report.status);
  EXPECT_EQ(report.residual, residual(problem, point.z, point.w));
  EXPECT_EQ(solve(problem, point, GapMinimisation{.enumerate = 0}, work).status,
            SolveStatus::nonconvex);
}

TEST(GapMinimisation, ProvesThatThereIsNoFeasiblePoint) {  // S:LCP-10
  // z + w = −1 with z, w ≥ 0
  const GeneralisedLcp problem{Rows{{1.0}}, Rows{{1.0}}, Matrix(1, 0), Values{-1}};
  Workspace work;
  GeneralisedPoint point;
  EXPECT_EQ(solve(problem, point, GapMinimisation{}, work).status, SolveStatus::infeasible);
  ASSERT_EQ(work.certificate.size(), 1);
  EXPECT_NEAR(work.certificate[0], 1, 1e-9);  // Eᵀμ ≥ 0 and qᵀμ = −1
  // z = 1 and w = 1 are feasible but not complementary
  const GeneralisedLcp both{Rows{{1.0}, {0.0}}, Rows{{0.0}, {1.0}}, Matrix(2, 0), Values{1, 1}};
  const SolveReport report = solve(both, point, GapMinimisation{}, work);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_EQ(work.certificate.size(), 0);
}

TEST(QpAutomatic, SolvesLargeBoundProblemsWithoutFactorisation) {  // S:QP-25, S:QP-16
  // tridiag(−1, 2.1, −1): well conditioned, 2000 variables
  const int n = 2000;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2.1);
    if (i > 0) entries.emplace_back(i, i - 1, -1);
    if (i + 1 < n) entries.emplace_back(i, i + 1, -1);
  }
  library::Random random(31);
  Qp qp;
  qp.Q.resize(n, n);
  qp.Q.setFromTriplets(entries.begin(), entries.end());
  qp.p = random.vector(n);
  qp.lower = Vector::Zero(n);
  qp.upper = Vector::Constant(n, 0.5);
  Workspace work;
  QpPoint point;
  const SolveReport report = solve(qp, point, QpAutomatic{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.residual, residual(qp, point));
  QpPoint reference;
  const SolveReport interior = solve(qp, reference, QpInteriorPoint{}, work);
  EXPECT_TRUE(interior.converged());
  EXPECT_VECTOR(point.z, reference.z, 1e-6);  // λ_min ≥ 0.1: 1e-8 · ‖p‖ / 0.1
  qp.Q.coeffRef(0, 0) = -5;
  EXPECT_EQ(solve(qp, point, QpAutomatic{}, work).status, SolveStatus::nonconvex);
}

TEST(RequireValid, ChecksTheOptionsInsideAVariant) {
  Workspace work;
  Vector z = Vector::Zero(2);
  const GradientProjection options{.search = SufficientDecrease{.mu = 7}};
  EXPECT_ERROR(require_valid(options), "mu is 7");
  EXPECT_ERROR(solve(library::spd(), z, options, work), "mu is 7");
}

}  // namespace
}  // namespace saltus
