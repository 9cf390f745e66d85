#include "saltus/algebra/block_diagonal_lu.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>

namespace saltus {
namespace {

TEST(BlockDiagonalLu, SolvesEveryBlock) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> value(-1, 1);
  const std::vector<Index> sizes{1, 2, 5, 1, 12};
  BlockDiagonalLu lu;
  lu.resize(sizes);
  for (Index b = 0; b < 5; ++b) {
    const Index n = sizes[b];
    const Matrix A =
        Matrix::NullaryExpr(n, n, [&] { return value(random); }) + 2 * Matrix::Identity(n, n);
    const Matrix rhs = Matrix::NullaryExpr(n, 3, [&] { return value(random); });
    ASSERT_TRUE(lu.factorize(b, A.data()));
    Matrix x(n, 3);
    lu.solve(b, rhs.data(), 3, x.data());
    // backward error of LU with partial pivoting: a few n ε ‖A‖‖x‖
    EXPECT_LT((A * x - rhs).norm(), 1e-13 * A.norm() * (1 + x.norm()));
  }
}

TEST(BlockDiagonalLu, SaysWhenABlockIsSingular) {
  BlockDiagonalLu lu;
  const std::vector<Index> sizes{1, 2};
  lu.resize(sizes);
  const double zero = 0, nan = std::numeric_limits<double>::quiet_NaN();
  const double singular[] = {1, 2, 2, 4}, good[] = {0, 2, 3, 0};
  EXPECT_FALSE(lu.factorize(0, &zero));
  EXPECT_FALSE(lu.factorize(0, &nan));
  EXPECT_FALSE(lu.factorize(1, singular));
  EXPECT_TRUE(lu.factorize(1, good));
}

}  // namespace
}  // namespace saltus
