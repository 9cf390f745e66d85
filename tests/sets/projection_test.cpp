// Projections of every set against their definition. Covers F:F003, F:F008.
#include "cases.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using namespace cases;

constexpr int samples = 400;

class EverySet : public testing::TestWithParam<Case> {
 protected:
  Random random{11};
  const Case& c = GetParam();
  Vector sample() { return gaussian(c.dimension, random, 3); }
};

TEST_P(EverySet, IsValidInItsDimension) {
  EXPECT_NO_THROW(validate(c.set));
  EXPECT_NO_THROW(check_dimension(c.set, c.dimension));
}

TEST_P(EverySet, ProjectionLiesInTheSetAndIsIdempotent) {
  for (int k = 0; k < samples; ++k) {
    const Vector p = projection(c.set, sample());
    EXPECT_TRUE(contains(c.set, p, rounding));
    EXPECT_LE((projection(c.set, p) - p).norm(), rounding);
  }
}

TEST_P(EverySet, PointsOfTheSetAreTheirOwnProjection) {
  for (int k = 0; k < samples; ++k) {
    const Vector y = c.point(random);
    EXPECT_TRUE(contains(c.set, y, rounding));
    EXPECT_LE((projection(c.set, y) - y).norm(), rounding);
  }
}

TEST_P(EverySet, ProjectionIsNonexpansive) {
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample(), y = k % 2 ? sample() : Vector(x + 0.1 * sample());
    EXPECT_LE((projection(c.set, x) - projection(c.set, y)).norm(), (x - y).norm() + rounding);
  }
}

TEST_P(EverySet, ResidualIsNormalToTheSetAtTheProjection) {
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample(), p = projection(c.set, x), y = c.point(random);
    EXPECT_LE((x - p).dot(y - p), rounding_of_products);
  }
}

TEST_P(EverySet, DistanceIsTheLengthOfTheResidual) {
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample();
    const double d = (x - projection(c.set, x)).norm();
    EXPECT_NEAR(distance(c.set, x), d, rounding);
    EXPECT_TRUE(contains(c.set, x, d + rounding));
    if (d > 2 * rounding) {
      EXPECT_FALSE(contains(c.set, x, d - 2 * rounding));
    }
  }
}

TEST_P(EverySet, ProjectsInPlace) {
  for (int k = 0; k < samples; ++k) {
    Vector x = sample();
    const Vector p = projection(c.set, x);
    project(c.set, x, x);
    EXPECT_EQ(x, p);
  }
}

TEST_P(EverySet, SupportBoundsEveryPointOfTheSet) {
  for (int k = 0; k < samples; ++k) {
    const Vector d = sample(), y = c.point(random);
    EXPECT_LE(y.dot(d), support(c.set, d) + rounding_of_products);
  }
}

// x − P(x); the cones among the factors take it from the polar projection, because rounding of the
// subtraction may leave the polar cone, where the support jumps to infinity.
Vector normal_direction(const Set& set, const Vector& x) {
  if (const auto* product = std::get_if<Product>(&set)) {
    Vector d(x.size());
    Index offset = 0;
    for (const Factor& f : product->factors) {
      d.segment(offset, f.dimension) = normal_direction(f.set, x.segment(offset, f.dimension));
      offset += f.dimension;
    }
    return d;
  }
  return is_cone(set) ? polar_projection(set, x) : Vector(x - projection(set, x));
}

// d = x − P(x) is normal at p = P(x), so Fenchel's equality reads σ(d) = d·p. The residual of a
// polyhedral cone carries roundings of x: only directions of some length are compared.
TEST_P(EverySet, SupportIsReachedAtTheProjectionInNormalDirections) {
  for (int k = 0; k < samples; ++k) {
    const Vector x = sample(), p = projection(c.set, x), d = normal_direction(c.set, x);
    if (std::holds_alternative<PolyhedralCone>(c.set) && d.norm() < 1e-2) continue;
    EXPECT_NEAR(support(c.set, d), d.dot(p), rounding_of_products) << d.transpose();
  }
}

INSTANTIATE_TEST_SUITE_P(Sets, EverySet, testing::ValuesIn(all_sets()),
                         [](const auto& tested) { return test_name(tested.param); });

TEST(Projection, OfSimpleSetsHasItsClosedForm) {
  EXPECT_EQ(projection(NonNegative{}, Values{-1, 0, 2}), Values({0, 0, 2}));
  EXPECT_EQ(projection(Interval{-1, 1}, Values{-3, 0.5, 7}), Values({-1, 0.5, 1}));
  EXPECT_EQ(projection(Box{{0, -inf}, {1, 2}}, Values{5, -9}), Values({1, -9}));
  EXPECT_LE((projection(Disk{1}, Values{3, 4}) - Values{0.6, 0.8}).norm(), 1e-15);
  EXPECT_LE((projection(Ball{{1, 1}, 1}, Values{4, 5}) - Values{1.6, 1.8}).norm(), 1e-15);
  EXPECT_EQ(projection(Zero{}, Values{3, 4}), Values({0, 0}));
  EXPECT_EQ(projection(Reals{}, Values{3, 4}), Values({3, 4}));
}

TEST(Projection, OfAProductWorksSegmentBySegment) {
  Random random(3);
  const Product K{{{FrictionCone{0.4}, 3}, {Interval{-1, 1}, 2}, {Disk{0.5}, 2}}};
  for (int k = 0; k < samples; ++k) {
    const Vector x = gaussian(7, random, 2), p = projection(K, x);
    EXPECT_EQ(p.head(3), projection(FrictionCone{0.4}, x.head(3)));
    EXPECT_EQ(p.segment(3, 2), projection(Interval{-1, 1}, x.segment(3, 2)));
    EXPECT_EQ(p.tail(2), projection(Disk{0.5}, x.tail(2)));
    EXPECT_NEAR(
        distance(K, x),
        std::hypot(distance(FrictionCone{0.4}, x.head(3)),
                   distance(Interval{-1, 1}, x.segment(3, 2)), distance(Disk{0.5}, x.tail(2))),
        1e-14);
    EXPECT_EQ(support(Product{{{Disk{2}, 2}, {Interval{-1, 3}, 1}}}, x.head(3)),
              support(Disk{2}, x.head(2)) + support(Interval{-1, 3}, x.segment(2, 1)));
  }
}

TEST(Projection, PropagatesNaN) {
  const double nan = std::nan("");
  for (const Case& c : all_sets()) {
    if (std::holds_alternative<PolyhedralCone>(c.set) || std::holds_alternative<Zero>(c.set) ||
        std::holds_alternative<Product>(c.set))
      continue;
    const Vector x = Vector::Constant(c.dimension, nan);
    EXPECT_TRUE(projection(c.set, x).hasNaN()) << c.name;
    EXPECT_TRUE(std::holds_alternative<Reals>(c.set) || !contains(c.set, x, 1e300)) << c.name;
  }
}

TEST(Support, OfUnboundedSetsIsInfiniteOnlyInOpenDirections) {
  EXPECT_EQ(support(Interval{-inf, 2}, Values{1, 3}), 8);
  EXPECT_EQ(support(Interval{-inf, 2}, Values{1, -1}), inf);
  EXPECT_EQ(support(Interval{-inf, inf}, Values{0, 0}), 0);
  EXPECT_EQ(support(Reals{}, Values{0, 1e-300}), inf);
  EXPECT_EQ(support(NonNegative{}, Values{-1, 0}), 0);
  EXPECT_EQ(support(NonNegative{}, Values{-1, 1}), inf);
  EXPECT_EQ(support(FrictionCone{0.5}, Values{-1, 2, 0}), 0);
  EXPECT_EQ(support(FrictionCone{0.5}, Values{-1, 2.001, 0}), inf);
  EXPECT_EQ(support(Ball{{1, 0}, 2}, Values{3, 4}), 13);
}

}  // namespace
}  // namespace saltus
