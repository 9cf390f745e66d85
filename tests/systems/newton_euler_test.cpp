// Rigid bodies with unit quaternions: invariants of free motion, exact rotations, refused data.

#include "saltus/systems/newton_euler.hpp"

#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <Eigen/Geometry>

#include <cmath>

namespace saltus {
namespace {

using Vector3 = Eigen::Vector3d;

Model free_body(const RigidBodies& pool, const Vector3& omega, const Vector3& v = Vector3::Zero()) {
  Vector start(6);
  start << v, omega;
  Model model;
  model.add(pool, {.q = positions_of({0, 0, 0}, {0.3, -0.2, 0.5}), .v = start}, "top");
  return model;
}

/// R I ω, the angular momentum in the world frame.
Vector3 momentum(const State& state, const Vector3& I) {
  return pose_of(state.q.data()).R * I.cwiseProduct(Vector3(state.v.segment<3>(3)));
}

TEST(RigidBodies, FreeTopKeepsEnergyMomentumAndNorm) {  // F:F119, F:F117
  const Vector3 I(1, 2, 3.5);
  const RigidBodies pool{.m = {2.0}, .inertia = {{1.0, 2.0, 3.5}}};
  Simulation sim(free_body(pool, {1, 3, 0.2}, {1, 2, 3}), {}, {.step = 0.01});
  const auto energy = [&] { return pool.kinetic_energy(view_of(sim.state().v.data(), 6)); };
  const double energy0 = energy(), norm0 = momentum(sim.state(), I).norm();
  for (int k = 0; k < 10000; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(energy() / energy0, 1, 1e-9);
  EXPECT_NEAR(momentum(sim.state(), I).norm() / norm0, 1, 1e-9);
  EXPECT_NEAR(sim.state().q.segment<4>(3).norm(), 1, 1e-14);
  EXPECT_NEAR(sim.state().q[2], 300, 1e-9);  // x = v t, 10 000 roundings of 300 · 1e-16
}

TEST(RigidBodies, RotationAboutAPrincipalAxisIsExact) {  // F:F119
  for (const Gyroscopic rule : {Gyroscopic::at_start, Gyroscopic::midpoint}) {
    const RigidBodies pool{.inertia = {{1.0, 2.0, 3.0}}, .gyroscopic = rule};
    Simulation sim(free_body(pool, {0, 0, 2}), {}, {.step = 0.05});
    const Eigen::Matrix3d R0 = pose_of(sim.state().q.data()).R;
    for (int k = 0; k < 40; ++k) ASSERT_TRUE(sim.advance().done());
    const Eigen::Matrix3d expected = R0 * Eigen::AngleAxisd(4.0, Vector3::UnitZ());
    EXPECT_LT((pose_of(sim.state().q.data()).R - expected).norm(), 1e-13);
  }
}

TEST(RigidBodies, DirectionOfTheMomentumConvergesWithOrderTwo) {  // F:F119
  const Vector3 I(1, 2, 3.5);
  const auto error = [&](double h) {
    Simulation sim(free_body({.inertia = {{1.0, 2.0, 3.5}}}, {1, 3, 0.2}), {}, {.step = h});
    const Vector3 before = momentum(sim.state(), I);
    EXPECT_TRUE(sim.run(2.0).report.ok());
    return (momentum(sim.state(), I) - before).norm();
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(0.1, 0.004, 20), error), 2, 0.1);
}

TEST(RigidBodies, FreeFallIsExactAtThetaOneHalf) {  // F:F119
  Simulation sim(free_body({.m = {3.0}, .gravity = {0.0, 0.0, -9.81}}, {0, 0, 0}, {1, 0, 2}), {},
                 {.step = 0.01});
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(sim.state().q[0], 1, 1e-13);
  EXPECT_NEAR(sim.state().q[2], 2 - 0.5 * 9.81, 1e-13);
}

TEST(RigidBodies, LoadActsAsForceAndTorque) {
  RigidBodies pool{.m = {2.0}, .inertia = {{1.0, 1.0, 4.0}}};
  pool.load = [](const StateView&, VectorRef F) {
    F[0] += 6;
    F[5] += 2;
  };
  Simulation sim(free_body(pool, {0, 0, 0}), {}, {.step = 0.01});
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(sim.state().v[0], 3, 1e-12);
  EXPECT_NEAR(sim.state().v[5], 0.5, 1e-12);
}

TEST(RigidBodies, TensorGivesTheMotionOfThePrincipalAxes) {
  // The same body described in a frame turned by Q: I = Q diag(I) Qᵀ, ω = Q ω', R' = R Qᵀ.
  const Eigen::Matrix3d Q =
      Eigen::AngleAxisd(0.7, Vector3(1, 2, -1).normalized()).toRotationMatrix();
  const Eigen::Matrix3d I = Q * Vector3(1, 2, 3.5).asDiagonal() * Q.transpose();
  const RigidBodies turned{.inertia = {{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)}}};
  Simulation a(free_body({.inertia = {{1.0, 2.0, 3.5}}}, {1, 3, 0.2}), {}, {.step = 0.01});
  Simulation b(free_body(turned, Q * Vector3(1, 3, 0.2)), {}, {.step = 0.01});
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(a.advance().done() && b.advance().done());
  EXPECT_LT((b.state().v.segment<3>(3) - Q * a.state().v.segment<3>(3)).norm(), 1e-12);
}

TEST(RigidBodies, RefusesWhatNoBodyHas) {
  Model model;
  const Vector q = positions_of({0, 0, 0});
  EXPECT_ERROR(model.add(RigidBodies{.m = {-1.0}}, {.q = q}), "mass of body 0 is -1");
  EXPECT_ERROR(model.add(RigidBodies{.inertia = {{1.0, -1.0, 1.0}}}, {.q = q}),
               "moments of inertia of body 0");
  EXPECT_ERROR(model.add(RigidBodies{.inertia = {{1.0, 1.0}}}, {.q = q}), "inertia is 1x2");
  EXPECT_ERROR(model.add(RigidBodies{}, {.q = Vector::Zero(7)}), "quaternion of body 0 has norm 0");
  EXPECT_ERROR(model.add(RigidBodies{}, {.q = Vector::Zero(6)}), "q has size 6");
  EXPECT_ERROR(model.add(RigidBodies{.gravity = {1.0}}, {.q = q}), "gravity has 1 entries");
}

TEST(PlanarBodies, FallAndTurn) {
  Model model;
  model.add(PlanarBodies{.m = {1.0, 2.0}, .inertia = {1.0, 1.0}, .gravity = {0.0, -10.0}},
            {.q = Vector::Zero(6), .v = {0, 0, 1, 2, 0, 0}});
  Simulation sim(model, {}, {.step = 0.1});
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_LT((sim.state().q - Values{0, -5, 1, 2, -5, 0}).norm(), 1e-13);
}

}  // namespace
}  // namespace saltus
