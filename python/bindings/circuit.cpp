#include "module.hpp"
#include "saltus/circuits/netlist.hpp"
#include "saltus/io/circuit_run.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

namespace saltus::python {

namespace {

/// A text with several lines is a netlist, anything else the name of a file.
circuits::Circuit read(const py::object& source) {
  if (py::isinstance<py::str>(source)) {
    const auto text = source.cast<std::string>();
    if (text.find('\n') != std::string::npos) return circuits::read_netlist(text);
  }
  return circuits::read_netlist_file(source.cast<std::filesystem::path>());
}

std::shared_ptr<CircuitResult> simulate(const py::object& source, std::optional<double> step,
                                        std::optional<double> until, std::optional<double> theta,
                                        std::optional<double> accuracy, int every) {
  const circuits::Circuit circuit = read(source);
  const py::gil_scoped_release release;
  return std::make_shared<CircuitResult>(run_circuit(
      circuit,
      {.step = step, .until = until, .theta = theta, .accuracy = accuracy, .every = every}));
}

py::dict measures(const CircuitResult& result) {
  py::dict values;
  for (const MeasuredValue& m : result.measures) values[py::str(m.name)] = m.value;
  return values;
}

}  // namespace

void bind_circuit(py::module_& m) {
  using Result = CircuitResult;
  py::class_<Result, std::shared_ptr<Result>> result(
      m, "CircuitResult",
      "A circuit over time: result.t are the instants [s], result['v(out)'] is a probe (a view),\n"
      "result.measures the dict of the .meas lines, result.trajectory everything that was "
      "recorded.");
  const auto trajectory = [](const std::shared_ptr<Result>& self) {
    return std::shared_ptr<Trajectory>(self, &self->trajectory);
  };
  result.def_property_readonly("trajectory", trajectory, "Trajectory: the probes are its x");
  result.def_property_readonly(
      "t",
      [=](const std::shared_ptr<Result>& self) -> py::object {
        return py::cast(trajectory(self)).attr("t");
      },
      "instants [s]");
  result.def("__getitem__",
             [=](const std::shared_ptr<Result>& self, const std::string& name) -> py::object {
               return py::cast(trajectory(self))[py::str(name)];
             });
  result.def(
      "names", [](const Result& self) { return self.trajectory.x.names; },
      "names($self)\n--\n\nThe names of the probes.");
  result.def_property_readonly("measures", &measures, "the measurements by name");
  result.def_readonly("remarks", &Result::remarks,
                      "on loops, cutsets and jumps at the start: a list of texts");
  result.def_readonly("failure", &Result::failure,
                      "why the run ended early; an empty text if it did not");
  result.def_readonly("unknowns", &Result::unknowns, "unknowns of the one-step problem");
  result.def_readonly("bounded", &Result::bounded, "those of diodes, relays, transistors");
  result.def("__repr__", [](const Result& self) {
    return fmt::format("<CircuitResult: {} instants, {} probes, {} measures{}>",
                       self.trajectory.size(), self.trajectory.x.columns(), self.measures.size(),
                       self.failure.empty() ? "" : "; " + self.failure);
  });
  m.def("circuit", &simulate, py::arg("source"), py::kw_only(), py::arg("step") = py::none(),
        py::arg("until") = py::none(), py::arg("theta") = py::none(),
        py::arg("accuracy") = py::none(), py::arg("every") = 1,
        "circuit(source, *, step=None, until=None, theta=None, accuracy=None, every=1)\n--\n\n"
        "Simulates a circuit from a netlist: the name of a file, or a text of several lines, of\n"
        "which the first is the title. until replaces the end of .tran. The steps are chosen by\n"
        "their error, accuracy in parts of full scale (default 1e-3), and every step of .tran is\n"
        "recorded. With step (a longest step) or theta (1: implicit Euler, 0.5: trapezoidal) the\n"
        "steps are fixed and each every-th is recorded; with accuracy and step, step is the\n"
        "distance of the instants recorded.\n\n"
        ">>> run = saltus.circuit('''RC\n"
        "... V1 a 0 1\n"
        "... R1 a b 1k\n"
        "... C1 b 0 1u ic=0\n"
        "... .tran 10u 5m\n"
        "... .meas v avg v(b)\n"
        "... ''')\n"
        ">>> run.t, run['v(b)'], run.measures['v']\n\n"
        "`saltus circuit --help` on the command line lists the elements. Raises Error with line\n"
        "and column on a mistake in the netlist.");
}

}  // namespace saltus::python
