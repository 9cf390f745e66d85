// A semicircular arch of 25 dry blocks stands by its thickness and by friction, and falls when
// either is missing.

#include "saltus/mechanics/masonry.hpp"
#include "saltus/simulation/simulation.hpp"

using namespace saltus;

namespace {

/// Largest way of a block in half a second [m]; negative if a step was not solved.
double moved(const char* name, const mechanics::Arch& arch) {
  Simulation sim(arch.model(), MoreauJean{.theta = 0.5}, {.step = 5e-3});
  const Vector start = sim.state().q;
  const Trajectory run = sim.run(0.5);
  const double way = (sim.state().q - start).cwiseAbs().maxCoeff();
  fmt::print("{:18} {:.2e} m\n", name, way);
  return run.report.ok() ? way : -1;
}

}  // namespace

int main() {
  const double stands = moved("stands", {.count = 25, .thickness = 0.2, .mu = 0.7}),
               slides = moved("slides", {.count = 25, .thickness = 0.2, .mu = 0.2}),
               hinges = moved("hinges", {.count = 25, .thickness = 0.07, .mu = 0.7});
  return stands >= 0 && stands < 1e-6 && slides > 0.05 && hinges > 0.05 ? 0 : 1;
}
