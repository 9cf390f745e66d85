// Generalised Jacobians of the projections. Covers FS:B.1, FS:V1, FS:V2.
#include "cases.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

namespace saltus {
namespace {

using namespace cases;

Matrix central_differences(const Set& set, const Vector& x, double h) {
  Matrix J(x.size(), x.size());
  for (Index j = 0; j < x.size(); ++j) {
    const Vector e = h * Vector::Unit(x.size(), j);
    J.col(j) = (projection(set, x + e) - projection(set, x - e)) / (2 * h);
  }
  return J;
}

// The Jacobian varies little at 1e-3 from x in every coordinate direction: no kink, modest
// curvature.
bool smooth_around(const Set& set, const Vector& x) {
  for (Index j = 0; j < x.size(); ++j)
    for (const double sign : {-1.0, 1.0})
      if ((jacobian(set, x + sign * 1e-3 * Vector::Unit(x.size(), j)) - jacobian(set, x)).norm() >
          0.03)
        return false;
  return true;
}

void expect_between_zero_and_identity(const Matrix& J) {
  EXPECT_LE((J - J.transpose()).norm(), 1e-13);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(J);
  EXPECT_GE(eigen.eigenvalues().minCoeff(), -1e-13);
  EXPECT_LE(eigen.eigenvalues().maxCoeff(), 1 + 1e-13);
}

class EveryJacobian : public testing::TestWithParam<Case> {
 protected:
  Random random{31};
  const Case& c = GetParam();
};

// Error of the differences with h = 1e-6: rounding ‖x‖ · 1e-15 · (condition 1e2) / h < 1e-6 for
// polyhedral cones, without the condition number 1e-8 for closed forms; truncation h²·|P'''| with
// |P'''| < 1e3 where the Jacobian moves less than 0.03 over 1e-3: 1e-9.
TEST_P(EveryJacobian, IsTheDerivativeAwayFromKinks) {
  const double tolerance = std::holds_alternative<PolyhedralCone>(c.set) ? 1e-6 : 2e-8;
  int used = 0;
  for (int k = 0; k < 200; ++k) {
    const Vector x = gaussian(c.dimension, random, 3);
    if (!smooth_around(c.set, x)) continue;
    ++used;
    EXPECT_LE((jacobian(c.set, x) - central_differences(c.set, x, 1e-6)).norm(), tolerance)
        << x.transpose();
  }
  EXPECT_GE(used, 150);
}

TEST_P(EveryJacobian, LiesBetweenZeroAndIdentity) {
  for (int k = 0; k < 100; ++k)
    expect_between_zero_and_identity(jacobian(c.set, gaussian(c.dimension, random, 3)));
  for (const Vector& kink : c.kinks) expect_between_zero_and_identity(jacobian(c.set, kink));
}

// An element of the B-subdifferential is a limit of derivatives: some of 4000 points at 1e-5 around
// the kink has nearly the same one (half of them towards points of the set, for thin cones).
// Derivatives vary by about 1e-5 · (curvature < 1e2) inside a smooth piece, so 1e-2 tells pieces
// apart with a wide margin.
TEST_P(EveryJacobian, AtKinksIsALimitOfDerivativesNearby) {
  for (const Vector& kink : c.kinks) {
    const Matrix J = jacobian(c.set, kink);
    double nearest = inf;
    for (int k = 0; k < 4000 && nearest > 1e-2; ++k) {
      const Vector step = k % 2 ? c.point(random) : gaussian(c.dimension, random);
      const Vector near = kink + 1e-5 * step;
      nearest = std::min(nearest, (jacobian(c.set, near) - J).norm());
    }
    EXPECT_LE(nearest, 1e-2) << kink.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, EveryJacobian, testing::ValuesIn(all_sets()),
                         [](const auto& tested) { return test_name(tested.param); });

// FS:V1, μ = 0.5: to 1e-14, and against central differences to 1e-8.
TEST(FrictionConeJacobian, MatchesTheReferenceCase) {
  const FrictionCone K{0.5};
  const Rows at_plus{{0.8, 0.24, 0.32}, {0.24, 0.2512, -0.0384}, {0.32, -0.0384, 0.2288}};
  const Rows at_minus{{0.8, 0.24, 0.32}, {0.24, 0.1488, 0.0384}, {0.32, 0.0384, 0.1712}};
  EXPECT_LE((jacobian(K, Values{1, 3, 4}) - at_plus).norm(), 1e-14);
  EXPECT_LE((jacobian(K, Values{-1, 3, 4}) - at_minus).norm(), 1e-14);
  EXPECT_LE((central_differences(K, Values{1, 3, 4}, 1e-5) - at_plus).norm(), 1e-8);
  EXPECT_LE((central_differences(K, Values{-1, 3, 4}, 1e-5) - at_minus).norm(), 1e-8);
  EXPECT_EQ(jacobian(K, Values{1, 0.1, 0.1}), Matrix::Identity(3, 3));
  EXPECT_EQ(jacobian(K, Values{-1, 0.1, 0.1}), Matrix::Zero(3, 3));
}

// FS:V2: λ₂/(λ₂ − λ₁) I + Z for λ₁ < 0 < λ₂, with y = x/‖x_T‖.
TEST(FrictionConeJacobian, EqualsTheSpectralFormulaOfTheSelfDualCone) {
  const Values x{-1, 3, 4};
  const Vector y = x / 5;
  const double lambda_1 = -6, lambda_2 = 4;
  Matrix Z(3, 3);
  Z(0, 0) = -y[0];
  Z.block(0, 1, 1, 2) = y.tail(2).transpose();
  Z.block(1, 0, 2, 1) = y.tail(2);
  Z.block(1, 1, 2, 2) = -y[0] * y.tail(2) * y.tail(2).transpose();
  const Matrix spectral = lambda_2 / (lambda_2 - lambda_1) * Matrix::Identity(3, 3) + 0.5 * Z;
  EXPECT_LE((jacobian(FrictionCone{1}, x) - spectral).norm(), 1e-15);
}

TEST(FrictionConeJacobian, OfRayAndHalfSpaceIsDiagonal) {
  EXPECT_EQ(jacobian(FrictionCone{0}, Values{1, 0, 0}).diagonal(), Values({1, 0, 0}));
  EXPECT_EQ(jacobian(FrictionCone{0}, Values{-1, 2, 0}).diagonal(), Values({0, 0, 0}));
  EXPECT_EQ(jacobian(FrictionCone{inf}, Values{1, 0, 0}).diagonal(), Values({1, 1, 1}));
  EXPECT_EQ(jacobian(FrictionCone{inf}, Values{-1, 0, 0}).diagonal(), Values({0, 1, 1}));
}

TEST(PolyhedralJacobian, KeepsTheLinesOfTheConeAtTheOrigin) {
  const PolyhedralCone K = PolyhedralCone::from_generators(with_line());
  const Matrix J = jacobian(K, Vector::Zero(3));
  EXPECT_NEAR(J(0, 0), 1, 1e-14);
  EXPECT_NEAR(J(2, 2), 0, 1e-14);
}

TEST(ProductJacobian, IsBlockDiagonal) {
  const Values x{1, 3, 4, 0.5, 2};
  const Matrix J = jacobian(Product{{{FrictionCone{0.5}, 3}, {Interval{-1, 1}, 2}}}, x);
  EXPECT_EQ(J.topLeftCorner(3, 3), jacobian(FrictionCone{0.5}, x.head(3)));
  EXPECT_EQ(J.bottomRightCorner(2, 2), jacobian(Interval{-1, 1}, x.tail(2)));
  EXPECT_EQ(J.topRightCorner(3, 2), Matrix::Zero(3, 2));
  EXPECT_EQ(J.bottomLeftCorner(2, 3), Matrix::Zero(2, 3));
}

}  // namespace
}  // namespace saltus
