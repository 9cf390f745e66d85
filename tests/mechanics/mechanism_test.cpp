// Mechanisms of rigid bodies and joints against closed forms; over-constrained mechanisms; joints
// that are refused.

#include "saltus/mechanics/coordinate_relations.hpp"
#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/model/mobility.hpp"
#include "saltus/model/penetrations.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/QR>

#include <cmath>
#include <numbers>

namespace saltus::mechanics {
namespace {

constexpr double pi = std::numbers::pi, g = 9.81;
constexpr Index world = JointList::world;
const Matrix3 rod = Vector3(0.02, 0.02, 0.01).asDiagonal();

void advance(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done()) << "step " << k << ": " << name(report.status);
  }
}

/// Turn of body b about a world axis, from its rotation at the start.
double turn_about(const Simulation& sim, Index body, const Vector3& axis) {
  const Eigen::AngleAxisd turn(pose_of(sim.state().q.data() + 7 * body).R);
  return turn.angle() * turn.axis().dot(axis);
}

/// θ'' = −k sin θ from rest at θ₀, by Runge–Kutta with steps of 1e-4 (error 1e-15).
double pendulum_angle(double theta, double k, double end) {
  double omega = 0;
  const int n = static_cast<int>(std::round(end / 1e-4));
  const double h = end / n;
  for (int i = 0; i < n; ++i) {
    const auto f = [&](double x) { return -k * std::sin(x); };
    const double k1 = omega, l1 = f(theta), k2 = omega + h / 2 * l1, l2 = f(theta + h / 2 * k1);
    const double k3 = omega + h / 2 * l2, l3 = f(theta + h / 2 * k2);
    const double k4 = omega + h * l3, l4 = f(theta + h * k3);
    theta += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    omega += h / 6 * (l1 + 2 * l2 + 2 * l3 + l4);
  }
  return theta;
}

// Moreau–Jean stops the velocity across a joint at the forecast in the middle of the step: v⁺ is
// the projection of v, which turns by ω h, and loses ½ (ω h)² of its length: order one.

TEST(Mechanism, PhysicalPendulumOnAHingeConvergesWithOrderOne) {  // F:F111, F:F119
  const double l = 0.5, start = 1.0;
  const double exact = pendulum_angle(start, g * l / (0.02 + l * l), 1.0);
  const auto error = [&](double h) {
    RigidScene scene;  // hangs from the origin, turned by 1 rad about y
    scene.add(1, rod,
              {.x = {-l * std::sin(start), 0, -l * std::cos(start)}, .turn = {0, start, 0}});
    scene.hinge(world, 0, {0, 0, 0}, {0, 1, 0});
    Simulation sim(scene.model({0, 0, -g}), MoreauJean{}, {.step = h});
    EXPECT_TRUE(sim.run(1.0).report.ok());
    return std::abs(turn_about(sim, 0, Vector3::UnitY()) - exact);
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(0.01, 0.0005, 20), error), 1, 0.1);
}

TEST(Mechanism, ConicalPendulumTurnsOnItsConeWithOrderOne) {  // F:F111
  // A ball on a rod of length L at the angle α turns with ω² = g/(L cos α).
  const double L = 1, alpha = 0.6, omega = std::sqrt(g / (L * std::cos(alpha)));
  const Vector3 x(L * std::sin(alpha), 0, -L * std::cos(alpha));
  const Vector3 exact(x.x() * std::cos(omega), x.x() * std::sin(omega), x.z());  // after 1 s
  double tension = 0;
  const auto error = [&](double h) {
    RigidScene scene;
    scene.add(2, rod, {.x = x, .v = {0, omega * x.x(), 0}});
    scene.distance(world, 0, {0, 0, 0}, x);
    Simulation sim(scene.model({0, 0, -g}), MoreauJean{}, {.step = h});
    EXPECT_TRUE(sim.run(1.0).report.ok());
    tension = -sim.multipliers()[0] / h;
    return (sim.state().q.head<3>() - exact).norm();
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(0.01, 0.0005, 20), error), 1, 0.1);
  EXPECT_LT(error(5e-4), 5e-3);
  EXPECT_NEAR(tension, 2 * g / std::cos(alpha), 0.05);
}

TEST(Mechanism, SliderCrankFollowsItsClosedForm) {  // F:F111, PL:RE-05
  // Crank of length a, rod of length b, slider along x: x = a cos θ + (b² − a² sin² θ)^½.
  const double a = 0.2, b = 0.5, omega = 5;
  RigidScene scene;
  scene.add(1, rod, {.x = {a / 2, 0, 0}});
  scene.add(1, rod, {.x = {a + b / 2, 0, 0}});
  scene.add(1, rod, {.x = {a + b, 0, 0}});
  scene.hinge(world, 0, {0, 0, 0}, {0, 0, 1},
              {.name = "crank", .motor = {.velocity = [&](double) { return omega; }}});
  scene.hinge(0, 1, {a, 0, 0}, {0, 0, 1});
  scene.hinge(1, 2, {a + b, 0, 0}, {0, 0, 1});
  scene.slider(world, 2, {a + b, 0, 0}, {1, 0, 0});
  const Model model = scene.model({0, 0, 0});
  const auto error = [&](double h) {  // after more than one turn
    Simulation sim(model, MoreauJean{}, {.step = h});
    EXPECT_TRUE(sim.run(1.5).report.ok());
    const double theta = 1.5 * omega, s = a * std::sin(theta);
    return std::abs(sim.state().q[14] - a * std::cos(theta) - std::sqrt(b * b - s * s));
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(0.01, 0.001, 15), error), 1, 0.1);
  const Mobility freedom = mobility(model);
  EXPECT_EQ(freedom.freedom(), 0);  // driven
  EXPECT_EQ(freedom.rows - freedom.rank, 3);
}

TEST(Mechanism, UniversalJointTurnsUnevenly) {  // F:F111
  // Shafts at an angle β: ω₂/ω₁ = cos β/(1 − sin²β sin²θ), θ from where the first axis of the cross
  // stands at right angles to both shafts.
  const double beta = 0.5, omega = 3;
  const Vector3 shaft1(1, 0, 0), shaft2(std::cos(beta), std::sin(beta), 0);
  RigidScene scene;
  scene.add(1, rod, {.x = -0.5 * shaft1});
  scene.add(1, rod, {.x = 0.5 * shaft2});
  scene.hinge(world, 0, -0.5 * shaft1, shaft1,
              {.motor = {.velocity = [&](double) { return omega; }}});
  scene.hinge(world, 1, 0.5 * shaft2, shaft2);
  const Vector3 cross_b(-std::sin(beta), std::cos(beta), 0);
  scene.universal(0, 1, {0, 0, 0}, {0, 0, 1}, cross_b);
  const auto error = [&](double h) {
    Simulation sim(scene.model({0, 0, 0}), MoreauJean{}, {.step = h});
    EXPECT_TRUE(sim.run(0.8).report.ok());
    const Matrix3 R = pose_of(sim.state().q.data() + 7).R;
    const double second = shaft2.dot(R * sim.state().v.segment<3>(9));
    const double s = std::sin(beta) * std::sin(0.8 * omega);
    return std::abs(second / omega - std::cos(beta) / (1 - s * s));
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(0.004, 0.0004, 15), error), 1, 0.1);
  EXPECT_LT(error(1e-3), 2e-3);
}

TEST(Mechanism, NutFallsAlongItsScrew) {  // F:F111
  // m z̈ = m g − 2π/p τ, I θ̈ = τ, z = p θ/2π: z̈ = g/(1 + I (2π/p)²/m)
  const double pitch = 0.5, h = 1e-3, m = 2, I = 0.01;
  RigidScene scene;
  scene.add(m, rod, {});
  scene.screw(world, 0, {0, 0, 0}, {0, 0, -1}, pitch, {.name = "screw"});
  const Model model = scene.model({0, 0, -g});
  Simulation sim(model, MoreauJean{}, {.step = h});
  const double a = g / (1 + I / m * std::pow(2 * pi / pitch, 2));
  advance(sim, 1000);  // 0.5 a t²: 8 turns
  EXPECT_NEAR(sim.state().q[2], -0.5 * a, 1e-9);
  EXPECT_NEAR(sim.state().v[5], -a * 2 * pi / pitch, 1e-9);
  EXPECT_GT(std::abs(sim.state().q[2]), 3 * pitch);
}

TEST(Mechanism, WheelsTurnAsTheirTeeth) {  // F:F111
  const double h = 1e-3, omega = 40;
  RigidScene scene;
  scene.add(1, rod, {});
  scene.add(1, rod, {.x = {1, 0, 0}});
  scene.add(1, rod, {.x = {0, 0, 1}});
  const Index first = scene.hinge(world, 0, {0, 0, 0}, {0, 0, 1},
                                  {.motor = {.velocity = [&](double) { return omega; }}});
  const Index second = scene.hinge(world, 1, {1, 0, 0}, {0, 0, 1});
  const Index rail = scene.slider(world, 2, {0, 0, 1}, {1, 0, 0});
  scene.gear(first, second, 20, 50, "mesh");
  scene.rack(rail, second, 0.3);
  const Model model = scene.model({0, 0, 0});
  Simulation sim(model, MoreauJean{}, {.step = h});
  const Trajectory run = sim.run(1.0);  // 6.4 turns
  ASSERT_TRUE(run.report.ok());
  EXPECT_NEAR(sim.state().v[11], -omega * 20 / 50, 1e-9);
  EXPECT_NEAR(sim.state().v[12], -omega * 20 / 50 * 0.3, 1e-9);
  // the wheels start at once, within the first step, of which they travel a half
  EXPECT_NEAR(sim.state().q[14], -omega * 20 / 50 * 0.3 * (1 - h / 2), 1e-9);
}

TEST(Mechanism, LimitsGiveBackTheRestitution) {  // PL:NL-02
  const double h = 1e-3, e = 0.6;
  RigidScene scene;
  scene.add(1, rod, {.omega = {0, 0, 2}});
  scene.hinge(world, 0, {0, 0, 0}, {0, 0, 1}, {.name = "knee", .limits = {-0.5, 1, e}});
  const Model model = scene.model({0, 0, 0});
  Simulation sim(model, MoreauJean{}, {.step = h});
  advance(sim, 490);  // 1 rad is reached after 0.5 s
  EXPECT_NEAR(sim.state().v[5], 2, 1e-12);
  advance(sim, 20);
  EXPECT_NEAR(sim.state().v[5], -2 * e, 1e-12);
  advance(sim, 1280);  // the other limit, 1.5 rad further, after 1.25 s
  EXPECT_NEAR(sim.state().v[5], 2 * e * e, 1e-12);
  EXPECT_GT(turn_about(sim, 0, Vector3::UnitZ()), -0.5 - 2 * h);
}

TEST(Mechanism, DryFrictionStopsAFlywheelAndHoldsIt) {  // PL:NL-03, F:F150
  // I θ̈ = −τ: stops after I ω/τ; then a gravity torque below τ does not move it.
  const double h = 1e-3, I = 0.01 + 1 * 0.09, tau = 0.5, omega = 1;
  RigidScene scene;
  scene.add(1, rod, {.x = {0.3, 0, 0}, .v = {0, 0.3 * omega, 0}, .omega = {0, 0, omega}});
  scene.hinge(world, 0, {0, 0, 0}, {0, 0, 1}, {.name = "wheel", .friction = tau});
  Simulation sim(scene.model({0, 0, 0}), MoreauJean{}, {.step = h});
  const double stop = I * omega / tau;  // 0.2 s
  advance(sim, 150);
  // moment of momentum about the axis; the arm turns by ½ω h in a step: relative O(h)
  EXPECT_NEAR(sim.state().v[5], omega - tau / I * 0.15, 2e-3);
  ASSERT_LT(stop, 0.21);
  advance(sim, 70);
  EXPECT_NEAR(sim.state().v[5], 0, 1e-12);
}

TEST(Mechanism, MotorOfBoundedTorqueAcceleratesAndThenHolds) {  // PL:RE-05, PL:NL-03
  const double h = 1e-3, tau = 0.05, target = 2;
  RigidScene scene;
  scene.add(1, rod, {});
  scene.hinge(
      world, 0, {0, 0, 0}, {0, 0, 1},
      {.name = "axle", .motor = {.velocity = [&](double) { return target; }, .max_force = tau}});
  const Model model = scene.model({0, 0, 0});
  Simulation sim(model, MoreauJean{}, {.step = h});
  advance(sim, 300);
  EXPECT_NEAR(sim.state().v[5], tau / 0.01 * 0.3, 1e-9);
  advance(sim, 200);
  EXPECT_NEAR(sim.state().v[5], target, 1e-9);
}

TEST(Mechanism, TorsionSpringSwingsAboutItsRest) {  // F:F109
  // I θ̈ = −k (θ − ½) from rest at 0: θ = ½ (1 − cos ωt), 1 after half a period
  const double k = 0.4, omega = std::sqrt(k / 0.01);
  RigidScene scene;
  scene.add(1, rod, {});
  scene.hinge(world, 0, {0, 0, 0}, {0, 0, 1},
              {.name = "axle", .spring = {.stiffness = k, .rest = 0.5}});
  Simulation sim(scene.model({0, 0, 0}), MoreauJean{}, {.step = 1e-3});
  EXPECT_TRUE(sim.run(pi / omega).report.ok());
  EXPECT_NEAR(turn_about(sim, 0, Vector3::UnitZ()), 1, 1e-6);  // relative error (ωh)²/12 of ω
  EXPECT_NEAR(sim.state().v[5], 0, 0.5 * omega * 1e-4);
}

TEST(Mechanism, SpringsBetweenPointsCarryAndRopesHoldBack) {  // TI:TI-122
  RigidScene scene;
  scene.add(2, rod, {.x = {0, 0, -1}});
  scene.add(2, rod, {.x = {5, 0, -0.5}});
  scene.spring(world, 0, {0, 0, 0}, {0, 0, -1}, {.stiffness = 100, .damping = 30, .rest = 1},
               "spring");
  scene.rope(world, 1, {5, 0, 0}, {5, 0, -0.5}, 1, 0.5, "rope");
  const Model model = scene.model({0, 0, -g});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  const double fall = std::sqrt(2 * 0.5 / g);  // 0.32 s until the rope is taut
  advance(sim, static_cast<int>(fall / 1e-3) - 2);
  EXPECT_NEAR(sim.state().v[8], -g * fall, 4 * g * 1e-3);
  advance(sim, 5);
  EXPECT_NEAR(sim.state().v[8], 0.5 * g * fall, 6 * g * 1e-3);
  advance(sim, 8000);
  EXPECT_NEAR(sim.state().q[2], -1 - 2 * g / 100, 1e-6);
  EXPECT_NEAR(sim.state().q[9], -1, 2e-3);
  EXPECT_ERROR(scene.rope(world, 1, {5, 0, 0}, {5, 0, -2}, 1, 0, "short"), "'short' of length 1");
}

RigidScene parallelogram() {
  RigidScene scene;
  scene.add(1, rod, {.x = {0, 0, -0.5}});
  scene.add(1, rod, {.x = {0.5, 0, -1}});
  scene.add(1, rod, {.x = {1, 0, -0.5}});
  scene.hinge(world, 0, {0, 0, 0}, {0, 1, 0}, {.name = "left"});
  scene.hinge(0, 1, {0, 0, -1}, {0, 1, 0}, {.name = "low left"});
  scene.hinge(1, 2, {1, 0, -1}, {0, 1, 0}, {.name = "low right"});
  scene.hinge(world, 2, {1, 0, 0}, {0, 1, 0}, {.name = "right"});
  return scene;
}

TEST(Mechanism, MobilityNamesTheRedundantJoint) {  // F:F122
  const Mobility freedom = mobility(parallelogram().model({0, 0, -g}));
  EXPECT_EQ(freedom.dof, 18);
  EXPECT_EQ(freedom.rows, 20);
  EXPECT_EQ(freedom.rank, 17);
  EXPECT_EQ(freedom.freedom(), 1);
  ASSERT_EQ(freedom.redundant.size(), 1U);
  EXPECT_EQ(freedom.redundant[0].name, "right");
  EXPECT_EQ(freedom.redundant[0].rows, 3);
  EXPECT_TRUE(freedom.moving.empty());
}

TEST(Mechanism, MobilityNamesJointsThatTheInitialVelocitiesViolate) {
  RigidScene scene;
  scene.add(1, rod, {.v = {0, 0, 3}});
  scene.ball(world, 0, {0, 0, 0}, {.name = "pivot"});
  const Mobility freedom = mobility(scene.model({0, 0, 0}));
  ASSERT_EQ(freedom.moving.size(), 1U);
  EXPECT_EQ(freedom.moving[0].name, "pivot");
  EXPECT_NEAR(freedom.moving[0].velocity, 3, 1e-15);
  EXPECT_EQ(freedom.freedom(), 3);
}

/// G r = 0 leaves self-stresses undetermined; the least-norm r is orthogonal to all of them.
double self_stress(const Simulation& sim) {
  const Model& model = sim.model();
  Matrix G = Matrix::Zero(model.rows(), model.dof());
  Index row = 0;
  for (const Interaction& tie : model.interactions()) {
    const Index m = tie.relation.rows();
    Vector q(tie.relation.columns() / 6 * 7);
    Index k = 0;
    for (const Endpoint& end : tie.endpoints)
      q.segment<7>(7 * k++) = sim.state().q.segment<7>(7 * end.body);
    Matrix H(m, tie.relation.columns());
    tie.relation.jacobian({0, view_of(q.data(), q.size())}, H);
    k = 0;
    for (const Endpoint& end : tie.endpoints)
      G.block(row, 6 * end.body, m, 6) = H.middleCols(6 * k++, 6);
    row += m;
  }
  const Eigen::CompleteOrthogonalDecomposition<Matrix> factor(G.transpose());
  const Vector r = sim.multipliers();
  return (r - factor.solve(G.transpose() * r)).norm() / r.norm();
}

TEST(Mechanism, RedundantJointsMoveAsTheyShouldWithLeastMultipliers) {  // F:F122
  // Two bars of length 1 that turn, one that only travels: (2 (I + m/4) + m) θ̈ = −(2 m/2 + m) g sin
  // θ
  RigidScene scene = parallelogram();
  const double h = 1e-3, push = 3;
  // at rest under gravity (push, 0, −g): a pendulum about the direction of gravity
  Simulation sim(scene.model({push, 2, -g}), MoreauJean{}, {.step = h});
  advance(sim, 1);
  EXPECT_LT(self_stress(sim), 1e-6);  // the Jacobian turned by ω h/2 since
  advance(sim, 999);
  EXPECT_LT(self_stress(sim), 5 * h);  // a warm start is least for the last step's Jacobian
  const double strength = std::hypot(push, g), start = std::atan2(push, g);
  const double k = 2 * strength / (2 * (0.02 + 0.25) + 1);
  const double exact = start - pendulum_angle(start, k, 1.0);
  EXPECT_NEAR(-turn_about(sim, 0, Vector3::UnitY()), exact, 1e-4);
  EXPECT_NEAR(turn_about(sim, 1, Vector3::UnitY()), 0, 1e-4);  // it stays level
}

TEST(Mechanism, OverConstrainedRingLiesOnTheGround) {  // F:F122, F:F172
  // Six boxes hinged to a hexagon about vertical axes: three rows too many, and 24 contacts.
  const double R = 0.5, half = 0.05;
  RigidScene scene;
  scene.fix(Plane{}, {.mu = 0.5});
  for (int k = 0; k < 6; ++k) {
    const double a = pi / 3 * k;
    scene.add(mechanics::Box{.half = {half, 0.2, half}}, 1000,
              {.x = {R * std::cos(a), R * std::sin(a), half}, .turn = {0, 0, a}}, {.mu = 0.5});
  }
  const double corner = R / std::cos(pi / 6);
  for (int k = 0; k < 6; ++k) {
    const double a = pi / 3 * k + pi / 6;
    scene.hinge(k, (k + 1) % 6, {corner * std::cos(a), corner * std::sin(a), half}, {0, 0, 1});
  }
  const Model model = scene.model({0.5, 0, -g});  // pushed, but less than friction holds
  const Mobility freedom = mobility(model);
  EXPECT_EQ(freedom.rows - freedom.rank, 3);
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  for (int k = 0; k < 50; ++k) {
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done());
    ASSERT_LT(report.solve.residual, 1e-7);
  }
  EXPECT_EQ(sim.contacts().size(), 24U);
  EXPECT_LT(sim.state().v.norm(), 1e-7);
}

TEST(Mechanism, PenetrationsAtTheStartAreNamed) {
  RigidScene scene;
  scene.fix(Plane{});
  scene.add(Sphere{.radius = 0.5}, 100, {.x = {0, 0, 0.45}});
  scene.add(Sphere{.radius = 0.5}, 100, {.x = {0.8, 0, 0.5}});
  Model model = scene.model({0, 0, 0});
  model.link(Endpoint(SystemId{0}, 0),
             CoordinateLimits<JointCoordinate>{
                 .coordinate = {.motion = JointMotion::slide, .sides = {-1, 0}}, .lower = 1},
             NewtonImpact{}, "shelf");
  const std::vector<Penetration> list = penetrations(model);
  ASSERT_EQ(list.size(), 3U);
  EXPECT_EQ(list[0].name, "shelf, row 0");
  EXPECT_NEAR(list[0].depth, 0.55, 1e-14);
  EXPECT_NEAR(list[1].depth, 1 - std::hypot(0.8, 0.05), 1e-12);
  EXPECT_NE(list[1].name.find("body 1 of bodies"), std::string::npos);
  EXPECT_NEAR(list[2].depth, 0.05, 1e-12);
  EXPECT_NE(list[2].name.find("the world"), std::string::npos);
}

TEST(Mechanism, JointsThatDoNotHoldAreRefusedByName) {
  RigidScene scene;
  scene.add(1, rod, {});
  scene.add(1, rod, {.x = {1, 0, 0}});
  JointSpec spec{.kind = JointKind::hinge, .a = 0, .b = 1, .in_bodies = true};
  spec.options[0].name = "elbow";
  spec.frame_a.x = {0.4, 0, 0};
  spec.frame_b.x = {-0.5, 0, 0};
  scene.joint(spec);
  EXPECT_ERROR(scene.model({0, 0, 0}), "hinge 'elbow' between body 0 and body 1 does not hold");
  EXPECT_ERROR(scene.model({0, 0, 0}), "row 0 of 5 is 0.1");
  RigidScene rope;
  rope.add(1, rod, {.x = {1, 0, 0}});
  rope.distance(world, 0, {0, 0, 0}, {1, 0, 0}, 1.5, {.name = "rope"});
  EXPECT_ERROR(rope.model({0, 0, 0}), "distance 'rope' between the world and body 0");
}

TEST(Mechanism, RefusesWhatIsNoJoint) {
  const auto refused = [](const auto& describe) {
    RigidScene scene;
    scene.add(1, rod, {});
    describe(scene);
    return scene.model({0, 0, 0});
  };
  EXPECT_ERROR(refused([](RigidScene& s) { s.ball(world, 3, {0, 0, 0}); }), "is on body 3");
  EXPECT_ERROR(refused([](RigidScene& s) { s.ball(0, 0, {0, 0, 0}); }), "joins body 0 to itself");
  EXPECT_ERROR(refused([](RigidScene& s) { s.ball(world, world, {0, 0, 0}); }), "joins the world");
  EXPECT_ERROR(refused([](RigidScene& s) {
                 s.hinge(world, 0, {0, 0, 0}, {0, 0, 0});
               }),
               "axis is (0, 0, 0)");
  EXPECT_ERROR(refused([](RigidScene& s) {
                 s.universal(world, 0, {0, 0, 0}, {1, 0, 0}, {1, 1, 0});
               }),
               "expected a right angle");
  EXPECT_ERROR(refused([](RigidScene& s) {
                 s.ball(world, 0, {0, 0, 0}, {.friction = 1});
               }),
               "has 0 coordinates");
  EXPECT_ERROR(refused([](RigidScene& s) {
                 s.hinge(world, 0, {0, 0, 0}, {0, 0, 1}, {.name = "wheel", .friction = -1});
               }),
               "'wheel': friction is -1");
  EXPECT_ERROR(refused([](RigidScene& s) {
                 s.hinge(world, 0, {0, 0, 0}, {0, 0, 1}, {.limits = {1, -1}});
               }),
               "expected lower < upper");
  EXPECT_ERROR(refused([](RigidScene& s) { s.gear(0, 1, 10, 20, "mesh"); }),
               "gear 'mesh' is on joint 0");
}

TEST(Mechanism, WarmStepOfAMechanismDoesNotAllocate) {
  RigidScene scene;
  for (int k = 0; k < 8; ++k) scene.add(1, rod, {.x = {0.5 + k, 0, 0}});
  scene.hinge(world, 0, {0, 0, 0}, {0, 1, 0},
              {.motor = {.velocity = [](double t) { return std::sin(t); }}});
  scene.hinge(0, 1, {1, 0, 0}, {0, 1, 0}, {.limits = {-1, 1, 0.5}});
  scene.hinge(1, 2, {2, 0, 0}, {0, 1, 0}, {.spring = {.stiffness = 3, .damping = 0.1}});
  scene.universal(2, 3, {3, 0, 0}, {0, 1, 0}, {0, 0, 1});
  scene.cylindrical(3, 4, {4, 0, 0}, {1, 0, 0}, {.friction = 0.1});
  scene.screw(4, 5, {5, 0, 0}, {1, 0, 0}, 0.1);
  scene.slider(5, 6, {6, 0, 0}, {1, 0, 0});
  scene.fixed(6, 7, {7, 0, 0});
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{}, {.step = 1e-3});
  advance(sim, 20);
  const testing::AllocationGuard none;
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(none.count(), 0);
}

TEST(Mechanism, BodiesOfAJointDoNotTouchUnlessToldTo) {
  const auto contacts = [](bool collide) {
    RigidScene scene;
    scene.add(Sphere{.radius = 0.5}, 100, {});
    scene.add(Sphere{.radius = 0.5}, 100, {.x = {0.9, 0, 0}});
    scene.ball(0, 1, {0.45, 0, 0}, {.collide = collide});
    Simulation sim(scene.model({0, 0, 0}), MoreauJean{}, {.step = 1e-3});
    EXPECT_TRUE(sim.advance().done());
    return sim.contacts().size();
  };
  EXPECT_EQ(contacts(false), 0U);
  EXPECT_EQ(contacts(true), 1U);
}

}  // namespace
}  // namespace saltus::mechanics
