// Intervals, free rows and large sparse problems.
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

/// Random mix of Reals, NonNegative, two-sided and one-sided intervals, one row each.
BlockForm mixed(const Matrix& W, library::Random& random) {
  BlockForm form{BlockSparse::dense(W, 1), random.vector(W.rows()), {}};
  for (Index i = 0; i < W.rows(); ++i) {
    const double a = random.uniform(-1, 0.5);
    switch (i % 5) {
      case 0:
        form.K.emplace_back(NonNegative{});
        break;
      case 1:
        form.K.emplace_back(Interval{a, a + 0.4});
        break;
      case 2:
        form.K.emplace_back(Reals{});
        break;
      case 3:
        form.K.emplace_back(Interval{-inf, a});
        break;
      default:
        form.K.emplace_back(Interval{a, inf});
    }
  }
  return form;
}

/// ‖r − r*‖ ≤ (1 + ‖W‖) / λ_min(sym W) · residual for a positive definite W.
double error_factor(const Matrix& W) {
  const Matrix S = (W + W.transpose()) / 2;
  return (1 + W.norm()) / Eigen::SelfAdjointEigenSolver<Matrix>(S).eigenvalues()[0];
}

TEST(Relay, FollowsTheSignOfTheVelocity) {  // TI:TI-079: −u ∈ N_[−1, 1](r)
  const auto relay = [](double q) {
    return BlockForm{BlockSparse::dense(Rows{{0.5}}), Values{q}, {Interval{-1, 1}}};
  };
  Workspace work;
  for (const Algorithm& algorithm :
       {Algorithm(Automatic{}), Algorithm(Lemke{}), Algorithm(BlockPivoting{}), Algorithm(Psor{}),
        Algorithm(Nsgs{}), Algorithm(Murty{})}) {
    Vector r = Vector::Zero(1);
    EXPECT_TRUE(solve(relay(2), r, algorithm, work).converged());
    EXPECT_NEAR(r[0], -1, 1e-7) << describe(algorithm);
    EXPECT_TRUE(solve(relay(-2), r, algorithm, work).converged());
    EXPECT_NEAR(r[0], 1, 1e-7) << describe(algorithm);
    EXPECT_TRUE(solve(relay(0.25), r, algorithm, work).converged());
    EXPECT_NEAR(r[0], -0.5, 1e-7) << describe(algorithm);
  }
}

TEST(MixedSets, AreSolvedAlikeByIndependentAlgorithms) {
  library::Random random(5);
  Workspace work;
  for (int trial = 0; trial < 40; ++trial) {
    const Index n = 3 + trial % 20;
    const Matrix skew = random.matrix(n, n);
    Matrix W = library::random_spd(n, random);
    if (trial % 2 == 1) W += 0.3 * (skew - skew.transpose());
    const BlockForm form = mixed(W, random);
    Vector a = random.vector(n), b = random.vector(n), c = random.vector(n);
    ASSERT_TRUE(solve(form, a, BlockPivoting{}, work).converged()) << trial;
    ASSERT_TRUE(solve(form, b, Lemke{}, work).converged()) << trial;
    // both residuals are below 1e-8 max(1, ‖q‖∞)
    const double gap = 2e-8 * std::max(1.0, form.q.lpNorm<Eigen::Infinity>()) * error_factor(W);
    EXPECT_LE((a - b).norm(), gap);
    if (trial % 2 == 1) continue;  // Gauss–Seidel has its proof in the symmetric case
    EXPECT_TRUE(solve(form, c, Psor{}, work).converged()) << trial;
    EXPECT_LE((a - c).norm(), gap);
    c.setZero();
    EXPECT_TRUE(solve(form, c, Nsgs{.max_iterations = 10000}, work).converged()) << trial;
    EXPECT_LE((a - c).norm(), gap);
  }
}

/// Chain of n rows, W = tridiagonal, symmetric or not.
BlockForm chain(Index n, double skew, library::Random& random) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2.1);
    if (i == 0) continue;
    entries.emplace_back(i, i - 1, -1 + skew);
    entries.emplace_back(i - 1, i, -1 - skew);
  }
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  BlockForm form{BlockSparse::sparse(W), random.vector(n), {}};
  for (Index i = 0; i < n; ++i) {
    if (i % 4 == 0)
      form.K.emplace_back(Interval{-0.3, 0.3});
    else if (i % 4 == 1)
      form.K.emplace_back(Reals{});
    else
      form.K.emplace_back(NonNegative{});
  }
  return form;
}

TEST(BlockPivoting, SolvesLargeSparseProblemsInFewExchanges) {
  library::Random random(11);
  Workspace work;
  for (double skew : {0.0, 0.5}) {  // LDLᵀ and KLU
    const Index n = 5000;
    const BlockForm form = chain(n, skew, random);
    Vector r = Vector::Zero(n);
    const SolveReport cold = solve(form, r, BlockPivoting{}, work);
    EXPECT_TRUE(cold.converged());
    EXPECT_LE(cold.iterations, 30);
    EXPECT_LE(cold.residual, 1e-12 * std::sqrt(static_cast<double>(n)));  // rounding per row
    const SolveReport warm = solve(form, r, BlockPivoting{}, work);
    EXPECT_TRUE(warm.converged());
    EXPECT_EQ(warm.iterations, 0);
  }
}

TEST(BlockPivoting, AgreesBetweenDenseAndSparseFactorisations) {
  library::Random random(3);
  Workspace work;
  for (double skew : {0.0, 0.5}) {
    const BlockForm large = chain(65, skew, random);  // just above the dense limit
    Vector sparse = Vector::Zero(65), dense = Vector::Zero(65);
    EXPECT_TRUE(solve(large, sparse, BlockPivoting{}, work).converged());
    EXPECT_TRUE(solve(large, dense, Lemke{}, work).converged());
    EXPECT_LE((sparse - dense).norm(), 1e-10);
  }
}

/// `beads` free masses, each pushed on by `copies` identical contacts: W singular (hyperstatic).
BlockForm hyperstatic(Index beads, Index copies) {
  const Index n = beads * copies;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i / copies == j / copies) entries.emplace_back(i, j, 1);
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  return {BlockSparse::sparse(W), Vector::Constant(n, -1),
          std::vector<BlockSet>(static_cast<std::size_t>(n), NonNegative{})};
}

TEST(BlockPivoting, ConvergesOnHyperstaticProblems) {  // S:V-16
  Workspace work;
  for (const auto& [beads, copies] : {std::pair<Index, Index>{1, 2}, {3, 3}, {50, 4}, {300, 3}}) {
    const BlockForm form = hyperstatic(beads, copies);
    Vector r = Vector::Zero(form.q.size()), u(form.q.size());
    const SolveReport report = solve(form, r, BlockPivoting{}, work);
    EXPECT_TRUE(report.converged()) << beads << "x" << copies << " residual " << report.residual;
    for (Index b = 0; b < beads; ++b) EXPECT_NEAR(r.segment(b * copies, copies).sum(), 1, 1e-8);
  }
}

TEST(BlockPivoting, GivesTheSameAnswerWhateverTheGuess) {
  library::Random random(7);
  Workspace work;
  const Lcp problem = library::random_spd_lcp(30, random);
  Vector reference = Vector::Zero(30);
  ASSERT_TRUE(solve(problem, reference, Lemke{}, work).converged());
  for (double size : {1e-3, 1.0, 1e6, inf}) {
    Vector z = size * random.vector(30);
    EXPECT_TRUE(solve(problem, z, BlockPivoting{}, work).converged()) << size;
    EXPECT_LE((z - reference).norm(), 1e-11) << size;
  }
}

}  // namespace
}  // namespace saltus
