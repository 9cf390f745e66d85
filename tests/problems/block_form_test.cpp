#include "saltus/problems/block_form.hpp"

#include "saltus/base/report.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

BlockForm scalar(double w, double q, BlockSet K) {
  return {BlockSparse::dense(Rows{{w}}), Values{q}, {K}};
}

TEST(BlockFormResidual, MeansEqualityForReals) {
  EXPECT_DOUBLE_EQ(residual(scalar(2, -4, Reals{}), Values{2}), 0);
  EXPECT_DOUBLE_EQ(residual(scalar(2, -4, Reals{}), Values{-1}), 6);
}

TEST(BlockFormResidual, MeansComplementarityForNonNegative) {  // S:V-19: P = 3
  EXPECT_DOUBLE_EQ(residual(scalar(1, -3, NonNegative{}), Values{3}), 0);
  EXPECT_DOUBLE_EQ(residual(scalar(1, 3, NonNegative{}), Values{0}), 0);
  EXPECT_DOUBLE_EQ(residual(scalar(1, -3, NonNegative{}), Values{1}), 2);
}

TEST(BlockFormResidual, MeansRelayForInterval) {  // u > 0 ⇒ r = lower, u < 0 ⇒ r = upper
  const Interval K{-1, 2};
  EXPECT_DOUBLE_EQ(residual(scalar(1, 5, K), Values{-1}), 0);
  EXPECT_DOUBLE_EQ(residual(scalar(1, -5, K), Values{2}), 0);
  EXPECT_DOUBLE_EQ(residual(scalar(1, -0.5, K), Values{0.5}), 0);
  EXPECT_DOUBLE_EQ(residual(scalar(1, 5, K), Values{2}), 3);
}

TEST(BlockFormResidual, VanishesAtTheSlidingContact) {  // S:V-24: slip, U_T = 1.108108108108
  const BlockForm contact{
      BlockSparse::dense(Rows{{2, 0.5}, {0.5, 1}}), Values{-1, 1}, {FrictionCone{0.3}}};
  const double n = 1 / (2 - 0.3 * 0.5);
  EXPECT_LE(residual(contact, Values{n, -0.3 * n}), 1e-15);
  EXPECT_GT(residual(contact, Values{n, 0.3 * n}), 0.1);
}

TEST(BlockFormResidual, IsEuclideanOverTheBlocks) {
  BlockForm form{BlockSparse::dense(Matrix::Identity(3, 3), 1), Values{3, -4, 0}, {}};
  form.K = {Reals{}, NonNegative{}, Interval{0, 1}};
  EXPECT_DOUBLE_EQ(residual(form, Values{0, 0, 0}), 5);
}

TEST(BlockFormResidual, IsInfiniteOnNaNAndDoesNotAllocate) {
  const BlockForm form{
      BlockSparse::dense(Matrix::Identity(5, 5)), Vector::Zero(5), {NonNegative{}}};
  Vector r = Vector::Zero(5);
  const testing::AllocationGuard guard;
  const double value = residual(form, r);
  if (testing::AllocationGuard::active()) {
    EXPECT_EQ(guard.count(), 0);
  }
  EXPECT_EQ(value, 0);
  r[3] = std::nan("");
  EXPECT_EQ(residual(form, r), inf);
}

TEST(BlockFormValidation, SaysWhatIsWrong) {
  EXPECT_ERROR(validate(scalar(1, 0, FrictionCone{-0.5})), "mu of block 0 is -0.5");
  EXPECT_ERROR(validate(scalar(1, 0, FrictionCone{0.5})), "block 0 has 1 rows, expected 2");
  EXPECT_ERROR(validate(scalar(1, 0, Interval{2, 1})), "[2, 1], expected lower <= upper");
  EXPECT_ERROR(validate(scalar(1, inf, Reals{})), "q[0] is inf");
  BlockForm form = scalar(1, 0, Reals{});
  form.K.push_back(Reals{});
  EXPECT_ERROR(validate(form), "2 sets are given, the matrix has 1 block rows");
  EXPECT_ERROR(residual(form, Vector::Zero(2)), "r has size 2");
  EXPECT_NO_THROW(validate(scalar(1, 0, Interval{-inf, 0})));
}

}  // namespace
}  // namespace saltus
