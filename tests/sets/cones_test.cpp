// Polars, duals and the friction cone. Covers F:F010, S:VI-03, FS:V1.
#include "cases.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using namespace cases;

constexpr int samples = 400;

class EveryCone : public testing::TestWithParam<Case> {
 protected:
  Random random{23};
  const Case& c = GetParam();
  Vector sample() { return gaussian(c.dimension, random, 3); }
};

TEST_P(EveryCone, SaysThatItIsOne) { EXPECT_TRUE(is_cone(c.set)); }

TEST_P(EveryCone, ObeysMoreauDecomposition) {
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample(), p = projection(c.set, x), s = polar_projection(c.set, x);
    EXPECT_LE((x - p - s).norm(), rounding);
    EXPECT_NEAR(p.dot(s), 0, rounding_of_products);
  }
}

TEST_P(EveryCone, PolarProjectionIsMinusTheDualProjectionOfTheOpposite) {
  const Set K_star = dual(c.set);
  validate(K_star);
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample();
    EXPECT_LE((polar_projection(c.set, x) + projection(K_star, -x)).norm(), rounding);
  }
}

TEST_P(EveryCone, ProjectsOnThePolarInPlace) {
  Vector x = sample();
  const Vector s = polar_projection(c.set, x);
  project_polar(c.set, x, x);
  EXPECT_EQ(x, s);
}

TEST_P(EveryCone, PairsNonnegativelyWithItsDual) {
  const Set K_star = dual(c.set);
  for (int k = 0; k < samples; ++k)
    EXPECT_GE(projection(K_star, sample()).dot(c.point(random)), -rounding_of_products);
}

TEST_P(EveryCone, IsTheDualOfItsDual) {
  const Set again = dual(dual(c.set));
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample();
    EXPECT_LE((projection(again, x) - projection(c.set, x)).norm(), rounding);
  }
}

TEST_P(EveryCone, ProjectionIsPositivelyHomogeneous) {
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample();
    EXPECT_LE((projection(c.set, 8 * x) - 8 * projection(c.set, x)).norm(), 8 * rounding);
  }
}

INSTANTIATE_TEST_SUITE_P(Cones, EveryCone, testing::ValuesIn(cones()),
                         [](const auto& tested) { return test_name(tested.param); });

TEST(IsCone, DependsOnEveryFactorOfAProduct) {
  EXPECT_FALSE(is_cone(Set{Disk{1}}));
  EXPECT_FALSE(is_cone(Set{Interval{0, inf}}));
  EXPECT_TRUE(is_cone(Product{{{NonNegative{}, 2}, {FrictionCone{0.1}, 3}}}));
  EXPECT_FALSE(is_cone(Product{{{NonNegative{}, 2}, {Product{{{Ball{{0}, 1}, 1}}}, 1}}}));
}

// FS:V1, μ = 0.5, to 1e-14.
TEST(FrictionCone, ProjectionMatchesTheReferenceCase) {
  const FrictionCone K{0.5};
  const auto expect = [&](Values x, Values p) {
    EXPECT_LE((projection(K, x) - p).norm(), 1e-14) << x.transpose();
  };
  expect({1, 0.3, 0.4}, {1, 0.3, 0.4});
  expect({-1, 0.3, 0.4}, {0, 0, 0});
  expect({1, 3, 4}, {2.8, 0.84, 1.12});
  expect({-1, 3, 4}, {1.2, 0.36, 0.48});
}

TEST(FrictionCone, WithMuOneIsTheSelfDualSecondOrderCone) {
  EXPECT_EQ(dual(FrictionCone{1}).mu, 1);
  EXPECT_LE((projection(FrictionCone{1}, Values{1, 3, 4}) - Values{3, 1.8, 2.4}).norm(), 1e-14);
}

TEST(FrictionCone, WithoutFrictionIsARayWhoseDualIsTheHalfSpace) {
  const FrictionCone ray{0}, half_space = dual(ray);
  EXPECT_EQ(half_space.mu, inf);
  EXPECT_EQ(dual(half_space).mu, 0);
  EXPECT_EQ(projection(ray, Values{2, 5, -1}), Values({2, 0, 0}));
  EXPECT_EQ(projection(ray, Values{-2, 5, -1}), Values({0, 0, 0}));
  EXPECT_EQ(projection(ray, Values{-2, 0, 0}), Values({0, 0, 0}));
  EXPECT_EQ(projection(half_space, Values{2, 5, -1}), Values({2, 5, -1}));
  EXPECT_LE((projection(half_space, Values{-2, 5, -1}) - Values{0, 5, -1}).norm(), 1e-14);
  EXPECT_EQ(projection(half_space, Values{-2, 0, 0}), Values({0, 0, 0}));
  EXPECT_EQ(projection(half_space, Values{2, 0, 0}), Values({2, 0, 0}));
  EXPECT_FALSE(contains(ray, Values{-1, 0}));
  EXPECT_FALSE(contains(half_space, Values{-1, 0}));
  EXPECT_EQ(distance(half_space, Values{-1, 3}), 1);
  EXPECT_EQ(support(ray, Values{-1, 7}), 0);
  EXPECT_EQ(support(ray, Values{1e-3, 7}), inf);
  EXPECT_EQ(support(half_space, Values{-1, 0}), 0);
  EXPECT_EQ(support(half_space, Values{1, 0}), inf);
  EXPECT_EQ(support(half_space, Values{-1, 1e-3}), inf);
}

TEST(FrictionCone, ProjectionTendsToItsLimitsWithoutOverflow) {
  const Values x{-2, 3, 4};
  EXPECT_LE((projection(FrictionCone{1e200}, x) - Values{0, 3, 4}).norm(), 1e-14);
  EXPECT_LE((projection(FrictionCone{1e-200}, Values{2, 3, 4}) - Values{2, 0, 0}).norm(), 1e-14);
}

TEST(FrictionCone, ComplementarityOfTheMoreauPairIsCoulombsLaw) {
  // r = P_K(x), û = P_K*(−x) are complementary, K* ∋ û ⟂ r ∈ K, and sliding opposes the reaction.
  Random random(5);
  const double mu = 0.6;
  for (int k = 0; k < samples; ++k) {
    const Vector x = gaussian(3, random, 2);
    const Vector r = projection(FrictionCone{mu}, x), u = projection(dual(FrictionCone{mu}), -x);
    EXPECT_NEAR(r.dot(u), 0, 1e-12);
    EXPECT_LE(r.tail(2).norm(), mu * r[0] + 1e-13);
    EXPECT_LE(mu * u.tail(2).norm(), u[0] + 1e-13);
    if (u.tail(2).norm() > 1e-9 && r[0] > 1e-9) {
      EXPECT_NEAR(r.tail(2).dot(u.tail(2)), -r.tail(2).norm() * u.tail(2).norm(), 1e-12);
    }
  }
}

}  // namespace
}  // namespace saltus
