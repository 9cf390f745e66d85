#include "saltus/problems/nlp.hpp"

#include "functions.hpp"
#include "module.hpp"
#include "saltus/solvers/nlp_algorithm.hpp"
#include "sets.hpp"

namespace saltus::python {

namespace {

void bind_algorithms(py::module_& m) {
  bind_options<NlpSqp>(m, "Sequential quadratic programming: fast, the default for an Nlp.");
  bind_options<NlpAugmentedLagrangian>(m, "Multiplier method: unconstrained minimisations.");
  bind_options<NlpPenalty>(m, "Exterior penalty: simple, of limited accuracy.");
  bind_options<NlpBarrier>(m, "Logarithmic barrier: from a guess with g > 0, which it keeps.");
  bind_options<NlpInteriorPoint>(m, "Primal-dual interior point: convex programs, any guess.");
  bind_options<NlpRosen>(m, "Rosen's gradient projection: affine constraints, a feasible guess.");
  bind_options<NlpGradientProjection>(m, "Projected gradient with line search, for a SetNlp.");
}

void bind_point(py::module_& m) {
  const auto part = [](Vector NlpPoint::*member) {
    return [member](const py::object& self) {
      Vector& values = self.cast<NlpPoint&>().*member;
      return view(values.data(), values.size(), self, true);
    };
  };
  py::class_<NlpPoint>(m, "NlpPoint",
                       "A point of an Nlp and its multipliers:\n\n"
                       "    ∇f − ∇g'λ − ∇h'μ = 0,    0 ≤ λ ⟂ g(z) ≥ 0,    h(z) = 0.")
      .def(py::init([](const py::object& z, const py::object& lambda, const py::object& mu) {
             return NlpPoint{to_vector(z, "NlpPoint: z"), to_vector(lambda, "NlpPoint: lambda_"),
                             to_vector(mu, "NlpPoint: mu")};
           }),
           py::arg("z"), py::arg("lambda_") = py::none(), py::arg("mu") = py::none(),
           "__init__(self, z, lambda_=None, mu=None)\n--\n\n")
      .def_property_readonly("z", part(&NlpPoint::z), "the variables, a view")
      .def_property_readonly("lambda_", part(&NlpPoint::lambda), "λ, of g(z) ≥ 0, a view")
      .def_property_readonly("mu", part(&NlpPoint::mu), "μ, of h(z) = 0, a view")
      .def("__repr__",
           [](const NlpPoint& p) { return fmt::format("<NlpPoint: {} variables>", p.z.size()); });
}

NlpPoint to_nlp_point(const py::object& object, const Nlp& problem, const char* where) {
  NlpPoint point;
  if (py::isinstance<NlpPoint>(object))
    point = object.cast<const NlpPoint&>();
  else
    point.z = object.is_none() ? Vector::Zero(problem.n) : to_vector(object, where);
  validate(problem, point);
  return point;
}

std::function<double(ConstVectorRef)> to_number_function(const py::object& function,
                                                         const char* where) {
  const Callback callback = to_callback(function, where, false);
  return [callback](ConstVectorRef z) {
    Vector value(1);
    callback(z, VectorRef(value));
    return value[0];
  };
}

/// W(z, λ, μ); empty if None.
decltype(Nlp::hessian) to_hessian(const py::object& function) {
  const Callback callback = to_callback(function, "Nlp: hessian", true);
  if (!callback) return {};
  return [callback](ConstVectorRef z, ConstVectorRef lambda, ConstVectorRef mu, MatrixRef W) {
    const py::gil_scoped_acquire gil;
    fill(callback.function()(copy(z), copy(lambda), copy(mu)), callback.name(), W);
  };
}

Nlp make_nlp(Index n, const py::object& f, const py::object& gradient, Index inequalities,
             const py::object& g, const py::object& g_jacobian, Index equalities,
             const py::object& h, const py::object& h_jacobian, const py::object& hessian) {
  Nlp problem;
  problem.n = n;
  problem.m = inequalities;
  problem.p = equalities;
  problem.f = to_number_function(f, "Nlp: f");
  problem.gradient = to_vector_function(gradient, "Nlp: gradient", true);
  problem.g = to_vector_function(g, "Nlp: g", true);
  problem.g_jacobian = to_jacobian_function(g_jacobian, "Nlp: g_jacobian");
  problem.h = to_vector_function(h, "Nlp: h", true);
  problem.h_jacobian = to_jacobian_function(h_jacobian, "Nlp: h_jacobian");
  problem.hessian = to_hessian(hessian);
  validate(problem);
  return problem;
}

void bind_evaluations(py::class_<Nlp>& cls) {
  cls.def(
      "f", [](const Nlp& p, const py::object& z) { return p.f(to_point(z, p.n, "f: z")); },
      py::arg("z"), "f($self, z)\n--\n\nThe objective at z.");
  cls.def(
      "residual",
      [](const Nlp& p, const py::object& point) {
        return residual(p, to_nlp_point(point, p, "residual: point"));
      },
      py::arg("point"),
      "residual($self, point)\n--\n\n"
      "The largest violation of the first-order conditions (see NlpPoint).");
  cls.def(
      "licq",
      [](const Nlp& p, const py::object& z, double active) {
        return licq(p, to_point(z, p.n, "licq: z"), active);
      },
      py::arg("z"), py::arg("active") = 1e-8,
      "licq($self, z, active=1e-08)\n--\n\n"
      "Smallest singular value of the gradients of the constraints with g ≤ active and of h: 0 if\n"
      "they are dependent, infinite if there are none.");
  cls.def(
      "to_mcp", [](const Nlp& p) { return to_mcp(p); },
      "to_mcp($self)\n--\n\nThe first-order conditions as an Mcp in (z, μ, λ), in this order.");
}

void bind_set_nlp(py::module_& m) {
  py::class_<SetNlp> cls(m, "SetNlp",
                         "Minimisation over a convex set:  min f(z)  subject to  z ∈ X.\n\n"
                         "Derivatives `gradient` and `hessian` that are not given are taken by\n"
                         "central differences.");
  cls.def(py::init([](Index n, const py::object& X, const py::object& f, const py::object& gradient,
                      const py::object& hessian) {
            SetNlp problem{n, to_set(X, "SetNlp: X"), to_number_function(f, "SetNlp: f"),
                           to_vector_function(gradient, "SetNlp: gradient", true),
                           to_jacobian_function(hessian, "SetNlp: hessian")};
            validate(problem);
            return problem;
          }),
          py::arg("n"), py::arg("X"), py::arg("f"), py::kw_only(), py::arg("gradient") = py::none(),
          py::arg("hessian") = py::none(),
          "__init__(self, n, X, f, *, gradient=None, hessian=None)\n--\n\n");
  cls.def_readonly("n", &SetNlp::n, "variables");
  cls.def_property_readonly(
      "X", [](const SetNlp& p) { return from_set(p.X); }, "the set, copied");
  cls.def(
      "f", [](const SetNlp& p, const py::object& z) { return p.f(to_point(z, p.n, "f: z")); },
      py::arg("z"), "f($self, z)\n--\n\nThe objective at z.");
  cls.def(
      "residual",
      [](const SetNlp& p, const py::object& z) {
        return residual(p, to_point(z, p.n, "residual: z"));
      },
      py::arg("z"), "residual($self, z)\n--\n\n‖z − P_X(z − ∇f(z))‖: zero where z is stationary.");
  cls.def(
      "to_vi", [](const SetNlp& p) { return to_vi(p); },
      "to_vi($self)\n--\n\nThe stationary points as a Vi with F = ∇f.");
  cls.def("__repr__", [](const SetNlp& p) { return fmt::format("<SetNlp: {} variables>", p.n); });
  define_solve(m, [](const SetNlp& p, const py::object& guess, const py::object& solver) {
    Vector z = to_guess(guess, p.n);
    const Outcome outcome = run<std::variant<NlpGradientProjection>>(p, z, solver);
    return answer(z, outcome);
  });
}

}  // namespace

void bind_nlp(py::module_& m) {
  bind_algorithms(m);
  bind_point(m);
  bind_set_nlp(m);
  py::class_<Nlp> cls(
      m, "Nlp",
      "Nonlinear program:\n\n"
      "    min f(z)    subject to    g(z) ≥ 0 (m rows),    h(z) = 0 (p rows).\n\n"
      "Derivatives that are not given are taken by central differences: `gradient`, `g_jacobian`\n"
      "(m×n), `h_jacobian` (p×n), and `hessian`(z, lambda, mu), n×n, of the Lagrangian\n"
      "f − λ'g − μ'h.\n\n"
      ">>> problem = saltus.Nlp(2, lambda z: z[0] + z[1], p=1, h=lambda z: z @ z - 2.0)\n"
      ">>> point, report = saltus.solve(problem, [-1.5, -0.5])");
  cls.def(py::init(&make_nlp), py::arg("n"), py::arg("f"), py::kw_only(),
          py::arg("gradient") = py::none(), py::arg("m") = 0, py::arg("g") = py::none(),
          py::arg("g_jacobian") = py::none(), py::arg("p") = 0, py::arg("h") = py::none(),
          py::arg("h_jacobian") = py::none(), py::arg("hessian") = py::none(),
          "__init__(self, n, f, *, gradient=None, m=0, g=None, g_jacobian=None, p=0, h=None, "
          "h_jacobian=None, hessian=None)\n--\n\n");
  cls.def_readonly("n", &Nlp::n, "variables");
  cls.def_readonly("m", &Nlp::m, "inequalities");
  cls.def_readonly("p", &Nlp::p, "equalities");
  bind_evaluations(cls);
  cls.def("__repr__", [](const Nlp& p) {
    return fmt::format("<Nlp: {} variables, {} inequalities, {} equalities>", p.n, p.m, p.p);
  });
  define_solve(m, [](const Nlp& p, const py::object& guess, const py::object& solver) {
    NlpPoint point = to_nlp_point(guess, p, "solve: guess");
    const Outcome outcome = run<NlpAlgorithm>(p, point, solver);
    return py::make_tuple(std::move(point), outcome);
  });
}

}  // namespace saltus::python
