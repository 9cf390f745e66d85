// A block on a belt, held by a spring, with friction that falls with the speed of slip: it sticks
// to the belt until the spring tears it off. The implicit scheme sticks exactly; the explicit one
// chatters.

#include "saltus/inclusions/filippov.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;

namespace {

constexpr double belt = 0.2, largest = 1, fall = 3, h = 1e-3, t_end = 60;

/// q̇ = v, v̇ = −q − F(v − belt), F = ±largest/(1 + fall |v − belt|)
FilippovSystem block() {
  const auto field = [](double side) {
    return [side](double, ConstVectorRef x, VectorRef f) {
      f << x[1], -x[0] - side * largest / (1 + fall * std::abs(x[1] - belt));
    };
  };
  return {.x0 = {0.0, 0.0},
          .above = field(1),
          .below = field(-1),
          .surface = [](ConstVectorRef x) { return x[1] - belt; },
          .normal = [](ConstVectorRef, VectorRef n) { n << 0, 1; }};
}

struct Answer {
  bool ok;
  long stuck, changes;       // steps at rest on the belt, changes of the sign of slip
  std::vector<double> torn;  // times at which sticking ends
  double spring;             // force of the spring there
};

Answer look(const Trajectory& run) {
  Answer out{run.report.ok(), 0, 0, {}, 0};
  double before = 0;
  bool sticks = false;
  for (Index k = 1; k < run.size(); ++k) {
    const double slip = run.x(k, 1) - belt;
    const bool now = std::abs(slip) < 1e-12;
    out.stuck += now;
    out.changes += slip * before < 0;
    if (sticks && !now) out.torn.push_back(run.t[k]), out.spring = run.x(k, 0);
    sticks = now;
    before = slip;
  }
  return out;
}

}  // namespace

int main() {
  const Model model = block().model();
  Simulation implicit(model, MoreauJean{.theta = 1}, {.step = h});
  Simulation explicit_run(model, ExplicitInclusion{}, {.step = h});
  const Answer a = look(implicit.run(t_end)), b = look(explicit_run.run(t_end));
  fmt::print("            steps at rest on the belt   changes of sign of the slip\n");
  fmt::print("implicit    {:25}   {:27}\n", a.stuck, a.changes);
  fmt::print("explicit    {:25}   {:27}\n", b.stuck, b.changes);
  const std::size_t n = a.torn.size();
  if (n < 3) return 1;
  const double period = a.torn[n - 1] - a.torn[n - 2];
  fmt::print("torn off every {:.3f} s, at a spring force of {:.4f} (at most {})\n", period,
             a.spring, largest);
  // The spring tears when it reaches the largest friction, up to its change in a step; the period
  // repeats to the step.
  const bool periodic = std::abs(a.torn[n - 2] - a.torn[n - 3] - period) < 3 * h;
  const bool tears = std::abs(a.spring - largest) < 3 * h;
  return a.ok && b.ok && periodic && tears && a.changes < 20 && b.changes > 1000 ? 0 : 1;
}
