#include "problem_library.hpp"

#include "saltus/solvers/dense_factor.hpp"

#include "saltus/solvers/dense_kernels.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

// S:GEN-02. Sizes on both sides of 8 (columns treated one by one), 6 and 8 (tiles), 96 and 256
// (packed parts).
constexpr Index sizes[] = {1, 5, 8, 9, 17, 47, 64, 97, 103, 260, 300};

/// ‖A x − b‖ over n roundings of the terms of A x.
double backward_error(const Matrix& A, const Vector& x, const Vector& b) {
  const double terms = A.cwiseAbs().rowwise().sum().maxCoeff() * x.lpNorm<Eigen::Infinity>();
  return (A * x - b).lpNorm<Eigen::Infinity>() / (1e-16 * double(A.rows()) * terms);
}

void store(DenseFactor& factor, const Matrix& A) {
  Eigen::Map<Matrix>(factor.matrix(A.rows()), A.rows(), A.cols()) = A;
}

TEST(DenseFactor, SolvesWithACholeskyFactorOfAnySizeToRounding) {
  library::Random random(1);
  DenseFactor factor;
  for (const Index n : sizes) {
    const Matrix A = library::random_spd(n, random);
    store(factor, A.triangularView<Eigen::Lower>());
    ASSERT_TRUE(factor.cholesky()) << n;
    const Vector b = random.vector(n);
    Vector x = b;
    factor.solve(x.data());
    EXPECT_LT(backward_error(A, x, b), 10) << n;
  }
}

TEST(DenseFactor, SolvesWithAnLuFactorOfAnySizeToRounding) {
  library::Random random(2);
  DenseFactor factor;
  for (const Index n : sizes) {
    Matrix A(n, n);
    for (Index j = 0; j < n; ++j) A.col(j) = random.vector(n);
    if (n > 1) A(0, 0) = 0;  // rows must be exchanged
    store(factor, A);
    ASSERT_TRUE(factor.lu()) << n;
    const Vector b = random.vector(n);
    Vector x = b;
    factor.solve(x.data());
    EXPECT_LT(backward_error(A, x, b), 100) << n;  // growth of the entries with the pivots
  }
}

TEST(DenseFactor, TellsThatAMatrixIsSingularOrNotPositiveDefinite) {
  library::Random random(3);
  DenseFactor factor;
  for (const Index n : {2, 9, 40, 150}) {
    Matrix A = library::random_spd(n, random);
    A.col(n - 1) = A.col(0);
    store(factor, A);
    EXPECT_FALSE(factor.lu()) << n;
    A = library::random_spd(n, random);
    A(n / 2, n / 2) = -1;
    store(factor, A);
    EXPECT_FALSE(factor.cholesky()) << n;
  }
}

TEST(DenseFactor, SeesAnAsymmetryOfOneEntry) {
  library::Random random(4);
  for (const Index n : {2, 33, 70}) {
    Matrix A = library::random_spd(n, random);
    EXPECT_TRUE(symmetric_by_columns(n, A.data()));
    A(n - 1, 0) += 1e-6;
    EXPECT_FALSE(symmetric_by_columns(n, A.data()));
  }
}

/// All of what is touched, and around it what must not be.
Matrix framed(const Matrix& A) {
  Matrix frame = Matrix::Constant(A.rows() + 5, A.cols() + 2, 7);
  frame.topLeftCorner(A.rows(), A.cols()) = A;
  return frame;
}

Matrix uniform(Index rows, Index columns, double most, library::Random& random) {
  return Matrix::NullaryExpr(rows, columns, [&] { return random.uniform(-most, most); });
}

TEST(SubtractProduct, WorksOnEverySizeOfTile) {
  library::Random random(6);
  std::vector<double> room(static_cast<std::size_t>(kernels::packing_room(40)));
  for (Index rows = 1; rows <= 19; ++rows)
    for (Index columns = 1; columns <= 27; ++columns) {
      const Index k = 1 + (rows * columns) % 11;
      Matrix A = uniform(rows, k, 1, random), B = uniform(k, columns, 1, random);
      const Matrix before = uniform(rows, columns, 1, random);
      Matrix C = framed(before);
      kernels::subtract_product(rows, columns, k, {A.data(), rows}, {B.data(), k}, false,
                                {C.data(), C.rows()}, kernels::packing(room.data(), 40));
      // k + 1 roundings of sums below k + 1, on both sides
      EXPECT_LE((C - framed(before - A * B)).lpNorm<Eigen::Infinity>(),
                2.3e-16 * double((k + 1) * (k + 1)))
          << rows << " x " << columns;
    }
}

TEST(DivideUnitLower, WorksOnEverySize) {
  library::Random random(7);
  std::vector<double> room(static_cast<std::size_t>(kernels::packing_room(40)));
  for (Index n = 1; n <= 18; ++n)
    for (Index columns = 1; columns <= 9; ++columns) {
      Matrix L = uniform(n, n, 0.2, random);
      const Matrix X = uniform(n, columns, 1, random);
      Matrix B = framed(L.triangularView<Eigen::UnitLower>() * X);
      kernels::divide_unit_lower(n, columns, {L.data(), n}, {B.data(), B.rows()},
                                 kernels::packing(room.data(), 40));
      // n roundings of sums below n/5 + 1, twice, times |L⁻¹| ≤ 1.2^(n−1)
      EXPECT_LE((B - framed(X)).lpNorm<Eigen::Infinity>(),
                2.3e-16 * double(n) * (0.2 * double(n) + 1) * std::pow(1.2, n))
          << n << " x " << columns;
    }
}

TEST(SubtractMultiple, WorksOnEveryLength) {
  library::Random random(5);
  for (Index n = 0; n < 20; ++n) {
    const Vector x = random.vector(n), y = random.vector(n);
    Vector z = y;
    kernels::subtract_multiple(n, 0.7, x.data(), z.data());
    // fused or not: one rounding of the product
    EXPECT_LE((z - (y - 0.7 * x)).lpNorm<1>(), 1e-15 * double(n));
  }
}

}  // namespace
}  // namespace saltus
