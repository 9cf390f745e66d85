#include "module.hpp"

#include "mechanics_tools.hpp"

PYBIND11_MODULE(_saltus, m) {
  using namespace saltus::python;
  py::options options;
  options.disable_function_signatures();  // the docstrings begin with them
  options.disable_enum_members_docstring();
  m.attr("__version__") = SALTUS_VERSION;
  py::register_exception<saltus::Error>(m, "Error", PyExc_ValueError).doc() =
      "A caller's mistake: wrong sizes, signs, names, files. The text says where, what was given "
      "and "
      "what was expected. What comes out of a computation is never an Error but a status in a "
      "report.";
  bind_reports(m);
  bind_sets(m);
  bind_systems(m);
  bind_relations(m);
  bind_model(m);
  bind_inclusion_models(m);
  bind_formalisms(m);
  bind_piecewise(m);
  bind_options_structs(m);
  bind_elastic(m);
  bind_rigid_scene(m);
  bind_planar_scene(m);
  bind_mechanics_tools(m);
  bind_mobility(m);
  bind_problems(m);
  bind_friction_problems(m);
  bind_friction_measures(m);
  bind_lcp_variants(m);
  bind_qp(m);
  bind_ncp(m);
  bind_vi(m);
  bind_nlp(m);
  bind_solve_of_others(m);
  bind_matrix_classes(m);
  bind_problem_files(m);
  bind_fclib(m);
  bind_trajectory(m);
  bind_circuit(m);
  bind_simulation(m);
  bind_analysis(m);
  bind_analysis_tools(m);
  bind_shooting(m);
  bind_runs(m);
}
