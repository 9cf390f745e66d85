/// Our side of circuits_siconos.py: times the stepping of a circuit from its netlist and prints one
/// JSON line.
///
///     saltus-bench-circuits CASE [--T end] [--h step] [--repeat N] [--warmup N]
#include "saltus/base/stopwatch.hpp"
#include "saltus/circuits/mna.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/integrators/descriptor_step.hpp"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>

namespace {

using namespace saltus;

const std::map<std::string, const char*> netlists{
    {"diode_bridge",
     "PL:C-01\nL1 a 0 10m ic=0\nC1 a 0 1u ic=10\nD1 a p\nD2 0 p\nD3 n a\nD4 n 0\nR1 p n 1k\n"
     ".probe v(a) i(l1)\n"},
    {"relay",
     "F:V57\nC1 x1 0 1 ic=0\nC2 x2 0 1 ic=1\nO1 0 x1 u1 low=-1 high=1\nO2 0 x2 u2 low=-1 high=1\n"
     "G1 0 x1 u1 0 1\nG2 0 x1 u2 0 -2\nG3 0 x2 u1 0 2\nG4 0 x2 u2 0 1\n.probe v(x1) v(x2)\n"}};

double probe(const DescriptorProbe& p, const Vector& z) {
  double sum = 0;
  for (const auto& term : p.terms) sum += term.factor * z[term.index];
  return sum;
}

int run(const std::string& name, const std::map<std::string, double>& given) {
  const auto number = [&](const char* key, double otherwise) {
    const auto found = given.find(key);
    return found == given.end() ? otherwise : found->second;
  };
  const auto found = netlists.find(name);
  require(found != netlists.end(), "no case '{}'; known: diode_bridge, relay", name);
  const auto made = circuits::assemble(circuits::read_netlist(found->second));
  const double h = number("h", 1e-6), end = number("T", 5e-3);
  const long steps = std::lround(end / h), warmup = static_cast<long>(number("warmup", 1));
  const DescriptorTheta scheme;
  DescriptorState state;
  double best = inf;
  for (int repeat = 0; repeat < static_cast<int>(number("repeat", 1)); ++repeat) {
    DescriptorWorkspace work;
    StepReport report = start_descriptor(made.system, 0, 1e-9 * h, scheme, state, work);
    Stopwatch watch;
    for (long k = 0; k < steps && report.done(); ++k) {
      if (k == warmup) watch.lap();
      report = step(made.system, state, h, scheme, work);
    }
    require(report.done(), "a step failed: {}", saltus::name(report.status));
    best = std::min(best, watch.seconds());
  }
  fmt::print(
      R"({{"case": "{}", "steps": {}, "seconds": {}, "final": {{"t": {}, "a": {}, "b": {}}}, )"
      R"("ok": true, "note": "theta = 1, mode following"}})"
      "\n",
      name, steps - warmup, best, state.t, probe(made.probes[0], state.z),
      probe(made.probes[1], state.z));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    require(argc >= 2 && argc % 2 == 0, "expected CASE [--key value ...]");
    std::map<std::string, double> given;
    for (int k = 2; k < argc; k += 2)
      given[std::string(argv[k]).substr(2)] = std::stod(argv[k + 1]);
    return run(argv[1], given);
  } catch (const std::exception& mistake) {
    fmt::print(stderr, "saltus-bench-circuits: {}\n", mistake.what());
    return 2;
  }
}
