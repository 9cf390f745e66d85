#include "saltus/algebra/block_sparse.hpp"

#include "support/expect_error.hpp"

#include <random>

namespace saltus {
namespace {

Eigen::SparseMatrix<double> random_sparse(Index rows, Index cols, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> value(-1, 1), toss(0, 1);
  std::vector<Eigen::Triplet<double>> triplets;
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < cols; ++j)
      if (toss(random) < 0.3) triplets.emplace_back(i, j, value(random));
  Eigen::SparseMatrix<double> A(rows, cols);
  A.setFromTriplets(triplets.begin(), triplets.end());
  return A;
}

TEST(BlockSparse, AgreesWithTheDenseMatrixForEveryBlockSize) {
  const auto A = random_sparse(12, 12, 1);
  const Vector x = Vector::LinSpaced(12, -1, 2);
  for (Index size : {1, 2, 3, 4, 6, 12}) {
    const BlockSparse B = BlockSparse::sparse(A, size);
    EXPECT_EQ(B.block_rows(), 12 / size);
    EXPECT_EQ(B.scalar(), size == 1);
    EXPECT_EQ((B.to_dense() - Matrix(A)).norm(), 0);
    EXPECT_EQ((Matrix(B.to_sparse()) - Matrix(A)).norm(), 0);
    Vector y(12), z(12);
    B.multiply(x, y);
    B.multiply_transposed(x, z);
    // sums of at most 12 products of numbers below 2
    EXPECT_LT((y - A * x).norm(), 1e-14);
    EXPECT_LT((z - A.transpose() * x).norm(), 1e-14);
  }
}

TEST(BlockSparse, TakesMixedAndRectangularPartitions) {
  const auto A = random_sparse(6, 5, 2);
  const std::vector<Index> rows{1, 3, 2}, cols{2, 2, 1};
  const BlockSparse B = BlockSparse::sparse(A, rows, cols);
  EXPECT_EQ((B.to_dense() - Matrix(A)).norm(), 0);
  EXPECT_EQ(B.row_size(1), 3);
  EXPECT_EQ(B.column_size(2), 1);
}

TEST(BlockSparse, KnowsItsSymmetryAndDiagonal) {
  Matrix A(2, 2);
  A << 2, 1, 1, -3;
  EXPECT_TRUE(BlockSparse::dense(A).symmetric());
  EXPECT_TRUE(BlockSparse::dense(A, 1).symmetric());
  EXPECT_EQ(BlockSparse::dense(A, 1).max_abs_diagonal(), 3);
  A(0, 1) = 1.5;
  EXPECT_FALSE(BlockSparse::dense(A).symmetric());
  EXPECT_FALSE(BlockSparse::dense(A, 1).symmetric());
  A(0, 1) = std::nan("");
  EXPECT_FALSE(BlockSparse::dense(A).all_finite());
}

TEST(BlockSparse, RefusesSizesThatDoNotFit) {
  EXPECT_ERROR(BlockSparse::dense(Matrix::Zero(5, 5), 2), "5 rows is not a multiple");
  const std::vector<Index> three{1, 1, 1};
  EXPECT_ERROR(BlockSparse::sparse(random_sparse(4, 4, 3), three, three),
               "block sizes add up to 3x3");
}

TEST(Rows, AreWrittenAsLists) {
  const Rows A = {{1.0, 2.0}, {3.0, 4.0}};
  EXPECT_EQ(A(1, 0), 3);
  const Values one = {3};
  EXPECT_EQ(one.size(), 1);
  EXPECT_ERROR((Rows{{1.0, 2.0}, {3.0}}), "row 1 has 1 entries, row 0 has 2");
}

}  // namespace
}  // namespace saltus
