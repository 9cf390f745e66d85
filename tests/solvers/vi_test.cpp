// Variational inequalities: the cards' case, random monotone problems over every kind of set,
// cones, quasi-variational inequalities.
#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/vi_algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

/// Every algorithm for VI with its default options.
template <std::size_t I = 0>
std::vector<ViAlgorithm> algorithms() {
  if constexpr (I == std::variant_size_v<ViAlgorithm>) {
    return {};
  } else {
    auto rest = algorithms<I + 1>();
    rest.push_back(std::variant_alternative_t<I, ViAlgorithm>{});
    return rest;
  }
}

/// S:V-22: F(z) = (z₂, −z₁) on [−1, 1]²: monotone, not strictly; the solution is 0.
Vi rotation() {
  return {2, Interval{-1, 1},
          [](ConstVectorRef z, VectorRef F) {
            F[0] = z[1];
            F[1] = -z[0];
          },
          [](ConstVectorRef, MatrixRef J) { J << 0, 1, -1, 0; }};
}

TEST(Rotation, ExtragradientShrinksAtTheStatedRate) {  // S:V-22, S:VI-14
  Workspace work;
  const double gamma = 0.5;
  for (const int k : {1, 2, 5, 10}) {
    Vector z = Values{0.5, 0};
    const ViExtragradient options{
        .tolerance = 1e-14, .max_iterations = k, .gamma = gamma, .adaptive = false};
    EXPECT_EQ(solve(rotation(), z, options, work).status, SolveStatus::max_iterations);
    const double ratio = 1 - gamma * gamma + std::pow(gamma, 4);
    EXPECT_NEAR(z.norm(), 0.5 * std::pow(ratio, k / 2.0), 1e-15);
    if (k == 10) {
      EXPECT_NEAR(z.norm(), 0.1770462990, 5e-11);  // ten printed digits
    }
  }
}

TEST(Rotation, BasicProjectionDoesNotConverge) {  // S:V-22, S:VI-12
  Workspace work;
  Vector z = Values{0.5, 0};
  const SolveReport report =
      solve(rotation(), z, ViFixedPoint{.max_iterations = 200, .gamma = 0.5}, work);
  EXPECT_EQ(report.status, SolveStatus::max_iterations);
  EXPECT_GE(z.norm(), 1);
}

TEST(Rotation, HyperplaneNeedsAboutSixtyFiveSteps) {  // S:V-22, S:VI-17
  Workspace work;
  Vector z = Values{0.5, 0};
  const SolveReport report =
      solve(rotation(), z, ViHyperplane{.tolerance = 1e-10, .tau = 1, .sigma = 0.5}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(report.iterations, 65, 5);
  EXPECT_LE(z.norm(), 1e-10);
}

TEST(Rotation, IsNotCocoercive) {  // S:VI-13
  Workspace work;
  Vector z = Values{0.5, 0};
  EXPECT_EQ(solve(rotation(), z, ViVariableStep{}, work).status, SolveStatus::stalled);
}

TEST(Rotation, IsSolvedByTheMethodsForMonotoneMaps) {
  // S:VI-15, S:VI-23, S:VI-22 and the default need no more than monotonicity
  Workspace work;
  const std::vector<ViAlgorithm> able{ViAutomatic{},    ViSolodovTseng{}, ViExtragradient{},
                                      ProximalPoint{},  ViHyperplane{},   NaturalMapNewton{},
                                      NormalMapNewton{}};
  for (const ViAlgorithm& algorithm : able) {
    Vector z = Values{0.5, 0};
    EXPECT_TRUE(solve(rotation(), z, algorithm, work).converged()) << describe(algorithm);
    EXPECT_LE(z.norm(), 1.1e-8) << describe(algorithm);  // ‖natural map‖ ≥ ‖z‖ here
  }
}

/// The sets on which every method is tried, in dimension n = 6.
std::vector<Set> sets() {
  const Set cones = Product{{{FrictionCone{1}, 3}, {FrictionCone{0.5}, 3}}};
  const Set mixed = Product{{{Ball{Values{0.1, 0.2}, 0.4}, 2},
                             {NonNegative{}, 1},
                             {Reals{}, 1},
                             {Interval{-0.1, 0.3}, 2}}};
  return {Reals{},
          NonNegative{},
          Interval{-0.2, 0.5},
          Box{Vector::Constant(6, -0.3), Vector::LinSpaced(6, 0, 1)},
          Ball{Vector::Zero(6), 0.5},
          cones,
          mixed,
          PolyhedralCone::from_inequalities(Matrix::Identity(3, 6) + Matrix::Ones(3, 6) / 4)};
}

/// X is a product of boxes, or a polyhedral cone.
bool polyhedral(const Set& X) {
  Vector lower(6), upper(6);
  return box_bounds(X, lower, upper) || std::holds_alternative<PolyhedralCone>(X);
}

/// The algorithm is for such sets, and converges to eight digits there: the hyperplane and the gap
/// descent are sublinear.
bool suits(const ViAlgorithm& algorithm, const Set& X) {
  if (std::holds_alternative<ViPivoting>(algorithm)) return polyhedral(X);
  return !std::holds_alternative<ViHyperplane>(algorithm) &&
         !std::holds_alternative<GapDescent>(algorithm);
}

/// F(z) = M z + q + 0.01 z³, M positive definite with ‖M‖ of order 1, so that the unit step of the
/// basic projection contracts.
Vi random_vi(const Set& X, library::Random& random) {
  const Index n = 6;
  const Matrix A = random.matrix(n, n), S = A - A.transpose();
  const Matrix M = 0.6 * Matrix::Identity(n, n) + 0.02 * A * A.transpose() + 0.05 * S;
  const Vector q = random.vector(n);
  return {n, X,
          [=](ConstVectorRef z, VectorRef F) {
            F = M * z + q + 0.01 * z.cwiseProduct(z).cwiseProduct(z);
          },
          [=](ConstVectorRef z, MatrixRef J) {
            J = M;
            J.diagonal() += 0.03 * z.cwiseProduct(z);
          }};
}

TEST(ViMethods, AgreeOnStronglyMonotoneProblemsOverEverySet) {  // S:VI-01a, S:VI-22
  library::Random random(41);
  Workspace work;
  for (const Set& X : sets())
    for (int k = 0; k < 3; ++k) {
      const Vi problem = random_vi(X, random);
      Vector reference = Vector::Zero(6);
      ASSERT_TRUE(solve(problem, reference, ViAutomatic{.tolerance = 1e-12}, work).converged())
          << name(X);
      for (const ViAlgorithm& algorithm : algorithms()) {
        if (!suits(algorithm, X)) continue;
        Vector z = random.vector(6);
        const SolveReport report = solve(problem, z, algorithm, work);
        EXPECT_TRUE(report.converged()) << describe(algorithm) << " on " << name(X);
        EXPECT_NEAR(report.residual, residual(problem, z), 1e-15);
        // ‖z − z*‖ ≤ (1 + L)/m ‖natural map‖ with m ≥ 0.6, L < 4, ‖q‖∞ < 4
        EXPECT_LE((z - reference).norm(), 1e-8 * 4 * 5 / 0.6)
            << describe(algorithm) << " on " << name(X);
      }
    }
}

TEST(ViHyperplane, ComesCloserToTheSolutionInEveryStep) {  // S:VI-17
  library::Random random(61);
  Workspace work;
  for (const Set& X : sets()) {
    const Vi problem = random_vi(X, random);
    Vector solution = Vector::Zero(6);
    ASSERT_TRUE(solve(problem, solution, ViAutomatic{.tolerance = 1e-12}, work).converged());
    Vector z = random.vector(6);
    project(X, z, z);
    const double first = (z - solution).norm();
    double last = first;
    for (int k = 0; k < 100; ++k) {
      static_cast<void>(solve(problem, z, ViHyperplane{.max_iterations = 1}, work));
      const double now = (z - solution).norm();
      EXPECT_LE(now, last + 1e-11) << name(X);  // error of the reference
      last = now;
    }
    EXPECT_LE(last, 0.7 * first) << name(X);
  }
}

TEST(ViMethods, SolveMonotoneProblemsThatAreNotStronglyMonotone) {  // S:VI-14, S:VI-17, S:VI-23
  // saddle point of xᵀAy + b·x − c·y over boxes: F skew plus constants
  library::Random random(43);
  Workspace work;
  for (int k = 0; k < 5; ++k) {
    const Matrix A = random.matrix(3, 3);
    const Vector q = 0.3 * random.vector(6);
    const Vi problem{6,
                     Ball{Vector::Zero(6), 1},
                     [=](ConstVectorRef z, VectorRef F) {
                       F.head(3) = A * z.tail(3) + q.head(3);
                       F.tail(3) = -A.transpose() * z.head(3) + q.tail(3);
                     },
                     {}};
    const std::vector<ViAlgorithm> able{ViAutomatic{}, ViSolodovTseng{.tolerance = 1e-6},
                                        ViExtragradient{.tolerance = 1e-6},
                                        ProximalPoint{.tolerance = 1e-6}};
    for (const ViAlgorithm& algorithm : able) {
      Vector z = Vector::Zero(6);
      EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
    }
  }
}

TEST(ViMethods, GiveTheSolutionOfTheLcp) {  // S:VI-01b, S:VI-01c
  library::Random random(47);
  Workspace work;
  for (int k = 0; k < 5; ++k) {
    const Lcp lcp = library::random_spd_lcp(6, random);
    Vector expected = Vector::Zero(6);
    ASSERT_TRUE(solve(lcp, expected, Lemke{}, work).converged());
    for (const ViAlgorithm& algorithm :
         {ViAlgorithm(ViAutomatic{}), ViAlgorithm(ViExtragradient{}), ViAlgorithm(ViVariableStep{}),
          ViAlgorithm(RegularisedGapDescent{.alpha = 10}), ViAlgorithm(DGapDescent{})}) {
      Vector z = Vector::Zero(6);
      EXPECT_TRUE(solve(to_avi(lcp), z, algorithm, work).converged()) << describe(algorithm);
      // m ≥ 0.1, L < 5: 1e-8 · 3 · 60
      EXPECT_LE((z - expected).norm(), 2e-6) << describe(algorithm);
    }
  }
}

TEST(ViFixedPoint, IsGradientProjectionForAGradientMap) {  // S:NLP-08
  // min ½zᵀQz + p·z on a box, Q = tridiag(−1, 2, −1): S:V-05 (a)
  Matrix Q = 2 * Matrix::Identity(5, 5);
  for (Index i = 1; i < 5; ++i) Q(i, i - 1) = Q(i - 1, i) = -1;
  const Avi problem{BlockSparse::dense(Q), Vector::Constant(5, -1), Interval{0, 2}};
  Workspace work;
  Vector z = Vector::Zero(5);
  // L = ‖Q‖ < 4: every step below 2/L = 0.5 is allowed
  EXPECT_TRUE(solve(problem, z, ViFixedPoint{.tolerance = 1e-10, .gamma = 0.49}, work).converged());
  EXPECT_LE((z - Vector(Values{1.5, 2, 2, 2, 1.5})).norm(), 1e-8);
}

TEST(AviSplitting, SolvesSymmetricProblemsOverProductsOfCones) {  // S:VI-18, S:VI-03
  library::Random random(53);
  Workspace work;
  for (int k = 0; k < 5; ++k) {
    const Soclcp problem{BlockSparse::dense(library::random_spd(9, random)),
                         random.vector(9),
                         {3, 1, 2, 3},
                         Values{1, 1, 0.7, 0.3}};
    Vector expected = Vector::Zero(9), z = Vector::Zero(9);
    ASSERT_TRUE(solve(problem, expected, ViAutomatic{.tolerance = 1e-11}, work).converged());
    EXPECT_TRUE(solve(problem, z, AviSplitting{}, work).converged());
    EXPECT_LE((z - expected).norm(), 1e-5);
    const Vector w = problem.M.to_dense() * expected + problem.q;
    EXPECT_LE(distance(Set(cone(problem)), expected), 1e-9);
    EXPECT_LE(distance(dual(Set(cone(problem))), w), 1e-9);
    EXPECT_NEAR(expected.dot(w), 0, 1e-9);
  }
}

TEST(AviSplitting, RefusesAZeroDiagonal) {  // S:V-13
  Workspace work;
  const Avi problem = to_avi(library::diode_bridge(10));
  Vector z = Vector::Zero(4);
  EXPECT_EQ(solve(problem, z, AviSplitting{}, work).status, SolveStatus::numerical_error);
}

TEST(Soclcp, OnOneConeHasTheClosedForm) {  // S:VI-03
  // M = I: z = P_K(−q)
  const Soclcp problem{BlockSparse::dense(Matrix::Identity(3, 3)), Values{-1, 2, 0}, {3}, {}};
  Workspace work;
  for (const ViAlgorithm& algorithm : algorithms()) {
    if (!suits(algorithm, Set(cone(problem)))) continue;
    Vector z = Vector::Zero(3);
    EXPECT_TRUE(solve(problem, z, algorithm, work).converged()) << describe(algorithm);
    EXPECT_LE((z - Vector(Values{1.5, -1.5, 0})).norm(), 1e-7) << describe(algorithm);
  }
}

TEST(QviSuccessive, FindsTheFixedPointOfTheMovingSet) {  // S:VI-02
  // F = z − 3, X(z) = [0, 1 + z/2]: z = 1 + z/2 = 2; each step halves the error
  const Qvi problem{1,
                    [](ConstVectorRef z) {
                      return Set(Interval{0, 1 + z[0] / 2});
                    },
                    [](ConstVectorRef z, VectorRef F) { F[0] = z[0] - 3; },
                    {}};
  Workspace work;
  Vector z = Vector::Zero(1);
  const SolveReport report = solve(problem, z, QviSuccessive{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(z[0], 2, 2 * 3e-8);         // residual = (1 − ½) |z − 2|, ‖F(0)‖ = 3
  EXPECT_NEAR(report.iterations, 26, 3);  // 2 · 2⁻ᵏ · ½ ≤ 3e-8
}

TEST(QviSuccessive, SolvesPlaneFrictionAsAQvi) {  // S:VI-02, S:V-24
  // r = (r_N, r_T), u = W r + q, r_N ≥ 0, |r_T| ≤ μ r_N with the interval frozen
  const Matrix W = Rows{{2, 0.5}, {0.5, 1}};
  const Vector q = Values{-1, 1};
  const Qvi problem{2,
                    [](ConstVectorRef r) {
                      const double bound = 0.3 * std::max(r[0], 0.0);
                      return Set(Product{{{NonNegative{}, 1}, {Interval{-bound, bound}, 1}}});
                    },
                    [=](ConstVectorRef r, VectorRef u) { u = W * r + q; },
                    [=](ConstVectorRef, MatrixRef J) { J = W; }};
  Workspace work;
  Vector r = Vector::Zero(2);
  EXPECT_TRUE(solve(problem, r, work).converged());
  EXPECT_NEAR(r[0], 0.540540540541, 1e-7);
  EXPECT_NEAR(r[1], -0.162162162162, 1e-7);
}

TEST(ViMethods, ReportTheCallersMistakes) {
  Workspace work;
  Vector z = Vector::Zero(3);
  EXPECT_ERROR(solve(rotation(), z, ViExtragradient{}, work), "z has size 3, the problem 2");
  Vector two = Vector::Zero(2);
  EXPECT_ERROR(solve(rotation(), two, ViFixedPoint{.gamma = -1}, work), "gamma is -1");
  EXPECT_ERROR(solve(rotation(), two, DGapDescent{.alpha = 2, .beta = 1}, work),
               "expected alpha < beta");
  EXPECT_ERROR(solve(Vi{2, Disk{-1}, rotation().F, {}}, two, ViAutomatic{}, work), "radius");
}

}  // namespace
}  // namespace saltus
