// Lemke on sparse factors: the same pivots and answers as on the dense tableau.
#include "problem_library.hpp"

#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/revised_lemke.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

template <class Problem>
Outcome revised(const Problem& problem, Vector& z, Workspace& work) {
  const BoxView box = as_box(problem, z, "test", work);
  return revised_lemke(box, z, 100000, work);
}

/// S:V-17 repeated side by side until it is large enough for the sparse method.
Lcp many_chains(Index copies) {
  const Lcp one = library::slow_chain();
  const Index n = one.q.size();
  std::vector<Eigen::Triplet<double>> entries;
  Vector q(n * copies);
  const Eigen::SparseMatrix<double> M = one.M.to_sparse();
  for (Index c = 0; c < copies; ++c) {
    q.segment(c * n, n) = one.q;
    for (int j = 0; j < M.outerSize(); ++j)
      for (Eigen::SparseMatrix<double>::InnerIterator e(M, j); e; ++e)
        if (e.value() != 0)
          entries.emplace_back(static_cast<int>(c * n + e.row()), static_cast<int>(c * n + j),
                               e.value());
  }
  Eigen::SparseMatrix<double> all(n * copies, n * copies);
  all.setFromTriplets(entries.begin(), entries.end());
  return {BlockSparse::sparse(all), q};
}

/// Membrane over an obstacle: five-point Laplacian on an m×m grid.
Lcp membrane(int m) {
  std::vector<Eigen::Triplet<double>> entries;
  Vector q(m * m);
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < m; ++j) {
      const int k = i * m + j;
      entries.emplace_back(k, k, 4);
      for (const int other : {i > 0 ? k - m : -1, j > 0 ? k - 1 : -1})
        if (other >= 0) {
          entries.emplace_back(k, other, -1);
          entries.emplace_back(other, k, -1);
        }
      q[k] = 0.2 - std::sin(9.0 * (i + 1) / (m + 1)) * std::sin(6.0 * (j + 1) / (m + 1));
    }
  Eigen::SparseMatrix<double> M(m * m, m * m);
  M.setFromTriplets(entries.begin(), entries.end());
  return {BlockSparse::sparse(M), q};
}

TEST(RevisedLemke, TakesThePivotsOfTheCards) {  // S:V-01, S:V-09, S:V-11, S:V-13, S:V-17
  Workspace work;
  const auto pivots = [&](const Lcp& problem) {
    Vector z = Vector::Zero(problem.q.size());
    const Outcome outcome = revised(problem, z, work);
    EXPECT_EQ(outcome.status, SolveStatus::converged);
    EXPECT_LE(residual(problem, z), 1e-12);
    return outcome.iterations;
  };
  EXPECT_EQ(pivots(library::seed()), 3);
  EXPECT_EQ(pivots(library::spd()), 3);
  EXPECT_EQ(pivots(library::diode_bridge(10)), 3);
  EXPECT_EQ(pivots(library::slow_chain()), 51);
  for (Index n : {3, 4, 5, 8}) {
    EXPECT_EQ(pivots(library::worst_case(n, true)), 1 << n);
    EXPECT_EQ(pivots(library::worst_case(n, false)), 2);
  }
}

TEST(RevisedLemke, SolvesTheColumnInOnePivotPerBead) {  // PL:C-03, S:GEN-02
  const Index n = 1000;
  const Lcp problem = library::column(n);
  Workspace work;
  Vector z = Vector::Zero(n);
  const SolveReport cold = solve(problem, z, Lemke{}, work);
  EXPECT_TRUE(cold.converged());
  EXPECT_EQ(cold.iterations, n + 1);
  for (Index i = 0; i < n; ++i) {
    const double weight = static_cast<double>(n - i) * library::gh;
    ASSERT_NEAR(z[i], weight, 1e-10 * weight) << i;
  }
  const SolveReport warm = solve(problem, z, Lemke{}, work);  // S:GEN-01
  EXPECT_TRUE(warm.converged());
  EXPECT_EQ(warm.iterations, 0);
  RecordProperty("milliseconds", std::to_string(1e3 * cold.seconds));
}

TEST(RevisedLemke, MakesThePivotsOfTheDenseTableau) {  // S:LCP-30, S:LCP-31
  for (const Lcp& problem : {membrane(15), many_chains(4), library::column(150)}) {
    Workspace work;
    const Index n = problem.q.size();
    Vector sparse = Vector::Zero(n), dense = Vector::Zero(n);
    const Lcp full = library::dense(problem.M.to_dense(), problem.q);
    const SolveReport first = solve(problem, sparse, Lemke{}, work);
    const SolveReport second = solve(full, dense, Lemke{}, work);
    EXPECT_TRUE(first.converged());
    EXPECT_EQ(first.iterations, second.iterations);
    EXPECT_LE((sparse - dense).lpNorm<Eigen::Infinity>(), 1e-12 * dense.lpNorm<Eigen::Infinity>());
  }
}

TEST(RevisedLemke, AgreesWithTheTableauOnRandomProblemsOfEveryClass) {
  library::Random random(8);
  for (int trial = 0; trial < 40; ++trial)
    for (const Lcp& problem :
         {library::random_spd_lcp(12, random), library::random_pd_lcp(12, random),
          library::random_psd_lcp(12, random), library::random_p_lcp(12, random),
          library::random_copositive_lcp(12, random), library::random_degenerate_lcp(12, random)}) {
      Workspace work;
      Vector a = Vector::Zero(12), b = Vector::Zero(12);
      const Outcome sparse = revised(problem, a, work);
      const SolveReport dense = solve(problem, b, Lemke{}, work);
      EXPECT_EQ(sparse.status, SolveStatus::converged);
      EXPECT_LE(residual(problem, a), 1e-10);
      EXPECT_EQ(sparse.iterations, dense.iterations);
    }
}

TEST(RevisedLemke, KeepsEqualitiesAndIntervalsSparse) {  // S:LCP-05, TI:TI-079
  library::Random random(9);
  for (int trial = 0; trial < 20; ++trial) {
    const Index n = 12;
    BlockForm form{BlockSparse::dense(library::random_spd(n, random), 1), random.vector(n), {}};
    for (Index i = 0; i < n; ++i) {
      if (i % 4 == 0) form.K.emplace_back(Reals{});
      if (i % 4 == 1) form.K.emplace_back(NonNegative{});
      if (i % 4 == 2) form.K.emplace_back(Interval{-1, 0.5});
      if (i % 4 == 3) form.K.emplace_back(Interval{-inf, 0.2});
    }
    Workspace work;
    Vector a = Vector::Zero(n), b = Vector::Zero(n);
    const Outcome sparse = revised(form, a, work);
    const SolveReport dense = solve(form, b, Lemke{}, work);
    EXPECT_EQ(sparse.status, SolveStatus::converged);
    EXPECT_EQ(sparse.iterations, dense.iterations);
    EXPECT_LE(residual(form, a), 1e-12);
  }
}

TEST(RevisedLemke, ProvesALargeSparseProblemInfeasible) {  // S:LCP-26
  // springs between neighbours, none to the ground: Σ w = Σ q < 0
  const int n = 400;
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i + 1 < n; ++i)
    for (const auto& [r, c, v] : {std::tuple(i, i, 1.0), std::tuple(i + 1, i + 1, 1.0),
                                  std::tuple(i, i + 1, -1.0), std::tuple(i + 1, i, -1.0)})
      entries.emplace_back(r, c, v);
  Eigen::SparseMatrix<double> M(n, n);
  M.setFromTriplets(entries.begin(), entries.end());
  Lcp problem{BlockSparse::sparse(M), Vector::Constant(n, 0.01)};
  problem.q[n / 2] = -10;
  Workspace work;
  Vector z = Vector::Zero(n);
  EXPECT_EQ(solve(problem, z, Lemke{}, work).status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(problem, work.certificate));
}

TEST(RevisedLemke, StopsAtThePivotLimit) {
  Workspace work;
  Vector z = Vector::Zero(200);
  const SolveReport report = solve(library::column(200), z, Lemke{.max_iterations = 70}, work);
  EXPECT_EQ(report.status, SolveStatus::max_iterations);
  EXPECT_EQ(report.iterations, 70);
}

}  // namespace
}  // namespace saltus
