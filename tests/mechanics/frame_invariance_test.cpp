// Boxes on a plane, on each other and in joints move the same whatever the axes of the world are.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <random>

namespace saltus::mechanics {
namespace {

/// Boxes in a world that is turned by Q.
class TurnedScene {
 public:
  explicit TurnedScene(const Eigen::Matrix3d& Q) : Q_(Q) {
    scene.fix(Plane{.normal = Q.col(2)}, {.mu = mu});
  }
  void add(const Vector3& half, const Vector3& x, const Vector3& v = Vector3::Zero(),
           const Vector3& omega = Vector3::Zero(), double heading = 0) {
    const Eigen::AngleAxisd turn(
        Eigen::Matrix3d(Q_ * Eigen::AngleAxisd(heading, Vector3::UnitZ()).toRotationMatrix()));
    scene.add(Box{.half = half}, 1000,
              {.x = Q_ * x, .turn = turn.angle() * turn.axis(), .v = Q_ * v, .omega = omega},
              {.mu = mu});
  }
  [[nodiscard]] Vector3 turned(double x, double y, double z) const { return Q_ * Vector3(x, y, z); }

  RigidScene scene;

 private:
  static constexpr double mu = 0.4;
  Eigen::Matrix3d Q_;
};

void slide(TurnedScene& s) { s.add({0.2, 0.1, 0.1}, {0, 0, 0.1}, {0.5, 0.2, 0}, {0, 0, 0.3}); }

void tumble(TurnedScene& s) { s.add({0.2, 0.1, 0.1}, {0, 0, 0.2}, {0.5, 0.2, 0}, {0.3, 1, 0.3}); }

void stack(TurnedScene& s) {
  s.add({0.2, 0.2, 0.1}, {0, 0, 0.1});
  s.add({0.15, 0.15, 0.1}, {0.02, 0.01, 0.3}, {0.3, 0, 0}, {0, 0, 0.2});
  s.add({0.1, 0.1, 0.1}, {-0.03, 0.02, 0.52});
}

void rest(TurnedScene& s) {
  s.add({0.2, 0.2, 0.1}, {0, 0, 0.1});
  s.add({0.2, 0.2, 0.1}, {0, 0, 0.3});
  s.add({0.2, 0.2, 0.1}, {0, 0, 0.5}, Vector3::Zero(), Vector3::Zero(), 0.5);
}

void joints(TurnedScene& s) {
  for (int k = 0; k < 3; ++k)
    s.add({0.1, 0.08, 0.06}, {0.3 * k, 0, 0.12 + 0.05 * k}, {0.5, 0.2, 0});
  s.scene.hinge(0, 1, s.turned(0.15, 0, 0.14), s.turned(0, 1, 0));
  s.scene.universal(1, 2, s.turned(0.45, 0, 0.2), s.turned(0, 1, 0), s.turned(0, 0, 1));
}

/// Positions, velocities and angular velocities after 0.4 s, in the axes of the scene.
Vector end_of(void (*build)(TurnedScene&), const Eigen::Matrix3d& Q) {
  TurnedScene turned(Q);
  build(turned);
  Simulation sim(turned.scene.model(turned.turned(0, 0, -9.81)), MoreauJean{}, {.step = 2e-3});
  for (int k = 0; k < 200; ++k) EXPECT_TRUE(sim.advance().done());
  const Index bodies = sim.state().v.size() / 6;
  Vector result(9 * bodies);
  for (Index b = 0; b < bodies; ++b)
    result.segment<9>(9 * b) << Q.transpose() * sim.state().q.segment<3>(7 * b),
        Q.transpose() * sim.state().v.segment<3>(6 * b), sim.state().v.segment<3>(6 * b + 3);
  return result;
}

struct Scenario {
  const char* name;
  void (*build)(TurnedScene&);
};
void PrintTo(const Scenario& scenario, std::ostream* out) { *out << scenario.name; }

class FrameInvariance : public testing::TestWithParam<Scenario> {};

TEST_P(FrameInvariance, TurningTheWorldTurnsTheMotionOfBoxes) {  // F:F119, F:F123
  // Normals, points and tangents of the contacts turn with the world, and so does every iterate of
  // the solver, in exact arithmetic. Rounding is multiplied by the solver up to its tolerance,
  // 1e-8, which would show: each step is polished to rounding, and impacts multiply it by some
  // hundreds.
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const Vector expected = end_of(GetParam().build, Eigen::Matrix3d::Identity());
  for (int k = 0; k < 4; ++k) {
    const Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
    const Vector result = end_of(GetParam().build, turn.normalized().toRotationMatrix());
    EXPECT_LT((result - expected).norm(), 1e-10 * expected.norm()) << k;
  }
}

INSTANTIATE_TEST_SUITE_P(Boxes, FrameInvariance,
                         testing::Values(Scenario{"sliding", slide}, Scenario{"tumbling", tumble},
                                         Scenario{"stack in motion", stack},
                                         Scenario{"stack at rest", rest},
                                         Scenario{"in joints", joints}));

}  // namespace
}  // namespace saltus::mechanics
