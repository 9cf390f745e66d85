// Our side of benchmarks/spine.py: times the time loop of one case and prints one JSON line, see
// compare.py. The models are those of PL:C-01, PL:C-02, PL:C-03; keys as in peers/siconos/run.py.
//
//     saltus-bench-spine CASE [--key value …]

#include "saltus/base/stopwatch.hpp"
#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/mechanics/bead_column.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <cmath>
#include <map>
#include <string>

namespace {

using namespace saltus;

constexpr double g = 9.81;

struct Arguments {
  std::map<std::string, std::string> given;
  [[nodiscard]] double number(const std::string& key, double standard) const {
    const auto it = given.find(key);
    return it == given.end() ? standard : std::stod(it->second);
  }
  [[nodiscard]] std::string text(const std::string& key, const std::string& standard) const {
    const auto it = given.find(key);
    return it == given.end() ? standard : it->second;
  }
};

struct Case {
  Model model;
  MoreauJean scheme;
  double h;
  double end;
};

Case bouncing_ball(const Arguments& a) {
  Model model;
  const auto ball = model.add(LinearLagrangian{.M = Matrix::Identity(3, 3), .F = {-g, 0.0, 0.0}},
                              {.q = {1.0, 0.0, 0.0}});
  model.link(ball, LinearRelation{.H = {{1.0, 0.0, 0.0}}}, NewtonImpact{.e = a.number("e", 0.9)});
  return {model,
          {.solver = algorithm_by_name(a.text("solver", "Lemke"))},
          a.number("h", 5e-3),
          a.number("T", 10)};
}

Case diode_bridge(const Arguments& a) {
  return {circuits::DiodeBridge{}.model(),
          {.solver = algorithm_by_name(a.text("solver", "Lemke"))},
          a.number("h", 1e-6),
          a.number("T", 5e-3)};
}

Case bead_column(const Arguments& a) {
  const mechanics::BeadColumn column{.count = int(a.number("N", 1000)),
                                     .e = a.number("e", 0),
                                     .drop = a.number("drop", 0),
                                     .gap = a.number("gap", 0)};
  return {column.model(),
          {.solver = algorithm_by_name(a.text("solver", "Automatic"))},
          a.number("h", 1e-3),
          a.number("T", 0.051)};
}

/// The state reached, as the members of a JSON object; the same keys as the peer's.
std::string final_state(const std::string& name, const Simulation& sim, double h) {
  const State& s = sim.state();
  const Vector& r = sim.multipliers();
  if (name == "bouncing_ball")
    return fmt::format(R"("z": {}, "x": {}, "angle": {}, "v": {}, "p": {})", s.q[0], s.q[1], s.q[2],
                       s.v[0], r[0]);
  if (name == "diode_bridge") return fmt::format(R"("v": {}, "i": {})", s.x[0], s.x[1]);
  double error = 0;
  const Index n = r.size();
  for (Index i = 0; i < n; ++i) error = std::max(error, std::abs(r[i] - double(n - i) * g * h));
  return fmt::format(
      R"("impulse_ground": {}, "impulse_top": {}, "impulse_error": {}, "velocity_error": {})", r[0],
      r[n - 1], error / (double(n) * g * h), s.v.lpNorm<Eigen::Infinity>() / (double(n) * g * h));
}

int run(const std::string& name, const Arguments& a) {
  const Case bench =
      name == "bouncing_ball"  ? bouncing_ball(a)
      : name == "diode_bridge" ? diode_bridge(a)
      : name == "bead_column"
          ? bead_column(a)
          : (fail("no case '{}'; known: bouncing_ball, diode_bridge, bead_column", name), Case{});
  const long steps = std::lround(bench.end / bench.h), warmup = long(a.number("warmup", 1));
  double best = inf;
  std::string state;
  for (int repeat = 0; repeat < int(a.number("repeat", 1)); ++repeat) {
    Simulation sim(bench.model, bench.scheme, {.step = bench.h});
    Stopwatch watch;
    for (long k = 0; k < steps; ++k) {
      if (k == warmup) watch.lap();
      const StepReport report = sim.advance();
      require(report.done(), "step {} failed: {}", k, saltus::name(report.status));
    }
    best = std::min(best, watch.seconds());
    state = final_state(name, sim, bench.h);
  }
  fmt::print(
      R"({{"case": "{}", "steps": {}, "seconds": {}, "final": {{{}}}, "ok": true, "note": "{}"}})"
      "\n",
      name, steps - warmup, best, state, describe(bench.scheme.solver));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    Arguments a;
    for (int i = 2; i + 1 < argc; i += 2) a.given[std::string(argv[i]).substr(2)] = argv[i + 1];
    return run(argc > 1 ? argv[1] : "", a);
  } catch (const std::exception& error) {
    fmt::print(stderr, "saltus-bench-spine: {}\n", error.what());
    return 2;
  }
}
