// Nonlinear and mixed complementarity: the cards' case, random monotone problems, every method
// against every other.
#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/problems/mcp_merit.hpp"
#include "saltus/solvers/vi_algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

/// S:V-20, the problem of Kojima and Shindo.
Ncp kojima_shindo() {
  return {4,
          [](ConstVectorRef z, VectorRef F) {
            const double a = z[0], b = z[1], c = z[2], d = z[3];
            F[0] = 3 * a * a + 2 * a * b + 2 * b * b + c + 3 * d - 6;
            F[1] = 2 * a * a + a + b * b + 10 * c + 2 * d - 2;
            F[2] = 3 * a * a + a * b + 2 * b * b + 2 * c + 9 * d - 9;
            F[3] = a * a + 3 * b * b + 2 * c + 3 * d - 3;
          },
          [](ConstVectorRef z, MatrixRef J) {
            const double a = z[0], b = z[1];
            J << 6 * a + 2 * b, 2 * a + 4 * b, 1, 3, 4 * a + 1, 2 * b, 10, 2, 6 * a + b, a + 4 * b,
                2, 9, 2 * a, 6 * b, 2, 3;
          }};
}
const Vector degenerate_solution = Values{std::sqrt(6.0) / 2, 0, 0, 0.5};
const Vector regular_solution = Values{1, 0, 3, 0};

/// Every algorithm for NCP and MCP with its default options.
template <std::size_t I = 0>
std::vector<NcpAlgorithm> algorithms() {
  if constexpr (I == std::variant_size_v<NcpAlgorithm>) {
    return {};
  } else {
    auto rest = algorithms<I + 1>();
    rest.push_back(std::variant_alternative_t<I, NcpAlgorithm>{});
    return rest;
  }
}

/// Those that do not need a monotone F.
std::vector<NcpAlgorithm> globalised_algorithms() {
  std::vector<NcpAlgorithm> all = algorithms();
  std::erase_if(all, [](const NcpAlgorithm& algorithm) {
    return std::holds_alternative<NcpInteriorPoint>(algorithm);
  });
  return all;
}

double distance_to_solutions(const Vector& z) {
  return std::min((z - degenerate_solution).norm(), (z - regular_solution).norm());
}

TEST(KojimaShindo, HasTheTwoStatedSolutions) {  // S:V-20
  const Ncp problem = kojima_shindo();
  EXPECT_LE(residual(problem, degenerate_solution), 1e-14);
  EXPECT_LE(residual(problem, regular_solution), 1e-14);
  EXPECT_NEAR(evaluate(problem.F, degenerate_solution)[1], 3.2247448714, 1e-10);
  EXPECT_NEAR(evaluate(problem.F, regular_solution)[1], 31, 1e-13);
  EXPECT_NEAR(evaluate(problem.F, regular_solution)[3], 4, 1e-13);
}

TEST(KojimaShindo, NewtonJosephyTakesAtMostEightLinearProblems) {  // S:V-20, S:NCP-08
  Workspace work;
  for (const bool damping : {false, true}) {
    Vector z = Vector::Ones(4);
    const SolveReport report = solve(kojima_shindo(), z, NewtonJosephy{.damping = damping}, work);
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 8);
    EXPECT_LE((z - regular_solution).norm(), 1e-8) << z.transpose();
  }
}

TEST(KojimaShindo, FirstLinearProblemFromZeroHasNoSolution) {  // S:V-20
  Workspace work;
  const Lcp first = linearise(kojima_shindo(), Vector::Zero(4));
  EXPECT_LE((first.q - Vector(Values{-6, -2, -9, -3})).norm(), 0);
  Vector z = Vector::Zero(4);
  EXPECT_FALSE(solve(first, z, Lemke{}, work).converged());

  z.setZero();
  const SolveReport plain = solve(kojima_shindo(), z, NewtonJosephy{.damping = false}, work);
  EXPECT_EQ(plain.status, SolveStatus::stalled);
  EXPECT_EQ(plain.iterations, 1);

  z.setZero();  // the fallback step leads away from 0
  const SolveReport report = solve(kojima_shindo(), z, NewtonJosephy{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_LE(distance_to_solutions(z), 1e-6) << z.transpose();
}

TEST(KojimaShindo, EveryMethodReachesASolutionOrSaysThatItDidNot) {  // S:V-20
  const Ncp problem = kojima_shindo();
  Workspace work;
  library::Random random(3);
  std::vector<Vector> starts{Vector::Ones(4), Vector::Zero(4)};
  for (int k = 0; k < 20; ++k) starts.push_back(random.vector(4).cwiseAbs());
  for (const NcpAlgorithm& algorithm : algorithms())
    for (const Vector& start : starts) {
      Vector z = start;
      const SolveReport report = solve(problem, z, algorithm, work);
      const double limit = 1e-8 * 9;  // ‖F(0)‖∞ = 9
      EXPECT_EQ(report.converged(), report.residual <= limit) << describe(algorithm);
      EXPECT_NEAR(report.residual, residual(problem, z), 1e-15) << describe(algorithm);
      // at the degenerate solution an error of √limit in z is possible: z₂ z₃-type terms
      if (report.converged()) {
        EXPECT_LE(distance_to_solutions(z), 1e-3) << describe(algorithm);
      }
    }
}

TEST(KojimaShindo, GlobalisedMethodsConvergeFromOnes) {  // S:V-20
  Workspace work;
  for (const NcpAlgorithm& algorithm : globalised_algorithms()) {
    Vector z = Vector::Ones(4);
    EXPECT_TRUE(solve(kojima_shindo(), z, algorithm, work).converged()) << describe(algorithm);
  }
}

/// F(z) = M z + q + c z³ with M positive definite: strongly monotone, one solution.
Ncp random_monotone(Index n, library::Random& random) {
  const Lcp linear = library::random_pd_lcp(n, random);
  const Matrix M = linear.M.to_dense();
  const Vector q = linear.q, c = random.vector(n).cwiseAbs();
  return {n,
          [=](ConstVectorRef z, VectorRef F) {
            F = M * z + q + c.cwiseProduct(z.cwiseProduct(z).cwiseProduct(z));
          },
          [=](ConstVectorRef z, MatrixRef J) {
            J = M;
            J.diagonal() += 3 * c.cwiseProduct(z.cwiseProduct(z));
          }};
}

TEST(NcpMethods,
     AgreeOnRandomStronglyMonotoneProblems) {  // S:NCP-12, S:NCP-13a, S:NCP-13b, S:NCP-09
  library::Random random(11);
  Workspace work;
  for (const Index n : {1, 2, 5, 20}) {
    for (int k = 0; k < 5; ++k) {
      const Ncp problem = random_monotone(n, random);
      Vector reference = Vector::Zero(n);
      ASSERT_TRUE(solve(problem, reference, NcpAutomatic{.tolerance = 1e-12}, work).converged());
      for (const NcpAlgorithm& algorithm : algorithms()) {
        Vector z = random.vector(n);
        const SolveReport report = solve(problem, z, algorithm, work);
        EXPECT_TRUE(report.converged()) << describe(algorithm) << " n = " << n;
        // ‖z − z*‖ ≤ (1 + L)/m ‖natural map‖; m ≥ 0.1, L of order 10 n: 1e-8 · 10 · n/0.1
        EXPECT_LE((z - reference).norm(), 1e-5 * static_cast<double>(n)) << describe(algorithm);
      }
    }
  }
}

TEST(NcpMethods, SolveLinearProblemsLikeLemke) {
  library::Random random(5);
  Workspace work;
  for (int k = 0; k < 10; ++k) {
    const Lcp lcp = library::random_pd_lcp(8, random);
    Vector expected = Vector::Zero(8);
    ASSERT_TRUE(solve(lcp, expected, Lemke{}, work).converged());
    for (const NcpAlgorithm& algorithm : algorithms()) {
      Vector z = Vector::Zero(8);
      EXPECT_TRUE(solve(to_ncp(lcp), z, algorithm, work).converged()) << describe(algorithm);
      EXPECT_LE((z - expected).norm(), 1e-6) << describe(algorithm);
    }
    // one linear problem suffices when F is affine
    Vector z = Vector::Zero(8);
    EXPECT_EQ(solve(to_ncp(lcp), z, NewtonJosephy{}, work).iterations, 1);
  }
}

TEST(NcpMethods, WorkWithoutAJacobian) {
  Workspace work;
  Ncp problem = kojima_shindo();
  problem.jacobian = {};
  for (const NcpAlgorithm& algorithm : globalised_algorithms()) {
    Vector z = Vector::Ones(4);
    EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
  }
}

TEST(McpMethods, TreatFreeRowsAndBothBounds) {  // S:NCP-06, S:NCP-07
  library::Random random(17);
  Workspace work;
  for (int k = 0; k < 10; ++k) {
    const Index n = 9;
    Mcp problem = to_mcp(random_monotone(n, random));
    for (Index i = 0; i < n; ++i) {
      problem.lower[i] = i % 4 == 0 || i % 4 == 3 ? -inf : -0.2;
      problem.upper[i] = i % 4 == 0 || i % 4 == 1 ? inf : 0.1;
    }
    Vector reference = Vector::Zero(n);
    ASSERT_TRUE(solve(problem, reference, NcpAutomatic{.tolerance = 1e-12}, work).converged());
    EXPECT_GE((reference - problem.lower).minCoeff(), -1e-11);
    EXPECT_GE((problem.upper - reference).minCoeff(), -1e-11);
    for (const NcpAlgorithm& algorithm : algorithms()) {
      Vector z = Vector::Zero(n);
      EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
      EXPECT_LE((z - reference).norm(), 1e-5) << describe(algorithm);
    }
  }
}

TEST(McpMethods, SolveEquationsAsNewtonsMethodDoes) {
  // x² = 2, y = x: no bounds
  const Mcp problem{2,
                    [](ConstVectorRef z, VectorRef F) {
                      F[0] = z[0] * z[0] - 2;
                      F[1] = z[1] - z[0];
                    },
                    {},
                    Vector::Constant(2, -inf),
                    Vector::Constant(2, inf)};
  Workspace work;
  for (const NcpAlgorithm& algorithm : algorithms()) {
    Vector z = Vector::Ones(2);
    EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
    EXPECT_NEAR(z[0], std::sqrt(2.0), 1e-7) << describe(algorithm);
  }
}

TEST(PathSearch, SolvesAnAffineProblemAlongOnePath) {  // S:NCP-09
  // L_k = F^nor: the path of the first step ends in the solution, however many bounds it crosses
  library::Random random(23);
  Workspace work;
  for (const Index n : {1, 3, 10, 30})
    for (const Lcp& lcp :
         {library::random_spd_lcp(n, random), library::random_pd_lcp(n, random),
          library::random_p_lcp(n, random), library::worst_case(std::min<Index>(n, 6), false)}) {
      Vector z = random.vector(lcp.q.size());
      const SolveReport report = solve(to_ncp(lcp), z, PathSearch{}, work);
      EXPECT_TRUE(report.converged());
      EXPECT_LE(report.iterations, 1);  // 0 if the guess projects onto the solution
    }
}

TEST(PathSearch, HalvesTheStepWhereNewtonsMethodDiverges) {  // S:NCP-09
  // arctan z = 0 from 3: full Newton steps grow without bound
  const Mcp problem{1, [](ConstVectorRef z, VectorRef F) { F[0] = std::atan(z[0]); },
                    [](ConstVectorRef z, MatrixRef J) { J(0, 0) = 1 / (1 + z[0] * z[0]); },
                    Values{-inf}, Values{inf}};
  Workspace work;
  Vector z = Values{3};
  const SolveReport plain =
      solve(problem, z, NewtonJosephy{.max_iterations = 50, .damping = false}, work);
  EXPECT_FALSE(plain.converged());
  EXPECT_GT(plain.residual, 1);  // although z − (z − F) is 0 in double precision for such z
  for (const NcpAlgorithm& algorithm : algorithms()) {
    z = Values{3};
    EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
    EXPECT_NEAR(z[0], 0, 1e-8) << describe(algorithm);
  }
}

TEST(NcpAutomatic, SolvesKojimaShindoFromEveryRandomStart) {  // S:V-20
  library::Random random(29);
  Workspace work;
  for (int k = 0; k < 200; ++k) {
    Vector z = 3 * random.vector(4);
    EXPECT_TRUE(solve(kojima_shindo(), z, NcpAutomatic{}, work).converged());
  }
}

TEST(NcpAutomatic, DoesNotClaimAProblemWithoutSolution) {
  // F = −1 − z: no z ≥ 0 has F ≥ 0
  const Ncp problem{1, [](ConstVectorRef z, VectorRef F) { F[0] = -1 - z[0]; }, {}};
  Workspace work;
  for (const NcpAlgorithm& algorithm : algorithms()) {
    Vector z = Vector::Zero(1);
    const SolveReport report = solve(problem, z, algorithm, work);
    EXPECT_FALSE(report.converged()) << describe(algorithm);
    EXPECT_GT(report.residual, 0.1) << describe(algorithm);
  }
}

TEST(NcpMethods, ConvergeQuadraticallyAtARegularSolution) {  // S:NCP-12
  Workspace work;
  Vector start = regular_solution + 1e-2 * Vector::Ones(4);
  double last = residual(kojima_shindo(), start);
  for (int steps = 1; steps <= 3; ++steps) {
    Vector z = start;
    const SolveReport report =
        solve(kojima_shindo(), z, NcpNewton{.tolerance = 1e-14, .max_iterations = steps}, work);
    // C = ‖∇²F‖ ‖H⁻¹‖ of order 10 near the solution; 1e-13: rounding of F
    EXPECT_LE(report.residual, std::max(10 * last * last, 1e-13)) << steps;
    last = report.residual;
  }
}

TEST(NcpMethods, SurviveAFunctionThatIsUndefinedOutsideTheOrthant) {
  // F = log(1 + z) − 1: NaN for z < −1; z = e − 1
  const Ncp problem{1, [](ConstVectorRef z, VectorRef F) { F[0] = std::log(1 + z[0]) - 1; }, {}};
  Workspace work;
  Vector z = Values{20};
  EXPECT_TRUE(solve(problem, z, NcpAutomatic{}, work).converged());
  EXPECT_NEAR(z[0], std::exp(1.0) - 1, 1e-6);
}

TEST(NcpMethods, ReportTheCallersMistakes) {
  Workspace work;
  Vector z(3);
  z.setZero();
  EXPECT_ERROR(solve(kojima_shindo(), z, NcpNewton{}, work), "z has size 3, the problem 4");
  Vector nan = Vector::Constant(4, std::numeric_limits<double>::quiet_NaN());
  EXPECT_ERROR(solve(kojima_shindo(), nan, PathSearch{}, work), "NaN");
  EXPECT_ERROR(solve(Ncp{3, {}, {}}, z, NcpAutomatic{}, work), "F is empty");
  EXPECT_ERROR(solve(kojima_shindo(), nan, NcpNewton{.lambda = 2}, work), "lambda is 2");
  Mcp crossed = to_mcp(kojima_shindo());
  crossed.upper[2] = -1;
  Vector four = Vector::Zero(4);
  EXPECT_ERROR(solve(crossed, four, Smoothing{}, work), "row 2 has the bounds [0, -1]");
}

TEST(NcpMethods, AcceptTheEmptyProblem) {
  Workspace work;
  const Ncp problem{0, [](ConstVectorRef, VectorRef) {}, {}};
  Vector z(0);
  for (const NcpAlgorithm& algorithm : algorithms())
    EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
}

}  // namespace
}  // namespace saltus
