#include "saltus/model/model.hpp"

#include "saltus/relations/linear.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <limits>

namespace saltus {
namespace {

const LinearRelation height{.H = {{1.0}}};
constexpr double nan = std::numeric_limits<double>::quiet_NaN();

TEST(Model, GivesContiguousOffsets) {  // PL:PL-02, PL:IN-01
  Model model;
  const auto a = model.add(PointMass{.gravity = {0.0, 0.0}}, {.q = {1.0, 2.0}, .z = {7.0}});
  const auto c = model.add(FirstOrderLinear{.A = {{-1.0}}}, {.x = {5.0}}, "tank");
  const auto b = model.add(PointMass{}, {.q = {3.0}, .v = {4.0}, .z = {8.0, 9.0}});
  const auto tie = model.link({a, b}, LinearRelation{.H = {{1.0, 0.0, -1.0}}}, NewtonImpact{});
  const State state = model.initial_state();
  EXPECT_EQ(state.q, (Values{1, 2, 3}));
  EXPECT_EQ(state.v, (Values{0, 0, 4}));
  EXPECT_EQ(state.x, (Values{5}));
  EXPECT_EQ(state.z, (Values{7, 8, 9}));
  EXPECT_EQ(model[b].offset, 2);
  EXPECT_EQ(model[c].name, "tank");
  EXPECT_EQ(Model::view(model[b], state).z[1], 9);
  EXPECT_EQ(model.rows(), 1);
  EXPECT_EQ(model[tie].endpoints.size(), 2u);
}

TEST(Model, RefusesStatesThatDoNotFit) {
  Model model;
  EXPECT_ERROR(model.add(PointMass{}, {.q = {1.0, 2.0, 3.0}}),
               "Model::add: system0: q has size 3, system has 1 dof");
  EXPECT_ERROR(model.add(PointMass{}, {.q = {1.0}, .v = {1.0, 2.0}}), "v has size 2");
  EXPECT_ERROR(model.add(PointMass{}, {.x = {1.0}}), "q has size 0");
  EXPECT_ERROR(model.add(PointMass{}, {.q = {nan}}), "q[0] is nan");
  EXPECT_ERROR(model.add(FirstOrderLinear{.A = {{1.0}}}, {.q = {1.0}}), "x has size 0");
  EXPECT_ERROR(model.add(FirstOrderLinear{.A = {{nan}}}, {.x = {1.0}}), "not finite");
  EXPECT_TRUE(model.systems().empty());
}

TEST(Model, RefusesMassesThatAreNotPositiveDefinite) {
  Model model;
  EXPECT_ERROR(model.add(PointMass{.m = -1}, {.q = {1.0}}), "must be positive definite");
  EXPECT_ERROR(model.add(PointMass{.m = 0}, {.q = {1.0}}), "must be positive definite");
  EXPECT_ERROR(model.add(PointMass{.m = nan}, {.q = {1.0}}), "not finite");
  EXPECT_ERROR(model.add(LinearLagrangian{.M = {{1.0, 1.0}, {1.0, 1.0}}}, {.q = {0.0, 0.0}}),
               "must be positive definite");
  EXPECT_ERROR(model.add(LinearLagrangian{.M = {{1.0, 0.5}, {0.0, 1.0}}}, {.q = {0.0, 0.0}}),
               "not symmetric");
  EXPECT_ERROR(model.add(PointMasses{.m = {1.0, -2.0}}, {.q = {0.0, 0.0}}), "body 1");
}

TEST(Model, RefusesLinksThatDoNotFit) {
  Model model;
  const auto ball = model.add(PointMass{}, {.q = {1.0}}, "ball");
  const auto tank = model.add(FirstOrderLinear{.A = {{-1.0}}}, {.x = {5.0}}, "tank");
  const FirstOrderLinearRelation level{.C = {{1.0}}, .B = {{1.0}}};
  EXPECT_ERROR(model.link(SystemId{7}, height, NewtonImpact{}), "system id 7 is not of this model");
  EXPECT_ERROR(model.link({ball, ball}, height, NewtonImpact{}), "given twice");
  EXPECT_ERROR(model.link(Endpoint(ball, 1), height, NewtonImpact{}), "body 1 of ball");
  EXPECT_ERROR(model.link(tank, height, NewtonImpact{}), "tank is of first order");
  EXPECT_ERROR(model.link(ball, LinearRelation{.H = {{1.0, 2.0}}}, NewtonImpact{}),
               "relation has 2 columns, the systems it ties have 1 unknowns");
  EXPECT_ERROR(model.link(ball, height, NewtonImpact{.e = 1.1}), "e is 1.1, expected in [0, 1]");
  EXPECT_ERROR(model.link(ball, height, Coulomb{.mu = 0.3}), "2 or 3 rows");
  EXPECT_ERROR(model.link(ball, LinearRelation{.H = {{1.0}, {1.0}}}, Coulomb{.mu = -0.3}),
               "mu is -0.3");
  EXPECT_ERROR(model.link(ball, height, Complementarity{}), "use NewtonImpact");
  EXPECT_ERROR(model.link(tank, level, NewtonImpact{}), "use Complementarity");
  EXPECT_TRUE(model.interactions().empty());
}

}  // namespace
}  // namespace saltus
