// A triple integrator that must not become negative: relative degree three. The multiplier that
// stops it contains the derivative of a Dirac impulse; backward Euler, which looks for a number,
// throws the state away, the further the smaller the step.

#include "saltus/integrators/emts.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"

using namespace saltus;

int main() {
  const Lcs system{.A = {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}, .B = {{0}, {0}, {1}}, .C = {{1, 0, 0}}};
  const Values start{1, 0, -2};  // x = 1 − t² until t = 1, where it arrives with x' = x'' = −2
  bool ok = true;
  for (double h : {1e-2, 1e-3}) {
    const EmtsRun run = simulate(system, start, h, 3);

    Model model;
    const auto integrator = model.add(FirstOrderLinear{.A = system.A}, {.x = start});
    model.link(integrator, FirstOrderLinearRelation{.C = system.C, .B = system.B},
               Complementarity{});
    const Trajectory euler = Simulation(model, MoreauJean{.theta = 1}, {.step = h}).run(3);

    const double thrown = euler.x(euler.size() - 1, 0);
    const double delta = run.impulses[0].sum(), dipole = run.impulses[1].sum();
    fmt::print("h = {}: λ = {:.4f} δ + {:.4f} δ', x(3) = {:.1e}; by backward Euler {:.0f}\n", h,
               delta, dipole, run.x(0, run.x.cols() - 1), thrown);
    // The last step before contact ends within a step of t = 1, where x' = −2 t.
    ok = ok && run.done() && std::abs(delta - 2) < 1e-12 && std::abs(dipole - 2) < 6 * h &&
         run.x.col(run.x.cols() - 1).isZero(0) && std::abs(thrown - 2 / h) < 2;
  }
  return ok ? 0 : 1;
}
