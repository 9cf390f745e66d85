// The rim of a disk on a plane: kinematics, and the two motions with a closed form.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/mechanics/rim_contact.hpp"
#include "saltus/simulation/simulation.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>

namespace saltus::mechanics {
namespace {

constexpr double g = 9.81, R = 0.1, pi = std::numbers::pi;

TEST(RimOnPlane, RateOfTheGapIsItsNormalVelocity) {  // F:F123
  const Vector3 n = Vector3(0.3, -0.2, 0.9).normalized();
  const RimOnPlane rim{.radius = R, .normal = n, .offset = 0.1};
  const RigidBodies pool{};
  const Vector q = positions_of({0.4, 0.2, 0.3}, {0.7, -0.4, 1.1});
  const Vector v = Values{0.5, -0.3, 0.8, 2, -1, 0.6};
  Matrix H(3, 6);
  rim.jacobian({0, view_of(q.data(), 7)}, H);
  const auto gap = [&](double t) {
    const Vector d = t * v;
    Vector moved(7), y(3);
    pool.move(view_of(q.data(), 7), view_of(d.data(), 6), moved);
    rim.output({0, view_of(moved.data(), 7)}, y);
    return y[0];
  };
  // central differences: error ε², rounding 1e-16/ε
  EXPECT_NEAR((gap(1e-5) - gap(-1e-5)) / 2e-5, (H * v)[0], 1e-9);
  // the frame is orthonormal, and rolling about the rim's tangent at the point of contact stops it
  EXPECT_LT((H.leftCols<3>() * H.leftCols<3>().transpose() - Matrix::Identity(3, 3)).norm(), 1e-14);
  const Vector3 along = H.row(1).head<3>();
  EXPECT_NEAR(along.dot(pose_of(q.data()).R.col(2)), 0, 1e-14);
  EXPECT_ERROR((RimOnPlane{.radius = 0}.prepare()), "expected > 0");
  EXPECT_ERROR((RimOnPlane{.normal = {0, 0, 2}}.prepare()), "length 2");
}

State spun(double lean, const Vector3& omega, const Vector3& v, double h, double end) {
  Model model;
  const double I = R * R / 4;
  Vector velocity(6);
  velocity << v, omega;
  const auto disk =
      model.add(RigidBodies{.inertia = {{I, I, 2 * I}}, .gravity = {0, 0, -g}},
                {.q = positions_of({0, 0, R * std::sin(lean)}, {lean, 0, 0}), .v = velocity});
  model.link(disk, RimOnPlane{.radius = R}, Coulomb{.mu = 1});
  Simulation sim(model, MoreauJean{.stabilisation = CombinedProjection{}}, {.step = h});
  EXPECT_TRUE(sim.run(end).report.ok());
  return sim.state();
}

TEST(RimOnPlane, DiskWobblesOnTheSpotWithOrderOne) {  // F:F119, F:F172
  // Ω² = 4 g/(R sin α): after a turn the axis is where it was
  const double lean = pi / 6, rate = std::sqrt(4 * g / (R * std::sin(lean)));
  const auto error = [&](double h) {
    const State end = spun(lean, {0, rate * std::sin(lean), 0}, {0, 0, 0}, h, 2 * pi / rate);
    const Vector3 start(0, -std::sin(lean), std::cos(lean));
    return (pose_of(end.q.data()).R.col(2) - start).norm();
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(2e-3, 1e-4, 10), error), 1, 0.15);
}

TEST(RimOnPlane, UprightDiskRollsStraightOn) {  // F:F172
  const State end = spun(pi / 2, {0, 0, -5}, {0.5, 0, 0}, 1e-3, 2);
  EXPECT_NEAR(end.q[0], 1, 1e-9);
  EXPECT_NEAR(end.v[5], -5, 1e-9);
}

TEST(RigidScene, BodyOfSeveralShapesStandsOnAllOfThem) {  // F:F128
  RigidScene scene;
  scene.fix(Plane{}, {.mu = 0.5});
  const Index table = scene.add(2, Vector3(0.1, 0.1, 0.1).asDiagonal(), {.x = {0, 0, 0.3}});
  for (const double x : {-0.5, 0.5})
    for (const double y : {-0.5, 0.5})
      scene.attach(table, Sphere{.radius = 0.1}, {.mu = 0.5}, {.x = {x, y, -0.2}});
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{}, {.step = 1e-3});
  for (int k = 0; k < 50; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(sim.contacts().size(), 4U);
  EXPECT_NEAR(sim.state().q[2], 0.3, 1e-9);
  EXPECT_ERROR(scene.attach(3, Sphere{}), "on body 3, the scene has 1 bodies");
}

}  // namespace
}  // namespace saltus::mechanics
