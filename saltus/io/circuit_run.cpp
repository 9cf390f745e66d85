#include "saltus/io/circuit_run.hpp"

#include "saltus/circuits/measure.hpp"
#include "saltus/circuits/mna.hpp"

#include <cmath>

namespace saltus {

namespace {

DescriptorRun run_options(const circuits::Circuit& circuit, const CircuitOptions& options) {
  const circuits::Transient& asked = circuit.transient;
  require(asked.given || (options.step && options.until),
          "circuit: there is no .tran, expected `.tran step stop`, or a step and an end given with "
          "the run");
  DescriptorRun run;
  run.step = options.step.value_or(asked.step);
  run.end = options.until.value_or(asked.stop);
  run.record_from = asked.start < run.end ? asked.start : 0.0;
  run.every = options.every;
  run.at_rest = !asked.use_initial;
  run.scheme.theta = options.theta.value_or(asked.theta);
  const bool fixed = options.step || options.theta || asked.fixed;
  run.accuracy = options.accuracy.value_or(asked.accuracy.value_or(fixed ? 0.0 : 1e-3));
  return run;
}

void take_measures(const circuits::Circuit& circuit, const Trajectory& steps,
                   CircuitResult& result) {
  const std::size_t columns = steps.x.names.size(), rows = steps.t.size();
  std::vector<double> column(rows);
  for (std::size_t m = 0; m < circuit.measures.size() && rows > 1; ++m) {
    for (std::size_t k = 0; k < rows; ++k) column[k] = steps.x.values[k * columns + m];
    const circuits::Measure& what = circuit.measures[m];
    double value = std::nan("");
    try {
      value = circuits::measure(what, steps.t, column);
    } catch (const Error& empty) {  // the run ended before the window of the measurement
      result.remarks.emplace_back(empty.what());
    }
    result.measures.push_back({what.name, std::string(name(what.kind)), value});
  }
}

/// What the consistent start changed: by more than the two short steps can move it, measured
/// against all that was recorded.
void remark_jumps(const std::vector<circuits::CircuitSystem::Start>& starts, const Vector& z,
                  CircuitResult& result) {
  constexpr double relative = 1e-5;
  double largest = 0;
  for (const auto& start : starts) largest = std::max(largest, std::abs(start.value));
  for (const double value : result.trajectory.x.values)
    largest = std::max(largest, std::abs(value));
  for (const auto& start : starts) {
    double after = 0;
    for (const auto& term : start.probe.terms) after += term.factor * z[term.index];
    if (std::abs(after - start.value) > relative * largest)
      result.remarks.push_back(fmt::format("at the start the {} jumps from {:.6g} to {:.6g}",
                                           start.probe.name, start.value, after));
  }
}

}  // namespace

CircuitResult run_circuit(const circuits::Circuit& circuit, const CircuitOptions& options) {
  const DescriptorRun how = run_options(circuit, options);
  circuits::CircuitSystem made =
      circuits::assemble(circuit, how.accuracy == 0 && how.scheme.theta < 1);
  DescriptorResult done = run(made.system, made.probes, how, made.measured);
  CircuitResult result;
  result.trajectory = std::move(done.trajectory);
  result.remarks = std::move(made.remarks);
  result.failure = std::move(done.failure);
  result.unknowns = made.system.size();
  for (Index i = 0; i < made.system.size(); ++i)
    result.bounded += made.system.lower[i] > -inf || made.system.upper[i] < inf ? 1 : 0;
  result.bounded += static_cast<Index>(made.system.hinges.rows.size());
  if (!how.at_rest && done.start.size() > 0) remark_jumps(made.starts, done.start, result);
  take_measures(circuit, done.steps, result);
  return result;
}

}  // namespace saltus
