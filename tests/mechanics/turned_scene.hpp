#pragma once

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>
#include <Eigen/Geometry>

#include <random>

namespace saltus::mechanics {

/// Bodies on a plane, in a world that is turned by Q.
class TurnedScene {
 public:
  explicit TurnedScene(const Eigen::Matrix3d& Q) : Q_(Q) {
    scene.fix(Plane{.normal = Q.col(2)}, {.mu = mu});
  }
  void add(const Shape& shape, const Vector3& x, const Vector3& v = Vector3::Zero(),
           const Vector3& omega = Vector3::Zero(), double heading = 0) {
    const Eigen::AngleAxisd turn(
        Eigen::Matrix3d(Q_ * Eigen::AngleAxisd(heading, Vector3::UnitZ()).toRotationMatrix()));
    scene.add(shape, 1000,
              {.x = Q_ * x, .turn = turn.angle() * turn.axis(), .v = Q_ * v, .omega = omega},
              {.mu = mu});
  }
  void add(const Vector3& half, const Vector3& x, const Vector3& v = Vector3::Zero(),
           const Vector3& omega = Vector3::Zero(), double heading = 0) {
    add(mechanics::Box{.half = half}, x, v, omega, heading);
  }
  [[nodiscard]] Vector3 turned(double x, double y, double z) const { return Q_ * Vector3(x, y, z); }

  RigidScene scene;

 private:
  static constexpr double mu = 0.4;
  Eigen::Matrix3d Q_;
};

/// Where a scene ends.
struct TurnedEnd {
  Vector state;         ///< positions, velocities and angular velocities, in the axes of the scene
  Index most_rows = 0;  ///< of a one-step problem
};

inline TurnedEnd end_of(void (*build)(TurnedScene&), const Eigen::Matrix3d& Q, int steps) {
  TurnedScene turned(Q);
  build(turned);
  Simulation sim(turned.scene.model(turned.turned(0, 0, -9.81)), MoreauJean{}, {.step = 2e-3});
  TurnedEnd end;
  for (int k = 0; k < steps; ++k) {
    const StepReport report = sim.advance();
    EXPECT_TRUE(report.done()) << k;
    end.most_rows = std::max(end.most_rows, report.active_rows);
  }
  const Index bodies = sim.state().v.size() / 6;
  end.state.resize(9 * bodies);
  for (Index b = 0; b < bodies; ++b)
    end.state.segment<9>(9 * b) << Q.transpose() * sim.state().q.segment<3>(7 * b),
        Q.transpose() * sim.state().v.segment<3>(6 * b), sim.state().v.segment<3>(6 * b + 3);
  return end;
}

struct TurnedScenario {
  const char* name;
  void (*build)(TurnedScene&);
};
inline void PrintTo(const TurnedScenario& scenario, std::ostream* out) { *out << scenario.name; }

/// Turns the world at random `times` times: states differ by at most 1e-10 of their size.
inline void expect_invariance(const TurnedScenario& scenario, int steps, int times,
                              Index least_rows) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const TurnedEnd expected = end_of(scenario.build, Eigen::Matrix3d::Identity(), steps);
  EXPECT_GE(expected.most_rows, least_rows);
  for (int k = 0; k < times; ++k) {
    const Eigen::Quaterniond turn(normal(random), normal(random), normal(random), normal(random));
    const TurnedEnd result = end_of(scenario.build, turn.normalized().toRotationMatrix(), steps);
    EXPECT_LT((result.state - expected.state).norm(), 1e-10 * expected.state.norm()) << k;
  }
}

}  // namespace saltus::mechanics
