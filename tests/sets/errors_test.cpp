// What the layer refuses, and what it says then.
#include "cases.hpp"
#include "saltus/sets/nonnegative_least_squares.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

using cases::projection;

template <class Call>
std::string message(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string complaint(const Set& set) {
  return message([&] { validate(set); });
}

const double nan = std::nan("");

TEST(SetErrors, NameWrongCoefficientsAndRadii) {
  EXPECT_EQ(complaint(FrictionCone{-0.1}), "FrictionCone: mu is -0.1, expected >= 0");
  EXPECT_EQ(complaint(FrictionCone{nan}), "FrictionCone: mu is nan, expected >= 0");
  EXPECT_EQ(complaint(Disk{-1}), "Disk: radius is -1, expected finite and >= 0");
  EXPECT_EQ(complaint(Disk{inf}), "Disk: radius is inf, expected finite and >= 0");
  EXPECT_EQ(complaint(Ball{{0}, nan}), "Ball: radius is nan, expected finite and >= 0");
  EXPECT_EQ(complaint(Ball{{0, nan}, 1}), "Ball: center[1] is nan, expected finite");
  EXPECT_EQ(complaint(FrictionCone{inf}), "no error");
  EXPECT_EQ(complaint(Disk{0}), "no error");
}

TEST(SetErrors, NameEmptyIntervals) {
  EXPECT_EQ(complaint(Interval{1, 0}),
            "Interval: [1, 0] is empty, expected lower <= upper and no NaN");
  EXPECT_EQ(complaint(Interval{nan, 0}),
            "Interval: [nan, 0] is empty, expected lower <= upper and no NaN");
  EXPECT_EQ(complaint(Interval{inf, inf}),
            "Interval: [inf, inf] is empty, expected lower <= upper and no NaN");
  EXPECT_EQ(complaint(Interval{-inf, -inf}),
            "Interval: [-inf, -inf] is empty, expected lower <= upper and no NaN");
  EXPECT_EQ(complaint(Box{{0, 2}, {1, 1}}),
            "Box: component 1, [2, 1], is empty, expected lower <= upper and no NaN");
  EXPECT_EQ(complaint(Box{{0, 2}, {1}}), "Box: lower has size 2, upper has size 1");
  EXPECT_EQ(complaint(Interval{-inf, inf}), "no error");
}

TEST(SetErrors, NameWrongPolyhedralCones) {
  EXPECT_EQ(complaint(PolyhedralCone{}),
            "PolyhedralCone: neither generators nor inequalities are given");
  EXPECT_EQ(message([] { (void)PolyhedralCone::from_generators(Matrix(0, 2)); }),
            "PolyhedralCone: the dimension is 0, expected at least 1");
  EXPECT_EQ(message([] {
              (void)PolyhedralCone::from_generators(Rows{{1, 2}, {3, nan}});
            }),
            "PolyhedralCone: generators(1, 1) is nan, expected finite");
  EXPECT_EQ(message([] {
              (void)PolyhedralCone::from_inequalities(Rows{{1, inf}});
            }),
            "PolyhedralCone: inequalities(0, 1) is inf, expected finite");
  EXPECT_EQ(complaint(PolyhedralCone{Matrix::Identity(3, 3), Matrix::Identity(2, 2)}),
            "PolyhedralCone: generators have size 3, inequalities size 2");
  EXPECT_EQ(complaint(PolyhedralCone{Rows{{1, 0}, {0, 2}}, Rows{{1, 0}, {0, -1}}}),
            "PolyhedralCone: generator 1 violates inequality 1: a.g = -2, expected >= 0");
}

TEST(SetErrors, NameWrongFactors) {
  EXPECT_EQ(complaint(Product{{{NonNegative{}, 2}, {Reals{}, 0}}}),
            "Product: factor 1 (Reals) has dimension 0, expected at least 1");
  EXPECT_EQ(complaint(Product{{{FrictionCone{0.3}, 1}}}),
            "FrictionCone: x has size 1, expected at least 2 (normal, tangent)");
  EXPECT_EQ(complaint(Product{{{FrictionCone{-3}, 3}}}), "FrictionCone: mu is -3, expected >= 0");
  EXPECT_EQ(complaint(Product{}), "no error");
}

TEST(SetErrors, NameWrongSizesInEveryCall) {
  struct Mismatch {
    Set set;
    Index size;
    std::string text;
  };
  const std::vector<Mismatch> list{
      {FrictionCone{1}, 1, "FrictionCone: x has size 1, expected at least 2 (normal, tangent)"},
      {Disk{1}, 3, "Disk: x has size 3, expected 2"},
      {Ball{{0, 0}, 1}, 3, "Ball: center has size 2, x has size 3"},
      {Box{{0, 0}, {1, 1}}, 3, "Box: lower has size 2, upper has size 2, x has size 3"},
      {PolyhedralCone::from_generators(Matrix::Identity(2, 2)), 3,
       "PolyhedralCone: x has size 3, expected 2"},
      {PolyhedralCone::from_inequalities(Matrix::Identity(2, 2)), 1,
       "PolyhedralCone: x has size 1, expected 2"},
      {Product{{{Reals{}, 2}, {Disk{1}, 2}}}, 3, "Product: x has size 3, the factors add up to 4"}};
  for (const auto& [set, size, text] : list) {
    const Vector x = Vector::Ones(size);
    Vector p(size);
    Matrix J(size, size);
    EXPECT_EQ(message([&, &s = set, n = size] { check_dimension(s, n); }), text);
    EXPECT_EQ(message([&, &s = set] { project(s, x, p); }), text);
    EXPECT_EQ(message([&, &s = set] { (void)distance(s, x); }), text);
    EXPECT_EQ(message([&, &s = set] { (void)contains(s, x); }), text);
    EXPECT_EQ(message([&, &s = set] { (void)support(s, x); }), text);
    EXPECT_EQ(message([&, &s = set] { projection_jacobian(s, x, J); }), text);
    if (is_cone(set)) {
      EXPECT_EQ(message([&, &s = set] { project_polar(s, x, p); }), text);
    }
  }
}

TEST(SetErrors, NameResultsOfTheWrongSize) {
  for (const auto& c : cases::all_sets()) {
    const Vector x = Vector::Ones(c.dimension);
    Vector p(c.dimension + 1);
    Matrix J(c.dimension, c.dimension + 1);
    const std::string result = fmt::format("{}: x has size {}, the result has size {}", name(c.set),
                                           c.dimension, c.dimension + 1);
    EXPECT_EQ(message([&] { project(c.set, x, p); }), result);
    if (is_cone(c.set)) {
      EXPECT_EQ(message([&] { project_polar(c.set, x, p); }), result);
    }
    EXPECT_EQ(message([&] { projection_jacobian(c.set, x, J); }),
              fmt::format("{0}: x has size {1}, its Jacobian is {1}x{2}, expected {1}x{1}",
                          name(c.set), c.dimension, c.dimension + 1));
  }
}

TEST(SetErrors, RefusePolarsAndDualsOfSetsThatAreNoCones) {
  const Values x{1, 2};
  Vector p(2);
  EXPECT_EQ(message([&] { project_polar(Set{Disk{1}}, x, p); }),
            "project_polar: Disk is not a cone");
  EXPECT_EQ(message([&] {
              project_polar(Product{{{Interval{0, 1}, 2}}}, x, p);
            }),
            "project_polar: Interval is not a cone");
  EXPECT_EQ(message([] { (void)dual(Set{Ball{{0}, 1}}); }), "dual: Ball is not a cone");
  EXPECT_EQ(message([] { (void)dual(Product{{{Box{{0}, {1}}, 1}}}); }), "dual: Box is not a cone");
}

TEST(SetErrors, NameMismatchedLeastSquares) {
  EXPECT_EQ(message([] {
              (void)nonnegative_least_squares(Matrix(3, 2), Values{1, 2});
            }),
            "nonnegative_least_squares: G has 3 rows, x has size 2");
}

}  // namespace
}  // namespace saltus
