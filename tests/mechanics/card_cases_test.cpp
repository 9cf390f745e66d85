// Mechanics cases of the card on formulations, with the numbers that it states.

#include "saltus/mechanics/planar_contacts.hpp"
#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/gyroscopic.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace saltus {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

void advance(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) ASSERT_TRUE(sim.advance().done()) << "step " << k;
}

/// One step without forces of masses M with v, under a law for y = H q, touching.
State impact(const Matrix& M, const Matrix& H, const Vector& v, const Law& law,
             const Vector& q = {}) {
  Model model;
  const auto body = model.add(LinearLagrangian{.M = M},
                              {.q = q.size() > 0 ? q : Vector(Vector::Zero(v.size())), .v = v});
  model.link(body, LinearRelation{.H = H}, law);
  Simulation sim(model, MoreauJean{.solver = Automatic{.tolerance = 1e-13}}, {.step = 1e-6});
  EXPECT_TRUE(sim.advance().done());
  return sim.state();
}

TEST(MechanicsCases, SliderStopsByDryFriction) {  // F:V11
  Model model;
  const auto block = model.add(PointMass{}, {.q = {0}, .v = {1}});
  model.link(block, LinearRelation{.H = {{1}}}, Relay{.lower = -0.3 * g, .upper = 0.3 * g});
  Simulation sim(model, MoreauJean{.theta = 1}, {.step = 1e-3});
  advance(sim, 339);
  EXPECT_GT(sim.state().v[0], 0);
  advance(sim, 1);
  EXPECT_EQ(sim.state().v[0], 0);
  EXPECT_NEAR(sim.state().q[0], 0.169395, 1e-6);
  advance(sim, 100);
  EXPECT_EQ(sim.state().v[0], 0);
}

TEST(MechanicsCases, ChristoffelTermOfTheDoublePendulum) {  // F:V32, F:F107, F:C0-14
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, c = m2 * l1 * l2;
  const auto mass = [&](ConstVectorRef q, MatrixRef M) {
    M << (m1 + m2) * l1 * l1, c * std::cos(q[0] - q[1]), c * std::cos(q[0] - q[1]), m2 * l2 * l2;
  };
  const Vector q = Values{0.4, -0.8}, v = Values{1.5, -2.0};
  const double s = std::sin(q[0] - q[1]);
  const Vector N = gyroscopic_term(mass, q, v);
  EXPECT_NEAR(N[0], c * s * v[1] * v[1], 1e-11);
  EXPECT_NEAR(N[1], -c * s * v[0] * v[0], 1e-11);
  EXPECT_ERROR(static_cast<void>(gyroscopic_term(mass, q, Vector::Zero(3))), "3 velocities");
}

TEST(MechanicsCases, SymmetricTopPrecesses) {  // F:V36, F:F119
  // I = (2, 2, 1), ω = (0.1, 0, 3): ω₁ = 0.1 cos(pt), ω₂ = 0.1 sin(pt) with p = (I₃ − I₁) ω₃/I₁
  Model model;
  model.add(RigidBodies{.inertia = {{2, 2, 1}}},
            {.q = positions_of({0, 0, 0}), .v = {0, 0, 0, 0.1, 0, 3}});
  const double h = 1e-3, p = -1.5;
  Simulation sim(model, {}, {.step = h});
  advance(sim, 1000);
  // the midpoint rule turns by 2 atan(ph/2) in a step: relative error (ph)²/12
  EXPECT_NEAR(sim.state().v[3], 0.1 * std::cos(p), 1e-7);
  EXPECT_NEAR(std::abs(sim.state().v[4]), 0.1 * std::abs(std::sin(p)), 1e-7);
  EXPECT_NEAR(sim.state().v[5], 3, 1e-12);
}

TEST(MechanicsCases, DisksInContactHaveTheSlipOfTheirRims) {  // F:V37, F:F125
  // The card's tangent is (1, 0) for n = (0, 1); ours is n turned by +90°.
  const mechanics::DiskContact contact{.radius_0 = 1, .radius_1 = 2};
  const Vector q = Values{0, 3, 0.4, 0, 0, -0.2}, v = Values{1, 0, 2, 0, 0, 1};
  Matrix H(2, 6);
  Vector y(2);
  contact.output({0, view_of(q.data(), 6)}, y);
  contact.jacobian({0, view_of(q.data(), 6)}, H);
  EXPECT_NEAR(y[0], 0, 1e-15);
  EXPECT_NEAR((H * v)[0], 0, 1e-15);
  EXPECT_NEAR((H * v)[1], -5, 1e-15);
  EXPECT_ERROR((mechanics::DiskContact{.radius_0 = 0}.prepare()), "expected > 0");
}

TEST(MechanicsCases, DiskRollsDownALineOfTheWorld) {  // F:F123, F:F172
  // Rolling without slip down an incline: a = 2/3 g sin α for a full disk.
  const double alpha = 0.3, r = 0.5, h = 1e-3;
  Model model;
  const auto disk = model.add(
      PlanarBodies{
          .m = {1}, .inertia = {r * r / 2}, .gravity = {g * std::sin(alpha), -g * std::cos(alpha)}},
      {.q = {0, r, 0}});
  model.link(disk, mechanics::DiskOnLine{.radius = r}, Coulomb{.mu = 0.6});
  Simulation sim(model, {}, {.step = h});
  advance(sim, 1000);
  EXPECT_NEAR(sim.state().v[0], 2.0 / 3 * g * std::sin(alpha), 1e-9);
  EXPECT_NEAR(sim.state().v[2], -2.0 / 3 * g * std::sin(alpha) / r, 1e-9);
}

TEST(MechanicsCases, DelassusOfASphereOnAPlane) {  // F:V38, F:F126, F:B22
  const double radius = 0.3, density = 500;
  mechanics::RigidScene scene;
  scene.fix(mechanics::Plane{});
  scene.add(mechanics::Sphere{.radius = radius}, density, {.x = {0, 0, radius}});
  Simulation sim(scene.model({0, 0, -g}), {}, {.step = 1e-3});
  Matrix W;
  sim.observe_problems([&](const OneStepProblem& p) {
    W = p.global != nullptr ? reduce(*p.global).W.to_dense() : p.reduced->W.to_dense();
  });
  advance(sim, 1);
  const double m = density * 4.0 / 3 * pi * std::pow(radius, 3);
  const Matrix expected = Values{1 / m, 3.5 / m, 3.5 / m}.asDiagonal();
  ASSERT_EQ(W.rows(), 3);
  EXPECT_LT((W - expected).norm(), 1e-12 / m);
}

TEST(MechanicsCases, ImpactOfABallLeavesItsOtherVelocitiesAlone) {  // F:V40, F:C0-22
  const double R = 0.2, m = 2, I = 0.4 * m * R * R;
  const State after = impact(Values{m, m, I}.asDiagonal(), Values{1, 0, 0}.transpose(),
                             Values{-3, 0.7, 5}, NewtonImpact{.e = 0.8});
  EXPECT_LT((after.v - Values{2.4, 0.7, 5}).norm(), 1e-13);
}

TEST(MechanicsCases, OneConstraintInClosedForm) {  // F:V41, F:F143, F:F144, F:B18
  // λ = −(1 + e) U⁻/W = 3, v⁺ = (0.5, 1), loss 2.25 = ½ (1 − e²) U²/W
  const State after = impact(Values{2, 1}.asDiagonal(), Values{1, 1}.transpose(), Values{-1, -2},
                             NewtonImpact{.e = 0.5});
  EXPECT_LT((after.v - Values{0.5, 1}).norm(), 1e-13);
  const double before = 0.5 * (2 * 1 + 4), left = 0.5 * (2 * 0.25 + 1);
  EXPECT_NEAR(before - left, 2.25, 1e-15);
}

TEST(MechanicsCases, CoulombContactOpensSticksAndSlides) {  // F:V42, F:F149, F:F159, F:B20
  const Matrix one = Matrix::Identity(3, 3);
  const auto after = [&](double n, double t1, double t2) {
    return impact(one, one, Values{n, t1, t2}, Coulomb{.mu = 0.5},
                  Values{n > 0 ? 0.0 : -1e-9, 0, 0})
        .v;
  };
  EXPECT_LT((after(1, 0.3, 0.4) - Values{1, 0.3, 0.4}).norm(), 1e-12);
  EXPECT_LT(after(-1, 0.3, 0).norm(), 1e-12);
  EXPECT_LT((after(-1, 3, 4) - Values{0, 2.7, 3.6}).norm(), 1e-11);
}

TEST(MechanicsCases, TwoMassesOnDryGroundStopWhereTheRestSetBegins) {  // F:V48, F:C0-27
  Model model;
  const auto masses =
      model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(2, 2)), .K = {{1, -1}, {-1, 1}}},
                {.q = {0.22, -0.22}});
  model.link(masses, LinearRelation{.H = Matrix(Matrix::Identity(2, 2))},
             Relay{.lower = -0.1, .upper = 0.1});
  Simulation sim(model, MoreauJean{.theta = 1}, {.step = 1e-3});
  double last = inf;
  for (int k = 0; k < 4600; ++k) {  // stops at t = 4.44
    advance(sim, 1);
    const Vector &q = sim.state().q, &v = sim.state().v;
    const double energy = 0.5 * v.squaredNorm() + 0.5 * std::pow(q[0] - q[1], 2);
    ASSERT_LE(energy, last + 1e-15);
    last = energy;
  }
  EXPECT_NEAR(sim.state().q[0], 0.019468, 1e-5);
  EXPECT_NEAR(sim.state().q[1], -0.019468, 1e-5);
  EXPECT_LT(sim.state().v.norm(), 1e-15);
}

/// Speed along the bisector into a corner of angle Θ, after both faces were met.
Vector corner(double angle, double offset, double e) {
  const double half = angle / 2;  // faces at ±half from the x-axis, the point comes from +x
  const Rows H = {{std::sin(half), -std::cos(half)}, {std::sin(half), std::cos(half)}};
  Model model;
  const auto point = model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(2, 2))},
                               {.q = {1, offset}, .v = {-1, 0}});
  model.link(point, LinearRelation{.H = H}, NewtonImpact{.e = e});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  for (int k = 0; k < 5000; ++k) EXPECT_TRUE(sim.advance().done());
  return sim.state().v;
}

TEST(MechanicsCases, CornerDependsOnTheOrderOfImpacts) {  // F:V54, F:B17, F:B29
  EXPECT_LT(corner(2 * pi / 3, 0, 0).norm(), 1e-12);
  EXPECT_NEAR(corner(2 * pi / 3, 0.1, 0).norm(), 0.25, 1e-12);
  EXPECT_LT(corner(pi / 2, 0.1, 0).norm(), 1e-12);
  EXPECT_LT(corner(pi / 3, 0.1, 0).norm(), 1e-12);
  EXPECT_LT((corner(pi / 2, 0, 1) - Values{1, 0}).norm(), 1e-12);
}

TEST(MechanicsCases, TwoCartsJumpAsTheirContactsClose) {  // F:V55, F:C0-32
  const auto jump = [](const Values& q, int steps) {
    Model model;
    const auto carts =
        model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(2, 2)), .K = {{2, -1}, {-1, 1}}},
                  {.q = q, .v = {-2, 1}});
    model.link(carts, LinearRelation{.H = {{1, 0}, {1, -1}}}, NewtonImpact{});
    Simulation sim(model, MoreauJean{.gap_tolerance = 1e-9}, {.step = 1e-7});
    for (int k = 0; k < steps; ++k) EXPECT_TRUE(sim.advance().done());
    return sim.state().v;
  };
  EXPECT_LT(jump({0, 0}, 1).norm(), 1e-6);
  EXPECT_LT((jump({1e-3, 1e-3}, 1) - Vector::Constant(2, -0.5)).norm(), 1e-6);
  // first contact stops cart 1, then cart 2 arrives: 1e-6 at speed 1
  EXPECT_LT((jump({0, -1e-6}, 12) - Vector::Constant(2, 0.5)).norm(), 1e-5);
}

TEST(MechanicsCases, RotatingTheWorldRotatesTheMotion) {  // F:F119, F:F123
  // Three balls, hinged and on a universal joint, that fall on a plane with friction. One point of
  // contact each: what the tolerance of the solver leaves open is not multiplied by patches.
  const auto run = [](const Eigen::Matrix3d& Q) {
    using mechanics::Vector3;
    mechanics::RigidScene scene;
    const Eigen::AngleAxisd turn(Q);
    const Vector3 start = turn.angle() * turn.axis();
    scene.fix(mechanics::Plane{.normal = Q.col(2)}, {.mu = 0.4});
    for (int k = 0; k < 3; ++k)
      scene.add(mechanics::Sphere{.radius = 0.1}, 1000,
                {.x = Q * Vector3(0.3 * k, 0, 0.12 + 0.05 * k),
                 .turn = start,
                 .v = Q * Vector3(0.5, 0.2, 0)},
                {.mu = 0.4});
    scene.hinge(0, 1, Q * Vector3(0.15, 0, 0.14), Q * Vector3(0, 1, 0));
    scene.universal(1, 2, Q * Vector3(0.45, 0, 0.2), Q * Vector3(0, 1, 0), Q * Vector3(0, 0, 1));
    Simulation sim(scene.model(Q * Vector3(0, 0, -g)),
                   MoreauJean{.solver = CoulombCascade{.tolerance = 1e-12}}, {.step = 2e-3});
    for (int k = 0; k < 100; ++k) EXPECT_TRUE(sim.advance().done());
    Vector state(18);
    for (int k = 0; k < 3; ++k) {
      state.segment<3>(6 * k) = Q.transpose() * sim.state().q.segment<3>(7 * k);
      state.segment<3>(6 * k + 3) = sim.state().v.segment<3>(6 * k + 3);  // in the body
    }
    return state;
  };
  const Eigen::Matrix3d Q =
      Eigen::AngleAxisd(1.1, Eigen::Vector3d(1, -2, 0.5).normalized()).toRotationMatrix();
  const Vector expected = run(Eigen::Matrix3d::Identity());
  EXPECT_LT((run(Q) - expected).norm(), 1e-10 * expected.norm());
}

}  // namespace
}  // namespace saltus
