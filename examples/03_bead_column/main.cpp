// A column of 1000 beads falls on the ground and comes to rest, every contact carrying the weight
// above it. One system (a pool of 1000 bodies), 1000 contacts, one sparse problem per step.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <cmath>

using namespace saltus;

int main() {
  const Index n = 1000;
  const double radius = 0.0625, m = 1, g = 9.81, h = 1e-3;
  Vector heights(n);
  for (Index i = 0; i < n; ++i) heights[i] = 0.1 + radius + double(i) * 2 * radius;

  Model model;
  auto beads =
      model.add(PointMasses{.m = Vector::Constant(n, m), .gravity = {-g}}, {.q = heights}, "bead");
  model.link(Endpoint(beads, 0), LinearRelation{.H = {{1.0}}, .b = {-radius}}, NewtonImpact{});
  for (Index i = 1; i < n; ++i)
    model.link({Endpoint(beads, i - 1), Endpoint(beads, i)},
               LinearRelation{.H = {{-1.0, 1.0}}, .b = {-2 * radius}}, NewtonImpact{});
  Simulation sim(model, MoreauJean{}, {.step = h, .record = {.every = 20}});
  Trajectory run = sim.run(1.0);

  double worst = 0;
  for (Index i = 0; i < n; ++i)
    worst = std::max(worst, std::abs(sim.multipliers()[i] - double(n - i) * m * g * h));
  fmt::print(
      "{} in {:.2f} s\ncontact force at the ground: {:.6f} N, largest error of the "
      "percussions: {:.1e} N s\n",
      run.report.message(), run.report.seconds, sim.multipliers()[0] / h, worst);
  return run.report.ok() && worst < 1e-9 ? 0 : 1;
}
