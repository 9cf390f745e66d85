#include "saltus/problems/lcp_variants.hpp"

#include "module.hpp"
#include "problem_types.hpp"
#include "saltus/problems/vertical_lcp.hpp"
#include "saltus/solvers/gap_minimisation.hpp"
#include "saltus/solvers/interior_point.hpp"
#include "saltus/solvers/mehrotra.hpp"
#include "saltus/solvers/path_following.hpp"
#include "saltus/solvers/path_following_parametric.hpp"

namespace saltus::python {

namespace {

/// Those for the horizontal problem; the first is the default.
using HorizontalAlgorithm = std::variant<Mehrotra, InteriorPoint, PotentialReduction, ShortStep,
                                         PredictorCorrector, LongStep>;

/// A dense matrix of the problem, copied.
template <class Problem>
void dense_copy(py::class_<Problem>& cls, const char* name, Matrix Problem::*member,
                const char* doc) {
  cls.def_property_readonly(
      name, [member](const Problem& p) { return copy(ConstMatrixRef(p.*member)); }, doc);
}

template <class Problem>
void dense_copy(py::class_<Problem>& cls, const char* name, Vector Problem::*member,
                const char* doc) {
  cls.def_property_readonly(
      name, [member](const Problem& p) { return copy(ConstVectorRef(p.*member)); }, doc);
}

/// The problem, checked.
template <class Problem>
Problem checked(Problem problem) {
  validate(problem);
  return problem;
}

void bind_horizontal(py::module_& m) {
  py::class_<Stored<HorizontalLcp>> cls(
      m, "HorizontalLcp",
      "Horizontal linear complementarity problem: find x and s with\n\n"
      "    Q x + R s = q,    0 ≤ x ⟂ s ≥ 0.\n\n"
      ">>> (x, s), report = saltus.solve(saltus.HorizontalLcp(Q, R, q))");
  cls.def(py::init([](const py::object& Q, const py::object& R, const py::object& q) {
            return store(
                HorizontalLcp{to_sparse(Q, "HorizontalLcp: Q"), to_sparse(R, "HorizontalLcp: R"),
                              to_vector(q, "HorizontalLcp: q")},
                Q);
          }),
          py::arg("Q"), py::arg("R"), py::arg("q"), "__init__(self, Q, R, q)\n--\n\n");
  matrix_copy(cls, "Q", &HorizontalLcp::Q, "matrix of x, copied");
  matrix_copy(cls, "R", &HorizontalLcp::R, "matrix of s, copied");
  vector_view(cls, "q", &HorizontalLcp::q, "vector, a view");
  cls.def(
      "residual",
      [](const Stored<HorizontalLcp>& p, const py::object& x, const py::object& s) {
        const Index n = p.problem.q.size();
        return residual(p.problem, to_point(x, n, "residual: x"), to_point(s, n, "residual: s"));
      },
      py::arg("x"), py::arg("s"),
      "residual($self, x, s)\n--\n\nmax(‖Q x + R s − q‖∞, ‖min(x, s)‖∞)");
  cls.def(
      "to_lcp",
      [](const Stored<HorizontalLcp>& p) {
        HorizontalAsLcp form = to_lcp(p.problem);
        Stored<Lcp> lcp{form.lcp, p.dense};
        const Index size = p.problem.q.size();
        return py::make_tuple(
            std::move(lcp), py::cpp_function([form = std::move(form), size](py::object v) {
              const HorizontalPoint point = form.expand(to_point(v, size, "expand: v"));
              return py::make_tuple(copy(ConstVectorRef(point.x)), copy(ConstVectorRef(point.s)));
            }));
      },
      "to_lcp($self)\n--\n\n"
      "(lcp, expand): an equivalent Lcp, and (x, s) = expand(v) from its solution v. Error if "
      "none\n"
      "is found; for monotone pairs there always is one.");
  cls.def(
      "to_generalised_lcp",
      [](const Stored<HorizontalLcp>& p) { return to_generalised_lcp(p.problem); },
      "to_generalised_lcp($self)\n--\n\nThe GeneralisedLcp without y: z = x, w = s.");
  cls.def("__repr__", [](const Stored<HorizontalLcp>& p) {
    return fmt::format("<HorizontalLcp: {} pairs>", p.problem.q.size());
  });
}

HorizontalPoint horizontal_guess(const py::object& guess, Index n) {
  if (guess.is_none()) return {Vector::Zero(n), Vector::Zero(n)};
  if (!py::isinstance<py::sequence>(guess) || py::len(guess) != 2)
    wrong_type("solve: guess", "a pair (x, s)", guess);
  return {to_guess(guess[py::int_(0)], n), to_guess(guess[py::int_(1)], n)};
}

void bind_vertical(py::module_& m) {
  py::class_<VerticalLcp> cls(
      m, "VerticalLcp",
      "Vertical linear complementarity problem: find x with  0 ≤ A x + a ⟂ B x + b ≥ 0.\n\n"
      ">>> lcp, expand = saltus.VerticalLcp(A, a, B, b).to_lcp()\n"
      ">>> x = expand(saltus.solve(lcp)[0])");
  cls.def(
      py::init([](const py::object& A, const py::object& a, const py::object& B,
                  const py::object& b) {
        return checked(VerticalLcp{to_matrix(A, "VerticalLcp: A"), to_vector(a, "VerticalLcp: a"),
                                   to_matrix(B, "VerticalLcp: B"), to_vector(b, "VerticalLcp: b")});
      }),
      py::arg("A"), py::arg("a"), py::arg("B"), py::arg("b"), "__init__(self, A, a, B, b)\n--\n\n");
  dense_copy(cls, "A", &VerticalLcp::A, "matrix, copied");
  dense_copy(cls, "a", &VerticalLcp::a, "vector, copied");
  dense_copy(cls, "B", &VerticalLcp::B, "matrix, copied");
  dense_copy(cls, "b", &VerticalLcp::b, "vector, copied");
  cls.def(
      "residual",
      [](const VerticalLcp& p, const py::object& x) {
        return residual(p, to_point(x, p.a.size(), "residual: x"));
      },
      py::arg("x"), "residual($self, x)\n--\n\n‖min(A x + a, B x + b)‖∞");
  cls.def(
      "to_lcp",
      [](const VerticalLcp& p) {
        VerticalAsLcp form = to_lcp(p);
        Stored<Lcp> lcp{form.lcp, true};
        return py::make_tuple(
            std::move(lcp), py::cpp_function([form = std::move(form)](py::object z) {
              return copy(ConstVectorRef(form.expand(to_point(z, form.a.size(), "expand: z"))));
            }));
      },
      "to_lcp($self)\n--\n\n"
      "(lcp, expand): the Lcp in z = A x + a, and x = expand(z). Error if A is singular.");
  cls.def("__repr__", [](const VerticalLcp& p) {
    return fmt::format("<VerticalLcp: {} unknowns>", p.a.size());
  });
}

void bind_extended(py::module_& m) {
  py::class_<ExtendedLcp> cls(m, "ExtendedLcp",
                              "Extended linear complementarity problem: find z and w with\n\n"
                              "    G (M z + N w) ≥ g,    0 ≤ w ⟂ z ≥ 0.");
  cls.def(
      py::init([](const py::object& M, const py::object& N, const py::object& G,
                  const py::object& g) {
        return checked(ExtendedLcp{to_matrix(M, "ExtendedLcp: M"), to_matrix(N, "ExtendedLcp: N"),
                                   to_matrix(G, "ExtendedLcp: G"), to_vector(g, "ExtendedLcp: g")});
      }),
      py::arg("M"), py::arg("N"), py::arg("G"), py::arg("g"), "__init__(self, M, N, G, g)\n--\n\n");
  dense_copy(cls, "M", &ExtendedLcp::M, "matrix of z, copied");
  dense_copy(cls, "N", &ExtendedLcp::N, "matrix of w, copied");
  dense_copy(cls, "G", &ExtendedLcp::G, "one row per face, copied");
  dense_copy(cls, "g", &ExtendedLcp::g, "one entry per face, copied");
  cls.def(
      "residual",
      [](const ExtendedLcp& p, const py::object& z, const py::object& w) {
        return residual(p, to_point(z, p.M.cols(), "residual: z"),
                        to_point(w, p.N.cols(), "residual: w"));
      },
      py::arg("z"), py::arg("w"),
      "residual($self, z, w)\n--\n\nmax(‖min(z, w)‖∞, ‖max(0, g − G (M z + N w))‖∞)");
  cls.def(
      "to_generalised_lcp", [](const ExtendedLcp& p) { return to_generalised_lcp(p); },
      "to_generalised_lcp($self)\n--\n\nThe same z and w, y = G (M z + N w) − g.");
}

void bind_generalised(py::module_& m) {
  py::class_<GeneralisedLcp> cls(
      m, "GeneralisedLcp",
      "Generalised linear complementarity problem of Ye: find z, w and y with\n\n"
      "    M z + N w + Q y = q,    y ≥ 0,    0 ≤ w ⟂ z ≥ 0.");
  cls.def(py::init([](const py::object& M, const py::object& N, const py::object& Q,
                      const py::object& q) {
            return checked(GeneralisedLcp{
                to_matrix(M, "GeneralisedLcp: M"), to_matrix(N, "GeneralisedLcp: N"),
                to_matrix(Q, "GeneralisedLcp: Q"), to_vector(q, "GeneralisedLcp: q")});
          }),
          py::arg("M"), py::arg("N"), py::arg("Q"), py::arg("q"),
          "__init__(self, M, N, Q, q)\n--\n\n");
  dense_copy(cls, "M", &GeneralisedLcp::M, "matrix of z, copied");
  dense_copy(cls, "N", &GeneralisedLcp::N, "matrix of w, copied");
  dense_copy(cls, "Q", &GeneralisedLcp::Q, "matrix of y, copied");
  dense_copy(cls, "q", &GeneralisedLcp::q, "vector, copied");
  cls.def(
      "residual",
      [](const GeneralisedLcp& p, const py::object& z, const py::object& w, const py::object& y) {
        return residual(p, to_point(z, p.M.cols(), "residual: z"),
                        to_point(w, p.N.cols(), "residual: w"),
                        to_point(y, p.Q.cols(), "residual: y"));
      },
      py::arg("z"), py::arg("w"), py::arg("y"),
      "residual($self, z, w, y)\n--\n\n"
      "max(‖M z + N w + Q y − q‖∞, ‖max(0, −y)‖∞, ‖min(z, w)‖∞)");
}

/// The guess is not used.
template <class Problem>
void bind_gap_solve(py::module_& m) {
  define_solve(m, [](const Problem& problem, const py::object& guess, const py::object& solver) {
    if (!guess.is_none()) wrong_type("solve: guess", "None: GapMinimisation uses no guess", guess);
    GeneralisedPoint point;
    const Outcome outcome = run<std::variant<GapMinimisation>>(problem, point, solver);
    return py::make_tuple(
        py::make_tuple(copy(ConstVectorRef(point.z)), copy(ConstVectorRef(point.w)),
                       copy(ConstVectorRef(point.y))),
        outcome);
  });
}

void bind_parametric(py::module_& m) {
  py::class_<Stored<ParametricLcp>> cls(
      m, "ParametricLcp",
      "The family Lcp(M, q + t d) over a parameter t; solve gives its solutions along t.\n\n"
      ">>> path, report = saltus.solve(saltus.ParametricLcp(M, q, d),\n"
      "...                             solver=saltus.ParametricPivoting(to=2.0))\n"
      ">>> path.at(0.7)");
  cls.def(py::init([](const py::object& M, const py::object& q, const py::object& d) {
            return store(
                ParametricLcp{to_blocks(M, "ParametricLcp: M"), to_vector(q, "ParametricLcp: q"),
                              to_vector(d, "ParametricLcp: d")},
                M);
          }),
          py::arg("M"), py::arg("q"), py::arg("d"), "__init__(self, M, q, d)\n--\n\n");
  matrix_copy(cls, "M", &ParametricLcp::M, "matrix, copied");
  vector_view(cls, "q", &ParametricLcp::q, "vector at t = 0, a view");
  vector_view(cls, "d", &ParametricLcp::d, "its rate, a view");
  cls.def(
      "at",
      [](const Stored<ParametricLcp>& s, double t) {
        return Stored<Lcp>{s.problem.at(t), s.dense};
      },
      py::arg("t"), "at($self, t)\n--\n\nThe Lcp of this t.");
  py::class_<LcpPath>(m, "LcpPath",
                      "Solutions along a parameter: affine in t between successive breakpoints;\n"
                      "two breakpoints with the same t are a jump.")
      .def_property_readonly(
          "t",
          [](const LcpPath& path) {
            Vector t(static_cast<Index>(path.size()));
            for (Index i = 0; i < t.size(); ++i) t[i] = path[static_cast<std::size_t>(i)].t;
            return copy(ConstVectorRef(t));
          },
          "of the breakpoints")
      .def_property_readonly(
          "z",
          [](const LcpPath& path) {
            const auto rows = static_cast<Index>(path.size());
            Matrix z(rows, rows == 0 ? 0 : path[0].z.size());
            for (Index i = 0; i < rows; ++i) z.row(i) = path[static_cast<std::size_t>(i)].z;
            return copy(ConstMatrixRef(z));
          },
          "one row per breakpoint")
      .def(
          "at",
          [](const LcpPath& path, double t) { return copy(ConstVectorRef(evaluate(path, t))); },
          py::arg("t"), "at($self, t)\n--\n\nz(t), the later one of a jump. Error if t is outside.")
      .def("__len__", [](const LcpPath& path) { return path.size(); });
}

}  // namespace

void bind_lcp_variants(py::module_& m) {
  bind_options<ParametricPivoting>(
      m, "Traces the solutions of a ParametricLcp by pivoting, from t = from_ to t = to.");
  bind_options<GapMinimisation>(
      m, "Minimises z'w, for ExtendedLcp and GeneralisedLcp: a quadratic program if monotone.");
  bind_horizontal(m);
  bind_vertical(m);
  bind_extended(m);
  bind_generalised(m);
  bind_parametric(m);
  bind_gap_solve<ExtendedLcp>(m);
  bind_gap_solve<GeneralisedLcp>(m);
  define_solve(
      m, [](const Stored<HorizontalLcp>& p, const py::object& guess, const py::object& solver) {
        HorizontalPoint point = horizontal_guess(guess, p.problem.q.size());
        const Outcome outcome = run<HorizontalAlgorithm>(p.problem, point, solver);
        return py::make_tuple(
            py::make_tuple(copy(ConstVectorRef(point.x)), copy(ConstVectorRef(point.s))), outcome);
      });
  define_solve(
      m, [](const Stored<ParametricLcp>& p, const py::object& guess, const py::object& solver) {
        if (!guess.is_none()) wrong_type("solve: guess", "None for a ParametricLcp", guess);
        LcpPath path;
        const Outcome outcome = run<std::variant<ParametricPivoting>>(p.problem, path, solver);
        return py::make_tuple(path, outcome);
      });
}

}  // namespace saltus::python
