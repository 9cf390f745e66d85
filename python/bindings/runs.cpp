#include "inclusion_arguments.hpp"
#include "module.hpp"
#include "saltus/inclusions/prox_regular_sweeping.hpp"
#include "saltus/integrators/lcs_events.hpp"
#include "saltus/integrators/two_surfaces.hpp"

#include <pybind11/stl.h>

// Systems that have a way of their own to be run.

namespace saltus::python {

namespace {

/// One vector for a number t, rows for an array of them.
template <class Function>
py::object at_times(const py::object& t, const Function& function, const char* where) {
  const Vector times = to_vector(t, where);
  if (to_array(t, where).ndim() == 0) return copy(ConstVectorRef(function(times[0])));
  Matrix rows;
  for (Index i = 0; i < times.size(); ++i) {
    const Vector value = function(times[i]);
    if (i == 0) rows.resize(times.size(), value.size());
    rows.row(i) = value;
  }
  return copy(ConstMatrixRef(rows));
}

void bind_event_run(py::module_& m) {
  py::enum_<EventStatus>(m, "EventStatus", "How a run from event to event ended.")
      .value("done", EventStatus::done, "the end was reached")
      .value("no_mode", EventStatus::no_mode, "no mode admits a solution from the state")
      .value("accumulation", EventStatus::accumulation, "events accumulate: go on by time stepping")
      .value("max_events", EventStatus::max_events, "more events than allowed")
      .value("solver_failed", EventStatus::solver_failed, "the jump was not solved")
      .value("not_finite", EventStatus::not_finite, "the state grew beyond all bounds");
  py::class_<LcsEventRun>(m, "LcsEventRun",
                          "An exact solution of an Lcs from event to event: from t[k] on in the "
                          "mode held[k].")
      .def_readonly("status", &LcsEventRun::status, "an EventStatus")
      .def("done", &LcsEventRun::done, "done($self)\n--\n\nThe end was reached.")
      .def_readonly("end", &LcsEventRun::end, "where it stopped")
      .def_readonly("shortest", &LcsEventRun::shortest, "stay between two events")
      .def_property_readonly(
          "t",
          [](const LcsEventRun& run) {
            Vector t(static_cast<Index>(run.stays.size()));
            for (std::size_t i = 0; i < run.stays.size(); ++i) t[Index(i)] = run.stays[i].t;
            return copy(ConstVectorRef(t));
          },
          "0 and the times of the events")
      .def_property_readonly(
          "held",
          [](const LcsEventRun& run) {
            py::list list;
            for (const LcsStay& stay : run.stays) list.append(stay.mode.held);
            return list;
          },
          "the pairs with w = 0 from t[k] on")
      .def_property_readonly(
          "jumps",
          [](const LcsEventRun& run) {
            Matrix rows(static_cast<Index>(run.stays.size()),
                        run.stays.empty() ? 0 : run.stays[0].x.size());
            for (std::size_t i = 0; i < run.stays.size(); ++i)
              rows.row(Index(i)) = run.stays[i].jump;
            return copy(ConstMatrixRef(rows));
          },
          "by which the state jumps at t[k], one per row")
      .def(
          "x",
          [](const LcsEventRun& run, const py::object& t) {
            return at_times(
                t, [&](double s) { return run.x(s); }, "LcsEventRun.x: t");
          },
          py::arg("t"), "x($self, t)\n--\n\nThe state at t, or at each of some times, in rows.")
      .def(
          "lambda_",
          [](const LcsEventRun& run, const py::object& t) {
            return at_times(
                t, [&](double s) { return run.lambda(s); }, "LcsEventRun.lambda_: t");
          },
          py::arg("t"), "lambda_($self, t)\n--\n\nThe multipliers at t, without impulses.")
      .def(
          "w",
          [](const LcsEventRun& run, const py::object& t) {
            return at_times(
                t, [&](double s) { return run.w(s); }, "LcsEventRun.w: t");
          },
          py::arg("t"), "w($self, t)\n--\n\nThe outputs at t.")
      .def("__repr__", [](const LcsEventRun& run) {
        return fmt::format("<LcsEventRun: {} at t = {}, {} stays>", name(run.status), run.end,
                           run.stays.size());
      });
}

void bind_events(py::module_& m) {
  bind_options<LcsEvents>(m, "How simulate_lcs_events() finds events and modes.");
  bind_event_run(m);
  m.def(
      "simulate_lcs_events",
      [](const py::object& system, const py::object& x0, double end, const py::object& options) {
        const Lcs lcs = Converter<Lcs>::from(system, "simulate_lcs_events: system");
        const Vector start = to_vector(x0, "simulate_lcs_events: x0");
        const LcsEvents how =
            options.is_none() ? LcsEvents{}
                              : Converter<LcsEvents>::from(options, "simulate_lcs_events: options");
        const py::gil_scoped_release release;
        return simulate_events(lcs, start, end, how);
      },
      py::arg("system"), py::arg("x0"), py::arg("end"), py::arg("options") = py::none(),
      "simulate_lcs_events(system, x0, end, options=None)\n--\n\n"
      "The LcsEventRun of an Lcs from x(0-) = x0: exact between events, which are found where w "
      "of\n"
      "an open or λ of a held pair turns negative. For few, separate events; impacts of systems "
      "of\n"
      "relative degree 2 and more are without restitution.\n\n"
      ">>> run = saltus.simulate_lcs_events(circuit, [1.0, -1.0], end=1.0)\n"
      ">>> run.x(np.linspace(0, 1, 200))");
}

ProxRegularSet to_prox_regular(const py::object& object) {
  if (py::isinstance<BallComplement>(object)) return object.cast<BallComplement>();
  if (!py::isinstance<SmoothSet>(object))
    wrong_type("ProxRegularSweeping: set", "BallComplement or SmoothSet", object);
  return object.cast<SmoothSet>();
}

void bind_prox_regular(py::module_& m) {
  py::class_<BallComplement>(m, "BallComplement",
                             "{x : |x − center| ≥ radius}: all but a ball, prox-regular with the "
                             "constant radius.")
      .def(py::init([](const py::object& center, double radius) {
             const BallComplement ball{to_vector(center, "BallComplement: center"), radius};
             validate(ball, ball.center.size());
             return ball;
           }),
           py::arg("center"), py::arg("radius") = 1.0, "__init__(self, center, radius=1.0)\n--\n\n")
      .def_property_readonly(
          "center", [](const BallComplement& b) { return copy(ConstVectorRef(b.center)); },
          "of the ball, copied")
      .def_readonly("radius", &BallComplement::radius, "of the ball");
  py::class_<SmoothSet>(m, "SmoothSet",
                        "{x : g(x) ≥ 0} with smooth g, prox-regular with the constant r: points "
                        "nearer than r\nhave one nearest point. slope(x) is the m × n matrix of "
                        "the gradients.")
      .def(
          py::init([](Index n, const py::object& g, const py::object& slope, double r, Index rows) {
            SmoothSet set{.n = n, .m = rows, .r = r};
            set.g = state_vector(g, "SmoothSet: g");
            set.slope = state_matrix(slope, "SmoothSet: slope");
            validate(set, n);
            return set;
          }),
          py::arg("n"), py::arg("g"), py::arg("slope"), py::arg("r"), py::arg("m") = 1,
          "__init__(self, n, g, slope, r, m=1)\n--\n\n")
      .def_readonly("n", &SmoothSet::n, "size of x")
      .def_readonly("m", &SmoothSet::m, "number of constraints")
      .def_readonly("r", &SmoothSet::r, "constant of prox-regularity");
  py::class_<CatchingUpRun>(m, "CatchingUpRun", "A run; column k belongs to the time t[k].")
      .def_property_readonly(
          "t", [](const CatchingUpRun& r) { return copy(ConstVectorRef(r.t)); }, "times")
      .def_property_readonly(
          "x", [](const CatchingUpRun& r) { return copy(ConstMatrixRef(r.x)); },
          "states, one row each")
      .def_readonly("longest", &CatchingUpRun::longest, "move against the set in a step")
      .def("done", &CatchingUpRun::done, "done($self)\n--\n\nNo projection failed.");
  py::class_<ProxRegularSweeping>(
      m, "ProxRegularSweeping",
      "Sweeping process  −x' + f(t, x) ∈ N_K(t)(x)  with a set K(t) = center(t) + set that need\n"
      "not be convex, but prox-regular.\n\n"
      ">>> disc = saltus.BallComplement([0, 0], 0.5)  # pushes a point aside\n"
      ">>> saltus.ProxRegularSweeping([2, 0.1], disc, lambda t: [t, 0]).run(0.01, 4.0).x")
      .def(py::init([](const py::object& x0, const py::object& set, const py::object& center,
                       const py::object& f) {
             return ProxRegularSweeping{
                 .x0 = to_vector(x0, "ProxRegularSweeping: x0"),
                 .set = to_prox_regular(set),
                 .center = time_vector(center, "ProxRegularSweeping: center"),
                 .f = time_field(f, "ProxRegularSweeping: f")};
           }),
           py::arg("x0"), py::arg("set"), py::arg("center") = py::none(), py::arg("f") = py::none(),
           "__init__(self, x0, set, center=None, f=None)\n--\n\n")
      .def(
          "model", [](const ProxRegularSweeping& p) { return PythonModel{p.model()}; },
          "model($self)\n--\n\nThe Model of it, for implicit schemes with short steps.")
      .def(
          "run",
          [](const ProxRegularSweeping& p, double step, double end) { return p.run(step, end); },
          py::arg("step"), py::arg("end"),
          "run($self, step, end)\n--\n\n"
          "The CatchingUpRun of it. Error if a step moves the state against the set by its "
          "constant\nof prox-regularity or more, so that the nearest point might be the wrong "
          "one.");
}

void bind_two_surfaces(py::module_& m) {
  bind_options<TwoSurfaceEuler>(
      m, "Backward Euler for a TwoSurfaceSystem: a mixed complementarity problem in each step.");
  py::class_<TwoSurfaceRun>(m, "TwoSurfaceRun", "A run; column k belongs to the time t[k].")
      .def_property_readonly(
          "t", [](const TwoSurfaceRun& r) { return copy(ConstVectorRef(r.t)); }, "times")
      .def_property_readonly(
          "x", [](const TwoSurfaceRun& r) { return copy(ConstMatrixRef(r.x)); },
          "states, one row each")
      .def_property_readonly(
          "s", [](const TwoSurfaceRun& r) { return copy(ConstMatrixRef(r.s)); },
          "signs of the two surfaces, selected in the step that ended at t[k]")
      .def_property_readonly(
          "last", [](const TwoSurfaceRun& r) { return Outcome{.report = r.last}; },
          "SolveReport of the last step")
      .def("done", &TwoSurfaceRun::done, "done($self)\n--\n\nNo step failed.");
  py::class_<TwoSurfaceSystem>(
      m, "TwoSurfaceSystem",
      "A field that jumps on two surfaces, in the sense of Filippov: the four functions (t, x) of\n"
      "`fields` belong to the regions (+,−), (−,−), (−,+), (+,+) of the signs of surfaces(x), a\n"
      "pair of numbers. On the surfaces shares of the fields are products of (1 ± s1)/2 and\n"
      "(1 ± s2)/2.")
      .def(py::init([](const py::object& x0, const py::list& fields, const py::object& surfaces) {
             require(fields.size() == 4, "TwoSurfaceSystem: {} fields, expected 4", fields.size());
             TwoSurfaceSystem system{.x0 = to_vector(x0, "TwoSurfaceSystem: x0")};
             for (std::size_t i = 0; i < 4; ++i)
               system.fields[i] = time_field(py::reinterpret_borrow<py::object>(fields[i]),
                                             "TwoSurfaceSystem: fields");
             system.surfaces = state_vector(surfaces, "TwoSurfaceSystem: surfaces");
             system.check();
             return system;
           }),
           py::arg("x0"), py::arg("fields"), py::arg("surfaces"),
           "__init__(self, x0, fields, surfaces)\n--\n\n")
      .def(
          "rate",
          [](const TwoSurfaceSystem& s, double t, const py::object& x, double s1, double s2) {
            const Vector at = to_point(x, s.x0.size(), "TwoSurfaceSystem.rate: x");
            return copy(ConstVectorRef(s.rate(t, at, s1, s2)));
          },
          py::arg("t"), py::arg("x"), py::arg("s1"), py::arg("s2"),
          "rate($self, t, x, s1, s2)\n--\n\nx' for selections of the signs.")
      .def(
          "sliding",
          [](const TwoSurfaceSystem& s, double t, const py::object& x) {
            const Vector at = to_point(x, s.x0.size(), "TwoSurfaceSystem.sliding: x");
            Vector signs = Vector::Zero(2);
            Outcome outcome;
            outcome.report = s.sliding(t, at, signs, NcpAutomatic{.tolerance = 1e-12});
            return answer(signs, outcome);
          },
          py::arg("t"), py::arg("x"),
          "sliding($self, t, x)\n--\n\n"
          "((s1, s2), report): the selection that stays on both surfaces; ±1 where it leaves one.")
      .def(
          "simulate",
          [](const TwoSurfaceSystem& s, double step, double end, const py::object& scheme) {
            return simulate(s, step, end,
                            scheme.is_none() ? TwoSurfaceEuler{}
                                             : Converter<TwoSurfaceEuler>::from(
                                                   scheme, "TwoSurfaceSystem.simulate: scheme"));
          },
          py::arg("step"), py::arg("end"), py::arg("scheme") = py::none(),
          "simulate($self, step, end, scheme=None)\n--\n\nThe TwoSurfaceRun of it from x0.");
}

}  // namespace

void bind_runs(py::module_& m) {
  bind_events(m);
  bind_prox_regular(m);
  bind_two_surfaces(m);
}

}  // namespace saltus::python
