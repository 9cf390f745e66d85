// A slender block, tilted and let go, rocks from edge to edge and loses speed at each landing, as
// in Housner's analysis: no restitution, no bounce, enough friction not to slide.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

int main() {
  const double b = 0.1, h = 0.4, g = 9.81;  // half width, half height [m]
  const double alpha = std::atan2(b, h), theta0 = 0.5 * alpha;
  RigidScene scene;
  scene.fix(Plane{}, {.mu = 0.8});
  // The right edge stands on the ground at x = 0, the block leans over it by theta0.
  const double c = std::cos(theta0), s = std::sin(theta0);
  scene.add(mechanics::Box{.half = {b, 0.2, h}}, 1000,
            {.x = {h * s - b * c, 0, b * s + h * c}, .turn = {0, theta0, 0}}, {.mu = 0.8});
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{.theta = 0.5}, {.step = 5e-4});
  const Trajectory run = sim.run(2.0);

  // At a landing the angular momentum about the new edge is kept: ω⁺ = (1 − 3/2 sin²α) ω⁻.
  const double exact = 1 - 1.5 * std::sin(alpha) * std::sin(alpha);
  fmt::print("{}\n\nlanding       time   speed ratio (exact {:.4f})\n", run.report.message(),
             exact);
  double worst = 0;
  int landing = 0;
  for (Index k = 1; k + 3 < run.size() && landing < 4; ++k) {
    if (run.q(k - 1, 5) * run.q(k, 5) > 0) continue;  // y of the quaternion: the side it leans to
    const double ratio = run.v(k + 2, 4) / run.v(k - 3, 4);
    fmt::print("{:7}  {:9.4f}      {:.4f}\n", ++landing, run.t[k], ratio);
    worst = std::max(worst, std::abs(ratio - exact));
  }
  // The speeds are read a few steps away from the landing, where p²α times that adds to them.
  return run.report.ok() && landing == 4 && worst < 0.02 ? 0 : 1;
}
