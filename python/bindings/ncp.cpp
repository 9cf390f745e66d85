#include "saltus/problems/ncp.hpp"

#include "functions.hpp"
#include "module.hpp"
#include "saltus/problems/mcp_merit.hpp"
#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/vi_algorithm.hpp"

namespace saltus::python {

namespace {

void bind_algorithms(py::module_& m) {
  bind_options<NcpAutomatic>(m,
                             "The default for Ncp and Mcp: NcpNewton, PathSearch, Smoothing, "
                             "NewtonJosephy, ProximalPoint\n"
                             "from the same guess, until one converges.");
  bind_options<NcpNewton>(
      m, "Semismooth Newton method on Fischer and Burmeister's equation, with line search.");
  bind_options<NcpLevenbergMarquardt>(
      m, "Semismooth Levenberg-Marquardt method: every step is defined and descends.");
  bind_options<NcpInexactNewton>(
      m, "Semismooth Newton method with conjugate gradients: no factorisation.");
  bind_options<NewtonJosephy>(
      m, "Newton's method that solves a linear complementarity problem at each step.");
  bind_options<PathSearch>(
      m, "Newton's method on the normal map with a path search by pivoting, as in PATH.");
  bind_options<Smoothing>(m, "Newton's method on smoothed equations, the smoothing going to zero.");
  bind_options<ProximalPoint>(
      m, "Proximal point method: a sequence of regularised problems. Sure for monotone ones.");
  bind_options<NcpNeSqp>(
      m, "Newton's method on min(z, F), directions from convex quadratic programs.");
  bind_options<NcpQpcomp>(m, "NcpNeSqp with proximal perturbation when it stalls.");
  bind_options<NcpSemicomp>(m, "NcpNewton with proximal perturbation when it stalls.");
  bind_options<NcpInteriorPoint>(m, "Primal-dual interior point for monotone problems.");
}

void bind_ncp_class(py::module_& m) {
  py::class_<Ncp> cls(
      m, "Ncp",
      "Nonlinear complementarity problem: find z with  0 ≤ z ⟂ F(z) ≥ 0.\n\n"
      "F(z) gives n numbers, jacobian(z) an n×n matrix with ∂F_i/∂z_j (default: differences).\n\n"
      ">>> z, report = saltus.solve(saltus.Ncp(1, lambda z: z**2 - 4.0), guess=[1.0])");
  cls.def(py::init([](Index n, const py::object& F, const py::object& jacobian) {
            Ncp problem{n, to_vector_function(F, "Ncp: F"),
                        to_jacobian_function(jacobian, "Ncp: jacobian")};
            validate(problem);
            return problem;
          }),
          py::arg("n"), py::arg("F"), py::arg("jacobian") = py::none(),
          "__init__(self, n, F, jacobian=None)\n--\n\n");
  define_functions(cls);
  cls.def(
      "fischer_burmeister_merit",
      [](const Ncp& p, const py::object& z) {
        return fischer_burmeister_merit(p, to_point(z, p.n, "fischer_burmeister_merit: z"));
      },
      py::arg("z"), "fischer_burmeister_merit($self, z)\n--\n\n½ Σ (√(z² + F²) − z − F)²");
  cls.def(
      "implicit_lagrangian",
      [](const Ncp& p, const py::object& z, double alpha) {
        return implicit_lagrangian(p, to_point(z, p.n, "implicit_lagrangian: z"), alpha);
      },
      py::arg("z"), py::arg("alpha") = 2.0,
      "implicit_lagrangian($self, z, alpha=2.0)\n--\n\n"
      "Merit function of Mangasarian and Solodov, alpha > 1: zero exactly at solutions.");
  cls.def(
      "linearise",
      [](const Ncp& p, const py::object& point) {
        return Stored<Lcp>{linearise(p, to_point(point, p.n, "linearise: point"))};
      },
      py::arg("point"), "linearise($self, point)\n--\n\nThe Lcp of a Newton step at the point.");
  cls.def(
      "to_mcp", [](const Ncp& p) { return to_mcp(p); },
      "to_mcp($self)\n--\n\nThe Mcp with lower = 0, upper = ∞.");
  cls.def(
      "to_vi", [](const Ncp& p) { return to_vi(p); },
      "to_vi($self)\n--\n\nThe Vi over NonNegative.");
  cls.def(
      "to_nlp", [](const Ncp& p) { return to_nlp(p); },
      "to_nlp($self)\n--\n\n"
      "min z'F(z) subject to F(z) ≥ 0, z ≥ 0: solves the problem exactly if the minimum is 0.");
  cls.def("__repr__", [](const Ncp& p) { return fmt::format("<Ncp: {} unknowns>", p.n); });
}

void bind_mcp_conversions(py::class_<Mcp>& cls) {
  cls.def(
      "fischer_burmeister_merit",
      [](const Mcp& p, const py::object& z) {
        return fischer_burmeister_merit(p, to_point(z, p.n, "fischer_burmeister_merit: z"));
      },
      py::arg("z"),
      "fischer_burmeister_merit($self, z)\n--\n\n½ ‖Φ(z)‖² of Fischer and Burmeister's equation.");
  cls.def(
      "linearise",
      [](const Mcp& p, const py::object& point) {
        return Stored<BlockForm>{linearise(p, to_point(point, p.n, "linearise: point"))};
      },
      py::arg("point"),
      "linearise($self, point)\n--\n\nThe BlockForm of a Newton step at the point.");
  cls.def(
      "to_vi", [](const Mcp& p) { return to_vi(p); }, "to_vi($self)\n--\n\nThe Vi over the box.");
  cls.def(
      "to_ncp",
      [](const Mcp& p) {
        Ncp ncp = to_ncp(p);
        const Index size = ncp.n;
        return py::make_tuple(
            std::move(ncp), py::cpp_function([p, size](py::object x) {
              return copy(ConstVectorRef(from_ncp(p, to_point(x, size, "expand: x"))));
            }));
      },
      "to_ncp($self)\n--\n\n"
      "(ncp, expand): an equivalent Ncp, and z = expand(x) from its solution. Error if a row is\n"
      "free.");
}

void bind_mcp_class(py::module_& m) {
  py::class_<Mcp> cls(
      m, "Mcp",
      "Mixed complementarity problem: find z in [lower, upper] with  −F(z) ∈ N_[lower, upper](z):\n"
      "F_i = 0 between the bounds, F_i ≥ 0 at the lower, F_i ≤ 0 at the upper one.\n\n"
      "Bounds may be infinite: both, F_i = 0; lower = 0 alone, complementarity.");
  cls.def(py::init([](const py::object& F, const py::object& lower, const py::object& upper,
                      const py::object& jacobian) {
            Mcp problem;
            problem.lower = to_vector(lower, "Mcp: lower", true);
            problem.upper = to_vector(upper, "Mcp: upper", true);
            problem.n = problem.lower.size();
            problem.F = to_vector_function(F, "Mcp: F");
            problem.jacobian = to_jacobian_function(jacobian, "Mcp: jacobian");
            validate(problem);
            return problem;
          }),
          py::arg("F"), py::arg("lower"), py::arg("upper"), py::arg("jacobian") = py::none(),
          "__init__(self, F, lower, upper, jacobian=None)\n--\n\n");
  define_functions(cls);
  cls.def_property_readonly(
      "lower", [](const Mcp& p) { return copy(ConstVectorRef(p.lower)); }, "lower bounds, copied");
  cls.def_property_readonly(
      "upper", [](const Mcp& p) { return copy(ConstVectorRef(p.upper)); }, "upper bounds, copied");
  bind_mcp_conversions(cls);
  cls.def("__repr__", [](const Mcp& p) { return fmt::format("<Mcp: {} unknowns>", p.n); });
}

template <class Problem>
void bind_solve(py::module_& m) {
  define_solve(m, [](const Problem& p, const py::object& guess, const py::object& solver) {
    Vector z = to_guess(guess, p.n);
    const Outcome outcome = run<NcpAlgorithm>(p, z, solver);
    return answer(z, outcome);
  });
}

}  // namespace

void bind_ncp(py::module_& m) {
  bind_algorithms(m);
  bind_ncp_class(m);
  bind_mcp_class(m);
  bind_solve<Ncp>(m);
  bind_solve<Mcp>(m);
}

}  // namespace saltus::python
