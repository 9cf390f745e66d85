#include "module.hpp"
#include "options.hpp"
#include "saltus/solvers/algorithm.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

namespace saltus::python {

namespace {

bool is_sparse(const py::object& object) { return py::hasattr(object, "toarray"); }

/// A dense or SciPy sparse matrix; repeated entries are added, indices sorted.
Eigen::SparseMatrix<double> to_sparse(const py::object& object, const std::string& where) {
  if (!is_sparse(object)) return to_matrix(object, where).sparseView();
  if (object.attr("dtype").attr("kind").cast<std::string>() == "c")
    fail("{}: expected real numbers, given {}", where, given(object));
  const py::object columns =
      py::module_::import("scipy.sparse").attr("csc_matrix")(object, py::arg("copy") = true);
  columns.attr("sum_duplicates")();
  return columns.cast<Eigen::SparseMatrix<double>>();
}

/// The same in blocks; `size` 0: one block if dense, scalars if sparse.
BlockSparse to_blocks(const py::object& object, const std::string& where, Index size) {
  if (!is_sparse(object)) return BlockSparse::dense(to_matrix(object, where), size);
  return BlockSparse::sparse(to_sparse(object, where), std::max<Index>(size, 1));
}

/// A NumPy array if `dense`, else SciPy's csc_matrix.
py::object from_blocks(const BlockSparse& A, bool dense) {
  if (dense) return copy(ConstMatrixRef(A.to_dense()));
  return py::cast(A.to_sparse());
}

/// A problem and how its matrix was given.
template <class Problem>
struct Stored {
  Problem problem;
  bool dense = true;
};

template <class Problem>
Stored<Problem> store(Problem problem, const py::object& matrix) {
  validate(problem);
  return {std::move(problem), !is_sparse(matrix)};
}

/// An array that is a view of a vector of the problem; changes of it are changes of the problem.
template <class Problem>
void vector_view(py::class_<Stored<Problem>>& cls, const char* name, Vector Problem::*member,
                 const char* doc) {
  cls.def_property_readonly(
      name,
      [member](const py::object& self) {
        Vector& values = self.cast<Stored<Problem>&>().problem.*member;
        return view(values.data(), values.size(), self, true);
      },
      doc);
}

template <class Problem>
Vector start(const Problem& problem, Index size, const py::object& guess) {
  validate(problem);
  if (guess.is_none()) return Vector::Zero(size);
  Vector z = to_vector(guess, "solve: guess");
  require(z.size() == size, "solve: guess has size {}, the problem has {} unknowns", z.size(),
          size);
  return z;
}

template <class Algorithm, class Problem>
py::tuple solve_with(const Problem& problem, const py::object& guess, const py::object& solver) {
  Vector z = start(problem, problem.q.size(), guess);
  const auto algorithm = Converter<Algorithm>::from(solver, "solve: solver");
  SolveReport report;
  {
    const py::gil_scoped_release release;
    Workspace work;
    report = solve(problem, z, algorithm, work);
  }
  return py::make_tuple(copy(ConstVectorRef(z)), report);
}

py::tuple solve_global(const GlobalFrictionContact& problem, const py::object& guess,
                       const py::object& solver) {
  validate(problem);
  const py::tuple reduced = solve_with<FrictionAlgorithm>(reduce(problem), guess, solver);
  const Vector r = to_vector(reduced[0], "solve", true);
  return py::make_tuple(py::make_tuple(copy(ConstVectorRef(velocity(problem, r))), reduced[0]),
                        reduced[1]);
}

py::object default_solver(const py::object& solver) {
  return solver.is_none() ? Converter<Automatic>::to({}) : solver;
}

constexpr const char* solve_doc =
    "solve(problem, guess=None, solver=None)\n--\n\n"
    "Solves a problem; returns (solution, report).\n\n"
    ">>> z, report = saltus.solve(saltus.Lcp(M, q), solver=saltus.Lemke())\n"
    ">>> report.converged()\n\n"
    "`guess` is where iterative algorithms and BlockPivoting start (default: zero); it is not\n"
    "changed. `solver` is an algorithm, default Automatic(): Lemke, Murty, BlockPivoting or Psor\n"
    "for Lcp and Mlcp, Nsgs for FrictionContact and GlobalFrictionContact, whose solution is the\n"
    "pair (v, r). A problem that is not solved is not an exception: see report.status.";

template <class Algorithm, class Problem>
void bind_solve(py::module_& m) {
  m.def(
      "solve",
      [](const Stored<Problem>& s, const py::object& guess, const py::object& solver) {
        return solve_with<Algorithm>(s.problem, guess, default_solver(solver));
      },
      py::arg("problem"), py::arg("guess") = py::none(), py::arg("solver") = py::none());
}

template <class Problem>
void bind_residual(py::class_<Stored<Problem>>& cls, const char* doc) {
  cls.def(
      "residual",
      [](const Stored<Problem>& s, const py::object& z) {
        const Vector point = to_vector(z, "residual: z", true);
        require(point.size() == s.problem.q.size(), "residual: z has size {}, expected {}",
                point.size(), s.problem.q.size());
        return residual(s.problem, point);
      },
      py::arg("z"), doc);
}

template <class Problem>
std::string size_text(const char* name, const Problem& problem) {
  return fmt::format("<{}: {} unknowns>", name, problem.q.size());
}

void bind_lcp(py::module_& m) {
  py::class_<Stored<Lcp>> cls(
      m, "Lcp",
      "Linear complementarity problem: find z with  w = M z + q,  0 ≤ w ⟂ z ≥ 0.\n\n"
      "M is a NumPy array or a SciPy sparse matrix.\n\n"
      ">>> z, report = saltus.solve(saltus.Lcp([[2.0, 1.0], [1.0, 2.0]], [-5.0, -6.0]))");
  cls.def(py::init([](const py::object& M, const py::object& q) {
            return store(Lcp{to_blocks(M, "Lcp: M", 0), to_vector(q, "Lcp: q")}, M);
          }),
          py::arg("M"), py::arg("q"), "__init__(self, M, q)\n--\n\n");
  cls.def_property_readonly(
      "M", [](const Stored<Lcp>& s) { return from_blocks(s.problem.M, s.dense); },
      "matrix, copied");
  vector_view(cls, "q", &Lcp::q, "vector, a view");
  bind_residual(cls, "residual($self, z)\n--\n\n‖min(z, M z + q)‖∞: zero exactly at solutions.");
  cls.def("__repr__", [](const Stored<Lcp>& s) { return size_text("Lcp", s.problem); });
}

void bind_mlcp(py::module_& m) {
  py::class_<Stored<Mlcp>> cls(
      m, "Mlcp",
      "Mixed linear complementarity problem: find z with  w = M z + q,  w_i = 0 for i in\n"
      "`equalities`,  0 ≤ w_i ⟂ z_i ≥ 0 otherwise.");
  cls.def(py::init([](const py::object& M, const py::object& q, std::vector<Index> equalities) {
            return store(
                Mlcp{to_blocks(M, "Mlcp: M", 0), to_vector(q, "Mlcp: q"), std::move(equalities)},
                M);
          }),
          py::arg("M"), py::arg("q"), py::arg("equalities"),
          "__init__(self, M, q, equalities)\n--\n\n");
  cls.def_property_readonly(
      "M", [](const Stored<Mlcp>& s) { return from_blocks(s.problem.M, s.dense); },
      "matrix, copied");
  vector_view(cls, "q", &Mlcp::q, "vector, a view");
  cls.def_property_readonly(
      "equalities", [](const Stored<Mlcp>& s) { return s.problem.equalities; },
      "rows i with w_i = 0, increasing");
  bind_residual(cls,
                "residual($self, z)\n--\n\n"
                "max of ‖min(z, w)‖∞ over the complementarity rows and ‖w‖∞ over the equalities.");
  cls.def("__repr__", [](const Stored<Mlcp>& s) { return size_text("Mlcp", s.problem); });
}

void bind_friction_contact(py::module_& m) {
  using Problem = FrictionContact;
  py::class_<Stored<Problem>> cls(
      m, "FrictionContact",
      "Contacts with Coulomb friction, reduced to the contact frame: find r with\n\n"
      "    u = W r + q,    K* ∋ u + mu ‖u_T‖ e_N ⟂ r ∈ K = {‖r_T‖ ≤ mu r_N}    for every "
      "contact.\n\n"
      "Contact i owns `dimension` rows, normal first. W is a NumPy array or a SciPy sparse "
      "matrix.");
  cls.def(
      py::init([](const py::object& W, const py::object& q, const py::object& mu, Index dimension) {
        require(dimension == 2 || dimension == 3,
                "FrictionContact: dimension is {}, expected 2 or 3", dimension);
        return store(
            Problem{dimension, to_blocks(W, "FrictionContact: W", dimension),
                    to_vector(q, "FrictionContact: q"), to_vector(mu, "FrictionContact: mu")},
            W);
      }),
      py::arg("W"), py::arg("q"), py::arg("mu"), py::arg("dimension") = 3,
      "__init__(self, W, q, mu, dimension=3)\n--\n\n");
  cls.def_property_readonly(
      "W", [](const Stored<Problem>& s) { return from_blocks(s.problem.W, s.dense); },
      "matrix, copied");
  vector_view(cls, "q", &Problem::q, "vector, a view");
  vector_view(cls, "mu", &Problem::mu, "coefficients of friction, one per contact, a view");
  cls.def_property_readonly(
      "dimension", [](const Stored<Problem>& s) { return s.problem.dimension; },
      "rows per contact: 3 in space, 2 in the plane");
  bind_residual(cls, "residual($self, z)\n--\n\n‖r − P_K(r − (u + mu ‖u_T‖ e_N))‖ at r = z.");
  cls.def("__repr__",
          [](const Stored<Problem>& s) { return size_text("FrictionContact", s.problem); });
}

void bind_global_friction_contact(py::module_& m) {
  using Problem = GlobalFrictionContact;
  py::class_<Stored<Problem>> cls(
      m, "GlobalFrictionContact",
      "Contacts with Coulomb friction, with the velocities as unknowns: find (v, r) with\n\n"
      "    M v = H r + f,    u = H' v + w,    and Coulomb's law between u and r.\n\n"
      "M and H are NumPy arrays or SciPy sparse matrices.\n\n"
      ">>> (v, r), report = saltus.solve(problem)");
  cls.def(py::init([](const py::object& M, const py::object& H, const py::object& f,
                      const py::object& w, const py::object& mu, Index dimension) {
            return store(Problem{dimension, to_sparse(M, "GlobalFrictionContact: M"),
                                 to_sparse(H, "GlobalFrictionContact: H"),
                                 to_vector(f, "GlobalFrictionContact: f"),
                                 to_vector(w, "GlobalFrictionContact: w"),
                                 to_vector(mu, "GlobalFrictionContact: mu")},
                         M);
          }),
          py::arg("M"), py::arg("H"), py::arg("f"), py::arg("w"), py::arg("mu"),
          py::arg("dimension") = 3, "__init__(self, M, H, f, w, mu, dimension=3)\n--\n\n");
  cls.def_property_readonly(
      "M", [](const Stored<Problem>& s) { return s.problem.M; }, "mass matrix, copied, sparse");
  cls.def_property_readonly(
      "H", [](const Stored<Problem>& s) { return s.problem.H; },
      "one column per row of r, copied, sparse");
  vector_view(cls, "f", &Problem::f, "vector, a view");
  vector_view(cls, "w", &Problem::w, "vector, a view");
  vector_view(cls, "mu", &Problem::mu, "coefficients of friction, one per contact, a view");
  cls.def_property_readonly(
      "dimension", [](const Stored<Problem>& s) { return s.problem.dimension; },
      "rows per contact: 3 in space, 2 in the plane");
  cls.def(
      "residual",
      [](const Stored<Problem>& s, const py::object& v, const py::object& r) {
        const Vector velocities = to_vector(v, "residual: v", true);
        const Vector impulses = to_vector(r, "residual: r", true);
        require(velocities.size() == s.problem.f.size() && impulses.size() == s.problem.w.size(),
                "residual: v has size {}, expected {}; r has size {}, expected {}",
                velocities.size(), s.problem.f.size(), impulses.size(), s.problem.w.size());
        return residual(s.problem, velocities, impulses);
      },
      py::arg("v"), py::arg("r"),
      "residual($self, v, r)\n--\n\n(‖M v − H r − f‖² + ‖r − P_K(r − (u + mu ‖u_T‖ e_N))‖²)^½");
  cls.def(
      "reduce",
      [](const Stored<Problem>& s) {
        return Stored<FrictionContact>{reduce(s.problem), s.dense};
      },
      "reduce($self)\n--\n\nThe FrictionContact with W = H' M⁻¹ H, q = H' M⁻¹ f + w.");
  cls.def(
      "velocity",
      [](const Stored<Problem>& s, const py::object& r) {
        const Vector impulses = to_vector(r, "velocity: r");
        require(impulses.size() == s.problem.w.size(), "velocity: r has size {}, expected {}",
                impulses.size(), s.problem.w.size());
        return copy(ConstVectorRef(velocity(s.problem, impulses)));
      },
      py::arg("r"), "velocity($self, r)\n--\n\nv = M⁻¹ (H r + f)");
  cls.def("__repr__", [](const Stored<Problem>& s) {
    return fmt::format("<GlobalFrictionContact: {} velocities, {} rows>", s.problem.f.size(),
                       s.problem.w.size());
  });
}

}  // namespace

void bind_problems(py::module_& m) {
  bind_lcp(m);
  bind_mlcp(m);
  bind_friction_contact(m);
  bind_global_friction_contact(m);
  m.def(
      "solve",
      [](const Stored<Lcp>& s, const py::object& guess, const py::object& solver) {
        return solve_with<ComplementarityAlgorithm>(s.problem, guess, default_solver(solver));
      },
      py::arg("problem"), py::arg("guess") = py::none(), py::arg("solver") = py::none(), solve_doc);
  bind_solve<ComplementarityAlgorithm, Mlcp>(m);
  bind_solve<FrictionAlgorithm, FrictionContact>(m);
  m.def(
      "solve",
      [](const Stored<GlobalFrictionContact>& s, const py::object& guess,
         const py::object& solver) {
        return solve_global(s.problem, guess, default_solver(solver));
      },
      py::arg("problem"), py::arg("guess") = py::none(), py::arg("solver") = py::none());
}

}  // namespace saltus::python
