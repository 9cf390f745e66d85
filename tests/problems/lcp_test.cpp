#include "saltus/problems/lcp.hpp"

#include "saltus/base/report.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

// S:LCP-01, S:V-09: M = [[2, 1], [1, 2]], q = (−5, −6), z = (4/3, 7/3), w = 0.
Lcp spd() { return {BlockSparse::dense(Rows{{2, 1}, {1, 2}}), Values{-5, -6}}; }

TEST(LcpResidual, IsZeroAtTheSolutionAndMinNormElsewhere) {
  EXPECT_LE(residual(spd(), Values{4.0 / 3, 7.0 / 3}), 4e-15);  // a few roundings of terms near 6
  EXPECT_DOUBLE_EQ(residual(spd(), Values{0, 0}), 6);
  EXPECT_DOUBLE_EQ(residual(spd(), Values{5, -1}), 4);  // w = (4, −3), min(z, w) = (4, −3)
}

TEST(LcpResidual, AgreesWithTheDenseFormulaForEveryStorage) {
  // 70 rows: more than two pieces of the evaluation in one dense block
  const Index n = 70;
  Matrix M(n, n);
  Vector q(n), z(n);
  for (Index i = 0; i < n; ++i) {
    q[i] = std::sin(static_cast<double>(i));
    z[i] = std::cos(2.0 * static_cast<double>(i));
    for (Index j = 0; j < n; ++j) M(i, j) = std::sin(static_cast<double>(3 * i - 2 * j));
  }
  const double expected = z.cwiseMin(M * z + q).lpNorm<Eigen::Infinity>();
  for (Index block : {0, 1, 2, 7, 35})
    EXPECT_NEAR(residual(Lcp{BlockSparse::dense(M, block), q}, z), expected, 1e-13) << block;
}

TEST(LcpResidual, IsInfiniteOnNaN) {
  EXPECT_EQ(residual(spd(), Values{std::nan(""), 1}), inf);
  Lcp bad = spd();
  bad.q[0] = std::nan("");
  EXPECT_EQ(residual(bad, Values{1, 1}), inf);
}

TEST(LcpResidual, DoesNotAllocate) {
  if (!testing::AllocationGuard::active()) GTEST_SKIP() << "a sanitizer owns the heap";
  const Lcp problem = spd();
  const Vector z = Vector::Ones(2);
  const testing::AllocationGuard guard;
  const double value = residual(problem, z);
  EXPECT_EQ(guard.count(), 0);
  EXPECT_GT(value, 0);
}

TEST(LcpValidation, SaysWhatIsWrong) {
  Lcp problem = spd();
  problem.q.resize(3);
  EXPECT_ERROR(validate(problem), "q has size 3, the matrix has 2 rows");
  EXPECT_ERROR(residual(spd(), Vector::Zero(3)), "z has size 3");
  problem = spd();
  problem.q[1] = inf;
  EXPECT_ERROR(validate(problem), "q[1] is inf");
  problem = {BlockSparse::dense(Matrix::Zero(2, 3)), Vector::Zero(2)};
  EXPECT_ERROR(validate(problem), "the matrix is 2x3");
  problem = {BlockSparse::dense(Rows{{1, std::nan("")}, {0, 1}}), Vector::Zero(2)};
  EXPECT_ERROR(validate(problem), "NaN");
}

}  // namespace
}  // namespace saltus
