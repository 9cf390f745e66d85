#include "module.hpp"
#include "problem_types.hpp"
#include "saltus/problems/avi.hpp"
#include "saltus/problems/certificates.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/problems/mcp.hpp"
#include "saltus/problems/qp_conversions.hpp"
#include "saltus/problems/vertical_lcp.hpp"
#include "saltus/solvers/algorithm.hpp"

#include <pybind11/stl.h>

namespace saltus::python {

namespace {

constexpr const char* solve_doc =
    "solve(problem, guess=None, solver=None)\n--\n\n"
    "Solves a problem; returns (solution, report).\n\n"
    ">>> z, report = saltus.solve(saltus.Lcp(M, q), solver=saltus.Lemke())\n"
    ">>> report.converged()\n\n"
    "`guess` is where iterative algorithms and pivoting start (default: zero); it is not changed.\n"
    "`solver` is an algorithm of the problem; what it is by default, and the solution:\n\n"
    "    Lcp, Mlcp, BlockForm      Automatic           z\n"
    "    FrictionContact           Automatic           r\n"
    "    GlobalFrictionContact     CoulombCascade      (v, r); the guess is r\n"
    "    GlobalBlockForm           CoulombCascade      (v, r); the guess is r\n"
    "    HorizontalLcp             Mehrotra            (x, s)\n"
    "    GeneralisedLcp            GapMinimisation     (z, w, y) (no guess)\n"
    "    ExtendedLcp               GapMinimisation     (z, w, y), y the slack (no guess)\n"
    "    ParametricLcp             ParametricPivoting  LcpPath (no guess)\n"
    "    Qp                        QpAutomatic         QpPoint: z and multipliers\n"
    "    Ncp, Mcp                  NcpAutomatic        z\n"
    "    Vi, Avi, Soclcp           ViAutomatic         z\n"
    "    Qvi                       QviSuccessive       z\n"
    "    Nlp                       NlpSqp              NlpPoint: z and multipliers\n"
    "    SetNlp                    NlpGradientProjection  z\n\n"
    "Of Qp and Nlp the guess is z, or a point with multipliers. Other problems are converted "
    "first:\n"
    "see their methods to_lcp, to_mcp and so on. A problem that is not solved is not an "
    "exception:\n"
    "see report.status, and report.certificate for the proof that there is no solution. An\n"
    "exception in a function of the problem ends the solve and reaches the caller.";

template <class Problem>
void bind_common(py::class_<Stored<Problem>>& cls, const char* name, const char* residual_doc) {
  cls.def(
      "residual",
      [](const Stored<Problem>& s, const py::object& z) {
        return residual(s.problem, to_point(z, s.problem.q.size(), "residual: z"));
      },
      py::arg("z"), residual_doc);
  cls.def(
      "proves_infeasible",
      [](const Stored<Problem>& s, const py::object& y, double tolerance) {
        return proves_infeasible(s.problem, to_point(y, s.problem.q.size(), "proves_infeasible: y"),
                                 tolerance);
      },
      py::arg("y"), py::arg("tolerance") = 1e-11,
      "proves_infeasible($self, y, tolerance=1e-11)\n--\n\n"
      "y proves by Farkas' lemma that no z is feasible. Lcp: y ≥ 0, M'y ≤ 0, q'y < 0.");
  cls.def("__repr__", [name](const Stored<Problem>& s) {
    return fmt::format("<{}: {} unknowns>", name, s.problem.q.size());
  });
}

void bind_lcp_conversions(py::class_<Stored<Lcp>>& cls) {
  cls.def(
      "to_ncp", [](const Stored<Lcp>& s) { return to_ncp(s.problem); },
      "to_ncp($self)\n--\n\nThe Ncp with F(z) = M z + q.");
  cls.def(
      "to_avi",
      [](const Stored<Lcp>& s) {
        return Stored<Avi>{to_avi(s.problem), s.dense};
      },
      "to_avi($self)\n--\n\nThe Avi over NonNegative.");
  cls.def(
      "to_horizontal_lcp",
      [](const Stored<Lcp>& s) {
        return Stored<HorizontalLcp>{to_horizontal_lcp(s.problem), s.dense};
      },
      "to_horizontal_lcp($self)\n--\n\nThe HorizontalLcp (M, −I, −q): x = z, s = w.");
  cls.def(
      "to_vertical_lcp", [](const Stored<Lcp>& s) { return to_vertical_lcp(s.problem); },
      "to_vertical_lcp($self)\n--\n\nThe VerticalLcp (I, 0, M, q): x = z.");
  cls.def(
      "to_symmetric_qp",
      [](const Stored<Lcp>& s) {
        return Stored<Qp>{to_symmetric_qp(s.problem), s.dense};
      },
      "to_symmetric_qp($self)\n--\n\n"
      "min ½ z'M z + q'z over z ≥ 0, for symmetric M. The same solutions if M is positive\n"
      "semi-definite.");
  cls.def(
      "to_gap_qp",
      [](const Stored<Lcp>& s) {
        return Stored<Qp>{to_gap_qp(s.problem), s.dense};
      },
      "to_gap_qp($self)\n--\n\n"
      "min z'(M z + q) over M z + q ≥ 0, z ≥ 0: solves the LCP if and only if the minimum is 0.");
}

void bind_lcp(py::module_& m) {
  py::class_<Stored<Lcp>> cls(
      m, "Lcp",
      "Linear complementarity problem: find z with  w = M z + q,  0 ≤ w ⟂ z ≥ 0.\n\n"
      "M is a NumPy array or a SciPy sparse matrix.\n\n"
      ">>> z, report = saltus.solve(saltus.Lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]))");
  cls.def(py::init([](const py::object& M, const py::object& q) {
            return store(Lcp{to_blocks(M, "Lcp: M"), to_vector(q, "Lcp: q")}, M);
          }),
          py::arg("M"), py::arg("q"), "__init__(self, M, q)\n--\n\n");
  matrix_copy(cls, "M", &Lcp::M, "matrix, copied");
  vector_view(cls, "q", &Lcp::q, "vector, a view");
  bind_common(cls, "Lcp",
              "residual($self, z)\n--\n\n‖min(z, M z + q)‖∞: zero exactly at solutions.");
  bind_lcp_conversions(cls);
}

void bind_mlcp_conversions(py::class_<Stored<Mlcp>>& cls) {
  cls.def(
      "to_lcp",
      [](const Stored<Mlcp>& s) {
        ReducedMlcp reduced = to_lcp(s.problem);
        Stored<Lcp> lcp{reduced.lcp, true};
        const Index size = lcp.problem.q.size();
        return py::make_tuple(
            std::move(lcp), py::cpp_function([reduced = std::move(reduced), size](py::object v) {
              return copy(ConstVectorRef(reduced.expand(to_point(v, size, "expand: v"))));
            }));
      },
      "to_lcp($self)\n--\n\n"
      "(lcp, expand): the Lcp left when the equalities are eliminated, and z = expand(v) from its\n"
      "solution v. Error if the equality block is singular.");
  cls.def(
      "to_horizontal_lcp",
      [](const Stored<Mlcp>& s) {
        MlcpAsHorizontal form = to_horizontal_lcp(s.problem);
        Stored<HorizontalLcp> problem{form.problem, true};
        const Index size = form.problem.q.size();
        return py::make_tuple(
            std::move(problem),
            py::cpp_function([form = std::move(form), size](py::object x, py::object y) {
              return copy(ConstVectorRef(
                  form.expand({to_point(x, size, "expand: x"), to_point(y, size, "expand: s")})));
            }));
      },
      "to_horizontal_lcp($self)\n--\n\n"
      "(problem, expand): a HorizontalLcp, and z = expand(x, s). Error unless there are as many\n"
      "equalities as complementarities and the block between them is regular.");
  cls.def(
      "to_vertical_lcp",
      [](const Stored<Mlcp>& s) {
        MlcpAsVertical form = to_vertical_lcp(s.problem);
        VerticalLcp problem = form.problem;
        const Index size = problem.a.size();
        return py::make_tuple(
            std::move(problem), py::cpp_function([form = std::move(form), size](py::object x) {
              return copy(ConstVectorRef(form.expand(to_point(x, size, "expand: x"))));
            }));
      },
      "to_vertical_lcp($self)\n--\n\n(problem, expand): a VerticalLcp, and z = expand(x).");
  cls.def(
      "to_mcp", [](const Stored<Mlcp>& s) { return to_mcp(s.problem); },
      "to_mcp($self)\n--\n\nThe Mcp with F(z) = M z + q.");
}

void bind_mlcp(py::module_& m) {
  py::class_<Stored<Mlcp>> cls(
      m, "Mlcp",
      "Mixed linear complementarity problem: find z with  w = M z + q,  w_i = 0 for i in\n"
      "`equalities`,  0 ≤ w_i ⟂ z_i ≥ 0 otherwise.");
  cls.def(py::init([](const py::object& M, const py::object& q, std::vector<Index> equalities) {
            return store(
                Mlcp{to_blocks(M, "Mlcp: M"), to_vector(q, "Mlcp: q"), std::move(equalities)}, M);
          }),
          py::arg("M"), py::arg("q"), py::arg("equalities"),
          "__init__(self, M, q, equalities)\n--\n\n");
  matrix_copy(cls, "M", &Mlcp::M, "matrix, copied");
  vector_view(cls, "q", &Mlcp::q, "vector, a view");
  cls.def_property_readonly(
      "equalities", [](const Stored<Mlcp>& s) { return s.problem.equalities; },
      "rows i with w_i = 0, increasing");
  bind_common(cls, "Mlcp",
              "residual($self, z)\n--\n\n"
              "max of ‖min(z, w)‖∞ over the complementarity rows and ‖w‖∞ over the equalities.");
  bind_mlcp_conversions(cls);
}

BlockForm make_block_form(const py::object& W, const py::object& q, const py::object& K) {
  Blocks blocks = to_block_sets(K, "BlockForm: K");
  BlockForm form;
  form.K = std::move(blocks.sets);
  form.q = to_vector(q, "BlockForm: q");
  const Matrix dense = is_sparse(W) ? Matrix() : to_matrix(W, "BlockForm: W");
  // a negative precision keeps the zeros of a dense matrix
  const Sparse entries =
      is_sparse(W) ? to_sparse(W, "BlockForm: W") : Sparse(dense.sparseView(1, -1));
  form.W = BlockSparse::sparse(entries, blocks.sizes, blocks.sizes);
  return form;
}

void bind_block_form(py::module_& m) {
  py::class_<Stored<BlockForm>> cls(
      m, "BlockForm",
      "The form that every one-step problem can take: find z with  u = W z + q  and, block by\n"
      "block,  −(u + g(u) e_N) ∈ N_K(z).\n\n"
      "K is a list of pairs (set, dimension), each set one of\n\n"
      "    Reals             u = 0\n"
      "    NonNegative       0 ≤ u ⟂ z ≥ 0\n"
      "    Interval          relay: u > 0 ⇒ z = lower\n"
      "    FrictionCone      Coulomb friction, g = mu ‖u_T‖\n"
      "    EllipticCone      orthotropic friction, g = ((mu_1 u_1)² + (mu_2 u_2)²)^½\n"
      "    RollingCone       sliding and rolling friction, g = mu ‖u_T‖ + mu_rolling ‖u_R‖\n"
      "    SecondOrderCone   associated friction, g = 0\n"
      "    FrictionCylinder  Tresca friction, g = 0\n\n"
      ">>> saltus.BlockForm(W, q, [(saltus.Interval(lower=-1, upper=1), 1), (saltus.Reals(), 2)])");
  cls.def(py::init([](const py::object& W, const py::object& q, const py::object& K) {
            return store(make_block_form(W, q, K), W);
          }),
          py::arg("W"), py::arg("q"), py::arg("K"), "__init__(self, W, q, K)\n--\n\n");
  matrix_copy(cls, "W", &BlockForm::W, "matrix, copied");
  vector_view(cls, "q", &BlockForm::q, "vector, a view");
  cls.def_property_readonly(
      "K",
      [](const Stored<BlockForm>& s) {
        return from_block_sets(s.problem.K, block_sizes(s.problem));
      },
      "list of pairs (set, dimension), one per block");
  bind_common(cls, "BlockForm",
              "residual($self, z)\n--\n\n‖z − P_K(z − (u + g(u)))‖: zero exactly at solutions.");
}

template <class Algorithm, class Problem>
void bind_solve(py::module_& m, const char* doc = "") {
  define_solve(
      m,
      [](const Stored<Problem>& s, const py::object& guess, const py::object& solver) {
        Vector z = to_guess(guess, s.problem.q.size());
        const Outcome outcome = run<Algorithm>(s.problem, z, solver);
        return answer(z, outcome);
      },
      doc);
}

void bind_enumeration(py::module_& m) {
  py::class_<EnumeratedSolution>(m, "EnumeratedSolution", "A solution, and what surrounds it.")
      .def_property_readonly(
          "z", [](const EnumeratedSolution& s) { return copy(ConstVectorRef(s.z)); },
          "the solution")
      .def_readonly("basis", &EnumeratedSolution::basis, "the smallest index set that gives z")
      .def_readonly("degenerate", &EnumeratedSolution::degenerate, "z_i = w_i = 0 for some i")
      .def_readonly("family", &EnumeratedSolution::family,
                    "member of a segment or ray of solutions")
      .def("__repr__", [](const EnumeratedSolution& s) {
        return fmt::format("<EnumeratedSolution: basis [{}]>", fmt::join(s.basis, ", "));
      });
  m.def(
      "enumerate_solutions",
      [](const Stored<Lcp>& s, const py::object& solver) {
        validate(s.problem);
        const Enumeration options =
            solver.is_none() ? Enumeration{}
                             : Converter<Enumeration>::from(solver, "enumerate_solutions: solver");
        return enumerate_solutions(s.problem, options);
      },
      py::arg("problem"), py::arg("solver") = py::none(),
      "enumerate_solutions(problem, solver=None)\n--\n\n"
      "All isolated solutions of a small Lcp, and a point of every family, as a list of\n"
      "EnumeratedSolution; `solver` is an Enumeration. 2ⁿ index sets: Error if n > max_size.");
}

}  // namespace

void bind_problems(py::module_& m) {
  bind_lcp(m);
  bind_mlcp(m);
  bind_block_form(m);
  bind_enumeration(m);
  bind_solve<ComplementarityAlgorithm, Lcp>(m, solve_doc);
  bind_solve<ComplementarityAlgorithm, Mlcp>(m);
  bind_solve<Algorithm, BlockForm>(m);
}

void bind_solve_of_others(py::module_& m) {
  define_solve(m, [](const py::object& problem, const py::object&, const py::object&) -> py::tuple {
    wrong_type("solve: problem",
               "one of those that help(saltus.solve) lists (others are converted first)", problem);
  });
}

}  // namespace saltus::python
