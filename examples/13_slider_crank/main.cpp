// A slider-crank whose slider has some play in its guide: it hits the walls with its corners, and
// drifts from the ideal mechanism by no more than the play allows.

#include "saltus/mechanics/planar_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

namespace {

// Flores, Leine & Glocker (2010): lengths [m], masses [kg], moments of inertia [kg m²].
constexpr double crank = 0.153, rod = 0.306, half = 0.05, width = 0.025, play = 1e-3;
constexpr double time_step = 1e-5;

Trajectory simulate() {
  PlanarScene scene;
  scene.add(0.038, 7.4e-5, {.x = {crank / 2, 0}, .v = {0, 150 * crank / 2}, .omega = 150});
  scene.add(0.038, 5.9e-4, {.x = {crank + rod / 2, 0}, .v = {0, 75 * rod / 2}, .omega = -75});
  scene.add(0.076, 2.7e-6, {.x = {crank + rod, 0}, .angle = 0.01});
  scene.revolute(PlanarScene::world, 0, {0, 0});
  scene.revolute(0, 1, {crank, 0});
  scene.revolute(1, 2, {crank + rod, 0});
  const Coulomb wall{.mu = 0.01, .e = 0.4};
  for (const double x : {-half, half}) {
    scene.on_line(2, {.normal = {0, 1}, .offset = -width - play, .point = {x, -width}}, wall);
    scene.on_line(2, {.normal = {0, -1}, .offset = -width - play, .point = {x, width}}, wall);
  }
  return Simulation(scene.model({0, -9.81}), MoreauJean{.stabilisation = CombinedProjection{}},
                    {.step = time_step, .record = {.every = 10}})
      .run(0.2);
}

}  // namespace

int main() {
  const Trajectory run = simulate();
  double deepest = 0, away = 0, tilt = 0;
  for (Index k = 0; k < run.size(); ++k) {
    for (Index c = 0; c < 4; ++c) deepest = std::max(deepest, -run.y(k, 6 + 2 * c));
    const double s = crank * std::sin(run.q(k, 2));
    const double ideal = crank * std::cos(run.q(k, 2)) + std::sqrt(rod * rod - s * s);
    away = std::max(away, std::abs(run.q(k, 6) - ideal));
    tilt = std::max(tilt, std::abs(run.q(k, 8)));
  }
  const EnergyBalance& e = run.report.energy;
  fmt::print(
      "{}\n{:.1f} turns of the crank; slider at most {:.2e} m from the ideal mechanism, tilted by "
      "{:.2e} rad\nenergy {:.3f} J, then {:.3f} J: {:.3f} J lost in impacts, {:.3f} J by "
      "friction\n",
      run.report.message(), run.q(run.size() - 1, 2) / (2 * M_PI), away, tilt, e.start, e.total(),
      e.impact, e.friction);
  // The pin of the slider is off the axis by the play at most: the ideal mechanism with an offset a
  // has x = r cos θ + (l² − (r sin θ − a)²)^½, which differs by a tan of the rod's angle.
  const double most = play * (crank + play) / std::sqrt(rod * rod - std::pow(crank + play, 2));
  // Corners touch a guide of height 2 (width + play) at a tilt of about play/half at most.
  return run.report.ok() && deepest < 1e-9 && away < 1.01 * most && tilt < 1.1 * play / half &&
                 e.impact > 0 && e.total() < e.start
             ? 0
             : 1;
}
