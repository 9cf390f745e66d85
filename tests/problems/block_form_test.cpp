#include "saltus/problems/block_form.hpp"

#include "saltus/base/report.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

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

/// u = r + q with the given set: the residual is that of q alone at r = 0.
BlockForm unit(Index n, const Vector& q, const BlockSet& K) {
  return {BlockSparse::dense(Matrix::Identity(n, n)), q, {K}};
}

TEST(BlockForm, HoldsOrthotropicFriction) {
  // slip along the first tangent only: the law of FrictionCone{0.5}, FS:V6
  EXPECT_LE(residual(unit(3, Values{-1, 1, 0}, EllipticCone{.5, 2}), Values{1, -.5, 0}), 1e-15);
  // along the second it sticks, the bound is 2
  EXPECT_LE(residual(unit(3, Values{-1, 0, 1}, EllipticCone{.5, 2}), Values{1, 0, -1}), 1e-15);
  EXPECT_GE(residual(unit(3, Values{-1, 0, 1}, EllipticCone{.5, 2}), Values{1, 0, -.5}), .1);
}

TEST(BlockForm, HoldsTrescaFriction) {
  EXPECT_LE(residual(unit(3, Values{-1, 3, 4}, FrictionCylinder{2}), Values{1, -1.2, -1.6}), 1e-15);
  EXPECT_LE(residual(unit(3, Values{2, .3, 0}, FrictionCylinder{2}), Values{0, -.3, 0}), 1e-15);
}

TEST(BlockForm, HoldsRollingFriction) {
  // rolls about the second axis, sticks in the first tangent: r = (1, −0.3, 0, 0, −0.1)
  const Vector q = Values{-1, .3, 0, 0, 1};
  EXPECT_LE(residual(unit(5, q, RollingCone{.5, .1}), Values{1, -.3, 0, 0, -.1}), 1e-15);
  EXPECT_GE(residual(unit(5, q, RollingCone{.5, .1}), Values{1, -.3, 0, 0, -.2}), .05);
}

// By Moreau's decomposition; projections on cones of three rows are exact to some roundings.
TEST(SquaredDualMap, IsTheNaturalMapButKeepsTheVelocity) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  for (int k = 0; k < 300; ++k)
    for (const BlockSet& K :
         {BlockSet(FrictionCone{.7}), BlockSet(SecondOrderCone{.7}), BlockSet(EllipticCone{.7, .2}),
          BlockSet(NonNegative{}), BlockSet(Reals{}), BlockSet(FrictionCylinder{.4})}) {
      const Vector r = Vector::NullaryExpr(3, [&] { return normal(random); });
      const Vector u = Vector::NullaryExpr(3, [&] { return normal(random); });
      const double primal = squared_natural_map(K, 3, r.data(), u.data());
      EXPECT_NEAR(squared_dual_map(K, 3, r.data(), u.data()), primal, 1e-12 * (1 + primal));
    }
  const double slides = 1e-3, r[3] = {1e17, 0, 0}, u[3] = {0, slides, 0};
  EXPECT_NEAR(squared_dual_map(FrictionCone{.5}, 3, r, u), 1.25 * slides * slides, 1e-15);
}

TEST(BlockForm, RefusesWrongCoefficientsAndSizesOfEverySet) {
  const Vector three = Vector::Zero(3), four = Vector::Zero(4);
  EXPECT_ERROR(validate(unit(4, four, RollingCone{.5, .1})),
               "the rolling friction cone of block 0 has 4 rows, expected 3 or 5");
  EXPECT_ERROR(validate(unit(4, four, EllipticCone{.5, .1})), "has 4 rows, expected 3");
  EXPECT_ERROR(validate(unit(3, three, EllipticCone{.5, -.1})), "mu_2 of block 0 is -0.1");
  EXPECT_ERROR(validate(unit(3, three, RollingCone{.5, inf})), "mu_rolling of block 0 is inf");
  EXPECT_ERROR(validate(unit(3, three, FrictionCylinder{-1})), "radius of block 0 is -1");
  EXPECT_ERROR(validate(unit(3, three, SecondOrderCone{-1})), "mu of block 0 is -1");
  EXPECT_TRUE(has_friction(unit(3, three, FrictionCylinder{1})));
  Vector p(3);
  EXPECT_ERROR(project_dual(FrictionCylinder{1}, three, p), "the friction cylinder is not a cone");
}

}  // namespace
}  // namespace saltus
