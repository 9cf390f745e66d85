#include "saltus/problems/qp.hpp"

#include "module.hpp"
#include "problem_types.hpp"
#include "saltus/problems/qp_conversions.hpp"
#include "saltus/solvers/active_set.hpp"
#include "saltus/solvers/dual_active_set.hpp"
#include "saltus/solvers/equality_qp.hpp"
#include "saltus/solvers/qp_automatic.hpp"
#include "saltus/solvers/qp_interior_point.hpp"

namespace saltus::python {

namespace {

using QpAlgorithm = std::variant<QpAutomatic, ActiveSet, DualActiveSet, QpInteriorPoint, KktLdlt,
                                 KktLu, RangeSpace, NullSpace>;

void bind_algorithms(py::module_& m) {
  bind_options<QpAutomatic>(
      m,
      "The default for a Qp: equations by KktLdlt or NullSpace, small problems by ActiveSet, "
      "large\n"
      "ones by QpInteriorPoint, each followed by another while there is no answer.");
  bind_options<ActiveSet>(
      m, "Primal active set for a convex Qp, warm-started by z. Dense, up to 2000 variables.");
  bind_options<DualActiveSet>(
      m, "Dual active set of Goldfarb and Idnani for a convex Qp. Dense, up to 1000 variables.");
  bind_options<QpInteriorPoint>(
      m, "Primal-dual interior point for a convex Qp, dense or sparse; the guess is not used.");
  bind_options<KktLdlt>(m, "Qp with equalities only: symmetric factorisation of the KKT matrix.");
  bind_options<KktLu>(m, "Qp with equalities only: LU factorisation of the KKT matrix.");
  bind_options<RangeSpace>(
      m, "Qp with equalities only, positive definite Q: the multipliers first. Few equalities.");
  bind_options<NullSpace>(
      m, "Qp with equalities only: on the null space of C. Takes dependent rows. Dense.");
}

void bind_point(py::module_& m) {
  const auto part = [](Vector QpPoint::*member) {
    return [member](const py::object& self) {
      Vector& values = self.cast<QpPoint&>().*member;
      return view(values.data(), values.size(), self, true);
    };
  };
  py::class_<QpPoint>(m, "QpPoint",
                      "A point of a Qp and its multipliers:\n\n"
                      "    Q z + p − A'λ − C'μ − π = 0,   0 ≤ λ ⟂ A z − b ≥ 0,   C z = d,\n\n"
                      "π ≥ 0 at a lower bound, ≤ 0 at an upper one, 0 between.")
      .def(py::init([](const py::object& z, const py::object& lambda, const py::object& mu,
                       const py::object& bounds) {
             return QpPoint{to_vector(z, "QpPoint: z"), to_vector(lambda, "QpPoint: lambda_"),
                            to_vector(mu, "QpPoint: mu"), to_vector(bounds, "QpPoint: bounds")};
           }),
           py::arg("z"), py::arg("lambda_") = py::none(), py::arg("mu") = py::none(),
           py::arg("bounds") = py::none(),
           "__init__(self, z, lambda_=None, mu=None, bounds=None)\n--\n\n")
      .def_property_readonly("z", part(&QpPoint::z), "the variables, a view")
      .def_property_readonly("lambda_", part(&QpPoint::lambda), "λ, of A z ≥ b, a view")
      .def_property_readonly("mu", part(&QpPoint::mu), "μ, of C z = d, a view")
      .def_property_readonly("bounds", part(&QpPoint::bounds), "π, of lower ≤ z ≤ upper, a view")
      .def("__repr__",
           [](const QpPoint& p) { return fmt::format("<QpPoint: {} variables>", p.z.size()); });
}

/// z alone, or a point; missing multipliers are zero, wrong sizes an Error.
QpPoint to_qp_point(const py::object& object, const Qp& problem, const char* where) {
  QpPoint point;
  if (py::isinstance<QpPoint>(object))
    point = object.cast<const QpPoint&>();
  else if (!object.is_none())
    point.z = to_vector(object, where);
  const auto fit = [&](const Vector& part, Index size, const char* name) {
    require(part.size() == 0 || part.size() == size, "{}: {} has size {}, expected {}", where, name,
            part.size(), size);
  };
  fit(point.z, problem.p.size(), "z");
  fit(point.lambda, problem.b.size(), "lambda_");
  fit(point.mu, problem.d.size(), "mu");
  fit(point.bounds, problem.p.size(), "bounds");
  resize(problem, point);
  return point;
}

Stored<Qp> make_qp(const py::object& Q, const py::object& p, const py::object& A,
                   const py::object& b, const py::object& C, const py::object& d,
                   const py::object& lower, const py::object& upper) {
  Qp problem{to_sparse(Q, "Qp: Q"),
             to_vector(p, "Qp: p"),
             to_sparse(A, "Qp: A"),
             to_vector(b, "Qp: b"),
             to_sparse(C, "Qp: C"),
             to_vector(d, "Qp: d"),
             to_vector(lower, "Qp: lower", true),
             to_vector(upper, "Qp: upper", true)};
  validate(problem);
  return {completed(std::move(problem)), !(is_sparse(Q) || is_sparse(A) || is_sparse(C))};
}

void bind_evaluations(py::class_<Stored<Qp>>& cls) {
  cls.def(
      "residual",
      [](const Stored<Qp>& s, const py::object& point) {
        return residual(s.problem, to_qp_point(point, s.problem, "residual: point"));
      },
      py::arg("point"),
      "residual($self, point)\n--\n\n"
      "The largest violation of the first-order conditions (see QpPoint).");
  cls.def(
      "objective",
      [](const Stored<Qp>& s, const py::object& z) {
        return objective(s.problem, to_point(z, s.problem.p.size(), "objective: z"));
      },
      py::arg("z"), "objective($self, z)\n--\n\n½ z'Q z + p'z");
  cls.def(
      "dual_objective",
      [](const Stored<Qp>& s, const py::object& point) {
        return dual_objective(s.problem, to_qp_point(point, s.problem, "dual_objective: point"));
      },
      py::arg("point"),
      "dual_objective($self, point)\n--\n\n"
      "Value of the Lagrangian dual at the multipliers; positive definite Q.");
  cls.def(
      "proves_infeasible",
      [](const Stored<Qp>& s, const py::object& y) {
        const Qp& q = s.problem;
        const Index size = q.b.size() + q.d.size() + q.p.size();
        return proves_infeasible(q, to_point(y, size, "proves_infeasible: y"));
      },
      py::arg("y"),
      "proves_infeasible($self, y)\n--\n\n"
      "y = (λ, μ, π) proves by Farkas' lemma that no z is feasible.");
  cls.def(
      "proves_unbounded",
      [](const Stored<Qp>& s, const py::object& v) {
        return proves_unbounded(s.problem, to_point(v, s.problem.p.size(), "proves_unbounded: v"));
      },
      py::arg("v"),
      "proves_unbounded($self, v)\n--\n\n"
      "v is a feasible direction without curvature along which the objective falls for ever.");
}

void bind_conversions(py::class_<Stored<Qp>>& cls) {
  cls.def(
      "to_lcp",
      [](const Stored<Qp>& s) {
        return Stored<Lcp>{to_lcp(s.problem), s.dense};
      },
      "to_lcp($self)\n--\n\nLcp(Q, p), if z ≥ 0 is the only constraint; Error otherwise.");
  cls.def(
      "to_mlcp",
      [](const Stored<Qp>& s) {
        QpAsMlcp form = to_mlcp(s.problem);
        Stored<Mlcp> mlcp{form.mlcp, s.dense};
        const Index size = form.mlcp.q.size();
        return py::make_tuple(std::move(mlcp),
                              py::cpp_function([form = std::move(form), size](py::object z) {
                                return form.expand(to_point(z, size, "expand: z"));
                              }));
      },
      "to_mlcp($self)\n--\n\n"
      "(mlcp, expand): the first-order conditions as an Mlcp, and the QpPoint expand(z).");
  cls.def(
      "to_horizontal_lcp",
      [](const Stored<Qp>& s, const py::object& Z) {
        return Stored<HorizontalLcp>{
            Z.is_none() ? to_horizontal_lcp(s.problem)
                        : to_horizontal_lcp(s.problem, to_matrix(Z, "to_horizontal_lcp: Z")),
            s.dense};
      },
      py::arg("Z") = py::none(),
      "to_horizontal_lcp($self, Z=None)\n--\n\n"
      "The HorizontalLcp in x = z, s = λ, if the only constraints are z ≥ 0 and C z = d; the\n"
      "columns of Z span the null space of C (default: by QR factorisation).");
  cls.def(
      "to_dual",
      [](const Stored<Qp>& s) {
        DualQp form = to_dual(s.problem);
        Stored<Qp> dual{form.dual, s.dense};
        const double constant = form.constant;
        return py::make_tuple(
            std::move(dual), constant, py::cpp_function([form = std::move(form)](py::object y) {
              return copy(
                  ConstVectorRef(form.primal(to_point(y, form.dual.p.size(), "primal: y"))));
            }));
      },
      "to_dual($self)\n--\n\n"
      "(dual, constant, primal): the Lagrangian dual as a minimisation in y = (λ, μ), finite "
      "bounds\n"
      "being rows of A; the primal minimum is −(dual minimum + constant), and z = primal(y).\n"
      "Positive definite Q.");
  cls.def(
      "to_dorn_dual",
      [](const Stored<Qp>& s) {
        return Stored<Qp>{to_dorn_dual(s.problem), s.dense};
      },
      "to_dorn_dual($self)\n--\n\n"
      "Dorn's dual in (z, λ, μ), finite bounds being rows of A; its minimum is − the primal one.");
}

}  // namespace

void bind_qp(py::module_& m) {
  bind_algorithms(m);
  bind_point(m);
  py::class_<Stored<Qp>> cls(
      m, "Qp",
      "Quadratic program, Q symmetric:\n\n"
      "    minimise ½ z'Q z + p'z   subject to   A z ≥ b,   C z = d,   lower ≤ z ≤ upper.\n\n"
      "Every part but p may be left out. Q, A, C are NumPy arrays or SciPy sparse matrices.\n\n"
      ">>> point, report = saltus.solve(saltus.Qp(Q, p, A=A, b=b, lower=np.zeros(n)))\n"
      ">>> point.z, point.lambda_");
  cls.def(py::init(&make_qp), py::arg("Q"), py::arg("p"), py::kw_only(), py::arg("A") = py::none(),
          py::arg("b") = py::none(), py::arg("C") = py::none(), py::arg("d") = py::none(),
          py::arg("lower") = py::none(), py::arg("upper") = py::none(),
          "__init__(self, Q, p, *, A=None, b=None, C=None, d=None, lower=None, upper=None)\n"
          "--\n\n");
  matrix_copy(cls, "Q", &Qp::Q, "matrix, copied");
  vector_view(cls, "p", &Qp::p, "vector, a view");
  matrix_copy(cls, "A", &Qp::A, "matrix of the inequalities, copied");
  vector_view(cls, "b", &Qp::b, "of A z ≥ b, a view");
  matrix_copy(cls, "C", &Qp::C, "matrix of the equalities, copied");
  vector_view(cls, "d", &Qp::d, "of C z = d, a view");
  vector_view(cls, "lower", &Qp::lower, "lower bounds, a view");
  vector_view(cls, "upper", &Qp::upper, "upper bounds, a view");
  bind_evaluations(cls);
  bind_conversions(cls);
  cls.def("__repr__", [](const Stored<Qp>& s) {
    return fmt::format("<Qp: {} variables, {} inequalities, {} equalities>", s.problem.p.size(),
                       s.problem.b.size(), s.problem.d.size());
  });
  define_solve(m, [](const Stored<Qp>& s, const py::object& guess, const py::object& solver) {
    QpPoint point = to_qp_point(guess, s.problem, "solve: guess");
    const Outcome outcome = run<QpAlgorithm>(s.problem, point, solver);
    return py::make_tuple(std::move(point), outcome);
  });
}

}  // namespace saltus::python
