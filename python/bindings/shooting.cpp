#include "saltus/integrators/shooting.hpp"

#include "inclusion_arguments.hpp"
#include "module.hpp"

namespace saltus::python {

namespace {

/// The report, and the initial state found.
struct Shot {
  ShootingReport report = {};
  Vector x0 = {};
};

Shot shoot(const PythonModel& model, const py::object& M, const py::object& N, const py::object& b,
           double end, int steps, const py::object& scheme, const py::object& guess,
           const py::object& options) {
  const BoundaryConditions conditions{.M = to_matrix(M, "solve_boundary_value: M"),
                                      .N = to_matrix(N, "solve_boundary_value: N"),
                                      .b = to_vector(b, "solve_boundary_value: b")};
  Scheme chosen = MoreauJean{.theta = 1};
  if (!scheme.is_none()) chosen = Converter<Scheme>::from(scheme, "solve_boundary_value: scheme");
  const Shooting how = options.is_none()
                           ? Shooting{}
                           : Converter<Shooting>::from(options, "solve_boundary_value: options");
  Shot shot;
  shot.x0 = guess.is_none() ? Vector(model.model.initial_state().x)
                            : to_vector(guess, "solve_boundary_value: guess");
  const py::gil_scoped_release release;
  shot.report = solve(model.model, conditions, end, steps, chosen, shot.x0, how);
  return shot;
}

}  // namespace

void bind_shooting(py::module_& m) {
  bind_options<Shooting>(
      m, "How solve_boundary_value() looks for the initial state: Newton's method, damped.");
  py::class_<Shot>(m, "BoundaryValueReport", "What became of a boundary value problem.")
      .def_property_readonly(
          "x0", [](const Shot& s) { return copy(ConstVectorRef(s.x0)); }, "the initial state found")
      .def_property_readonly(
          "x_end", [](const Shot& s) { return copy(ConstVectorRef(s.report.x_end)); },
          "the state at the end")
      .def_property_readonly(
          "status", [](const Shot& s) { return s.report.status; },
          "a SolveStatus; numerical_error if a step of the scheme failed")
      .def_property_readonly(
          "iterations", [](const Shot& s) { return s.report.iterations; }, "of Newton's method")
      .def_property_readonly(
          "residual", [](const Shot& s) { return s.report.residual; },
          "largest violation of a condition")
      .def(
          "converged", [](const Shot& s) { return s.report.converged(); },
          "converged($self)\n--\n\nThe conditions hold up to the tolerance.")
      .def("__repr__", [](const Shot& s) {
        return fmt::format("<BoundaryValueReport: {}, residual {:.2g}>", name(s.report.status),
                           s.report.residual);
      });
  m.def(
      "solve_boundary_value", &shoot, py::arg("model"), py::arg("M"), py::arg("N"), py::arg("b"),
      py::arg("end"), py::arg("steps"), py::arg("scheme") = py::none(),
      py::arg("guess") = py::none(), py::arg("options") = py::none(),
      "solve_boundary_value(model, M, N, b, end, steps, scheme=None, guess=None, options=None)\n"
      "--\n\n"
      "The initial state of a first-order model with  M x(0) + N x(end) = b,  by shooting with\n"
      "`steps` steps of the scheme, default backward Euler. The guess is the model's own initial\n"
      "state if None. Returns a BoundaryValueReport.\n\n"
      ">>> decay = saltus.differential_variational_inequality(...)\n"
      ">>> saltus.solve_boundary_value(decay, [[1.0]], [[0.25]], [2.0], end=1.0, steps=100).x0");
}

}  // namespace saltus::python
