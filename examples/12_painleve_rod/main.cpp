// Painlevé's rod: a rod pushed over rough ground, lower end ahead. Beyond a coefficient of friction
// of 4/3 no finite force keeps its end sliding: the end stops at once, by an impact without a
// collision, and the rod vaults over it.

#include "saltus/mechanics/planar_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

namespace {

constexpr double half = 0.5, speed = 3.5;  // half length [m], speed to the left [m/s]; mass 1 kg

Trajectory simulate(double mu, double step) {
  const double angle = std::atan(2.0);
  PlanarScene scene;
  scene.add(1, half * half / 3,
            {.x = {0, half * std::sin(angle)}, .angle = angle, .v = {-speed, 0}});
  scene.on_line(0, {.point = {-half, 0}}, Coulomb{.mu = mu}, "lower");
  scene.on_line(0, {.point = {half, 0}}, Coulomb{.mu = mu}, "upper");
  return Simulation(scene.model({0, -9.81}), MoreauJean{}, {.step = step}).run(0.6);
}

}  // namespace

int main() {
  // W p = −u⁻ at the lower end, u⁻ = (0, speed): the percussion that stops it
  const double c = 1 / std::sqrt(5.0), s = 2 * c;
  const double n = 1 + 3 * c * c, nt = 3 * s * c, t = 1 + 3 * s * s, det = n * t - nt * nt;
  const double normal = nt / det * speed, tangential = -n / det * speed;

  const Trajectory slides = simulate(1, 1e-4), jams = simulate(2, 1e-4), fine = simulate(2, 2e-5);
  const EnergyBalance& e = jams.report.energy;
  fmt::print(
      "{}\nfriction 1: normal force {:.3f} N in the first step\nfriction 2: percussion ({:.4f}, "
      "{:.4f}) N s in the first step, ({:.4f}, {:.4f}) with a fifth of it, theory ({:.4f}, {:.4f})"
      "\nenergy {:.3f} J, then {:.3f} J\n",
      jams.report.message(), slides.r(1, 0) / 1e-4, jams.r(1, 0), jams.r(1, 1), fine.r(1, 0),
      fine.r(1, 1), normal, tangential, e.start, e.total());
  // What a force adds in a step to the percussion is of the order of m g h.
  const auto stops = [&](const Trajectory& run, double step) {
    return std::abs(run.r(1, 0) - normal) < 20 * step &&
           std::abs(run.r(1, 1) - tangential) < 20 * step;
  };
  const bool slid = slides.r(1, 0) < 50 * 1e-4 && slides.u(1, 1) > 0.9 * speed;
  return slides.report.ok() && jams.report.ok() && slid && stops(jams, 1e-4) && stops(fine, 2e-5) &&
                 e.total() <= e.start
             ? 0
             : 1;
}
