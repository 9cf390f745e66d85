// An elastic bar flies against a wall and rebounds: the force on the wall is that of the wave that
// runs through the bar and back, 2 L/c long.

#include "saltus/mechanics/elastic/node_contacts.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

int main() {
  const double E = 900, L = 10, speed = 10, gap = 5, c = std::sqrt(E);  // ρ = 1, section 1
  const Index elements = 200;
  const ElasticBody bar{.mesh = box_mesh(ElementKind::bar, {L}, {elements}), .young = E};
  Model model;
  const auto id = model.add(
      bar.linear(), {.q = Vector::Zero(bar.dof()), .v = Vector::Constant(bar.dof(), speed)}, "bar");
  link_plane(model, id, bar, {elements}, {-1.0}, -(L + gap), NewtonImpact{}, "wall");

  const double h = 2e-3;
  const GeneralizedAlpha scheme{.coefficients = ChungHulbert{.rho = 0.8}, .newton_tolerance = 1e-6};
  Simulation sim(model, scheme, {.step = h});
  const Trajectory run = sim.run(1.5);

  // Exact: contact on [gap/v, gap/v + 2 L/c] with the force ρ c v, impulse 2 ρ L v.
  const Vector force = run.column("wall[200].r[0]") / h;
  double mean = 0, release = 0;
  int count = 0;
  for (Index k = 0; k < run.size(); ++k) {
    if (run.t[k] > 0.6 && run.t[k] < 1.1) mean += force[k], ++count;
    if (force[k] > 0.1 * c * speed) release = run.t[k];
  }
  mean /= count;
  const double impulse = h * force.sum(), exact = gap / speed + 2 * L / c;
  fmt::print(
      "{}\nforce on the wall {:.2f} N, exact {:.2f} N\nend of contact {:.3f} s, exact {:.3f} s\n"
      "impulse {:.2f} N s, exact {:.2f} N s\n",
      run.report.message(), mean, c * speed, release, exact, impulse, 2 * L * speed);
  return run.report.ok() && std::abs(mean - c * speed) < 0.005 * c * speed &&
                 std::abs(release - exact) < 0.01 && std::abs(impulse - 2 * L * speed) < 2
             ? 0
             : 1;
}
