// A coin that rolls and one that wobbles on the spot: a thin disk on rough ground, in space.

#include "saltus/mechanics/rim_contact.hpp"
#include "saltus/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

namespace {

constexpr double radius = 0.1, g = 9.81, time_step = 2e-4;

// A disk of 1 kg whose plane is inclined by `lean` to the ground; ω in its axes.
Trajectory simulate(double lean, const Vector3& omega, const Vector3& v, double end) {
  Model model;
  const double I = radius * radius / 4;
  Vector velocity(6);
  velocity << v, omega;
  const auto disk =
      model.add(RigidBodies{.inertia = {{I, I, 2 * I}}, .gravity = {0, 0, -g}},
                {.q = positions_of({0, 0, radius * std::sin(lean)}, {lean, 0, 0}), .v = velocity});
  model.link(disk, RimOnPlane{.radius = radius}, Coulomb{.mu = 1}, "rim");
  return Simulation(model, MoreauJean{.stabilisation = CombinedProjection{}}, {.step = time_step})
      .run(end);
}

Vector3 axis_of(const Trajectory& run, Index k) {
  const double w = run.q(k, 3), x = run.q(k, 4), y = run.q(k, 5), z = run.q(k, 6);
  return {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
}

}  // namespace

int main() {
  // On the spot: the centre at rest, the disk turns about its diameter through the point of
  // contact.
  const double lean = M_PI / 6, rate = std::sqrt(4 * g / (radius * std::sin(lean)));
  const Trajectory spot = simulate(lean, {0, rate * std::sin(lean), 0}, {0, 0, 0}, 1.0);
  double turned = 0, away = 0;
  for (Index k = 1; k < spot.size(); ++k) {
    const Vector3 a = axis_of(spot, k - 1), b = axis_of(spot, k);
    turned += std::atan2(a.x() * b.y() - a.y() * b.x(), a.x() * b.x() + a.y() * b.y());
    away = std::max(away, std::abs(std::acos(b.z()) - lean));
  }
  const double measured = std::abs(turned) / spot.t[spot.size() - 1];

  // Straight on, almost upright: above v = (g R/3)^½ it stays up.
  const double critical = std::sqrt(g * radius / 3);
  const auto lowest = [&](double share) {
    const double v = share * critical;
    const Trajectory run = simulate(M_PI / 2 - M_PI / 180, {0, 0, -v / radius}, {v, 0, 0}, 1.5);
    double least = run.report.ok() ? inf : -inf;
    for (Index k = 0; k < run.size(); ++k)
      least = std::min(least, std::acos(std::abs(axis_of(run, k).z())) * 180 / M_PI);
    return least;
  };
  const double slow = lowest(0.7), fast = lowest(1.5);
  fmt::print(
      "{}\nwobbling: {:.4f} rad/s, theory {:.4f}; inclination within {:.3f} rad\nrolling with 0.7 "
      "and "
      "1.5 of the critical speed: inclination at least {:.1f} and {:.1f} degrees\n",
      spot.report.message(), measured, rate, away, slow, fast);
  // The scheme is of order one on a contact that turns with `rate`: relative errors of a few
  // rate·h.
  return spot.report.ok() && std::abs(measured / rate - 1) < 2 * rate * time_step &&
                 away < lean * 4 * rate * time_step && fast > 80 && slow < 60 && slow > 0
             ? 0
             : 1;
}
