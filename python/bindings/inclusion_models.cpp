#include "inclusion_arguments.hpp"
#include "module.hpp"
#include "options.hpp"
#include "saltus/inclusions/complementarity.hpp"
#include "saltus/inclusions/filippov.hpp"
#include "saltus/inclusions/variational.hpp"

namespace saltus::python {

namespace {

void bind_sweeping(py::module_& m) {
  m.def(
      "sweeping_process",
      [](const py::object& x0, const py::object& set, const py::object& center,
         const py::object& scale, const py::object& f) {
        const SweepingProcess process{.x0 = optional_values(x0, "sweeping_process: x0"),
                                      .set = to_set(set, "sweeping_process: set"),
                                      .center = time_vector(center, "sweeping_process: center"),
                                      .scale = time_number(scale, "sweeping_process: scale"),
                                      .f = time_field(f, "sweeping_process: f")};
        return PythonModel{process.model()};
      },
      py::arg("x0"), py::arg("set"), py::arg("center") = py::none(), py::arg("scale") = py::none(),
      py::arg("f") = py::none(),
      "sweeping_process(x0, set, center=None, scale=None, f=None)\n--\n\n"
      "The model of the perturbed sweeping process  −x' + f(t, x) ∈ N_K(t)(x)  with the moving "
      "set\n"
      "K(t) = center(t) + scale(t) set.\n\n"
      ">>> disc = saltus.sweeping_process([0, 1], saltus.Disk(radius=1), lambda t: [t, 0])");
  m.def(
      "polyhedral_sweeping",
      [](const py::object& x0, const py::object& A, const py::object& b, const py::object& f) {
        return PythonModel{PolyhedralSweeping{.x0 = optional_values(x0, "polyhedral_sweeping: x0"),
                                              .A = optional_rows(A, "polyhedral_sweeping: A"),
                                              .b = time_vector(b, "polyhedral_sweeping: b"),
                                              .f = time_field(f, "polyhedral_sweeping: f")}
                               .model()};
      },
      py::arg("x0"), py::arg("A"), py::arg("b"), py::arg("f") = py::none(),
      "polyhedral_sweeping(x0, A, b, f=None)\n--\n\n"
      "The model of the sweeping process with the moving polyhedron {x : A x + b(t) ≥ 0}.");
  m.def(
      "play",
      [](double radius, const py::object& input, double x0) {
        return PythonModel{
            Play{.radius = radius, .input = time_number(input, "play: input"), .x0 = x0}.model()};
      },
      py::arg("radius"), py::arg("input"), py::arg("x0") = 0.0,
      "play(radius, input, x0=0.0)\n--\n\n"
      "The model of the play operator (hysteresis): x follows input(t) at a distance of at most\n"
      "radius, lazily.");
}

void bind_variational(py::module_& m) {
  m.def(
      "unilateral_inclusion",
      [](const py::object& x0, const py::object& set, const py::object& f) {
        return PythonModel{
            UnilateralInclusion{.x0 = optional_values(x0, "unilateral_inclusion: x0"),
                                .set = to_set(set, "unilateral_inclusion: set"),
                                .f = time_field(f, "unilateral_inclusion: f")}
                .model()};
      },
      py::arg("x0"), py::arg("set"), py::arg("f") = py::none(),
      "unilateral_inclusion(x0, set, f=None)\n--\n\n"
      "The model of  −(x' + f(t, x)) ∈ N_K(x):  the evolution variational inequality and the\n"
      "projected dynamical system of the same f and K are this model, too.");
  m.def(
      "differential_variational_inequality",
      [](const py::object& x0, const py::object& B, const py::object& G, const py::object& set,
         const py::object& f, const py::object& D) {
        const char* who = "differential_variational_inequality";
        return PythonModel{DifferentialVariationalInequality{.x0 = optional_values(x0, who),
                                                             .f = time_field(f, who),
                                                             .B = optional_rows(B, who),
                                                             .G = time_field(G, who),
                                                             .D = optional_rows(D, who),
                                                             .set = to_set(set, who)}
                               .model()};
      },
      py::arg("x0"), py::arg("B"), py::arg("G"), py::arg("set"), py::arg("f") = py::none(),
      py::arg("D") = py::none(),
      "differential_variational_inequality(x0, B, G, set, f=None, D=None)\n--\n\n"
      "The model of  x' = f(t, x) + B λ,  −(G(t, x) + D λ) ∈ N_K(λ).");
}

void bind_discontinuous(py::module_& m) {
  m.def(
      "relay_system",
      [](const py::object& x0, const py::object& A, const py::object& B, const py::object& C,
         const py::object& D, const py::object& a, const py::object& b, double lower,
         double upper) {
        const char* who = "relay_system";
        const RelaySystem system{.system = {.A = optional_rows(A, who),
                                            .B = optional_rows(B, who),
                                            .C = optional_rows(C, who),
                                            .D = optional_rows(D, who),
                                            .a = optional_values(a, who),
                                            .b = optional_values(b, who)},
                                 .lower = lower,
                                 .upper = upper};
        return PythonModel{system.model(optional_values(x0, who))};
      },
      py::arg("x0"), py::arg("A"), py::arg("B"), py::arg("C"), py::arg("D") = py::none(),
      py::arg("a") = py::none(), py::arg("b") = py::none(), py::arg("lower") = -1.0,
      py::arg("upper") = 1.0,
      "relay_system(x0, A, B, C, D=None, a=None, b=None, lower=-1.0, upper=1.0)\n--\n\n"
      "The model of  x' = A x + B u + a,  y = C x + D u + b,  u = lower where y > 0, upper where\n"
      "y < 0, anything between on y = 0.");
  m.def(
      "filippov_system",
      [](const py::object& x0, const py::object& above, const py::object& below,
         const py::object& surface, const py::object& normal) {
        const FilippovSystem system{.x0 = optional_values(x0, "filippov_system: x0"),
                                    .above = time_field(above, "filippov_system: above"),
                                    .below = time_field(below, "filippov_system: below"),
                                    .surface = state_number(surface, "filippov_system: surface"),
                                    .normal = state_vector(normal, "filippov_system: normal")};
        return PythonModel{system.model()};
      },
      py::arg("x0"), py::arg("above"), py::arg("below"), py::arg("surface"),
      py::arg("normal") = py::none(),
      "filippov_system(x0, above, below, surface, normal=None)\n--\n\n"
      "The model of a field that jumps on surface(x) = 0, in the sense of Filippov: above(t, x)\n"
      "where surface > 0, below(t, x) where surface < 0, a combination that slides between.");
}

}  // namespace

void bind_inclusion_models(py::module_& m) {
  bind_sweeping(m);
  bind_variational(m);
  bind_discontinuous(m);
}

}  // namespace saltus::python
