#include "saltus/problems/vi.hpp"

#include "functions.hpp"
#include "module.hpp"
#include "saltus/problems/gap_functions.hpp"
#include "saltus/solvers/vi_algorithm.hpp"
#include "sets.hpp"

#include <pybind11/stl.h>

namespace saltus::python {

namespace {

template <class Variant, class... More>
struct Extended;
template <class... A, class... More>
struct Extended<std::variant<A...>, More...> {
  using type = std::variant<A..., More...>;
};
/// ViAlgorithm, and what is for affine problems only.
using AviAlgorithm = Extended<ViAlgorithm, AviSplitting>::type;

void bind_algorithms(py::module_& m) {
  bind_options<ViAutomatic>(
      m,
      "The default for Vi, Avi and Soclcp: on a box as NcpAutomatic, on other sets\n"
      "NormalMapNewton, NaturalMapNewton, ProximalPoint, ViExtragradient until one converges.");
  bind_options<NaturalMapNewton>(m, "Newton's method on z − P(z − rho F(z)), with line search.");
  bind_options<NormalMapNewton>(
      m, "Newton's method on the normal map: F is only evaluated inside the set.");
  bind_options<ViFixedPoint>(m, "Projection with a fixed step: strongly monotone F.");
  bind_options<ViVariableStep>(m, "Projection with a variable step: co-coercive F.");
  bind_options<ViExtragradient>(m, "Two projections per step: monotone F.");
  bind_options<ViSolodovTseng>(m, "One projection per step: monotone F.");
  bind_options<ViHyperplane>(m, "Projection on separating hyperplanes: pseudo-monotone F.");
  bind_options<AviSplitting>(
      m, "Gauss-Seidel with projections for Avi and Soclcp: symmetric positive semi-definite M.");
  bind_options<RegularisedGapDescent>(m, "Descent on the regularised gap: strongly monotone F.");
  bind_options<DGapDescent>(m, "Quasi-Newton descent on the D-gap, without constraints.");
  bind_options<ViDiminishingStep>(m, "Projection with steps that go to zero: strictly monotone F.");
  bind_options<GapDescent>(m, "Descent on the gap by linear programs: compact sets.");
  bind_options<ViSmoothing>(m, "Newton's method on a smoothed projection: monotone F.");
  bind_options<ViPivoting>(m, "Linearised problems solved by pivoting: polyhedral sets.");
  bind_options<QviSuccessive>(m, "A sequence of variational inequalities for a Qvi.");
}

void bind_gaps(py::class_<Vi>& cls) {
  cls.def(
      "gap", [](const Vi& p, const py::object& z) { return gap(p, to_point(z, p.n, "gap: z")); },
      py::arg("z"), "gap($self, z)\n--\n\nsup over y in X of F(z)·(z − y); may be infinite.");
  cls.def(
      "regularised_gap",
      [](const Vi& p, const py::object& z, double alpha) {
        return regularised_gap(p, to_point(z, p.n, "regularised_gap: z"), alpha);
      },
      py::arg("z"), py::arg("alpha") = 1.0,
      "regularised_gap($self, z, alpha=1.0)\n--\n\n"
      "max over y in X of F(z)·(z − y) − (alpha/2)‖z − y‖²: nonnegative on X.");
  cls.def(
      "d_gap",
      [](const Vi& p, const py::object& z, double alpha, double beta) {
        return d_gap(p, to_point(z, p.n, "d_gap: z"), alpha, beta);
      },
      py::arg("z"), py::arg("alpha"), py::arg("beta"),
      "d_gap($self, z, alpha, beta)\n--\n\n"
      "regularised_gap(z, alpha) − regularised_gap(z, beta), 0 < alpha < beta: nonnegative.");
  cls.def(
      "natural_map",
      [](const Vi& p, const py::object& z, double rho) {
        Vector out(p.n);
        natural_map(p, to_point(z, p.n, "natural_map: z"), out, rho);
        return copy(ConstVectorRef(out));
      },
      py::arg("z"), py::arg("rho") = 1.0,
      "natural_map($self, z, rho=1.0)\n--\n\nz − P(z − rho F(z)): zero exactly at solutions.");
  cls.def(
      "normal_map",
      [](const Vi& p, const py::object& y) {
        Vector out(p.n);
        normal_map(p, to_point(y, p.n, "normal_map: y"), out);
        return copy(ConstVectorRef(out));
      },
      py::arg("y"),
      "normal_map($self, y)\n--\n\nF(P(y)) + y − P(y): zero exactly if P(y) is a solution.");
}

void bind_vi_class(py::module_& m) {
  py::class_<Vi> cls(m, "Vi",
                     "Variational inequality over a convex set: find z in X with\n\n"
                     "    F(z)·(y − z) ≥ 0 for all y in X    ⇔    0 ∈ F(z) + N_X(z).\n\n"
                     ">>> X = saltus.Ball(center=[0.0, 0.0], radius=1.0)\n"
                     ">>> z, report = saltus.solve(saltus.Vi(2, X, lambda z: z - [3.0, 4.0]))");
  cls.def(
      py::init([](Index n, const py::object& X, const py::object& F, const py::object& jacobian) {
        Vi problem{n, to_set(X, "Vi: X"), to_vector_function(F, "Vi: F"),
                   to_jacobian_function(jacobian, "Vi: jacobian")};
        validate(problem);
        return problem;
      }),
      py::arg("n"), py::arg("X"), py::arg("F"), py::arg("jacobian") = py::none(),
      "__init__(self, n, X, F, jacobian=None)\n--\n\n");
  define_functions(cls);
  cls.def_property_readonly(
      "X", [](const Vi& p) { return from_set(p.X); }, "the set, copied");
  bind_gaps(cls);
  cls.def(
      "to_mcp", [](const Vi& p) { return to_mcp(p); },
      "to_mcp($self)\n--\n\nThe Mcp, if X is a box; Error otherwise.");
  cls.def(
      "to_qvi", [](const Vi& p) { return to_qvi(p); },
      "to_qvi($self)\n--\n\nThe Qvi whose set does not move.");
  cls.def("__repr__",
          [](const Vi& p) { return fmt::format("<Vi: {} unknowns, {}>", p.n, name(p.X)); });
}

/// X(z), called without the GIL.
std::function<Set(ConstVectorRef)> to_set_function(const py::object& function) {
  const Callback callback = to_callback(function, "Qvi: X", false);
  return [callback](ConstVectorRef z) {
    const py::gil_scoped_acquire gil;
    return to_set(callback.function()(copy(z)), "Qvi: X");
  };
}

void bind_qvi_class(py::module_& m) {
  py::class_<Qvi> cls(
      m, "Qvi",
      "Quasi-variational inequality, the set moves with the unknown: find z in X(z) with\n\n"
      "    F(z)·(y − z) ≥ 0 for all y in X(z).\n\n"
      "X(z) gives a set, F(z) n numbers.");
  cls.def(
      py::init([](Index n, const py::object& X, const py::object& F, const py::object& jacobian) {
        Qvi problem{n, to_set_function(X), to_vector_function(F, "Qvi: F"),
                    to_jacobian_function(jacobian, "Qvi: jacobian")};
        validate(problem);
        return problem;
      }),
      py::arg("n"), py::arg("X"), py::arg("F"), py::arg("jacobian") = py::none(),
      "__init__(self, n, X, F, jacobian=None)\n--\n\n");
  define_functions(cls);
  cls.def(
      "X",
      [](const Qvi& p, const py::object& z) { return from_set(p.X(to_point(z, p.n, "X: z"))); },
      py::arg("z"), "X($self, z)\n--\n\nThe set at z.");
  cls.def(
      "freeze",
      [](const Qvi& p, const py::object& point) {
        return freeze(p, to_point(point, p.n, "freeze: point"));
      },
      py::arg("point"), "freeze($self, point)\n--\n\nThe Vi with the set held fixed at X(point).");
  cls.def("__repr__", [](const Qvi& p) { return fmt::format("<Qvi: {} unknowns>", p.n); });
}

template <class Problem>
void bind_affine(py::class_<Stored<Problem>>& cls, const char* name) {
  matrix_copy(cls, "M", &Problem::M, "matrix, copied");
  vector_view(cls, "q", &Problem::q, "vector, a view");
  cls.def(
      "residual",
      [](const Stored<Problem>& s, const py::object& z) {
        return residual(s.problem, to_point(z, s.problem.q.size(), "residual: z"));
      },
      py::arg("z"), "residual($self, z)\n--\n\n‖z − P(z − M z − q)‖: zero exactly at solutions.");
  cls.def("__repr__", [name](const Stored<Problem>& s) {
    return fmt::format("<{}: {} unknowns>", name, s.problem.q.size());
  });
}

void bind_avi_class(py::module_& m) {
  py::class_<Stored<Avi>> cls(
      m, "Avi",
      "Affine variational inequality over a convex set: find z in X with\n\n"
      "    0 ∈ M z + q + N_X(z).\n\n"
      "M is a NumPy array or a SciPy sparse matrix.");
  cls.def(
      py::init([](const py::object& M, const py::object& q, const py::object& X) {
        return store(Avi{to_blocks(M, "Avi: M"), to_vector(q, "Avi: q"), to_set(X, "Avi: X")}, M);
      }),
      py::arg("M"), py::arg("q"), py::arg("X"), "__init__(self, M, q, X)\n--\n\n");
  cls.def_property_readonly(
      "X", [](const Stored<Avi>& s) { return from_set(s.problem.X); }, "the set, copied");
  bind_affine(cls, "Avi");
  cls.def(
      "to_vi", [](const Stored<Avi>& s) { return to_vi(s.problem); },
      "to_vi($self)\n--\n\nThe Vi with F(z) = M z + q.");
}

void bind_soclcp_class(py::module_& m) {
  py::class_<Stored<Soclcp>> cls(
      m, "Soclcp",
      "Linear complementarity problem over second-order cones: find z with\n\n"
      "    w = M z + q,    K* ∋ w ⟂ z ∈ K,    K a product of {(z₀, z̄) : ‖z̄‖ ≤ mu z₀}.\n\n"
      "`sizes` are the rows of each cone, `mu` one number per cone (default: all 1).");
  cls.def(py::init([](const py::object& M, const py::object& q, std::vector<Index> sizes,
                      const py::object& mu) {
            return store(Soclcp{to_blocks(M, "Soclcp: M"), to_vector(q, "Soclcp: q"),
                                std::move(sizes), to_vector(mu, "Soclcp: mu")},
                         M);
          }),
          py::arg("M"), py::arg("q"), py::arg("sizes"), py::arg("mu") = py::none(),
          "__init__(self, M, q, sizes, mu=None)\n--\n\n");
  cls.def_property_readonly(
      "sizes", [](const Stored<Soclcp>& s) { return s.problem.sizes; }, "rows of each cone");
  vector_view(cls, "mu", &Soclcp::mu, "one per cone, a view; empty: all 1");
  bind_affine(cls, "Soclcp");
  cls.def(
      "cone", [](const Stored<Soclcp>& s) { return from_set(cone(s.problem)); },
      "cone($self)\n--\n\nK as a Product.");
  cls.def(
      "to_avi",
      [](const Stored<Soclcp>& s) {
        return Stored<Avi>{to_avi(s.problem), s.dense};
      },
      "to_avi($self)\n--\n\nThe Avi over K.");
  cls.def(
      "to_block_form",
      [](const Stored<Soclcp>& s) {
        return Stored<BlockForm>{to_block_form(s.problem), s.dense};
      },
      "to_block_form($self)\n--\n\nThe BlockForm with one block per cone, a SecondOrderCone.");
}

template <class Algorithm, class Problem>
void bind_affine_solve(py::module_& m) {
  define_solve(m, [](const Stored<Problem>& s, const py::object& guess, const py::object& solver) {
    Vector z = to_guess(guess, s.problem.q.size());
    const Outcome outcome = run<Algorithm>(s.problem, z, solver);
    return answer(z, outcome);
  });
}

template <class Algorithm, class Problem>
void bind_solve(py::module_& m) {
  define_solve(m, [](const Problem& p, const py::object& guess, const py::object& solver) {
    Vector z = to_guess(guess, p.n);
    const Outcome outcome = run<Algorithm>(p, z, solver);
    return answer(z, outcome);
  });
}

}  // namespace

void bind_vi(py::module_& m) {
  bind_algorithms(m);
  bind_vi_class(m);
  bind_qvi_class(m);
  bind_avi_class(m);
  bind_soclcp_class(m);
  bind_solve<ViAlgorithm, Vi>(m);
  bind_solve<std::variant<QviSuccessive>, Qvi>(m);
  bind_affine_solve<AviAlgorithm, Avi>(m);
  bind_affine_solve<AviAlgorithm, Soclcp>(m);
}

}  // namespace saltus::python
