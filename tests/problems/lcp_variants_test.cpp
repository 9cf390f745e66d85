// Variants of the LCP: residuals, conversions and the parametric path.
#include "saltus/problems/lcp_variants.hpp"

#include "saltus/problems/vertical_lcp.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/path_following_parametric.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

Matrix random_matrix(Index rows, Index cols, unsigned seed) {
  std::mt19937 engine(seed);
  std::normal_distribution<double> normal;
  return Matrix::NullaryExpr(rows, cols, [&] { return normal(engine); });
}
/// Positive definite, asymmetric.
Matrix monotone(Index n, unsigned seed) {
  const Matrix B = random_matrix(n, n, seed), S = random_matrix(n, n, seed + 1);
  return B * B.transpose() + 0.1 * Matrix::Identity(n, n) + S - S.transpose();
}
Lcp random_lcp(Index n, unsigned seed) {
  return {BlockSparse::dense(monotone(n, seed)), random_matrix(n, 1, seed + 2)};
}
Vector solution(const Lcp& problem) {
  Workspace work;
  Vector z = Vector::Zero(problem.q.size());
  EXPECT_TRUE(solve(problem, z, Lemke{.tolerance = 1e-12}, work).converged());
  return z;
}
/// 3 equalities and 3 complementarities, interleaved.
Mlcp random_mlcp(unsigned seed) {
  return {BlockSparse::dense(monotone(6, seed)), random_matrix(6, 1, seed + 3), {0, 2, 5}};
}

TEST(HorizontalLcp, MeasuresTheEquationAndTheComplementarity) {  // S:LCP-06
  HorizontalLcp problem;
  problem.Q = Rows{{2, 0}, {0, 1}}.sparseView();
  problem.R = Rows{{-1, 0}, {0, -1}}.sparseView();
  problem.q = Values{2, -3};
  EXPECT_EQ(residual(problem, Values{1, 0}, Values{0, 3}), 0);
  EXPECT_EQ(residual(problem, Values{1.5, 0}, Values{0, 3}), 1);        // equation
  EXPECT_EQ(residual(problem, Values{1.5, 0}, Values{1, 3}), 1);        // min(1.5, 1)
  EXPECT_EQ(residual(problem, Values{0.75, 0}, Values{-0.5, 3}), 0.5);  // sign
  EXPECT_EQ(residual(problem, Values{std::nan(""), 0}, Values{0, 3}), inf);
  EXPECT_ERROR(residual(problem, Values{1}, Values{0, 3}), "size");
  problem.R.resize(2, 3);
  EXPECT_ERROR(validate(problem), "R is 2x3");
}

TEST(HorizontalLcp, IsTheLcpItCameFrom) {  // S:LCP-11
  const Lcp lcp = random_lcp(5, 1);
  const HorizontalLcp problem = to_horizontal_lcp(lcp);
  const Vector z = solution(lcp), w = lcp.M.to_dense() * z + lcp.q;
  EXPECT_LE(residual(problem, z, w), 1e-12);
  const HorizontalAsLcp back = to_lcp(problem);
  EXPECT_VECTOR(back.lcp.M.to_dense(), lcp.M.to_dense(), 1e-12);
  EXPECT_VECTOR(back.lcp.q, lcp.q, 1e-12);
}

TEST(HorizontalLcp, BecomesAnLcpWhenBothMatricesAreSingular) {  // S:LCP-11
  // x₁ = 2 free of s₁, s₂ = 1 free of x₂: a monotone pair (xᵀs = 0 on the kernel)
  HorizontalLcp problem;
  problem.Q = Rows{{1, 0}, {0, 0}}.sparseView();
  problem.R = Rows{{0, 0}, {0, 1}}.sparseView();
  problem.q = Values{2, 1};
  const HorizontalAsLcp as_lcp = to_lcp(problem);
  EXPECT_TRUE(as_lcp.swapped[0]);
  EXPECT_FALSE(as_lcp.swapped[1]);
  const HorizontalPoint point = as_lcp.expand(solution(as_lcp.lcp));
  EXPECT_EQ(residual(problem, point.x, point.s), 0);
  problem.Q = Rows{{0, 0}, {0, 0}}.sparseView();
  EXPECT_ERROR(to_lcp(problem), "monotone");
}

TEST(HorizontalLcp, BecomesAnLcpWhenRowsAreMixed) {  // S:LCP-11
  const Lcp lcp = random_lcp(6, 7);
  const Matrix T = random_matrix(6, 6, 9);
  HorizontalLcp problem = to_horizontal_lcp(lcp);
  problem.Q = (T * problem.Q).eval().sparseView();
  problem.R = (T * problem.R).eval().sparseView();
  problem.q = T * problem.q;
  const HorizontalAsLcp as_lcp = to_lcp(problem);
  const HorizontalPoint point = as_lcp.expand(solution(as_lcp.lcp));
  EXPECT_LE(residual(problem, point.x, point.s), 1e-10);
  EXPECT_VECTOR(point.x, solution(lcp), 1e-10);
}

TEST(MixedLcp, HasTheSameSolutionInEveryForm) {  // S:LCP-11
  for (unsigned seed : {10u, 20u, 30u}) {
    const Mlcp mixed = random_mlcp(seed);
    const ReducedMlcp reduced = to_lcp(mixed);
    const Vector z = reduced.expand(solution(reduced.lcp));
    const MlcpAsVertical vertical = to_vertical_lcp(mixed);
    Vector u = z(vertical.equalities);
    EXPECT_LE(residual(vertical.problem, u), 1e-9);  // C⁻¹ of a random matrix
    EXPECT_VECTOR(vertical.expand(u), z, 1e-9);
    const MlcpAsHorizontal horizontal = to_horizontal_lcp(mixed);
    const Vector w = mixed.M.to_dense() * z + mixed.q;
    const HorizontalPoint point{z(horizontal.rows), w(horizontal.rows)};
    EXPECT_LE(residual(horizontal.problem, point.x, point.s), 1e-9);
    EXPECT_VECTOR(horizontal.expand(point), z, 1e-9);
    const HorizontalAsLcp chain = to_lcp(horizontal.problem);
    const HorizontalPoint solved = chain.expand(solution(chain.lcp));
    EXPECT_LE(residual(mixed, horizontal.expand(solved)), 1e-8);
  }
  Mlcp uneven = random_mlcp(1);
  uneven.equalities = {0};
  EXPECT_ERROR(to_vertical_lcp(uneven), "1 equalities and 5");
  EXPECT_ERROR(to_horizontal_lcp(uneven), "1 equalities and 5");
}

TEST(VerticalLcp, IsTheLcpInAnotherVariable) {  // S:LCP-07
  const Lcp lcp = random_lcp(4, 40);
  EXPECT_LE(residual(to_vertical_lcp(lcp), solution(lcp)), 1e-12);
  const Matrix T = random_matrix(4, 4, 41);
  const VerticalLcp problem{T, Values{1, 2, 3, 4}, monotone(4, 42) * T, Values{-1, 1, -1, 1}};
  const VerticalAsLcp as_lcp = to_lcp(problem);
  const Vector x = as_lcp.expand(solution(as_lcp.lcp));
  EXPECT_LE(residual(problem, x), 1e-10);
  EXPECT_GT(residual(problem, x + Vector::Ones(4)), 1e-3);
  EXPECT_ERROR(to_lcp(VerticalLcp{Matrix::Ones(2, 2), Vector::Zero(2), Matrix::Identity(2, 2),
                                  Vector::Zero(2)}),
               "singular");
}

TEST(ExtendedLcp, IsTheGeneralisedOneWithTheSlackOfItsFaces) {  // S:LCP-09, S:LCP-10
  // the LCP: M z − w + q ∈ {0}, faces ± of a point
  const Lcp lcp = random_lcp(3, 50);
  Matrix G(6, 3);
  G << Matrix::Identity(3, 3), -Matrix::Identity(3, 3);
  Vector g(6);
  g << -lcp.q, lcp.q;
  const ExtendedLcp extended{lcp.M.to_dense(), -Matrix::Identity(3, 3), G, g};
  const Vector z = solution(lcp), w = lcp.M.to_dense() * z + lcp.q;
  EXPECT_LE(residual(extended, z, w), 1e-12);
  EXPECT_GT(residual(extended, z, w + Vector::Unit(3, 0)), 1e-2);
  const GeneralisedLcp generalised = to_generalised_lcp(extended);
  const Vector y = G * (extended.M * z + extended.N * w) - g;
  EXPECT_LE(residual(generalised, z, w, y), 1e-12);
  EXPECT_GE(residual(generalised, z, w, y - Vector::Ones(6)), 1 - 1e-12);
  const GeneralisedLcp plain = to_generalised_lcp(to_horizontal_lcp(lcp));
  EXPECT_LE(residual(plain, z, w, Vector(0)), 1e-12);
  EXPECT_ERROR(validate(ExtendedLcp{Matrix(2, 2), Matrix(2, 3), Matrix(1, 2), Vector(1)}), "N 2x3");
}

/// Lemke at many t against the path.
void expect_path(const ParametricLcp& problem, const LcpPath& path, double from, double to) {
  for (int k = 0; k <= 40; ++k) {
    const double t = from + (to - from) * k / 40;
    const Lcp member = problem.at(t);
    EXPECT_LE(residual(member, evaluate(path, t)), 1e-8 * std::max(1.0, member.q.norm())) << t;
  }
}

TEST(ParametricLcp, HasAPiecewiseLinearPathWithTheKnownBreakpoints) {
  // w = z + (1 − t, 2 − t): components open at t = 1 and t = 2
  const ParametricLcp problem{BlockSparse::dense(Matrix::Identity(2, 2)), Values{1, 2},
                              Values{-1, -1}};
  Workspace work;
  LcpPath path;
  const SolveReport report = solve(problem, path, ParametricPivoting{.to = 3}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_EQ(report.iterations, 2);
  ASSERT_EQ(path.size(), 4u);
  EXPECT_EQ(path[1].t, 1);
  EXPECT_EQ(path[2].t, 2);
  EXPECT_VECTOR(path[3].z, (Values{2, 1}), 0);
  EXPECT_VECTOR(evaluate(path, 1.5), (Values{0.5, 0}), 0);
  EXPECT_ERROR(static_cast<void>(evaluate(path, 4)), "on the path");
}

TEST(ParametricLcp, AgreesWithLemkeAlongTheWholePath) {
  for (unsigned seed : {60u, 70u, 80u, 90u}) {
    const ParametricLcp problem{BlockSparse::dense(monotone(8, seed)),
                                random_matrix(8, 1, seed + 4), random_matrix(8, 1, seed + 5)};
    Workspace work;
    LcpPath path;
    const SolveReport report = solve(problem, path, ParametricPivoting{.from = -5, .to = 5}, work);
    EXPECT_TRUE(report.converged());
    EXPECT_GT(path.size(), 3u);
    expect_path(problem, path, -5, 5);
  }
}

TEST(ParametricLcp, JumpsOrEndsWhereADiagonalEntryIsZero) {
  // w = (1 − t + z₂, 2 − z₁): at t = 1 w₁ reaches 0 and z₁ must rise to 2 before z₂ can
  const ParametricLcp skew{BlockSparse::dense(Rows{{0, 1}, {-1, 0}}), Values{1, 2}, Values{-1, 0}};
  Workspace work;
  LcpPath path;
  EXPECT_TRUE(solve(skew, path, ParametricPivoting{.to = 3}, work).converged());
  expect_path(skew, path, 0, 3);
  // M = 0: w = 1 − t; nothing can help beyond t = 1
  const ParametricLcp zero{BlockSparse::dense(Matrix::Zero(1, 1)), Values{1}, Values{-1}};
  const SolveReport report = solve(zero, path, ParametricPivoting{.to = 3}, work);
  EXPECT_EQ(report.status, SolveStatus::infeasible);
  EXPECT_EQ(path.back().t, 1);
  EXPECT_GT(work.certificate.size(), 0);
  EXPECT_ERROR(solve(zero, path, ParametricPivoting{.from = 1, .to = 0}, work), "more than from");
}

}  // namespace
}  // namespace saltus
