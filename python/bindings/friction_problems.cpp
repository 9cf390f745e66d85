#include "friction_nonlinear.hpp"
#include "module.hpp"
#include "problem_types.hpp"
#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/algorithm.hpp"
#include "saltus/solvers/positive_definite.hpp"

#include <pybind11/eigen.h>

namespace saltus::python {

namespace {

/// What FrictionContact and GlobalFrictionContact share.
template <class Problem>
void bind_contacts(py::class_<Stored<Problem>>& cls) {
  vector_view(cls, "mu", &Problem::mu, "coefficients of friction, one per contact, a view");
  vector_view(cls, "mu_rolling", &Problem::mu_rolling,
              "coefficients of rolling friction, one per contact, a view; empty: no rolling");
  cls.def_property_readonly(
      "dimension", [](const Stored<Problem>& s) { return s.problem.dimension; },
      "rows per contact: 3 in space, 2 in the plane; 5 and 3 with rolling friction");
}

FrictionContact make_friction_contact(const py::object& W, const py::object& q,
                                      const py::object& mu, Index dimension,
                                      const py::object& mu_rolling) {
  const bool rolling = !mu_rolling.is_none();
  require(dimension == 3 || dimension == (rolling ? 5 : 2),
          "FrictionContact: dimension is {}, expected {}", dimension,
          rolling ? "3 or 5" : "2 or 3");
  return {dimension, to_blocks(W, "FrictionContact: W", dimension),
          to_vector(q, "FrictionContact: q"), to_vector(mu, "FrictionContact: mu"),
          to_vector(mu_rolling, "FrictionContact: mu_rolling")};
}

void bind_friction_contact(py::module_& m) {
  using Problem = FrictionContact;
  py::class_<Stored<Problem>> cls(
      m, "FrictionContact",
      "Contacts with Coulomb friction, reduced to the contact frame: find r with\n\n"
      "    u = W r + q,    K* ∋ u + mu ‖u_T‖ e_N ⟂ r ∈ K = {‖r_T‖ ≤ mu r_N}    for every "
      "contact.\n\n"
      "Contact i owns `dimension` rows, normal first. With `mu_rolling` (one per contact) the\n"
      "rolling components follow the tangents: 5 rows in space, 3 in the plane. W is a NumPy "
      "array\n"
      "or a SciPy sparse matrix.");
  cls.def(py::init([](const py::object& W, const py::object& q, const py::object& mu,
                      Index dimension, const py::object& mu_rolling) {
            return store(make_friction_contact(W, q, mu, dimension, mu_rolling), W);
          }),
          py::arg("W"), py::arg("q"), py::arg("mu"), py::arg("dimension") = 3,
          py::arg("mu_rolling") = py::none(),
          "__init__(self, W, q, mu, dimension=3, mu_rolling=None)\n--\n\n");
  matrix_copy(cls, "W", &Problem::W, "matrix, copied");
  vector_view(cls, "q", &Problem::q, "vector, a view");
  bind_contacts(cls);
  cls.def(
      "residual",
      [](const Stored<Problem>& s, const py::object& z) {
        return residual(s.problem, to_point(z, s.problem.q.size(), "residual: z"));
      },
      py::arg("z"), "residual($self, z)\n--\n\n‖r − P_K(r − (u + mu ‖u_T‖ e_N))‖ at r = z.");
  cls.def(
      "to_block_form",
      [](const Stored<Problem>& s) {
        return Stored<BlockForm>{to_block_form(s.problem), s.dense};
      },
      "to_block_form($self)\n--\n\nThe BlockForm with one block per contact.");
  cls.def("__repr__", [](const Stored<Problem>& s) {
    return fmt::format("<FrictionContact: {} unknowns>", s.problem.q.size());
  });
}

/// What both global problems share: M, H, f, w, residual(v, r), velocity(r).
template <class Problem>
void bind_global(py::class_<Stored<Problem>>& cls, const char* residual_doc) {
  cls.def_property_readonly(
      "M", [](const Stored<Problem>& s) { return s.problem.M; }, "mass matrix, copied, sparse");
  cls.def_property_readonly(
      "H", [](const Stored<Problem>& s) { return s.problem.H; },
      "one column per row of r, copied, sparse");
  vector_view(cls, "f", &Problem::f, "vector, a view");
  vector_view(cls, "w", &Problem::w, "vector, a view");
  cls.def(
      "residual",
      [](const Stored<Problem>& s, const py::object& v, const py::object& r) {
        return residual(s.problem, to_point(v, s.problem.f.size(), "residual: v"),
                        to_point(r, s.problem.w.size(), "residual: r"));
      },
      py::arg("v"), py::arg("r"), residual_doc);
  cls.def(
      "velocity",
      [](const Stored<Problem>& s, const py::object& r) {
        const Vector impulses = to_point(r, s.problem.w.size(), "velocity: r");
        return copy(ConstVectorRef(velocity(s.problem, impulses)));
      },
      py::arg("r"), "velocity($self, r)\n--\n\nv = M⁻¹ (H r + f)");
}

void bind_global_friction_contact(py::module_& m) {
  using Problem = GlobalFrictionContact;
  py::class_<Stored<Problem>> cls(
      m, "GlobalFrictionContact",
      "Contacts with Coulomb friction, with the velocities as unknowns: find (v, r) with\n\n"
      "    M v = H r + f,    u = H' v + w,    and Coulomb's law between u and r.\n\n"
      "M and H are NumPy arrays or SciPy sparse matrices; `dimension` and `mu_rolling` as for\n"
      "FrictionContact.\n\n"
      ">>> (v, r), report = saltus.solve(problem)");
  cls.def(py::init([](const py::object& M, const py::object& H, const py::object& f,
                      const py::object& w, const py::object& mu, Index dimension,
                      const py::object& mu_rolling) {
            return store(Problem{dimension, to_sparse(M, "GlobalFrictionContact: M"),
                                 to_sparse(H, "GlobalFrictionContact: H"),
                                 to_vector(f, "GlobalFrictionContact: f"),
                                 to_vector(w, "GlobalFrictionContact: w"),
                                 to_vector(mu, "GlobalFrictionContact: mu"),
                                 to_vector(mu_rolling, "GlobalFrictionContact: mu_rolling")},
                         M);
          }),
          py::arg("M"), py::arg("H"), py::arg("f"), py::arg("w"), py::arg("mu"),
          py::arg("dimension") = 3, py::arg("mu_rolling") = py::none(),
          "__init__(self, M, H, f, w, mu, dimension=3, mu_rolling=None)\n--\n\n");
  bind_global(cls,
              "residual($self, v, r)\n--\n\n"
              "(‖M v − H r − f‖² + ‖r − P_K(r − (u + mu ‖u_T‖ e_N))‖²)^½");
  bind_contacts(cls);
  cls.def(
      "reduce",
      [](const Stored<Problem>& s) {
        return Stored<FrictionContact>{reduce(s.problem), s.dense};
      },
      "reduce($self)\n--\n\nThe FrictionContact with W = H' M⁻¹ H, q = H' M⁻¹ f + w.");
  cls.def(
      "to_global_block_form",
      [](const Stored<Problem>& s) {
        return Stored<GlobalBlockForm>{to_global_block_form(s.problem), s.dense};
      },
      "to_global_block_form($self)\n--\n\nThe GlobalBlockForm with one block per contact.");
  cls.def("__repr__", [](const Stored<Problem>& s) {
    return fmt::format("<GlobalFrictionContact: {} velocities, {} rows>", s.problem.f.size(),
                       s.problem.w.size());
  });
}

void bind_global_block_form(py::module_& m) {
  using Problem = GlobalBlockForm;
  py::class_<Stored<Problem>> cls(
      m, "GlobalBlockForm",
      "The BlockForm with the velocities as unknowns: find (v, r) with\n\n"
      "    M v = H r + f,    u = H' v + w,    −(u + g(u) e_N) ∈ N_K(r).\n\n"
      "K is a list of pairs (set, dimension) as for BlockForm: contacts of every kind, bilateral\n"
      "constraints (Reals) and scalar laws mix. M and H are NumPy arrays or SciPy sparse "
      "matrices.");
  cls.def(py::init([](const py::object& M, const py::object& H, const py::object& f,
                      const py::object& w, const py::object& K) {
            Blocks blocks = to_block_sets(K, "GlobalBlockForm: K");
            return store(
                Problem{to_sparse(M, "GlobalBlockForm: M"), to_sparse(H, "GlobalBlockForm: H"),
                        to_vector(f, "GlobalBlockForm: f"), to_vector(w, "GlobalBlockForm: w"),
                        std::move(blocks.sets), std::move(blocks.sizes)},
                M);
          }),
          py::arg("M"), py::arg("H"), py::arg("f"), py::arg("w"), py::arg("K"),
          "__init__(self, M, H, f, w, K)\n--\n\n");
  bind_global(cls,
              "residual($self, v, r)\n--\n\n"
              "(‖M v − H r − f‖² + ‖r − P_K(r − (u + g(u) e_N))‖²)^½");
  cls.def_property_readonly(
      "K", [](const Stored<Problem>& s) { return from_block_sets(s.problem.K, s.problem.sizes); },
      "list of pairs (set, dimension), one per block");
  cls.def(
      "reduce",
      [](const Stored<Problem>& s) {
        return Stored<BlockForm>{reduce(s.problem), s.dense};
      },
      "reduce($self)\n--\n\nThe BlockForm with W = H' M⁻¹ H, q = H' M⁻¹ f + w.");
  cls.def(
      "proves_infeasible",
      [](const Stored<Problem>& s, const py::object& y, double tolerance) {
        return proves_infeasible(s.problem, to_point(y, s.problem.w.size(), "proves_infeasible: y"),
                                 tolerance);
      },
      py::arg("y"), py::arg("tolerance") = 1e-11,
      "proves_infeasible($self, y, tolerance=1e-11)\n--\n\n"
      "y proves that no v is admissible: H y = 0, w'y < 0, y_N ≥ 0, y_T = 0 at contacts.");
  cls.def("__repr__", [](const Stored<Problem>& s) {
    return fmt::format("<GlobalBlockForm: {} velocities, {} rows>", s.problem.f.size(),
                       s.problem.w.size());
  });
}

/// CoulombCascade and NonsmoothNewton work on the global form, the others on the reduced one.
template <class Algorithm, class Problem>
py::tuple solve_global(const Problem& problem, const py::object& guess, const py::object& solver) {
  validate(problem);
  require_positive_definite("solve", problem.M);
  Vector r = to_guess(guess, problem.w.size());
  Vector v = Vector::Zero(problem.f.size());
  Outcome outcome;
  if (solver.is_none() || py::isinstance<Bound<CoulombCascade>>(solver)) {
    const CoulombCascade cascade = solver.is_none()
                                       ? CoulombCascade{}
                                       : Converter<CoulombCascade>::from(solver, "solve: solver");
    outcome.solver = CoulombCascade::name;
    outcome.tolerance = cascade.tolerance;
    const py::gil_scoped_release release;
    Workspace work;
    outcome.report = solve(problem, v, r, cascade, work);
  } else if (py::isinstance<Bound<NonsmoothNewton>>(solver)) {
    const auto newton = Converter<NonsmoothNewton>::from(solver, "solve: solver");
    outcome.solver = NonsmoothNewton::name;
    outcome.tolerance = newton.tolerance;
    const py::gil_scoped_release release;
    Workspace work;
    outcome.report = solve(problem, v, r, newton, work);
  } else {
    outcome = run<Algorithm>(reduce(problem), r, solver);
    v = velocity(problem, r);
  }
  return py::make_tuple(py::make_tuple(copy(ConstVectorRef(v)), copy(ConstVectorRef(r))), outcome);
}

}  // namespace

void bind_friction_problems(py::module_& m) {
  bind_friction_contact(m);
  bind_global_block_form(m);
  bind_global_friction_contact(m);
  bind_friction_nonlinear(m);
  define_solve(
      m, [](const Stored<FrictionContact>& s, const py::object& guess, const py::object& solver) {
        Vector r = to_guess(guess, s.problem.q.size());
        const Outcome outcome = run<FrictionAlgorithm>(s.problem, r, solver);
        return answer(r, outcome);
      });
  define_solve(m, [](const Stored<GlobalFrictionContact>& s, const py::object& guess,
                     const py::object& solver) {
    return solve_global<FrictionAlgorithm>(s.problem, guess, solver);
  });
  define_solve(
      m, [](const Stored<GlobalBlockForm>& s, const py::object& guess, const py::object& solver) {
        return solve_global<Algorithm>(s.problem, guess, solver);
      });
}

}  // namespace saltus::python
