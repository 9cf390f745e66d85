#include "saltus/solvers/lorentz.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace saltus {
namespace {

TEST(LorentzCone, ScalingMapsOnePointToTheOther) {  // FS:FS-23
  const double x[3] = {2, 0.5, -1.2}, y[3] = {0.7, -0.3, 0.1};
  lorentz::Scaling s{};
  ASSERT_TRUE(lorentz::scaling(x, y, s));
  double a[3], b[3], square[9], image[3];
  lorentz::apply(s, x, a);
  lorentz::apply_inverse(s, y, b);
  lorentz::square(s, square);
  lorentz::multiply(square, x, image);
  for (int k = 0; k < 3; ++k) {
    EXPECT_NEAR(a[k], b[k], 1e-14);
    EXPECT_NEAR(image[k], y[k], 1e-14);
  }
}

TEST(LorentzCone, SplitsAnyPointIntoACentredPair) {  // FS:FS-23
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double sigma = std::pow(10, -5 + 5 * uniform(random));
    double z[3] = {uniform(random), uniform(random), uniform(random)};
    if (trial % 10 == 0) z[1] = z[2] = 0;
    double x[3], y[3], product[3], least[3], rest[3];
    lorentz::split(z, sigma, x, y);
    EXPECT_GE(x[0], lorentz::tangent(x));
    EXPECT_GE(y[0], lorentz::tangent(y));
    lorentz::product(x, y, product);
    lorentz::project(z, least);
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(y[k] - x[k], z[k], 1e-14);
      EXPECT_NEAR(product[k], k == 0 ? sigma : 0, 1e-15);
      rest[k] = y[k] - least[k];
    }
    EXPECT_LE(std::hypot(rest[0], rest[1], rest[2]), 1.5 * std::sqrt(sigma));  // √2 at z = 0
  }
}

TEST(LorentzCone, LongestStepEndsOnTheBoundary) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 1000; ++trial) {
    const double x[3] = {1.5, uniform(random), uniform(random)};
    const double d[3] = {uniform(random), uniform(random), uniform(random)};
    if (lorentz::det(x) <= 0) continue;
    const double a = lorentz::max_step(x, d);
    if (std::isinf(a)) {
      EXPECT_GE(d[0], lorentz::tangent(d) - 1e-15);
      continue;
    }
    const double end[3] = {x[0] + a * d[0], x[1] + a * d[1], x[2] + a * d[2]};
    EXPECT_NEAR(end[0], lorentz::tangent(end), 1e-12 * (1 + a));
  }
}

}  // namespace
}  // namespace saltus
