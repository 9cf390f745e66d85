// Spinning friction, |m_N| ≤ μ_S r_N, alone and with sliding and rolling (TI:TI-122), against
// closed forms; the law is checked by a residual of its own.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace saltus {
namespace {

using Vector3 = Eigen::Vector3d;
constexpr double g = 9.81;

/// How far (u, r) is from ‖force‖ ≤ μ r_N against u, all in the units of force: the part outside
/// the disk, and the power that friction of that size would have beyond what it has.
double violation(const Vector& u, const Vector& r, double mu, double normal) {
  const double outside = std::max(0.0, r.norm() - mu * normal);
  return std::max(outside, std::abs(u.dot(r) + mu * normal * u.norm()));
}

/// Residual of the law of one contact: rows n, t₁, t₂, ω₁, ω₂, ω_N; u_N⁺ + e u_N⁻ given as
/// `normal`.
double residual(const SpinningCoulomb& law, double normal, const Vector& u, const Vector& r) {
  const double contact = std::max({-r[0], -normal, std::abs(normal * r[0])});
  return std::max({contact, violation(u.segment(1, 2), r.segment(1, 2), law.mu, r[0]),
                   violation(u.segment(3, 2), r.segment(3, 2), law.mu_rolling, r[0]),
                   violation(u.tail(1), r.tail(1), law.mu_spinning, r[0])});
}

TEST(SpinningFriction, DiskOnATableStopsWhenTheTorqueSays) {
  // J ω̇ = −μ_S m g: ω = ω₀ − μ_S m g t / J until it is zero. Rows n, ω_N.
  const double m = 2, J = 0.05, mu_s = 0.01, omega = 6;
  Model model;
  const auto disk = model.add(LinearLagrangian{.M = {{m, 0}, {0, J}}, .F = {-m * g, 0}},
                              {.q = {0, 0}, .v = {0, omega}});
  model.link(disk, LinearRelation{.H = {{1, 0}, {0, 1}}}, SpinningCoulomb{.mu_spinning = mu_s});
  const double rate = mu_s * m * g / J, stop = omega / rate, h = 1e-3;
  Simulation sim(model, MoreauJean{}, {.step = h});
  const Trajectory run = sim.run(2.0);
  ASSERT_TRUE(run.report.ok());
  for (Index i = 0; i < run.size(); ++i)
    ASSERT_NEAR(run.v(i, 1), std::max(0.0, omega - rate * run.t[i]), 1e-7) << run.t[i];
  EXPECT_NEAR(sim.state().q[1], omega * stop / 2, omega * h);  // to within the step of the stop
  EXPECT_NEAR(run.report.energy.friction, 0.5 * J * omega * omega, 1e-7);
}

TEST(SpinningFriction, BallOnAPlaneSpinsDownInPlace) {
  using namespace mechanics;
  const double radius = 0.1, density = 1000, mu_s = 2e-3, omega = 10;
  RigidScene scene;
  scene.fix(Plane{}, {.kind = 1});
  scene.add(Sphere{.radius = radius}, density, {.x = {0, 0, radius}, .omega = {0, 0, omega}},
            {.kind = 2});
  scene.law(1, 2, SpinningCoulomb{.mu = 0.3, .mu_spinning = mu_s, .mu_rolling = 1e-3});
  const double rate = mu_s * g / (0.4 * radius * radius);  // J = ⅖ m a²
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{}, {.step = 1e-3});
  const Trajectory run = sim.run(2.5);  // stops after 2.04 s
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  for (Index i = 0; i < run.size(); ++i)
    ASSERT_NEAR(run.v(i, 5), std::max(0.0, omega - rate * run.t[i]), 1e-6) << run.t[i];
  EXPECT_LT(std::abs(sim.state().q[0]) + std::abs(sim.state().q[1]), 1e-9);
}

TEST(SpinningFriction, RollingAndSpinningDoNotDisturbEachOther) {
  // A ball that rolls without sliding and spins: v falls by 5/7 μ_R g / a (rolling), ω_N as alone.
  using namespace mechanics;
  const double a = 0.1, mu_s = 2e-3, mu_r = 3e-3, v = 1, spin = 5;
  RigidScene scene;
  scene.fix(Plane{}, {.kind = 1});
  scene.add(Sphere{.radius = a}, 1000, {.x = {0, 0, a}, .v = {v, 0, 0}, .omega = {0, v / a, spin}},
            {.kind = 2});
  scene.law(1, 2, SpinningCoulomb{.mu = 0.5, .mu_spinning = mu_s, .mu_rolling = mu_r});
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{}, {.step = 1e-3});
  const Trajectory run = sim.run(0.8);
  ASSERT_TRUE(run.report.ok()) << run.report.message();
  const double slow = 5.0 / 7 * mu_r * g / a, twist = mu_s * g / (0.4 * a * a);
  // the axes turn by h ω in a step, which the scheme follows to second order: the error of ω_N is
  // 35 h² |1/s³| (steps of 4e-3 to 2.5e-4 s give ratios of 4.00)
  const double turned = 50e-6;
  for (Index i = 0; i < run.size(); ++i) {
    ASSERT_NEAR(run.v(i, 0), v - slow * run.t[i], a * turned) << run.t[i];
    // ω in the body frame turns with the ball; its part along the normal is R's third row · ω
    const Eigen::Quaterniond R(run.q(i, 3), run.q(i, 4), run.q(i, 5), run.q(i, 6));
    const Vector3 omega = R * Vector3(run.v(i, 3), run.v(i, 4), run.v(i, 5));
    ASSERT_NEAR(omega.z(), spin - twist * run.t[i], turned) << run.t[i];
  }
}

TEST(SpinningFriction, EveryStepObeysTheLaw) {
  // A body with six coordinates, coupled by its inertia, thrown on the ground: all bounds act.
  Matrix M = Matrix::Identity(6, 6);
  M(3, 3) = M(4, 4) = M(5, 5) = 0.02;
  M(0, 5) = M(5, 0) = 0.03;
  M(1, 3) = M(3, 1) = -0.04;
  M(2, 4) = M(4, 2) = 0.02;
  Vector F = Vector::Zero(6);
  F[0] = -g;
  const SpinningCoulomb law{.mu = 0.3, .mu_spinning = 0.02, .mu_rolling = 0.03, .e = 0.4};
  Model model;
  const auto body = model.add(LinearLagrangian{.M = M, .F = F},
                              {.q = {0.2, 0, 0, 0, 0, 0}, .v = {0, 2, -1, 5, 3, -8}});
  model.link(body, LinearRelation{.H = Matrix(Matrix::Identity(6, 6))}, law);
  Simulation sim(model, MoreauJean{}, {.step = 2e-3});
  int impacts = 0;
  for (int n = 0; n < 1500; ++n) {
    const Vector before = sim.state().v;
    ASSERT_TRUE(sim.advance().done());
    const Vector &u = sim.state().v, r = sim.multipliers();
    if (r[0] == 0) continue;
    ++impacts;
    // residual of the solver 1e-8 at most relative to q = O(10); bounds multiply it by |u|
    ASSERT_LT(residual(law, u[0] + law.e * before[0], u, r), 1e-6) << n;
  }
  EXPECT_GT(impacts, 500);
  EXPECT_LT(sim.state().v.norm(), 1e-6);  // it lies still
}

TEST(SpinningFriction, WithoutRollingFourRowsDoAsSix) {
  const auto end = [](bool six) {
    Matrix H = Matrix::Identity(6, 6);
    if (!six) H = (Matrix(4, 6) << H.topRows(3), H.bottomRows(1)).finished();
    Model model;
    const auto body =
        model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(6, 6)), .F = {-g, 0, 0, 0, 0, 0}},
                  {.q = {0, 0, 0, 0, 0, 0}, .v = {0, 2, -1, 5, 3, -8}});
    model.link(body, LinearRelation{.H = H}, SpinningCoulomb{.mu = 0.3, .mu_spinning = 0.7});
    Simulation sim(model, MoreauJean{}, {.step = 1e-3});
    EXPECT_TRUE(sim.run(0.5).report.ok());
    return Vector(sim.state().v);
  };
  EXPECT_LT((end(true) - end(false)).norm(), 1e-6);  // two solvers' tolerances over 500 steps
}

TEST(SpinningFriction, NoSpinningFrictionIsRollingFriction) {
  const auto end = [](const Law& law, Index rows) {
    Matrix M = Matrix::Identity(6, 6);
    M(0, 4) = M(4, 0) = 0.3;
    Model model;
    const auto body = model.add(LinearLagrangian{.M = M, .F = {-g, 0, 0, 0, 0, 0}},
                                {.q = {0, 0, 0, 0, 0, 0}, .v = {0, 2, -1, 5, 3, -8}});
    model.link(body, LinearRelation{.H = Matrix(Matrix::Identity(6, 6).topRows(rows))}, law);
    Simulation sim(model, MoreauJean{}, {.step = 1e-3});
    EXPECT_TRUE(sim.run(0.3).report.ok());
    return Vector(sim.state().v);
  };
  EXPECT_LT((end(SpinningCoulomb{.mu = 0.3, .mu_rolling = 0.2}, 6) -
             end(RollingCoulomb{.mu = 0.3, .mu_rolling = 0.2}, 5))
                .norm(),
            1e-6);
}

TEST(SpinningFriction, AlgorithmsForFrictionAgree) {
  const auto end = [](const Algorithm& solver) {
    using namespace mechanics;
    RigidScene scene;
    scene.fix(Plane{}, {.kind = 1});
    for (int i = 0; i < 3; ++i)
      scene.add(Sphere{.radius = 0.1}, 1000,
                {.x = {0.199 * i, 0, 0.1 + 0.02 * i}, .v = {1.0 - i, 0, 0}, .omega = {0, 2, 8}},
                {.kind = 1});
    scene.law(1, 1, SpinningCoulomb{.mu = 0.3, .mu_spinning = 0.01, .mu_rolling = 0.005});
    Simulation sim(scene.model({0, 0, -g}), MoreauJean{.solver = solver}, {.step = 1e-3});
    const RunReport report = sim.run(0.2).report;
    EXPECT_TRUE(report.ok()) << report.message();
    return Vector(sim.state().v);
  };
  const Vector automatic = end(Automatic{});
  EXPECT_LT((automatic - end(Nsgs{.tolerance = 1e-12, .max_iterations = 100000})).norm(), 1e-6);
  EXPECT_LT((automatic - end(CoulombCascade{.tolerance = 1e-12})).norm(), 1e-6);
}

TEST(SpinningFriction, RowsThatDoNotFitAreRefused) {
  Model model;
  const auto body =
      model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(6, 6))}, {.q = {0, 0, 0, 0, 0, 0}});
  const auto link = [&](Index rows, const SpinningCoulomb& law) {
    model.link(body, LinearRelation{.H = Matrix(Matrix::Identity(6, 6).topRows(rows))}, law);
  };
  EXPECT_ERROR(link(3, {}), "SpinningCoulomb needs a Lagrangian relation with 6 rows");
  EXPECT_ERROR(link(4, {.mu_rolling = 0.1}), "mu_rolling is 0.1");
  EXPECT_ERROR(link(2, {.mu = 0.1}), "mu is 0.1");
  EXPECT_ERROR(link(6, {.mu_spinning = -1}), "mu_spinning is -1");
}

}  // namespace
}  // namespace saltus
