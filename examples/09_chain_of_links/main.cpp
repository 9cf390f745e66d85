// A chain of rigid links, held at one end and let go horizontally, swings and falls over a peg:
// joints, contacts with friction, and positions that do not drift.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <Eigen/Geometry>

#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

int main() {
  const int n = 20;
  const double length = 0.1, radius = 0.015;
  RigidScene scene;
  // A peg across the plane of the motion, half-way below the hook.
  const Eigen::Matrix3d turn = Eigen::AngleAxisd(0.6, Vector3::UnitY()).toRotationMatrix();
  scene.fix(mechanics::Box{.half = {0.05, 0.5, 0.05}}, {.mu = 0.4}, {{0.6, 0, -0.45}, turn});
  for (int i = 0; i < n; ++i) {
    // A capsule has its axis along z: turned into the x-axis.
    scene.add(Capsule{.radius = radius, .half_length = 0.5 * length - radius}, 2000,
              {.x = {(i + 0.5) * length, 0, 0}, .turn = {0, M_PI / 2, 0}}, {.mu = 0.4});
    scene.ball(i - 1, i, {i * length, 0, 0}, {.name = fmt::format("joint{}", i)});  // −1: the world
  }
  const MoreauJean scheme{.theta = 0.5, .stabilisation = CombinedProjection{}};
  Simulation sim(scene.model({0, 0, -9.81}), scheme, {.step = 1e-3});
  const Trajectory run = sim.run(1.5);

  double gap = 0;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 3; ++k)
      gap = std::max(gap, run.column(fmt::format("joint{}.y[{}]", i, k)).lpNorm<Eigen::Infinity>());
  const EnergyBalance& e = run.report.energy;
  fmt::print(
      "{}\nlargest gap in a joint {:.1e} m\nenergy {:.3f} J, then {:.3f} J: {:.3f} J lost in "
      "impacts, {:.3f} J by friction, {:.3f} J by the scheme\n",
      run.report.message(), gap, e.start, e.total(), e.impact, e.friction, e.scheme);
  // Projection puts the joints back to its tolerance; a dissipative motion does not gain energy.
  return run.report.ok() && gap < 1e-9 && e.total() < e.start ? 0 : 1;
}
