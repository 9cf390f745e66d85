// A disc that moves on a table with a point inside: once the rim has caught it, the point is
// dragged along the inward normal, on a tractrix. Moreau's sweeping process, by catching up.

#include "saltus/inclusions/sweeping.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;

namespace {

/// −ẋ ∈ N_K(t)(x), K(t) the unit disc about (t, 0)
Trajectory sweep(const Values& start, double h, double end) {
  const SweepingProcess process{
      .x0 = start, .set = Disk{1}, .center = [](double t, VectorRef c) { c << t, 0; }};
  Simulation sim(process.model(), CatchingUp{}, {.step = h});
  return sim.run(end);
}

/// Largest distance from the tractrix x = (t − tanh t, 1/cosh t) of a point that starts on top.
double error(double h) {
  const Trajectory run = sweep({0.0, 1.0}, h, 3);
  double worst = run.report.ok() ? 0 : inf;
  for (Index k = 0; k < run.size(); ++k)
    worst = std::max(worst, std::hypot(run.x(k, 0) - run.t[k] + std::tanh(run.t[k]),
                                       run.x(k, 1) - 1 / std::cosh(run.t[k])));
  return worst;
}

}  // namespace

int main() {
  const double coarse = error(1e-2), fine = error(1e-3);
  fmt::print("distance from the tractrix: {:.2e} at h = 1e-2, {:.2e} at h = 1e-3\n", coarse, fine);
  const Trajectory inside = sweep({0.0, 0.6}, 1e-3, 3);
  const double y = inside.x(inside.size() - 1, 1);
  const double exact = std::sin(2 * std::atan(std::exp(-2.2) / 3));
  fmt::print("a point inside, caught at t = 0.8: ends at y = {:.6f}, exactly {:.6f}\n", y, exact);
  // order 1: a tenth of the step, a tenth of the error
  return fine < 2e-4 && std::abs(coarse / fine - 10) < 1 && std::abs(y - exact) < 1e-4 ? 0 : 1;
}
