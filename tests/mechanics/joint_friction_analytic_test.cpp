// Dry friction in the joints of long chains, without contacts.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::mechanics {
namespace {

constexpr double g = 9.81, length = 0.2;

/// Links of 1 kg on hinges with friction, held at one end, horizontal.
Model hinged_links(Index n, double friction) {
  RigidScene scene;
  for (Index i = 0; i < n; ++i) {
    const double x = static_cast<double>(i) * length;
    scene.add(1, Vector3(0.0008, 0.004, 0.004).asDiagonal(), {.x = {x + length / 2, 0, 0}});
    scene.hinge(i - 1, i, {x, 0, 0}, {0, 1, 0}, {.friction = friction});
  }
  return scene.model({0, 0, -g});
}

TEST(JointFriction, HoldsALongArmUpToTheMomentAtItsRoot) {  // PL:NL-03, F:F150
  const Index n = 30;
  const double moment =
      0.5 * g * length * static_cast<double>(n * n);  // of the weight, at the root
  const auto fall = [&](double friction) {
    Simulation sim(hinged_links(n, friction), MoreauJean{}, {.step = 1e-3});
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(sim.advance().done()) << "step " << k;
    return sim.state().v.norm();
  };
  EXPECT_LT(fall(1.01 * moment), 1e-6);  // the tolerance, 1e-8 per step, on a chain of 30
  EXPECT_GT(fall(0.9 * moment), 1e-3);
}

TEST(JointFriction, PivotingAndTheFrictionCascadeAgreeOnAFallingChain) {  // PL:NL-03, PL:OI-02
  // bounded forces are contacts under a constant load for the cascade, which adds to its tolerance
  const auto run = [](const Algorithm& solver) {
    Simulation sim(hinged_links(30, 0.05), MoreauJean{.solver = solver}, {.step = 1e-3});
    for (int k = 0; k < 20; ++k) EXPECT_TRUE(sim.advance().done()) << "step " << k;
    return sim.state().v;
  };
  const Vector v = run(Automatic{});
  // 20 steps, each to 1e-8 of the velocities, times the amplification of a chain of 30
  EXPECT_LT((run(CoulombCascade{}) - v).norm(), 1e-5 * v.norm());
}

}  // namespace
}  // namespace saltus::mechanics
