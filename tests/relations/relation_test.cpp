#include "saltus/relations/relation.hpp"

#include "saltus/relations/linear.hpp"
#include "support/expect_error.hpp"

#include <cmath>

namespace saltus {
namespace {

/// Distance of a point of the plane to a circle whose radius grows: y = ‖q‖ − (1 + t/10)
struct Circle {
  [[nodiscard]] Index rows() const { return 1; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& x, VectorRef y) const { y[0] = x.q.norm() - 1 - 0.1 * x.t; }
};

TEST(Relation, DifferencesReplaceMissingDerivatives) {  // PL:RE-05
  const Relation circle = Circle{};
  const double q[] = {3.0, 4.0};
  const StateView x{.t = 2.0, .q = view_of(q, 2)};
  Matrix H(1, 2);
  Vector dy(1);
  circle.jacobian(x, H);
  circle.time_derivative(x, dy);
  EXPECT_NEAR(H(0, 0), 0.6, 1e-9);
  EXPECT_NEAR(H(0, 1), 0.8, 1e-9);
  EXPECT_NEAR(dy[0], -0.1, 1e-9);
}

TEST(Relation, LinearRelationsAreAffine) {  // PL:RE-07, PL:RE-03
  const double q[] = {2.0, 3.0}, z[] = {10.0};
  const Relation linear = LinearRelation{.H = {{1.0, -1.0}}, .b = {0.5}, .F = {{2.0}}};
  EXPECT_TRUE(linear.lagrangian() && linear.time_invariant());
  Vector y(1);
  linear.output({.t = 0, .q = view_of(q, 2), .z = view_of(z, 1)}, y);
  EXPECT_EQ(y[0], 2 - 3 + 0.5 + 20);
  const Relation first =
      FirstOrderLinearRelation{.C = {{1.0, 1.0}}, .B = {{1.0}, {2.0}}, .D = {{3.0}}, .e = {-1.0}};
  EXPECT_FALSE(first.lagrangian());
  first.output({.t = 0, .x = view_of(q, 2)}, y);
  EXPECT_EQ(y[0], 4);
  Matrix D(1, 1), B(2, 1);
  first.feedthrough({}, D);
  first.input({}, B);
  EXPECT_EQ(D(0, 0), 3);
  EXPECT_EQ(B(1, 0), 2);
}

TEST(Relation, InconsistentDataIsRefusedAtConstruction) {
  EXPECT_ERROR((Relation{LinearRelation{}}), "H is empty");
  EXPECT_ERROR((Relation{LinearRelation{.H = {{1.0}}, .b = {1.0, 2.0}}}),
               "b has 2 rows, expected 1");
  EXPECT_ERROR((Relation{FirstOrderLinearRelation{.C = {{1.0}}, .B = {{1.0, 2.0}}}}),
               "B is 1x2, expected 1x1");
}

}  // namespace
}  // namespace saltus
