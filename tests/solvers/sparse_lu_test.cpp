#include "saltus/solvers/sparse_lu.hpp"
#include "saltus/solvers/mass_factor.hpp"

#include <gtest/gtest.h>

#include <Eigen/Dense>

#include <array>
#include <random>

namespace saltus {
namespace {

/// A matrix of `bodies` blocks of 6 rows on a lattice, blocks next to each other full.
struct Lattice {
  Lattice(int width, int height, unsigned seed, double diagonal) : bodies(width * width * height) {
    const int n = 6 * bodies;
    std::vector<std::vector<int>> columns(static_cast<std::size_t>(n));
    const auto link = [&](int a, int b) {
      for (int i = 0; i < 6; ++i)
        for (int j = 0; j < 6; ++j) columns[6 * a + i].push_back(6 * b + j);
    };
    for (int a = 0; a < bodies; ++a) {
      link(a, a);
      for (const int d : {1, width, width * width})
        if (a + d < bodies) {
          link(a, a + d);
          link(a + d, a);
        }
    }
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    begin = {0};
    for (int j = 0; j < n; ++j) {
      std::vector<int>& column = columns[j];
      std::sort(column.begin(), column.end());
      column.erase(std::unique(column.begin(), column.end()), column.end());
      for (const int i : column) {
        row.push_back(i);
        value.push_back(uniform(random) + (i == j ? diagonal : 0));
      }
      begin.push_back(static_cast<int>(row.size()));
    }
  }

  void put(SparseLu& lu) const {
    std::fill(lu.values(), lu.values() + lu.size(), 0.0);
    for (int j = 0; j < 6 * bodies; ++j)
      for (int k = begin[j]; k < begin[j + 1]; ++k) lu.values()[lu.position(row[k], j)] = value[k];
  }

  [[nodiscard]] Vector times(const Vector& x) const {
    Vector b = Vector::Zero(x.size());
    for (int j = 0; j < 6 * bodies; ++j)
      for (int k = begin[j]; k < begin[j + 1]; ++k) b[row[k]] += value[k] * x[j];
    return b;
  }

  int bodies;
  std::vector<int> begin, row;
  std::vector<double> value;
};

/// The largest error of a factorisation with a diagonal of 15: the growth of the entries is
/// bounded by a small number, so a few hundred roundings of |A| |x| ≈ 30.
constexpr double rounding = 1e-12;

TEST(SparseLu, SolvesWithOneFrontAndWithTrees) {  // FS:FS-117
  ThreadTeam team(1);
  for (const auto& [width, height] : {std::pair{2, 1}, {2, 3}, {4, 5}, {6, 8}, {9, 9}}) {
    const Lattice lattice(width, height, 7, 15);
    SparseLu lu;
    lu.analyse(lattice.begin, lattice.row);
    lattice.put(lu);
    ASSERT_TRUE(lu.factorise(team));
    Vector b = Vector::LinSpaced(6 * lattice.bodies, -1, 1), x;
    lu.solve(b, x, team);
    EXPECT_LT((lattice.times(x) - b).lpNorm<Eigen::Infinity>(), rounding) << width;
  }
}

TEST(SparseLu, KeepsPointsTogetherWhoseBlocksLackFewEntries) {
  Lattice lattice(4, 4, 3, 30);
  std::mt19937 random(1);
  std::vector<int> begin = {0}, row;
  std::vector<double> value;
  for (int j = 0; j < 6 * lattice.bodies; ++j) {
    for (int k = lattice.begin[j]; k < lattice.begin[j + 1]; ++k)
      if (lattice.row[k] / 3 == j / 3 || random() % 10 != 0) {  // one entry in ten is missing
        row.push_back(lattice.row[k]);
        value.push_back(lattice.value[k]);
      }
    begin.push_back(static_cast<int>(row.size()));
  }
  lattice.begin = begin;
  lattice.row = row;
  lattice.value = value;
  const FrontTree tree = front_tree(begin, row);
  for (int v = 0; v < 6 * lattice.bodies; v += 3)
    for (int i : {1, 2}) EXPECT_EQ(tree.position[v + i], tree.position[v] + i) << "variable " << v;
  SparseLu lu;
  ThreadTeam team(1);
  lu.analyse(begin, row);
  lattice.put(lu);
  ASSERT_TRUE(lu.factorise(team));
  const Vector x = Vector::LinSpaced(6 * lattice.bodies, -1, 1);
  Vector found;
  lu.solve(lattice.times(x), found, team);
  EXPECT_LE((found - x).norm(), 1e-13 * x.norm());
}

TEST(SparseLu, GivesTheSameBitsWhateverTheNumberOfThreads) {
  const Lattice lattice(10, 12, 3, 15);
  SparseLu lu;
  lu.analyse(lattice.begin, lattice.row);
  const Vector b = Vector::Ones(6 * lattice.bodies);
  Vector first;
  for (const int threads : {1, 2, 3, 5}) {
    ThreadTeam team(threads);
    lattice.put(lu);
    ASSERT_TRUE(lu.factorise(team));
    Vector x;
    lu.solve(b, x, team);
    if (first.size() == 0) first = x;
    EXPECT_EQ(first, x) << threads << " threads";
  }
}

TEST(SparseLu, FindsThePlacesOfAColumnAsThoseOfItsEntries) {
  const Lattice lattice(5, 7, 3, 15);
  SparseLu lu;
  lu.analyse(lattice.begin, lattice.row);
  for (int j = 0; j < 6 * lattice.bodies; ++j) {
    const int first = lattice.begin[j];
    const std::span rows(&lattice.row[first], std::size_t(lattice.begin[j + 1] - first));
    std::vector<int> seen;
    lu.for_positions(j, rows, [&](int row, Index position) {
      EXPECT_EQ(position, lu.position(row, j));
      seen.push_back(row);
    });
    EXPECT_EQ(seen, std::vector<int>(rows.begin(), rows.end()));
  }
}

TEST(SparseLu, ExchangesRowsInsideAFront) {
  // Zeros on the diagonal: without exchanges the first pivot is 0.
  const Index n = 80;
  std::vector<int> begin = {0}, row;
  for (Index j = 0; j < n; ++j) {
    for (Index i = 0; i < n; ++i) row.push_back(static_cast<int>(i));
    begin.push_back(static_cast<int>(row.size()));
  }
  Matrix A = Matrix::Zero(n, n);
  for (Index i = 0; i < n; ++i) A(i, (i + 1) % n) = 2 + 0.01 * static_cast<double>(i);
  A(3, 70) = 5;
  SparseLu lu;
  ThreadTeam team(1);
  lu.analyse(begin, row);
  for (Index j = 0; j < n; ++j)
    for (Index i = 0; i < n; ++i)
      lu.values()[lu.position(static_cast<int>(i), static_cast<int>(j))] = A(i, j);
  ASSERT_TRUE(lu.factorise(team));
  const Vector b = Vector::LinSpaced(n, 1, 2);
  Vector x;
  lu.solve(b, x, team);
  EXPECT_LT((A * x - b).lpNorm<Eigen::Infinity>(), rounding);
}

TEST(SparseLu, KnowsTheSignOfTheDeterminant) {
  std::array<int, 2> seen = {0, 0};
  for (unsigned seed = 0; seed < 20; ++seed) {
    const Lattice A(2, 1 + static_cast<int>(seed % 6), seed, 1.5);  // one front, and trees
    Matrix full = Matrix::Zero(6 * A.bodies, 6 * A.bodies);
    for (int j = 0; j < 6 * A.bodies; ++j)
      for (int k = A.begin[j]; k < A.begin[j + 1]; ++k) full(A.row[k], j) = A.value[k];
    // of the determinant itself only the sign is safe from overflow
    const Eigen::PartialPivLU<Matrix> reference(full);
    int sign = static_cast<int>(reference.permutationP().determinant());
    for (Index k = 0; k < full.rows(); ++k)
      if (reference.matrixLU()(k, k) < 0) sign = -sign;
    SparseLu lu;
    ThreadTeam team(1);
    lu.analyse(A.begin, A.row);
    A.put(lu);
    ASSERT_TRUE(lu.factorise(team));
    EXPECT_EQ(lu.determinant_sign(), sign) << seed;
    ++seen[sign > 0 ? 0 : 1];
  }
  EXPECT_GT(std::min(seen[0], seen[1]), 3);
}

TEST(SparseLu, SaysThatAMatrixIsSingular) {
  Lattice lattice(4, 4, 1, 15);
  for (int k = lattice.begin[30]; k < lattice.begin[31]; ++k) lattice.value[k] = 0;
  SparseLu lu;
  ThreadTeam team(2);
  lu.analyse(lattice.begin, lattice.row);
  lattice.put(lu);
  EXPECT_FALSE(lu.factorise(team));
}

TEST(SparseLu, TakesAMatrixWithoutOffDiagonalEntries) {
  std::vector<int> begin = {0}, row;
  for (int i = 0; i < 200; ++i) {
    row.push_back(i);
    begin.push_back(i + 1);
  }
  SparseLu lu;
  ThreadTeam team(1);
  lu.analyse(begin, row);
  for (int i = 0; i < 200; ++i) lu.values()[lu.position(i, i)] = i + 1;
  ASSERT_TRUE(lu.factorise(team));
  Vector x;
  lu.solve(Vector::Ones(200), x, team);
  for (int i = 0; i < 200; ++i) EXPECT_EQ(x[i], 1.0 / (i + 1));
}

TEST(ThreadTeam, AddsUpInTheSameOrderWhateverTheNumberOfThreads) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-1, 1);
  std::vector<double> terms(10000);
  for (double& term : terms) term = uniform(random);
  const auto sum = [&](int threads) {
    ThreadTeam team(threads);
    return team.sum(static_cast<Index>(terms.size()), [&](Index k) { return terms[k]; });
  };
  EXPECT_EQ(sum(1), sum(2));
  EXPECT_EQ(sum(1), sum(7));
}

TEST(ThreadTeam, RunsEveryPassOnceOverManyLoops) {
  ThreadTeam team(4);
  std::vector<int> count(1000, 0);
  for (int repeat = 0; repeat < 200; ++repeat)
    team.for_each(1000, [&](Index i, int) { ++count[i]; });
  for (const int c : count) EXPECT_EQ(c, 200);
}

/// A of `lattice`, as Eigen has it.
Eigen::SparseMatrix<double> sparse(const Lattice& lattice) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int j = 0; j < 6 * lattice.bodies; ++j)
    for (int k = lattice.begin[j]; k < lattice.begin[j + 1]; ++k)
      entries.emplace_back(lattice.row[k], j, lattice.value[k]);
  Eigen::SparseMatrix<double> A(6 * lattice.bodies, 6 * lattice.bodies);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(SparseLu, CondensesToTheLastRows) {
  for (const int width : {1, 2, 5})
    for (const Index kept : {1, 7, 12})
      for (const int threads : {1, 2}) {
        const Eigen::SparseMatrix<double> A = sparse(Lattice(width, 4, 3, 8));
        const Index n = A.rows() - kept;
        ThreadTeam team(threads);
        SparseLu lu;
        Matrix S;
        ASSERT_TRUE(lu.condense(A, kept, S, team));
        const Matrix full = A;
        const Eigen::PartialPivLU<Matrix> first(full.topLeftCorner(n, n));
        const Matrix expected =
            full.bottomRightCorner(kept, kept) -
            full.bottomLeftCorner(kept, n) * first.solve(Matrix(full.topRightCorner(n, kept)));
        EXPECT_LE((S - expected).norm(), 1e-11 * expected.norm()) << width << " " << kept;
        const Vector b = Vector::LinSpaced(n, -1, 2);
        Vector x;
        lu.solve(b, x, team);  // with the rows that are not kept
        EXPECT_LE((x - first.solve(b)).norm(), 1e-11 * x.norm()) << width << " " << kept;
      }
}

TEST(SparseLu, CondensesAwayNothingThatIsSingular) {
  Eigen::SparseMatrix<double> A(40, 40);
  for (Index i = 1; i < 40; ++i) A.insert(i, i) = 1;
  ThreadTeam team(1);
  SparseLu lu;
  Matrix S;
  EXPECT_FALSE(lu.condense(A, 3, S, team));
}

TEST(MassFactor, ReducesBodiesAndElasticOnesAlike) {  // FS:FS-02, S:FC-02
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (const bool elastic : {false, true}) {
    const Index n = 120, m = 33;
    Matrix M = Matrix::Zero(n, n);
    for (Index b = 0; b < n; b += 6) {
      M.block(b, b, 6, 6).setRandom();  // gyroscopic terms: not symmetric
      M.block(b, b, 6, 6) += 8 * Matrix::Identity(6, 6);
    }
    if (elastic)
      for (Index i = 0; i + 7 < n; ++i) M(i, i + 7) = M(i + 7, i) = uniform(random);
    std::vector<Eigen::Triplet<double>> entries;
    for (Index j = 0; j < m; ++j)
      for (Index k = 0; k < 12; ++k)
        entries.emplace_back((7 * j + 6 * (k / 6) * 5 + k) % n, j, uniform(random));
    Eigen::SparseMatrix<double> H(n, m), W;
    H.setFromTriplets(entries.begin(), entries.end());
    ThreadTeam team(1);
    MassFactor mass;
    ASSERT_TRUE(mass.reduce(M.sparseView(), H, W, team));
    EXPECT_EQ(mass.small_blocks(), !elastic);
    const Matrix expected = Matrix(H).transpose() * M.inverse() * Matrix(H);
    EXPECT_LE((Matrix(W) - expected).norm(), 1e-12 * expected.norm()) << elastic;
    const Vector b = Vector::LinSpaced(n, -1, 2);
    Vector x;
    mass.solve(b, x, team);
    EXPECT_LE((M * x - b).norm(), 1e-12 * b.norm()) << elastic;
  }
}

TEST(MassFactor, RefusesSingularBodies) {
  ThreadTeam team(1);
  MassFactor mass;
  Matrix M = Matrix::Identity(12, 12);
  M.block(6, 6, 6, 6).setOnes();
  EXPECT_FALSE(mass.factorise(M.sparseView(), team));
  M = Matrix::Identity(3, 3);
  M(1, 1) = 0;
  EXPECT_FALSE(mass.factorise(M.sparseView(), team));
}

}  // namespace
}  // namespace saltus
