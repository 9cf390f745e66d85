#include "saltus/analysis/equilibria.hpp"
#include "saltus/analysis/model_lcs.hpp"
#include "saltus/analysis/passivity.hpp"
#include "saltus/analysis/set_valued_map.hpp"
#include "saltus/analysis/well_posedness.hpp"
#include "saltus/integrators/state_jump.hpp"

#include "inclusion_arguments.hpp"
#include "module.hpp"

#include <array>
#include <span>

namespace saltus::python {

namespace {

Lcs to_lcs(const py::object& object, const char* where) {
  return Converter<Lcs>::from(object, where);
}

py::array array(const Matrix& values) { return copy(ConstMatrixRef(values)); }
py::array array(const Vector& values) { return copy(ConstVectorRef(values)); }

void bind_transfer(py::module_& m) {
  m.def(
      "markov_parameters",
      [](const py::object& system, Index count) {
        py::list list;
        for (const Matrix& M : markov_parameters(to_lcs(system, "markov_parameters"), count))
          list.append(array(M));
        return list;
      },
      py::arg("system"), py::arg("count"),
      "markov_parameters(system, count)\n--\n\nThe first matrices D, CB, CAB, CA²B, … of an Lcs.");
  m.def(
      "transfer_function",
      [](const py::object& system) {
        const TransferFunction H = transfer_function(to_lcs(system, "transfer_function"));
        return py::make_tuple(array(Vector(H.numerator.reverse())),
                              array(Vector(H.denominator.reverse())));
      },
      py::arg("system"),
      "transfer_function(system)\n--\n\n"
      "(numerator, denominator) of D + C (sI − A)⁻¹ B of an Lcs with one pair: coefficients from\n"
      "the highest power of s down, as for numpy.polyval; both have n + 1 of them.");
  m.def(
      "transformed",
      [](const py::object& system, const py::object& W) {
        return Converter<Lcs>::to(
            transformed(to_lcs(system, "transformed"), to_matrix(W, "transformed: W")));
      },
      py::arg("system"), py::arg("W"),
      "transformed(system, W)\n--\n\nThe same Lcs in the coordinates z = W x.");
  m.def(
      "linearised_state",
      [](const PythonModel& model) { return array(linearised_state(model.model)); },
      py::arg("model"),
      "linearised_state(model)\n--\n\nThe initial state of a model as one of linearised(model).");
}

void bind_storage(py::module_& m) {
  m.def(
      "passivity_matrix",
      [](const py::object& system, const py::object& P) {
        return array(passivity_matrix(to_lcs(system, "passivity_matrix"),
                                      to_matrix(P, "passivity_matrix: P")));
      },
      py::arg("system"), py::arg("P"),
      "passivity_matrix(system, P)\n--\n\n"
      "[A'P + PA, PB − C'; B'P − C, −D − D']: P ≥ 0 is a storage matrix if no eigenvalue is > 0.");
  m.def(
      "controllable",
      [](const py::object& system) { return controllable(to_lcs(system, "controllable")); },
      py::arg("system"), "controllable(system)\n--\n\nWhether λ reaches every state of an Lcs.");
  m.def(
      "observable",
      [](const py::object& system) { return observable(to_lcs(system, "observable")); },
      py::arg("system"), "observable(system)\n--\n\nWhether w tells every state of an Lcs.");
  m.def(
      "positivity",
      [](const py::object& system) { return positivity(to_lcs(system, "positivity")); },
      py::arg("system"),
      "positivity(system)\n--\n\nHow positive the transfer function of an Lcs is: a Positivity.");
  m.def(
      "smallest_real_part",
      [](const py::object& system, const py::object& omega) -> py::object {
        const Lcs lcs = to_lcs(system, "smallest_real_part");
        const Vector w = to_vector(omega, "smallest_real_part: omega");
        Vector found(w.size());
        for (Index i = 0; i < w.size(); ++i) found[i] = smallest_real_part(lcs, w[i]);
        if (to_array(omega, "smallest_real_part: omega").ndim() == 0) return py::float_(found[0]);
        return array(found);
      },
      py::arg("system"), py::arg("omega"),
      "smallest_real_part(system, omega)\n--\n\n"
      "The least eigenvalue of H(jω) + H(jω)*, for a frequency or an array of them.");
  m.def(
      "storage_bounds",
      [](const py::object& system) -> py::object {
        const StorageBounds bounds = storage_bounds(to_lcs(system, "storage_bounds"));
        if (!bounds.exist) return py::none();
        return py::make_tuple(array(bounds.least), array(bounds.most));
      },
      py::arg("system"),
      "storage_bounds(system)\n--\n\n"
      "(least, most): every storage matrix of an Lcs with D + D' > 0 lies between these two, the\n"
      "available storage and the required supply. None if there are none.");
  m.def(
      "complementary_cone",
      [](const py::object& D) {
        const ComplementaryCone cone = complementary_cone(to_matrix(D, "complementary_cone: D"));
        return py::make_tuple(array(cone.V), array(cone.G));
      },
      py::arg("D"),
      "complementary_cone(D)\n--\n\n"
      "(V, G) of the solutions {V η : G η ≥ 0} of 0 ≤ λ ⟂ D λ ≥ 0, D ≥ 0: what can be an impulse.");
}

void bind_rest(py::module_& m) {
  m.def(
      "equilibrium_lcp",
      [](const py::object& system) {
        return Stored<Lcp>{equilibrium_lcp(to_lcs(system, "equilibrium_lcp")), true};
      },
      py::arg("system"),
      "equilibrium_lcp(system)\n--\n\n"
      "The Lcp in λ of the states of rest of an Lcs with regular A; x = −A⁻¹(B λ + a).");
  m.def(
      "equilibrium",
      [](const py::object& system) {
        Outcome outcome;
        const Equilibrium found = equilibrium(to_lcs(system, "equilibrium"), outcome.report);
        return py::make_tuple(found, outcome);
      },
      py::arg("system"),
      "equilibrium(system)\n--\n\n"
      "(equilibrium, report): one state of rest of an Lcs with regular A, by one Lcp, for any\n"
      "number of pairs. equilibria() lists all of them.");
  m.def(
      "equilibrium_residual",
      [](const py::object& system, const py::object& x, const py::object& lambda) {
        const Lcs lcs = completed(to_lcs(system, "equilibrium_residual"));
        return equilibrium_residual(lcs, to_point(x, lcs.states(), "equilibrium_residual: x"),
                                    to_point(lambda, lcs.pairs(), "equilibrium_residual: lambda_"));
      },
      py::arg("system"), py::arg("x"), py::arg("lambda_"),
      "equilibrium_residual(system, x, lambda_)\n--\n\nZero exactly at states of rest.");
}

ValueInterval to_interval(const py::object& returned) {
  const Vector ends = to_vector(returned, "F", true);
  if (ends.size() == 0) return {};
  require(ends.size() <= 2, "F: returned {} numbers, expected a number or (lower, upper)",
          ends.size());
  return {ends[0], ends[ends.size() - 1]};
}

void bind_one_sided(py::module_& m) {
  py::class_<LipschitzConstants>(m, "LipschitzConstants",
                                 "Lipschitz constants of a scalar set-valued map, inf for none.")
      .def_readonly("lipschitz", &LipschitzConstants::lipschitz, "of the bounds of its values")
      .def_readonly("one_sided", &LipschitzConstants::one_sided,
                    "for every y1 there is a y2 with (y1 − y2)(x1 − x2) ≤ L (x1 − x2)²")
      .def_readonly("uniform_one_sided", &LipschitzConstants::uniform_one_sided,
                    "the same for all y1 and y2: at most one solution of x' ∈ F(x)")
      .def_readonly("growth", &LipschitzConstants::growth, "|y| ≤ growth (1 + |x|)");
  m.def(
      "lipschitz_constants",
      [](const py::object& F, double from, double to, const py::object& special, int intervals) {
        const Callback callback = to_callback(F, "lipschitz_constants: F", false);
        const Vector places = to_vector(special, "lipschitz_constants: special");
        const auto map = [&](double x) { return to_interval(callback.function()(x)); };
        return lipschitz_constants(
            map, from, to,
            std::span<const double>(places.data(), static_cast<std::size_t>(places.size())),
            intervals);
      },
      py::arg("F"), py::arg("from_"), py::arg("to"), py::arg("special") = py::none(),
      py::arg("intervals") = 64,
      "lipschitz_constants(F, from_, to, special=None, intervals=64)\n--\n\n"
      "The LipschitzConstants of F on [from_, to], where F(x) is a number, a pair (lower, upper) "
      "or\nempty, sampled more finely near the `special` points, where F jumps or has a kink.\n\n"
      ">>> relay = lambda x: -np.sign(x) if x else (-1, 1)\n"
      ">>> saltus.lipschitz_constants(relay, -1, 1, special=[0]).uniform_one_sided  # 0");
  m.def(
      "one_sided_lipschitz",
      [](const py::object& A, const py::object& P) {
        const Matrix a = to_matrix(A, "one_sided_lipschitz: A");
        const Matrix p = P.is_none() ? Matrix(Matrix::Identity(a.rows(), a.rows()))
                                     : to_matrix(P, "one_sided_lipschitz: P");
        return one_sided_lipschitz(a, p);
      },
      py::arg("A"), py::arg("P") = py::none(),
      "one_sided_lipschitz(A, P=None)\n--\n\n"
      "μ with which solutions of x' ∈ A x − N(x), N monotone in the metric P, separate at most:\n"
      "as exp(μ t). P=None is the identity.");
  m.def(
      "lyapunov_rate",
      [](const py::object& gradient, const py::object& fields) {
        const Matrix rows = to_matrix(fields, "lyapunov_rate: fields");
        const ValueInterval rate = lyapunov_rate(
            to_point(gradient, rows.cols(), "lyapunov_rate: gradient"), Matrix(rows.transpose()));
        return py::make_tuple(rate.lower, rate.upper);
      },
      py::arg("gradient"), py::arg("fields"),
      "lyapunov_rate(gradient, fields)\n--\n\n"
      "(lower, upper) of V' over the convex hull of the fields, one per row: V decreases whatever\n"
      "the selection if upper ≤ 0.");
  m.def(
      "lyapunov_matrix",
      [](const py::object& A, const py::object& Q) {
        return array(lyapunov_matrix(to_matrix(A, "lyapunov_matrix: A"),
                                     to_matrix(Q, "lyapunov_matrix: Q")));
      },
      py::arg("A"), py::arg("Q"),
      "lyapunov_matrix(A, Q)\n--\n\nP with A'P + PA = −Q, Q symmetric.");
}

void bind_solution_class(py::module_& m) {
  py::class_<SolutionClass>(m, "SolutionClass",
                            "What the relative degree means for solutions and schemes.")
      .def_readonly("relative_degree", &SolutionClass::relative_degree,
                    "the largest; -1 if λ never appears")
      .def_readonly("order_of_discontinuity", &SolutionClass::order_of_discontinuity,
                    "the derivative of x that jumps first: 1 − the relative degree")
      .def_readonly("solutions", &SolutionClass::solutions, "the space they live in, in words")
      .def_readonly("scheme", &SolutionClass::scheme, "that fits")
      .def_readonly("backward_euler", &SolutionClass::backward_euler,
                    "λ has values at points of time: relative degree 0 or 1");
  m.def(
      "solution_class",
      [](const py::object& system) { return solution_class(to_lcs(system, "solution_class")); },
      py::arg("system"),
      "solution_class(system)\n--\n\nThe SolutionClass of an Lcs, from its relative degree.");
}

struct Property {
  const char* name;
  Answer Traits::*member;
};

constexpr std::array properties{
    Property{"closed_convex", &Traits::closed_convex},
    Property{"lipschitz", &Traits::lipschitz},
    Property{"upper_semicontinuous", &Traits::upper_semicontinuous},
    Property{"linear_growth", &Traits::linear_growth},
    Property{"uniform_one_sided", &Traits::uniform_one_sided},
    Property{"hypomonotone", &Traits::hypomonotone},
    Property{"maximal_monotone", &Traits::maximal_monotone},
    Property{"start_admissible", &Traits::start_admissible},
    Property{"input_absolutely_continuous", &Traits::input_absolutely_continuous},
    Property{"bounded_variation", &Traits::bounded_variation},
    Property{"lipschitz_plus_gradient", &Traits::lipschitz_plus_gradient},
    Property{"continuous", &Traits::continuous},
    Property{"transversal", &Traits::transversal},
    Property{"bounded_hessian", &Traits::bounded_hessian},
    Property{"analytic", &Traits::analytic},
    Property{"independent_gradients", &Traits::independent_gradients},
    Property{"once_differentiable", &Traits::once_differentiable}};

Traits to_traits(Formalism formalism, const py::kwargs& given) {
  Traits traits;
  traits.formalism = formalism;
  for (const auto& [key, value] : given) {
    const auto name = key.cast<std::string>();
    const auto* found = std::find_if(properties.begin(), properties.end(),
                                     [&](const Property& p) { return name == p.name; });
    if (found == properties.end()) {
      std::vector<std::string> known;
      for (const Property& p : properties) known.emplace_back(p.name);
      unknown_keyword("well_posedness_of", name, known);
    }
    if (value.is_none()) continue;
    traits.*found->member = Converter<bool>::from(value, name) ? Answer::yes : Answer::no;
  }
  return traits;
}

void bind_traits(py::module_& m) {
  py::enum_<Formalism>(m, "Formalism", "What well_posedness_of() knows theorems for.")
      .value("differential_inclusion", Formalism::differential_inclusion, "x' ∈ F(t, x)")
      .value("maximal_monotone", Formalism::maximal_monotone, "x' + A(x) + g(t) ∋ 0")
      .value("sweeping_process", Formalism::sweeping_process, "−x' ∈ N_K(t)(x)")
      .value("evolution_vi", Formalism::evolution_vi, "<x' + f(x), y − x> ≥ 0 for y ∈ K")
      .value("switching_surface", Formalism::switching_surface, "a field that jumps on a surface")
      .value("dissipative_nonlinear", Formalism::dissipative_nonlinear,
             "nonlinear complementarity system with a storage function V")
      .value("frictionless_lagrangian", Formalism::frictionless_lagrangian,
             "unilateral constraints and impacts")
      .value("impulsive_ode", Formalism::impulsive_ode, "x' = f(x) + g(x) u'");
  m.def(
      "well_posedness_of",
      [](Formalism formalism, const py::kwargs& given) {
        return well_posedness(to_traits(formalism, given));
      },
      py::arg("formalism"),
      "well_posedness_of(formalism, *, closed_convex=None, lipschitz=None, "
      "upper_semicontinuous=None, linear_growth=None, uniform_one_sided=None, hypomonotone=None, "
      "maximal_monotone=None, start_admissible=None, input_absolutely_continuous=None, "
      "bounded_variation=None, lipschitz_plus_gradient=None, continuous=None, transversal=None, "
      "bounded_hessian=None, analytic=None, independent_gradients=None, once_differentiable=None)\n"
      "--\n\n"
      "The WellPosedness of a Formalism with what is known of its data, True, False or None:\n\n"
      "    closed_convex      values of F, or K      lipschitz          F, f or K(t)\n"
      "    linear_growth      |F| ≤ c (1 + |x|)      uniform_one_sided  F\n"
      "    hypomonotone       −F, or f               maximal_monotone   A\n"
      "    start_admissible   x(0) ∈ dom A or K(0)   bounded_variation  K(t), or u\n"
      "    transversal        both fields cross the surface at a speed\n"
      "    bounded_hessian    of the storage function V\n\n"
      ">>> saltus.well_posedness_of(saltus.Formalism.sweeping_process, closed_convex=True,\n"
      "...                          lipschitz=True, start_admissible=True)");
}

}  // namespace

void bind_analysis_tools(py::module_& m) {
  bind_transfer(m);
  bind_storage(m);
  bind_rest(m);
  bind_one_sided(m);
  bind_solution_class(m);
  bind_traits(m);
}

}  // namespace saltus::python
