#include "saltus/analysis/equilibria.hpp"
#include "saltus/analysis/model_lcs.hpp"
#include "saltus/analysis/passivity.hpp"
#include "saltus/analysis/well_posedness.hpp"
#include "saltus/integrators/state_jump.hpp"

#include "model.hpp"
#include "module.hpp"
#include "options.hpp"
#include "problem_types.hpp"
#include "reports.hpp"
#include "saltus/integrators/emts.hpp"

namespace saltus::python {

namespace {

Lcs to_lcs(const py::object& object, const char* where) {
  return Converter<Lcs>::from(object, where);
}

py::list list_of(const std::vector<Index>& numbers) {
  py::list list;
  for (Index number : numbers) list.append(number);
  return list;
}

template <class T>
auto matrix_of(Matrix T::*member) {
  return [member](const T& object) { return copy(ConstMatrixRef(object.*member)); };
}

template <class T>
auto vector_of(Vector T::*member) {
  return [member](const T& object) { return copy(ConstVectorRef(object.*member)); };
}

void bind_structure(py::module_& m) {
  bind_options<Lcs>(
      m,
      "Linear complementarity system, n states and m complementary pairs:\n\n"
      "    x' = A x + B λ + a,    w = C x + D λ + b,    0 ≤ w ⟂ λ ≥ 0\n\n"
      ">>> saltus.Lcs(A=[[0, 1, 0], [0, 0, 1], [0, 0, 0]], B=[[0], [0], [1]], C=[[1, 0, 0]])");
  m.def(
      "linearised",
      [](const PythonModel& model) { return Converter<Lcs>::to(linearised(model.model)); },
      py::arg("model"),
      "linearised(model)\n--\n\n"
      "The Lcs that a model is near its initial state, with the states (q, v, x) and a pair for\n"
      "each row of its interactions; exact for linear models. Complementarity and NewtonImpact "
      "only.");
  py::class_<RelativeDegree>(m, "RelativeDegree", "How often w is differentiated until λ appears.")
      .def_property_readonly(
          "degrees", [](const RelativeDegree& r) { return list_of(r.degrees); },
          "one per output; -1 if λ never appears in it")
      .def_property_readonly("decoupling", matrix_of(&RelativeDegree::decoupling),
                             "the matrix of λ in the derivatives of these orders")
      .def_readonly("exists", &RelativeDegree::exists, "the decoupling matrix is regular")
      .def("uniform", &RelativeDegree::uniform,
           "uniform($self)\n--\n\nThe degree if it exists and is the same everywhere, else -1.")
      .def("sum", &RelativeDegree::sum,
           "sum($self)\n--\n\nHow many states are outputs and their derivatives.")
      .def("largest", &RelativeDegree::largest,
           "largest($self)\n--\n\nThe largest degree; -1 without pairs.")
      .def("__repr__", [](const RelativeDegree& r) {
        return fmt::format("<RelativeDegree: {}>", py::str(list_of(r.degrees)).cast<std::string>());
      });
  m.def(
      "relative_degree",
      [](const py::object& system) { return relative_degree(to_lcs(system, "relative_degree")); },
      py::arg("system"), "relative_degree(system)\n--\n\nThe RelativeDegree of an Lcs.");
  py::class_<ZeroDynamicsForm>(m, "ZeroDynamicsForm",
                               "An Lcs in the coordinates z = W x + shift = (w, w', …, ξ), where "
                               "ξ' depends on ξ and w only.")
      .def_property_readonly(
          "degrees", [](const ZeroDynamicsForm& f) { return list_of(f.degrees); }, "per output")
      .def_property_readonly("W", matrix_of(&ZeroDynamicsForm::W), "z = W x + shift")
      .def_property_readonly("inverse", matrix_of(&ZeroDynamicsForm::inverse), "of W")
      .def_property_readonly("shift", vector_of(&ZeroDynamicsForm::shift), "zero without inputs")
      .def_property_readonly("A", matrix_of(&ZeroDynamicsForm::A), "z' = A z + c + …")
      .def_property_readonly("c", vector_of(&ZeroDynamicsForm::c), "zero without inputs")
      .def_property_readonly("decoupling", matrix_of(&ZeroDynamicsForm::decoupling),
                             "matrix of λ in the last derivatives")
      .def_property_readonly("A_xi", matrix_of(&ZeroDynamicsForm::A_xi), "zero dynamics")
      .def_property_readonly("B_xi", matrix_of(&ZeroDynamicsForm::B_xi), "and what w does to it")
      .def_readonly("chains", &ZeroDynamicsForm::chains, "entries of z before ξ")
      .def(
          "row",
          [](const ZeroDynamicsForm& f, Index output, Index derivative) {
            require(output >= 0 && output < f.outputs(), "row: output {} of {}", output,
                    f.outputs());
            const Index degree = f.degrees[static_cast<std::size_t>(output)];
            require(derivative >= 0 && derivative < degree,
                    "row: derivative {} of an output of relative degree {}", derivative, degree);
            return f.row(output, derivative);
          },
          py::arg("output"), py::arg("derivative"),
          "row($self, output, derivative)\n--\n\nWhere that derivative of w stands in z.")
      .def(
          "to_canonical",
          [](const ZeroDynamicsForm& f, const py::object& x) {
            return copy(ConstVectorRef(f.to_canonical(to_point(x, f.size(), "to_canonical: x"))));
          },
          py::arg("x"), "to_canonical($self, x)\n--\n\nz of x.")
      .def(
          "from_canonical",
          [](const ZeroDynamicsForm& f, const py::object& z) {
            return copy(
                ConstVectorRef(f.from_canonical(to_point(z, f.size(), "from_canonical: z"))));
          },
          py::arg("z"), "from_canonical($self, z)\n--\n\nx of z.");
  m.def(
      "zero_dynamics_form",
      [](const py::object& system) {
        return zero_dynamics_form(to_lcs(system, "zero_dynamics_form"));
      },
      py::arg("system"),
      "zero_dynamics_form(system)\n--\n\nThe ZeroDynamicsForm of an Lcs with D = 0.");
}

void bind_emts(py::module_& m) {
  bind_options<Emts>(
      m,
      "Extended Moreau time stepping of the higher-order sweeping process: an Lcs with D = 0 and\n"
      "any relative degree r ≥ 1. The unknowns are the measures of a step, by which w, w', … "
      "jump;\n"
      "λ is a distribution, reported by its parts. Backward Euler diverges for r ≥ 2.");
  py::class_<EmtsRun>(m, "EmtsRun", "A run of Emts; column k belongs to the time t[k].")
      .def_property_readonly("t", vector_of(&EmtsRun::t), "times")
      .def_property_readonly("x", matrix_of(&EmtsRun::x), "states, one row each")
      .def_property_readonly("z", matrix_of(&EmtsRun::z), "w, w', …, ξ")
      .def_property_readonly("measures", matrix_of(&EmtsRun::measures),
                             "of the step that ended at t[k], one row per entry of w, w', …")
      .def_property_readonly("density", matrix_of(&EmtsRun::density), "function part of λ")
      .def_property_readonly(
          "impulses",
          [](const EmtsRun& run) {
            py::list list;
            for (const Matrix& table : run.impulses) list.append(copy(ConstMatrixRef(table)));
            return list;
          },
          "impulses[i]: the coefficients of the i-th derivative of δ in λ")
      .def_property_readonly("variation", vector_of(&EmtsRun::variation), "total, of each row of z")
      .def_readonly("dissipation_defect", &EmtsRun::dissipation_defect,
                    "by how much a step missed complementarity at most")
      .def_readonly("last", &EmtsRun::last, "StepReport of the last step")
      .def("done", &EmtsRun::done, "done($self)\n--\n\nNo step failed.");
  m.def(
      "simulate_lcs",
      [](const py::object& system, const py::object& x0, double step, double end,
         const py::object& scheme) {
        const Lcs lcs = to_lcs(system, "simulate_lcs: system");
        const Vector start = to_vector(x0, "simulate_lcs: x0");
        const Emts emts =
            scheme.is_none() ? Emts{} : Converter<Emts>::from(scheme, "simulate_lcs: scheme");
        const py::gil_scoped_release release;
        return simulate(lcs, start, step, end, emts);
      },
      py::arg("system"), py::arg("x0"), py::arg("step"), py::arg("end"),
      py::arg("scheme") = py::none(),
      "simulate_lcs(system, x0, step, end, scheme=None)\n--\n\n"
      "The EmtsRun of an Lcs from x(0-) = x0, by Emts() or the scheme given.");
}

void bind_passivity(py::module_& m) {
  py::enum_<Positivity>(m, "Positivity", "How positive a transfer function is.")
      .value("none", Positivity::none, "not positive real")
      .value("positive_real", Positivity::positive_real, "yes, and no more")
      .value("weakly_strict", Positivity::weakly_strict, "Re H(jω) > 0 for all finite ω")
      .value("strict", Positivity::strict, "H(s - ε) is positive real for some ε > 0")
      .value("strong", Positivity::strong, "and D + D' > 0");
  bind_options<StorageSearch>(m, "How passivity() looks for a storage matrix.");
  py::class_<Passivity>(m, "Passivity", "Whether an Lcs is passive, and its storage matrix.")
      .def_readonly("passive", &Passivity::passive, "an Answer")
      .def_property_readonly("P", matrix_of(&Passivity::P), "storage matrix, V = x'Px/2")
      .def_readonly("violation", &Passivity::violation, "of the matrix inequality, relative")
      .def_readonly("lmi_largest", &Passivity::lmi_largest,
                    "largest eigenvalue of passivity_matrix(system, P)")
      .def_readonly("positive_definite", &Passivity::positive_definite, "P > 0")
      .def_readonly("controllable", &Passivity::controllable, "(A, B)")
      .def_readonly("observable", &Passivity::observable, "(C, A)")
      .def_readonly("full_rank", &Passivity::full_rank, "[B; D + D'] has full column rank")
      .def_readonly("positivity", &Passivity::positivity, "a Positivity")
      .def("minimal", &Passivity::minimal, "minimal($self)\n--\n\nControllable and observable.")
      .def("__repr__", [](const Passivity& p) {
        return fmt::format("<Passivity: {}, {}>", name(p.passive), name(p.positivity));
      });
  m.def(
      "passivity",
      [](const py::object& system, const py::object& options) {
        return passivity(to_lcs(system, "passivity"),
                         options.is_none()
                             ? StorageSearch{}
                             : Converter<StorageSearch>::from(options, "passivity: options"));
      },
      py::arg("system"), py::arg("options") = py::none(),
      "passivity(system, options=None)\n--\n\n"
      "The Passivity of an Lcs: a storage matrix from the Kalman-Yakubovich-Popov inequality, and\n"
      "the kind of positive realness from the frequency response.");
}

void bind_jump(py::module_& m) {
  py::enum_<JumpRule>(m, "JumpRule", "Three equivalent rules for the jump of a passive system.")
      .value("cone", JumpRule::cone, "complementarity of the multiplier and the new output")
      .value("state", JumpRule::state, "the nearest consistent state in the metric P")
      .value("multiplier", JumpRule::multiplier, "the multiplier that leaves the least energy");
  py::class_<StateJump>(m, "StateJump", "A jump to a consistent state, x⁺ = x⁻ + B λ.")
      .def_property_readonly("x", vector_of(&StateJump::x), "the state after it")
      .def_property_readonly("lambda_", vector_of(&StateJump::lambda), "coefficient of δ in λ")
      .def_property_readonly(
          "report", [](const StateJump& j) { return Outcome{.report = j.report}; },
          "SolveReport of the problem behind it");
  m.def(
      "consistent_jump",
      [](const py::object& system, const py::object& x, JumpRule rule, const py::object& P) {
        const Lcs lcs = to_lcs(system, "consistent_jump: system");
        const Vector before = to_vector(x, "consistent_jump: x");
        return consistent_jump(lcs, before, rule, to_matrix(P, "consistent_jump: P"));
      },
      py::arg("system"), py::arg("x"), py::arg("rule") = JumpRule::cone, py::arg("P") = py::none(),
      "consistent_jump(system, x, rule=..., P=None)\n--\n\n"
      "The StateJump from x(0-); the rules `state` and `multiplier` need a storage matrix P.");
}

void bind_equilibria(py::module_& m) {
  py::class_<Equilibrium>(m, "Equilibrium", "A state of rest of an Lcs.")
      .def_property_readonly("x", vector_of(&Equilibrium::x), "state")
      .def_property_readonly("lambda_", vector_of(&Equilibrium::lambda), "multiplier")
      .def_property_readonly(
          "active", [](const Equilibrium& e) { return list_of(e.active); }, "pairs with w = 0")
      .def_readonly("family", &Equilibrium::family, "one of infinitely many")
      .def_property_readonly("directions", matrix_of(&Equilibrium::directions),
                             "columns (x, λ) that span the family");
  m.def(
      "equilibria",
      [](const py::object& system) {
        py::list list;
        for (const Equilibrium& e : equilibria(to_lcs(system, "equilibria"))) list.append(e);
        return list;
      },
      py::arg("system"),
      "equilibria(system)\n--\n\nAll states of rest of an Lcs, a list of Equilibrium.");
}

void bind_well_posedness(py::module_& m) {
  py::class_<Theorem>(m, "Theorem", "A theorem of well-posedness looked up for a system.")
      .def_readonly("name", &Theorem::name, "of the theorem")
      .def_readonly("applies", &Theorem::applies, "an Answer")
      .def_readonly("reason", &Theorem::reason, "the hypothesis that decides")
      .def_readonly("conclusion", &Theorem::conclusion, "what it says of solutions")
      .def_readonly("existence", &Theorem::existence, "it would prove that there is one")
      .def_readonly("uniqueness", &Theorem::uniqueness, "it would prove that there is one at most");
  py::class_<WellPosedness>(m, "WellPosedness", "What is known of the solutions of an Lcs.")
      .def_property_readonly(
          "theorems",
          [](const WellPosedness& w) {
            py::list list;
            for (const Theorem& t : w.theorems) list.append(t);
            return list;
          },
          "list of Theorem")
      .def("existence", &WellPosedness::existence,
           "existence($self)\n--\n\nProved by a theorem that applies.")
      .def("uniqueness", &WellPosedness::uniqueness,
           "uniqueness($self)\n--\n\nProved by a theorem that applies.")
      .def("text", &WellPosedness::text,
           "text($self)\n--\n\nThe theorems that apply, or that none does and why.")
      .def("__repr__", [](const WellPosedness& w) { return w.text(); });
  m.def(
      "well_posedness",
      [](const py::object& system) { return well_posedness(to_lcs(system, "well_posedness")); },
      py::arg("system"),
      "well_posedness(system)\n--\n\nThe WellPosedness of an Lcs: which theorem applies, and why.");
}

}  // namespace

void bind_analysis(py::module_& m) {
  bind_structure(m);
  bind_emts(m);
  bind_passivity(m);
  bind_jump(m);
  bind_equilibria(m);
  bind_well_posedness(m);
}

}  // namespace saltus::python
