// An LC oscillator feeds a resistor through four ideal diodes. No smoothing, no commutation logic:
// the diodes are complementarity conditions.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"

#include <cmath>

using namespace saltus;

int main() {
  const double L = 1e-2, C = 1e-6, R = 1e3;
  Model model;
  auto oscillator =
      model.add(FirstOrderLinear{.A = {{0, -1 / C}, {1 / L, 0}}}, {.x = {10.0, 0.0}}, "oscillator");
  model.link(oscillator,
             FirstOrderLinearRelation{
                 .C = {{0, 0}, {0, 0}, {-1, 0}, {1, 0}},
                 .B = {{0, 0, -1 / C, 1 / C}, {0, 0, 0, 0}},
                 .D = {{1 / R, 1 / R, -1, 0}, {1 / R, 1 / R, 0, -1}, {1, 0, 0, 0}, {0, 1, 0, 0}}},
             Complementarity{}, "bridge");
  Simulation sim(model, MoreauJean{.theta = 0.5, .solver = Lemke{}}, {.step = 1e-6});
  Trajectory run = sim.run(5e-3);

  // Exact: the ideal bridge makes the oscillator a linear parallel RLC circuit.
  const double a = 1 / (2 * R * C), w = std::sqrt(1 / (L * C) - a * a);
  double worst = 0;
  for (Index k = 0; k < run.size(); ++k) {
    const double t = run.t[k];
    const double v = std::exp(-a * t) * 10 * (std::cos(w * t) - a / w * std::sin(w * t));
    worst = std::max(worst, std::abs(run.x(k, 0) - v));
  }
  fmt::print("{}\nv(5 ms) = {:.10f} V, largest error against the exact solution: {:.5f} V\n",
             run.report.message(), run.x(run.size() - 1, 0), worst);
  // order 1: the error is 0.01909 V at h = 1e-6 s and halves with h
  return run.report.ok() && std::abs(worst - 0.01909) < 1e-4 ? 0 : 1;
}
