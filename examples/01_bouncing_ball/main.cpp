// A ball falls from 1 m and bounces, each time at 0.9 of the speed, until it rests: infinitely many
// impacts before t = 8.58 s. Moreau–Jean steps over them.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <cmath>

using namespace saltus;

int main() {
  Model model;
  auto ball = model.add(PointMass{.m = 1.0, .gravity = {-9.81}}, {.q = {1.0}, .v = {0.0}});
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = 0.9});  // y = q ≥ 0
  Simulation sim(model, MoreauJean{.theta = 0.5, .solver = Lemke{}}, {.step = 5e-3});
  Trajectory run = sim.run(10.0);

  // The exact impact times: t₁ = √(2/g), then 2 e^k v₁/g later each.
  fmt::print("{}\n\n impact      exact   simulated\n", run.report.message());
  double exact = std::sqrt(2 / 9.81), speed = std::sqrt(2 * 9.81), worst = 0;
  int impact = 0;
  for (Index k = 1; k < run.size() && impact < 6; ++k) {
    if (run.v(k, 0) <= 0 || run.v(k - 1, 0) >= 0) continue;
    fmt::print("{:7}  {:9.5f}  {:9.5f}\n", ++impact, exact, run.t[k]);
    worst = std::max(worst, std::abs(run.t[k] - exact) / (2 * impact - 1));
    speed *= 0.9;
    exact += 2 * speed / 9.81;
  }
  const double rest = std::abs(run.v(run.size() - 1, 0));
  fmt::print("\nspeed at t = 10 s: {:.1e} m/s\n", rest);
  // An impact is caught within one step h. Its speed is then wrong by g h at most, which shifts the
  // next one by 2h more.
  return run.report.ok() && impact == 6 && worst <= 5e-3 && rest < 1e-12 ? 0 : 1;
}
