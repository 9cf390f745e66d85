#include "inclusion_arguments.hpp"
#include "module.hpp"
#include "options.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "saltus/inclusions/piecewise.hpp"
#include "saltus/inclusions/variational.hpp"

#include <pybind11/stl.h>

// Formalisms as values: what is stated stands in a small object, model() lowers it, and to_…() is
// an edge of the graph of conversions, which checks its hypothesis.

namespace saltus::python {

namespace {

constexpr const char* model_doc = "model($self)\n--\n\nThe Model of it, for a Simulation.";

template <class T>
auto start_of() {
  return [](const T& system) { return copy(ConstVectorRef(system.x0)); };
}

/// A formalism of x0, a set and f(t, x).
template <class T>
py::class_<T> bind_on_set(py::module_& m, const char* name, const char* doc) {
  py::class_<T> cls(m, name, doc);
  const std::string who = name;
  cls.def(py::init([who](const py::object& x0, const py::object& set, const py::object& f) {
            return T{.x0 = to_vector(x0, who + ": x0"),
                     .set = to_set(set, who + ": set"),
                     .f = time_field(f, who + ": f")};
          }),
          py::arg("x0"), py::arg("set"), py::arg("f") = py::none(),
          "__init__(self, x0, set, f=None)\n--\n\n");
  cls.def_property_readonly("x0", start_of<T>(), "initial state, copied");
  cls.def_property_readonly(
      "set", [](const T& system) { return from_set(system.set); }, "the convex set K");
  cls.def(
      "model", [](const T& system) { return PythonModel{system.model()}; }, model_doc);
  return cls;
}

void bind_three_languages(py::module_& m) {
  auto inclusion = bind_on_set<UnilateralInclusion>(
      m, "UnilateralInclusion",
      "Unilateral differential inclusion  −(x' + f(t, x)) ∈ N_K(x),  f=None is zero.\n\n"
      "The same problem as its to_evi(), to_projected() and to_sweeping().\n\n"
      ">>> one = saltus.UnilateralInclusion([0.0], saltus.NonNegative(), lambda t, x: -np.cos(t))\n"
      ">>> saltus.Simulation(one.to_projected().model(), step=0.01).run(5.0)");
  auto inequality = bind_on_set<EvolutionVariationalInequality>(
      m, "EvolutionVariationalInequality",
      "Evolution variational inequality: x ∈ K with  <x' + f(t, x), y − x> ≥ 0  for all y ∈ K.");
  auto projected = bind_on_set<ProjectedDynamicalSystem>(
      m, "ProjectedDynamicalSystem",
      "Projected dynamical system  x' = proj[T_K(x); −f(t, x)],  T_K the tangent cone.");
  inclusion.def(
      "to_evi", [](const UnilateralInclusion& i) { return to_evi(i); },
      "to_evi($self)\n--\n\nThe EvolutionVariationalInequality with the same solutions.");
  inclusion.def(
      "to_projected", [](const UnilateralInclusion& i) { return to_projected(i); },
      "to_projected($self)\n--\n\nThe ProjectedDynamicalSystem of its slow solution: the same.");
  inclusion.def(
      "to_sweeping", [](const UnilateralInclusion& i) { return to_sweeping(i); },
      "to_sweeping($self)\n--\n\nThe SweepingProcess with the set at rest, perturbed by −f.");
  inequality.def(
      "to_inclusion", [](const EvolutionVariationalInequality& i) { return to_inclusion(i); },
      "to_inclusion($self)\n--\n\nThe UnilateralInclusion with the same solutions.");
  inequality.def(
      "to_dvi", [](const EvolutionVariationalInequality& i) { return to_dvi(i); },
      "to_dvi($self)\n--\n\n"
      "The DifferentialVariationalInequality with the multiplier in the dual cone of K; Error if\n"
      "K is no cone.");
  projected.def(
      "to_inclusion", [](const ProjectedDynamicalSystem& i) { return to_inclusion(i); },
      "to_inclusion($self)\n--\n\nThe UnilateralInclusion with the same solutions.");
}

void bind_sweeping_forms(py::module_& m) {
  py::class_<SweepingProcess> sweeping(
      m, "SweepingProcess",
      "Perturbed sweeping process  −x' + f(t, x) ∈ N_K(t)(x),  K(t) = center(t) + scale(t) set.\n\n"
      "sweeping_process() makes its model in one call.");
  sweeping.def(py::init([](const py::object& x0, const py::object& set, const py::object& center,
                           const py::object& scale, const py::object& f) {
                 return SweepingProcess{.x0 = to_vector(x0, "SweepingProcess: x0"),
                                        .set = to_set(set, "SweepingProcess: set"),
                                        .center = time_vector(center, "SweepingProcess: center"),
                                        .scale = time_number(scale, "SweepingProcess: scale"),
                                        .f = time_field(f, "SweepingProcess: f")};
               }),
               py::arg("x0"), py::arg("set"), py::arg("center") = py::none(),
               py::arg("scale") = py::none(), py::arg("f") = py::none(),
               "__init__(self, x0, set, center=None, scale=None, f=None)\n--\n\n");
  sweeping.def_property_readonly("x0", start_of<SweepingProcess>(), "initial state, copied");
  sweeping.def_property_readonly(
      "set", [](const SweepingProcess& s) { return from_set(s.set); }, "before it is moved");
  sweeping.def(
      "model", [](const SweepingProcess& s) { return PythonModel{s.model()}; }, model_doc);

  py::class_<DifferentialVariationalInequality> dvi(
      m, "DifferentialVariationalInequality",
      "Differential variational inequality  x' = f(t, x) + B λ,  −(G(t, x) + D λ) ∈ N_K(λ).");
  dvi.def(py::init([](const py::object& x0, const py::object& B, const py::object& G,
                      const py::object& set, const py::object& f, const py::object& D) {
            const std::string who = "DifferentialVariationalInequality: ";
            return DifferentialVariationalInequality{.x0 = to_vector(x0, who + "x0"),
                                                     .f = time_field(f, who + "f"),
                                                     .B = to_matrix(B, who + "B"),
                                                     .G = time_field(G, who + "G"),
                                                     .D = optional_rows(D, who + "D"),
                                                     .set = to_set(set, who + "set")};
          }),
          py::arg("x0"), py::arg("B"), py::arg("G"), py::arg("set"), py::arg("f") = py::none(),
          py::arg("D") = py::none(), "__init__(self, x0, B, G, set, f=None, D=None)\n--\n\n");
  dvi.def_property_readonly("x0", start_of<DifferentialVariationalInequality>(),
                            "initial state, copied");
  dvi.def_property_readonly(
      "set", [](const DifferentialVariationalInequality& d) { return from_set(d.set); },
      "that λ lies in");
  dvi.def(
      "model", [](const DifferentialVariationalInequality& d) { return PythonModel{d.model()}; },
      model_doc);
}

void bind_relays(py::module_& m) {
  py::class_<RelaySystem> relays(
      m, "RelaySystem",
      "Linear system with relays: an Lcs whose λ is u ∈ [lower, upper], at its lower end where\n"
      "w > 0 and at the upper where w < 0.\n\nrelay_system() makes a model of matrices in one "
      "call.");
  relays.def(py::init([](const py::object& system, double lower, double upper) {
               return RelaySystem{.system = Converter<Lcs>::from(system, "RelaySystem: system"),
                                  .lower = lower,
                                  .upper = upper};
             }),
             py::arg("system"), py::arg("lower") = -1.0, py::arg("upper") = 1.0,
             "__init__(self, system, lower=-1.0, upper=1.0)\n--\n\n");
  relays.def_readonly("lower", &RelaySystem::lower, "what u is where w > 0");
  relays.def_readonly("upper", &RelaySystem::upper, "what u is where w < 0");
  relays.def(
      "model",
      [](const RelaySystem& r, const py::object& x0) {
        return PythonModel{r.model(to_vector(x0, "RelaySystem.model: x0"))};
      },
      py::arg("x0"), "model($self, x0)\n--\n\nThe Model of it from x0.");
  relays.def(
      "to_lcs", [](const RelaySystem& r) { return Converter<Lcs>::to(to_lcs(r)); },
      "to_lcs($self)\n--\n\n"
      "The Lcs with two pairs per relay: λ₁ = u − lower against the positive part of w, upper − u\n"
      "against the negative.");
}

void bind_complementarity_systems(py::module_& m) {
  m.def(
      "complementarity_system",
      [](const py::object& x0, const py::object& system, const py::object& E, const py::object& M,
         std::vector<Index> equalities) {
        const MixedLcs mixed{.system = Converter<Lcs>::from(system, "complementarity_system"),
                             .E = optional_rows(E, "complementarity_system: E"),
                             .M = optional_rows(M, "complementarity_system: M"),
                             .equalities = std::move(equalities)};
        return PythonModel{mixed.model(to_vector(x0, "complementarity_system: x0"))};
      },
      py::arg("x0"), py::arg("system"), py::arg("E") = py::none(), py::arg("M") = py::none(),
      py::arg("equalities") = std::vector<Index>{},
      "complementarity_system(x0, system, E=None, M=None, equalities=())\n--\n\n"
      "The model of an Lcs, or with E, M or equalities of a mixed one in descriptor form:\n\n"
      "    E x' = A x + B λ + a,    M w = C x + D λ + b,\n"
      "    w_i = 0 for i in equalities, else 0 ≤ w_i ⟂ λ_i ≥ 0\n\n"
      "E may be singular, M may not. For relative degrees of 2 and more use simulate_lcs().");
  m.def(
      "nonlinear_complementarity_system",
      [](const py::object& x0, const py::object& f, const py::object& g, const py::object& h,
         const py::object& D) {
        const std::string who = "nonlinear_complementarity_system: ";
        const Values start = to_vector(x0, who + "x0");
        NonlinearLcs system{.x0 = start,
                            .pairs = output_size(h, start, who + "h"),
                            .f = time_field(f, who + "f"),
                            .h = time_field(h, who + "h"),
                            .D = optional_rows(D, who + "D")};
        system.g = [push = state_matrix(g, who + "g")](double, ConstVectorRef x, MatrixRef out) {
          push(x, out);
        };
        require(!g.is_none(), "{}g is None, expected a function of x", who);
        return PythonModel{system.model()};
      },
      py::arg("x0"), py::arg("f"), py::arg("g"), py::arg("h"), py::arg("D") = py::none(),
      "nonlinear_complementarity_system(x0, f, g, h, D=None)\n--\n\n"
      "The model of  x' = f(t, x) + g(x) λ,  0 ≤ h(t, x) + D λ ⟂ λ ≥ 0;  g(x) is an n × m matrix,\n"
      "h(t, x) has m entries, f may be None for zero.");
  m.def(
      "gradient_system",
      [](const py::object& x0, const py::object& g, const py::object& slope, const py::object& f) {
        const Values start = to_vector(x0, "gradient_system: x0");
        const GradientSystem system{.x0 = start,
                                    .constraints = output_size(g, start, "gradient_system: g"),
                                    .f = time_field(f, "gradient_system: f"),
                                    .g = time_field(g, "gradient_system: g"),
                                    .slope = state_matrix(slope, "gradient_system: slope")};
        return PythonModel{system.model()};
      },
      py::arg("x0"), py::arg("g"), py::arg("slope"), py::arg("f") = py::none(),
      "gradient_system(x0, g, slope, f=None)\n--\n\n"
      "The model of  x' + f(t, x) = ∇g(x) λ,  0 ≤ g(t, x) ⟂ λ ≥ 0:  the unilateral inclusion on\n"
      "{x : g ≥ 0}, if the gradients of active constraints are independent. slope(x) is the m × n\n"
      "matrix of their rows.");
}

void bind_lcs_conversions(py::module_& m) {
  m.def(
      "to_sweeping",
      [](const py::object& system, const py::object& P, const py::object& x0) {
        const SweepingForm form =
            to_sweeping(Converter<Lcs>::from(system, "to_sweeping: system"),
                        to_matrix(P, "to_sweeping: P"), to_vector(x0, "to_sweeping: x0"));
        return py::make_tuple(PythonModel{form.process.model()}, copy(ConstMatrixRef(form.root)));
      },
      py::arg("system"), py::arg("P"), py::arg("x0"),
      "to_sweeping(system, P, x0)\n--\n\n"
      "(model, R): an Lcs with D = 0 and P B = C' as the model of a sweeping process in z = R x,\n"
      "R the root of P. passivity(system).P is such a P for a positive real system.");
  m.def(
      "to_piecewise",
      [](const py::object& system) {
        return to_piecewise(Converter<Lcs>::from(system, "to_piecewise: system"));
      },
      py::arg("system"),
      "to_piecewise(system)\n--\n\n"
      "The PiecewiseAffineSystem that an Lcs with a P-matrix D is: one cell for each set of pairs\n"
      "with λ > 0, at most 12 pairs.");
  m.def(
      "lexicographic_rate",
      [](const py::object& system, const py::object& x, double tolerance) {
        const Lcs lcs = Converter<Lcs>::from(system, "lexicographic_rate: system");
        const Vector at = to_vector(x, "lexicographic_rate: x");
        require(at.size() == lcs.states(), "lexicographic_rate: x has size {}, expected {}",
                at.size(), lcs.states());
        return copy(ConstVectorRef(lexicographic_rate(lcs, at, tolerance)));
      },
      py::arg("system"), py::arg("x"), py::arg("tolerance") = 1e-12,
      "lexicographic_rate(system, x, tolerance=1e-12)\n--\n\n"
      "x' of an Lcs with one pair, D = 0 and CB > 0: the free field where (w, w') ≥ 0 in the\n"
      "lexicographic order, else its projection on w' = 0.");
}

}  // namespace

void bind_formalisms(py::module_& m) {
  bind_sweeping_forms(m);
  bind_three_languages(m);
  bind_relays(m);
  bind_complementarity_systems(m);
  bind_lcs_conversions(m);
}

}  // namespace saltus::python
