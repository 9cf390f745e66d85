// The bouncing ball from an installed Saltus (PL:C-02): by t = 10 s it has passed the accumulation
// of impacts at 8.58 s and rests on the ground.
#include <cmath>
#include <cstdio>

#include "saltus/model/model.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

using namespace saltus;

int main() {
  Model model;
  auto ball = model.add(PointMass{.m = 1.0, .gravity = {-9.81}}, {.q = {1.0}, .v = {0.0}});
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = 0.9});  // y = q ≥ 0
  Simulation sim(model, MoreauJean{.theta = 0.5, .solver = Lemke{}}, {.step = 5e-3});
  Trajectory run = sim.run(10.0);

  const double q = run.q(run.size() - 1, 0), v = run.v(run.size() - 1, 0);
  std::printf("%s t = %g s, q = %g m, v = %g m/s\n", run.report.message().c_str(), run.t.back(), q,
              v);
  const bool rests = std::abs(q) < 2e-4 && std::abs(v) < 1e-10;  // bounds of PL:C-02
  return run.report.ok() && rests ? 0 : 1;
}
