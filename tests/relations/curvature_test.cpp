// ÿ − H v̇ of relations: given, by differences, zero where the relation is linear.

#include "saltus/relations/linear.hpp"
#include "saltus/relations/relation.hpp"
#include "support/rigid_pendulum.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// y = sin(t) |q|² / 2
struct Moving {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& x, VectorRef y) const {
    y[0] = std::sin(x.t) * x.q.squaredNorm() / 2;
  }
  void jacobian(const StateView& x, MatrixRef H) const { H = std::sin(x.t) * x.q.transpose(); }
  void time_derivative(const StateView& x, VectorRef dy) const {
    dy[0] = std::cos(x.t) * x.q.squaredNorm() / 2;
  }
};

/// The pin of the pendulum without its curvature.
struct PlainPin {
  testing::Pin pin;
  [[nodiscard]] Index rows() const { return 2; }
  [[nodiscard]] Index dof() const { return 3; }
  void output(const StateView& x, VectorRef y) const { pin.output(x, y); }
  void jacobian(const StateView& x, MatrixRef H) const { pin.jacobian(x, H); }
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
};

TEST(Curvature, DifferencesAgreeWithTheFormula) {  // AC:GA-02
  Vector q(3), v(3), given(2), found(2);
  q << 0.3, -0.4, 1.1;
  v << 2, -5, 10;
  const StateView x{0.7, view_of(q.data(), 3), view_of(v.data(), 3)};
  Relation(testing::Pin{}).curvature(x, given);
  Relation(PlainPin{}).curvature(x, found);
  // terms of 100, relative error of 1e-11
  EXPECT_LT((given - found).lpNorm<Eigen::Infinity>(), 1e-8);
}

TEST(Curvature, ContainsTheDerivativesInTime) {
  Vector q(2), v(2), found(1);
  q << 0.6, 0.8;
  v << 3, -1;
  const double t = 0.4;
  const StateView x{t, view_of(q.data(), 2), view_of(v.data(), 2)};
  Relation(Moving{}).curvature(x, found);
  const double exact = std::sin(t) * v.squaredNorm() + 2 * std::cos(t) * q.dot(v) -
                       std::sin(t) * q.squaredNorm() / 2;
  EXPECT_NEAR(found[0], exact, 1e-9);
}

TEST(Curvature, OfALinearRelationIsZero) {
  Vector q = Vector::Ones(2), v = Vector::Ones(2), found = Vector::Ones(1);
  const StateView x{0, view_of(q.data(), 2), view_of(v.data(), 2)};
  Relation(LinearRelation{.H = {{1.0, 2.0}}}).curvature(x, found);
  EXPECT_EQ(found[0], 0);
}

}  // namespace
}  // namespace saltus
