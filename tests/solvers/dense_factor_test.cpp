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
