#include "apps/circuit_command.hpp"

#include "apps/figure.hpp"
#include "apps/plot.hpp"
#include "apps/solve_output.hpp"
#include "apps/summary.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/io/circuit_run.hpp"
#include "saltus/io/trajectory_csv.hpp"

#include <fmt/format.h>

namespace saltus {

namespace {

void check_request(const CircuitRequest& request) {
  const auto check = [](const std::optional<double>& given, const char* option) {
    require(!given || (*given > 0 && *given < inf), "{} is {}, expected a number > 0", option,
            given.value_or(0));
  };
  check(request.step, "--step");
  check(request.until, "--until");
  require(!request.theta || (*request.theta >= 0.5 && *request.theta <= 1),
          "--theta is {}, expected 0.5 to 1", request.theta.value_or(0));
  require(!request.accuracy || *request.accuracy == 0 ||
              (*request.accuracy >= 1e-12 && *request.accuracy <= 0.5),
          "--accuracy is {}, expected 0 or 1e-12 to 0.5", request.accuracy.value_or(0));
  require(request.every > 0, "--every is {}, expected >= 1", request.every);
  for (const auto& output : request.outputs)
    require(output.extension() == ".csv" || output.extension() == ".h5",
            "--output is {}, expected a file that ends in .csv or .h5", output.string());
}

/// One panel for the voltages, one for the currents.
Figure figure_of(const circuits::Circuit& circuit, const Table& x) {
  Figure figure{.title = circuit.title, .panels = {}};
  Panel voltages{.title = "", .y_label = "voltage [V]", .curves = {}};
  Panel currents{.title = "", .y_label = "current [A]", .curves = {}};
  for (const std::string& name : x.names)
    (name.front() == 'i' ? currents : voltages).curves.push_back({name, {name}});
  for (const Panel& panel : {voltages, currents})
    if (!panel.curves.empty()) figure.panels.push_back(panel);
  return figure;
}

void write_files(const CircuitRequest& request, const circuits::Circuit& circuit,
                 const CircuitResult& result) {
  Notes notes{{"model", request.file.filename().string()}, {"title", circuit.title}};
  for (const MeasuredValue& m : result.measures) notes[m.name] = fmt::format("{}", m.value);
  add_notes(figure_of(circuit, result.trajectory.x), notes);
  for (const auto& output : request.outputs)
    if (output.extension() == ".csv")
      write_csv(output, result.trajectory);
    else
      write_hdf5(output, result.trajectory, notes);
  if (!request.plot) return;
  std::filesystem::path png =
      request.outputs.empty() ? request.file.filename() : request.outputs.front();
  png.replace_extension(".png");
  const std::string problem = draw(png, result.trajectory, notes);
  if (!problem.empty())
    fmt::print(stderr, "saltus: no picture: {}\n", problem);
  else if (!request.quiet && !request.json)
    fmt::print("Picture {}\n", png.string());
}

void print_text(const circuits::Circuit& circuit, const CircuitResult& result) {
  const RunReport& report = result.trajectory.report;
  fmt::print("Circuit {}\n", circuit.title);
  fmt::print(
      "        {} elements, {} nodes, {} unknowns, {} of them diodes, relays or ends of "
      "transistors\n",
      circuit.elements.size(), circuit.nodes.size(), result.unknowns, result.bounded);
  for (const std::string& remark : result.remarks) fmt::print("Remark  {}\n", remark);
  fmt::print(
      "Run     {} steps{} to {:.6g} s in {}, {} commutations, {} factorisations, largest "
      "residual {:.2g}\n",
      report.steps,
      report.longest_step > 0
          ? fmt::format(" of {:.2g} to {:.2g} s ({} repeated)", report.shortest_step,
                        report.longest_step, report.rejected_steps)
          : std::string(),
      report.end_time, duration_text(report.seconds), report.active_steps, report.factorisations,
      report.worst_residual);
  for (const MeasuredValue& m : result.measures)
    fmt::print("  {:<14} {:<5} {:.8g}\n", m.name, m.kind, m.value);
}

void print_json(const CircuitRequest& request, const circuits::Circuit& circuit,
                const CircuitResult& result) {
  const RunReport& report = result.trajectory.report;
  std::string measures, remarks;
  for (const MeasuredValue& m : result.measures)
    measures += fmt::format("{}{}: {}", measures.empty() ? "" : ", ", json_text(m.name),
                            json_number(m.value));
  for (const std::string& remark : result.remarks)
    remarks += (remarks.empty() ? "" : ", ") + json_text(remark);
  fmt::print(
      R"({{"file": {}, "title": {}, "unknowns": {}, "bounded": {}, "steps": {}, "end": {}, )"
      R"("rejected": {}, "commutations": {}, "factorisations": {}, "residual": {}, "seconds": {}, )"
      R"("measures": {{{}}}, "remarks": [{}], "failure": {}}})"
      "\n",
      json_text(request.file.string()), json_text(circuit.title), result.unknowns, result.bounded,
      report.steps, json_number(report.end_time), report.rejected_steps, report.active_steps,
      report.factorisations, json_number(report.worst_residual), json_number(report.seconds),
      measures, remarks, result.failure.empty() ? "null" : json_text(result.failure));
}

}  // namespace

int simulate_circuit(const CircuitRequest& request) {
  check_request(request);
  const circuits::Circuit circuit = circuits::read_netlist_file(request.file);
  const CircuitResult result = run_circuit(circuit, {.step = request.step,
                                                     .until = request.until,
                                                     .theta = request.theta,
                                                     .accuracy = request.accuracy,
                                                     .every = request.every});
  if (request.json)
    print_json(request, circuit, result);
  else if (!request.quiet)
    print_text(circuit, result);
  write_files(request, circuit, result);
  if (result.failure.empty()) return 0;
  fmt::print(stderr, "saltus: {}: {}\n", request.file.string(), result.failure);
  return 1;
}

}  // namespace saltus
