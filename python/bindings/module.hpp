#pragma once

#include "arrays.hpp"
#include "saltus/laws/law.hpp"
#include "saltus/relations/relation.hpp"
#include "saltus/systems/system.hpp"

namespace saltus::python {

// One function per layer, in the order of the layers.
void bind_reports(py::module_& m);
void bind_sets(py::module_& m);
void bind_systems(py::module_& m);
void bind_relations(py::module_& m);
void bind_model(py::module_& m);
void bind_problems(py::module_& m);  // Lcp, Mlcp, BlockForm
void bind_friction_problems(py::module_& m);
void bind_friction_measures(py::module_& m);
void bind_lcp_variants(py::module_& m);
void bind_qp(py::module_& m);
void bind_ncp(py::module_& m);
void bind_vi(py::module_& m);
void bind_nlp(py::module_& m);
void bind_solve_of_others(py::module_& m);  // last: what solve says of anything else
void bind_matrix_classes(py::module_& m);
void bind_problem_files(py::module_& m);
void bind_fclib(py::module_& m);
void bind_options_structs(py::module_& m);  // laws, algorithms, schemes, ready models
void bind_schemes(py::module_& m);
void bind_inclusions(py::module_& m);
void bind_inclusion_models(py::module_& m);
void bind_formalisms(py::module_& m);
void bind_piecewise(py::module_& m);
void bind_shooting(py::module_& m);
void bind_friction_algorithms(py::module_& m);
void bind_elastic(py::module_& m);
void bind_rigid_scene(py::module_& m);
void bind_planar_scene(py::module_& m);
void bind_mobility(py::module_& m);
void bind_trajectory(py::module_& m);
void bind_circuit(py::module_& m);
void bind_simulation(py::module_& m);
void bind_analysis(py::module_& m);
void bind_analysis_tools(py::module_& m);
void bind_runs(py::module_& m);  // after the algorithms and Lcs

/// A system or relation of the library, or any Python object with the right methods.
[[nodiscard]] System to_system(const py::object& object);
[[nodiscard]] Relation to_relation(const py::object& object);

}  // namespace saltus::python
