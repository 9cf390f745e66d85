// The play operator: a piston in a cylinder with a clearance, the simplest hysteresis. And the stop
// operator, what is left of the input: a spring in series with dry friction.

#include "saltus/inclusions/sweeping.hpp"
#include "saltus/simulation/simulation.hpp"

#include <algorithm>
#include <cmath>

using namespace saltus;

namespace {

constexpr double clearance = 0.5, h = 0.01;

/// A triangle that dies out: loops in loops.
double input(double t) {
  const double phase = std::fmod(t, 4.0), swing = 2 - 0.4 * std::floor(t / 4.0);
  return swing * (phase < 1 ? phase : phase < 3 ? 2 - phase : phase - 4);
}

}  // namespace

int main() {
  Simulation sim(Play{.radius = clearance, .input = input}.model(), CatchingUp{}, {.step = h});
  const Trajectory run = sim.run(16.0);
  // The play of a function that is monotone between nodes is exact at the nodes:
  // x ← max(u − r, min(u + r, x))
  double x = 0, error = 0;
  for (Index k = 1; k < run.size(); ++k) {
    const double u = input(run.t[k]);
    x = std::max(u - clearance, std::min(u + clearance, x));
    error = std::max(error, std::abs(run.x(k, 0) - x));
  }
  fmt::print("largest error at the nodes: {:.1e}\n", error);
  return run.report.ok() && error < 1e-12 ? 0 : 1;
}
