// Mode following on sparse mixed complementarity problems: S:LCP-05, S:LCP-28.
#include "saltus/solvers/mode_pivoting.hpp"

#include "saltus/solvers/automatic.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

BlockForm problem(const Rows& W, const Values& q, std::vector<BlockSet> K) {
  const Eigen::SparseMatrix<double> sparse = Matrix(W).sparseView();
  return {BlockSparse::sparse(sparse), q, std::move(K)};
}

TEST(ModePivoting, SolvesAMixedProblemWithoutARegularEqualityBlock) {
  // x between an inductor and two blocking diodes: the equality block (the 0 in the corner) is
  // singular. i1 − i2 = 1, 0 ≤ i1 ⟂ 5 − x ≥ 0, 0 ≤ i2 ⟂ x + 3 ≥ 0: i1 = 1, i2 = 0, x = 5.
  const BlockForm form = problem({{0, -1, 1}, {-1, 0, 0}, {1, 0, 0}}, {1, 5, 3},
                                 {Reals{}, NonNegative{}, NonNegative{}});
  ModeWorkspace work;
  Vector r = Vector::Zero(3);
  const SolveReport report = solve(form, r, ModePivoting{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_NEAR(r[0], 5, 1e-9);
  EXPECT_NEAR(r[1], 1, 1e-9);
  EXPECT_NEAR(r[2], 0, 1e-9);
}

TEST(ModePivoting, HoldsAFloatingUnknownAtTheGuess) {
  // both diodes block and nothing else determines x: any x in [−3, 5] solves
  const BlockForm form = problem({{0, -1, 1}, {-1, 0, 0}, {1, 0, 0}}, {0, 5, 3},
                                 {Reals{}, NonNegative{}, NonNegative{}});
  ModeWorkspace work;
  Vector r(3);
  r << 2, 0, 0;
  EXPECT_TRUE(solve(form, r, ModePivoting{}, work).converged());
  EXPECT_NEAR(r[0], 2, 1e-6);
}

TEST(ModePivoting, KeepsTheFactorsOfEveryModeItMet) {
  BlockForm form = problem({{2, 1}, {-1, 1}}, {1, 1}, {Reals{}, NonNegative{}});
  ModeWorkspace work;
  Vector r = Vector::Zero(2);
  int factorisations = 0;
  for (int k = 0; k < 10; ++k) {
    form.q[1] = k % 2 == 0 ? 1 : -3;
    const SolveReport report = solve(form, r, ModePivoting{}, work);
    EXPECT_TRUE(report.converged());
    factorisations += report.factorisations;
  }
  EXPECT_EQ(factorisations, 2);
}

TEST(ModePivoting, AgreesWithAutomaticOnRandomProblems) {
  std::mt19937 random(7);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 200; ++trial) {
    const Index n = 3 + trial % 20;
    Matrix A(n, n);
    for (Index k = 0; k < A.size(); ++k) A.data()[k] = normal(random) * (k % 3 == 0 ? 1 : 0);
    const Matrix W = A * A.transpose() + 0.1 * Matrix::Identity(n, n) + (A - A.transpose());
    std::vector<BlockSet> K;
    Vector q(n);
    for (Index i = 0; i < n; ++i) {
      q[i] = normal(random);
      if (i % 3 == 0)
        K.emplace_back(Reals{});
      else if (i % 3 == 1)
        K.emplace_back(NonNegative{});
      else
        K.emplace_back(Interval{-0.3, 0.5});
    }
    const BlockForm form = problem(Rows(W), Values(q), K);
    ModeWorkspace work;
    Workspace general;
    Vector r = Vector::Zero(n), expected = Vector::Zero(n);
    const SolveReport report = solve(form, r, ModePivoting{.fallback = false}, work);
    ASSERT_TRUE(report.converged()) << trial << ' ' << report.residual;
    ASSERT_TRUE(solve(form, expected, Automatic{}, general).converged());
    // W is positive definite, so the solution is unique; both residuals are below 1e-8
    EXPECT_LE((r - expected).lpNorm<Eigen::Infinity>(), 1e-5);
  }
}

TEST(ModePivoting, EliminatesWhatItCanFromLargeProblems) {
  // a chain with a dominant diagonal: every second row is eliminated before the factorisation,
  // whether it is an equation or bounded
  constexpr Index n = 300;
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  Eigen::SparseMatrix<double> W(n, n);
  Vector q(n);
  std::vector<BlockSet> K;
  for (Index i = 0; i < n; ++i) {
    W.insert(i, i) = 3;
    if (i > 0) W.insert(i, i - 1) = normal(random) / 3;
    if (i + 1 < n) W.insert(i, i + 1) = normal(random) / 3;
    q[i] = normal(random);
    K.push_back(i % 3 == 0   ? BlockSet(Reals{})
                : i % 3 == 1 ? BlockSet(NonNegative{})
                             : Interval{-0.1, 0.2});
  }
  const BlockForm form{BlockSparse::sparse(W), q, K};
  ModeWorkspace work;
  Workspace general;
  Vector r = Vector::Zero(n), expected = Vector::Zero(n);
  ASSERT_TRUE(solve(form, r, ModePivoting{.fallback = false}, work).converged());
  ASSERT_TRUE(solve(form, expected, Automatic{.tolerance = 1e-12}, general).converged());
  EXPECT_LE((r - expected).lpNorm<Eigen::Infinity>(), 1e-11);  // both residuals are below 1e-12·|q|
}

TEST(ModePivoting, SolvesAnMlcp) {
  const Mlcp mlcp = make_mlcp(Rows{{2}}, Rows{{1}}, Rows{{1}}, Rows{{-1}}, Values{-4}, Values{-1});
  ModeWorkspace work;
  Vector z = Vector::Zero(2);  // 2u + v = 4, 0 ≤ v ⟂ −u + v − 1 ≥ 0: u = 1, v = 2
  EXPECT_TRUE(solve(mlcp, z, ModePivoting{}, work).converged());
  EXPECT_NEAR(z[0], 1, 1e-12);
  EXPECT_NEAR(z[1], 2, 1e-12);
}

TEST(ModePivoting, SaysWhenThereIsNoSolution) {
  const BlockForm form = problem({{0, 1}, {0, 0}}, {0, 1}, {Reals{}, Reals{}});
  ModeWorkspace work;
  Vector r = Vector::Zero(2);
  EXPECT_FALSE(solve(form, r, ModePivoting{}, work).converged());
}

TEST(ModePivoting, RefusesFriction) {
  BlockForm form = problem({{1, 0}, {0, 1}}, {1, 1}, {Reals{}, FrictionCone{0.3}});
  ModeWorkspace work;
  Vector r = Vector::Zero(2);
  EXPECT_ERROR(solve(form, r, ModePivoting{}, work), "block 1 is a friction cone");
}

}  // namespace
}  // namespace saltus
