#include "friction_nonlinear.hpp"

#include "functions.hpp"
#include "saltus/solvers/mixed_newton.hpp"
#include "saltus/solvers/slip_friction.hpp"

namespace saltus::python {

namespace {

std::vector<double> to_list(const py::object& values, const std::string& where) {
  const Vector v = to_vector(values, where);
  return {v.begin(), v.end()};
}

void bind_slip_graph(py::module_& m) {
  py::class_<SlipGraph>(m, "SlipGraph",
                        "Change of friction with the slip speed s ≥ 0: a broken line through 0 and "
                        "the points\n(speeds, values), with the slope `after` beyond the last.")
      .def(py::init([](const py::object& speeds, const py::object& values, double after) {
             return SlipGraph{to_list(speeds, "SlipGraph: speeds"),
                              to_list(values, "SlipGraph: values"), after};
           }),
           py::arg("speeds") = py::tuple(), py::arg("values") = py::tuple(), py::arg("after") = 0.0,
           "__init__(self, speeds=(), values=(), after=0.0)\n--\n\n")
      .def_readonly("speeds", &SlipGraph::speeds, "speeds of the points, rising")
      .def_readonly("values", &SlipGraph::values, "changes there")
      .def_readonly("after", &SlipGraph::after, "slope beyond the last point")
      .def(
          "change", [](const SlipGraph& g, double u) { return slip_change(g, u); }, py::arg("u"),
          "change($self, u)\n--\n\nThe change at the slip u, with the sign of u.");
}

void bind_piecewise_friction(py::module_& m) {
  using Problem = PiecewiseFriction;
  py::class_<Problem> cls(
      m, "PiecewiseFriction",
      "A BlockForm of plane contacts and scalar sets whose friction depends on the slip speed.\n\n"
      "`graphs` has a SlipGraph or None per block: the change of mu of a FrictionCone of 2 rows, "
      "or of the\nbound of an Interval [-b, b] of 1 row.\n\n"
      ">>> r, report = saltus.solve(saltus.PiecewiseFriction(form, [graph]))");
  cls.def(py::init([](const Stored<BlockForm>& form, const py::sequence& graphs) {
            Problem problem{form.problem, {}};
            for (const py::handle graph : graphs)
              problem.graphs.push_back(graph.is_none() ? SlipGraph{} : graph.cast<SlipGraph>());
            validate(problem);
            return problem;
          }),
          py::arg("form"), py::arg("graphs"), "__init__(self, form, graphs)\n--\n\n");
  cls.def(
      "residual",
      [](const Problem& p, const py::object& r) {
        return residual(p, to_point(r, p.form.q.size(), "residual: r"));
      },
      py::arg("r"), "residual($self, r)\n--\n\nZero exactly at solutions.");
  cls.def("__repr__", [](const Problem& p) {
    return fmt::format("<PiecewiseFriction: {} unknowns>", p.form.q.size());
  });
}

/// A function that gives a dense or sparse matrix of known size.
std::function<void(ConstVectorRef, MixedNonlinear::Sparse&)> to_matrix_function(
    const py::object& function, const std::string& where, Index rows, Index columns) {
  const Callback callback = to_callback(function, where, true);
  if (!callback) return {};
  return [=](ConstVectorRef v, MixedNonlinear::Sparse& A) {
    Matrix dense(rows, columns);
    callback(v, MatrixRef(dense));
    A = dense.sparseView();
  };
}

MixedNonlinear make_mixed(const py::object& residual, const py::object& jacobian,
                          const py::object& directions, const py::object& w, const py::object& K,
                          Index n, const py::object& force_slope,
                          const py::object& velocity_slope) {
  MixedNonlinear p;
  Blocks blocks = to_block_sets(K, "MixedNonlinear: K");
  p.n = n;
  p.w = to_vector(w, "MixedNonlinear: w");
  p.K = std::move(blocks.sets);
  p.sizes = std::move(blocks.sizes);
  const Index m = p.w.size();
  p.residual = to_vector_function(residual, "MixedNonlinear: residual");
  p.jacobian = to_matrix_function(jacobian, "MixedNonlinear: jacobian", n, n);
  p.directions = to_matrix_function(directions, "MixedNonlinear: directions", n, m);
  p.velocity_slope = to_matrix_function(velocity_slope, "MixedNonlinear: velocity_slope", m, n);
  const Callback slope = to_callback(force_slope, "MixedNonlinear: force_slope", true);
  if (slope)
    p.force_slope = [=](ConstVectorRef v, ConstVectorRef r, MixedNonlinear::Sparse& A) {
      const py::gil_scoped_acquire gil;
      Matrix dense(n, n);
      fill(slope.function()(copy(v), copy(r)), slope.name(), MatrixRef(dense));
      A = dense.sparseView();
    };
  return p;
}

void bind_mixed_nonlinear(py::module_& m) {
  py::class_<MixedNonlinear> cls(
      m, "MixedNonlinear",
      "Dynamics and contacts of one step together: find (v, r) with\n\n"
      "    R(v) = H(v) r,    u = H(v)' v + w,    and the law of each block between u and r.\n\n"
      "residual(v) is R, jacobian(v) its derivative, directions(v) is H, n×m. force_slope(v, r), "
      "the derivative\nof H(v) r, and velocity_slope(v), that of H(v)' v, may be left out for a "
      "constant H.\n\n"
      ">>> (v, r), report = saltus.solve(problem, guess=v)");
  cls.def(py::init(&make_mixed), py::arg("residual"), py::arg("jacobian"), py::arg("directions"),
          py::arg("w"), py::arg("K"), py::arg("n"), py::arg("force_slope") = py::none(),
          py::arg("velocity_slope") = py::none(),
          "__init__(self, residual, jacobian, directions, w, K, n, force_slope=None, "
          "velocity_slope=None)\n--\n\n");
  cls.def(
      "residual",
      [](const MixedNonlinear& p, const py::object& v, const py::object& r) {
        return residual(p, to_point(v, p.n, "residual: v"), to_point(r, p.w.size(), "residual: r"));
      },
      py::arg("v"), py::arg("r"), "residual($self, v, r)\n--\n\nZero exactly at solutions.");
  cls.def("__repr__", [](const MixedNonlinear& p) {
    return fmt::format("<MixedNonlinear: {} velocities, {} rows>", p.n, p.w.size());
  });
}

/// The guess is v; reactions start at zero.
py::tuple solve_mixed(const MixedNonlinear& problem, const py::object& guess,
                      const py::object& solver) {
  Vector v = to_guess(guess, problem.n), r = Vector::Zero(problem.w.size());
  const NonsmoothNewton newton = solver.is_none()
                                     ? NonsmoothNewton{}
                                     : Converter<NonsmoothNewton>::from(solver, "solve: solver");
  Outcome outcome;
  outcome.solver = NonsmoothNewton::name;
  outcome.tolerance = newton.tolerance;
  {
    const py::gil_scoped_release release;
    Workspace work;
    outcome.report = solve(problem, v, r, newton, work);
  }
  return py::make_tuple(py::make_tuple(copy(ConstVectorRef(v)), copy(ConstVectorRef(r))), outcome);
}

}  // namespace

void bind_friction_nonlinear(py::module_& m) {
  bind_slip_graph(m);
  bind_piecewise_friction(m);
  bind_mixed_nonlinear(m);
  define_solve(m,
               [](const PiecewiseFriction& p, const py::object& guess, const py::object& solver) {
                 Vector r = to_guess(guess, p.form.q.size());
                 const Outcome outcome = run<std::variant<SlipFriction>>(p, r, solver);
                 return answer(r, outcome);
               });
  define_solve(m, &solve_mixed);
}

}  // namespace saltus::python
