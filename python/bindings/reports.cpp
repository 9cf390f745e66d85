#include "reports.hpp"

#include "module.hpp"
#include "saltus/simulation/run_report.hpp"

namespace saltus::python {

namespace {

void bind_status(py::module_& m) {
  py::enum_<SolveStatus>(m, "SolveStatus", "What became of a solve.")
      .value("not_run", SolveStatus::not_run, "solve was never called")
      .value("converged", SolveStatus::converged, "the residual is below the tolerance")
      .value("max_iterations", SolveStatus::max_iterations, "budget used up")
      .value("stalled", SolveStatus::stalled, "no more progress")
      .value("infeasible", SolveStatus::infeasible, "proved to have no solution")
      .value("unbounded", SolveStatus::unbounded, "proved to have no minimum")
      .value("nonconvex", SolveStatus::nonconvex, "the algorithm is for convex problems only")
      .value("numerical_error", SolveStatus::numerical_error, "singular factor, NaN or overflow")
      .value("stopped", SolveStatus::stopped, "the caller asked to stop");
  py::enum_<StepStatus>(m, "StepStatus", "What happened to a step.")
      .value("done", StepStatus::done, "the state was advanced")
      .value("solver_failed", StepStatus::solver_failed, "the one-step problem was not solved")
      .value("newton_failed", StepStatus::newton_failed,
             "Newton did not converge: shorten the step")
      .value("singular_matrix", StepStatus::singular_matrix, "the iteration matrix is singular")
      .value("not_finite", StepStatus::not_finite, "a state or force is NaN or infinite")
      .value("projection_failed", StepStatus::projection_failed,
             "the positions could not be projected on their constraints");
  py::enum_<RunEnd>(m, "RunEnd", "Why a run ended.")
      .value("not_run", RunEnd::not_run, "it never started")
      .value("reached_end", RunEnd::reached_end, "at the time asked for")
      .value("stopped", RunEnd::stopped, "a stop condition held, or Ctrl-C")
      .value("step_failed", RunEnd::step_failed, "a step failed: see `last`")
      .value("interrupted", RunEnd::interrupted, "an exception of the user's code ended it");
}

void bind_momentum(py::module_& m) {
  const auto vector = [](const Eigen::Vector3d& v) { return copy(ConstVectorRef(Vector(v))); };
  const auto text = [](const Eigen::Vector3d& v) {
    return fmt::format("({:.6g}, {:.6g}, {:.6g})", v[0], v[1], v[2]);
  };
  py::class_<Momentum>(m, "Momentum",
                       "Linear and angular momentum, about the origin of the world; or impulses.")
      .def_property_readonly(
          "linear", [vector](const Momentum& p) { return vector(p.linear); }, "[kg m/s]")
      .def_property_readonly(
          "angular", [vector](const Momentum& p) { return vector(p.angular); }, "[kg m²/s]")
      .def("__repr__", [text](const Momentum& p) {
        return fmt::format("Momentum(linear={}, angular={})", text(p.linear), text(p.angular));
      });
  py::class_<MomentumBalance>(
      m, "MomentumBalance",
      "Where the momentum of points and rigid bodies went in a run, a Momentum each:\n\n"
      "    end - start = forces + interactions + scheme + error")
      .def_readonly("known", &MomentumBalance::known, "False if no system knows its momentum")
      .def_readonly("start", &MomentumBalance::start, "momentum at the start")
      .def_readonly("end", &MomentumBalance::end, "momentum at the end")
      .def_readonly("forces", &MomentumBalance::forces, "impulse of the forces")
      .def_readonly("interactions", &MomentumBalance::interactions,
                    "impulse of contacts, joints and drives")
      .def_readonly("scheme", &MomentumBalance::scheme,
                    "of gyroscopic percussions and the update of lever arms")
      .def_property_readonly("error", &MomentumBalance::error, "what remains")
      .def("__repr__", [text](const MomentumBalance& b) {
        return fmt::format("MomentumBalance(start={}, end={}, error={})", text(b.start.linear),
                           text(b.end.linear), text(b.error().linear));
      });
}

void bind_solve_report(py::module_& m) {
  py::class_<Outcome>(m, "SolveReport",
                      "What happened in a solve: the same measure for every algorithm.")
      .def_property_readonly(
          "status", [](const Outcome& o) { return o.report.status; }, "a SolveStatus")
      .def_property_readonly(
          "iterations", [](const Outcome& o) { return o.report.iterations; },
          "what the algorithm counts: pivots, sweeps, Newton steps")
      .def_property_readonly(
          "factorisations", [](const Outcome& o) { return o.report.factorisations; },
          "of sparse matrices, where the algorithm counts them")
      .def_property_readonly(
          "residual", [](const Outcome& o) { return o.report.residual; },
          "residual of the problem at the solution")
      .def_property_readonly(
          "seconds", [](const Outcome& o) { return o.report.seconds; }, "wall time")
      .def_property_readonly(
          "certificate",
          [](const Outcome& o) -> py::object {
            if (o.certificate.size() == 0) return py::none();
            return copy(ConstVectorRef(o.certificate));
          },
          "The proof of an answer `infeasible` or `unbounded`, None otherwise. It is a y or v "
          "that\n"
          "problem.proves_infeasible(y), or problem.proves_unbounded(v), accepts.")
      .def_readonly("solver", &Outcome::solver, "name of the algorithm that was asked")
      .def_readonly("tolerance", &Outcome::tolerance, "of the algorithm")
      .def(
          "converged", [](const Outcome& o) { return o.report.converged(); },
          "converged($self)\n--\n\nThe residual is below the tolerance.")
      .def("__repr__", [](const Outcome& o) {
        return fmt::format("<SolveReport: {}, {} iterations, residual {:.3g}>",
                           name(o.report.status), o.report.iterations, o.report.residual);
      });
}

}  // namespace

void bind_reports(py::module_& m) {
  bind_status(m);
  bind_solve_report(m);
  py::class_<StepReport>(m, "StepReport", "What happened in one time step.")
      .def_readonly("status", &StepReport::status, "a StepStatus")
      .def_readonly("active_rows", &StepReport::active_rows, "rows of the one-step problem")
      .def_readonly("newton_iterations", &StepReport::newton_iterations,
                    "1 for a time-invariant model")
      .def_readonly("newton_residual", &StepReport::newton_residual,
                    "compared with newton_tolerance")
      .def_property_readonly(
          "solve", [](const StepReport& r) { return Outcome{.report = r.solve}; },
          "SolveReport of the last one-step problem: numbers only")
      .def_readonly("solver_iterations", &StepReport::solver_iterations,
                    "over all Newton iterations")
      .def_readonly("factorisations", &StepReport::factorisations, "by the solver")
      .def_readonly("projection_iterations", &StepReport::projection_iterations,
                    "of the projection of the positions")
      .def_readonly("violation", &StepReport::violation, "of the positions that it left")
      .def("done", &StepReport::done, "done($self)\n--\n\nThe state was advanced.")
      .def("__repr__", [](const StepReport& r) {
        return fmt::format("<StepReport: {}, {} active rows>", name(r.status), r.active_rows);
      });
  py::class_<StepTimes>(m, "StepTimes", "Where the wall time of the steps went, in seconds.")
      .def_readonly("free", &StepTimes::free, "forces, iteration matrices, free velocity")
      .def_readonly("activate", &StepTimes::activate, "gaps, relation Jacobians, active set")
      .def_readonly("assemble", &StepTimes::assemble, "the one-step problem")
      .def_readonly("solve", &StepTimes::solve, "its solution")
      .def_readonly("update", &StepTimes::update, "new state, Newton residual")
      .def("__repr__", [](const StepTimes& t) {
        return fmt::format(
            "StepTimes(free={:.3g}, activate={:.3g}, assemble={:.3g}, solve={:.3g}, "
            "update={:.3g})",
            t.free, t.activate, t.assemble, t.solve, t.update);
      });
  py::class_<EnergyBalance>(
      m, "EnergyBalance",
      "Where the energy of the second-order systems went in a run [J]:\n\n"
      "    total - start = forces + drives - impact - friction - laws - scheme + error")
      .def_readonly("known", &EnergyBalance::known,
                    "False for the schemes of first-order inclusions")
      .def_readonly("kinetic", &EnergyBalance::kinetic, "at the end")
      .def_readonly("potential", &EnergyBalance::potential, "at the end, of systems that have one")
      .def_readonly("start", &EnergyBalance::start, "kinetic and potential energy at the start")
      .def_readonly("forces", &EnergyBalance::forces, "work of forces without potential")
      .def_readonly("drives", &EnergyBalance::drives, "work of drives and moving obstacles")
      .def_readonly("impact", &EnergyBalance::impact, "lost in the normal directions of contacts")
      .def_readonly("friction", &EnergyBalance::friction, "lost by friction")
      .def_readonly("laws", &EnergyBalance::laws, "stored or lost in springs, cohesion, plasticity")
      .def_readonly("scheme", &EnergyBalance::scheme, "lost by the scheme")
      .def_property_readonly("total", &EnergyBalance::total, "kinetic + potential")
      .def_property_readonly("error", &EnergyBalance::error, "what remains: rounding")
      .def("__repr__", [](const EnergyBalance& e) {
        return fmt::format(
            "EnergyBalance(total={:.6g}, start={:.6g}, forces={:.6g}, drives={:.6g}, "
            "impact={:.6g}, "
            "friction={:.6g}, laws={:.6g}, scheme={:.6g})",
            e.total(), e.start, e.forces, e.drives, e.impact, e.friction, e.laws, e.scheme);
      });
  bind_momentum(m);
  py::class_<RunReport>(m, "RunReport", "What happened in a run, summed over its steps.")
      .def_readonly("end", &RunReport::end, "a RunEnd: why it ended")
      .def_readonly("steps", &RunReport::steps, "number of steps")
      .def_readonly("end_time", &RunReport::end_time, "time reached [s]")
      .def_readonly("energy", &RunReport::energy, "an EnergyBalance: where the energy went")
      .def_readonly("momentum", &RunReport::momentum, "a MomentumBalance: where the momentum went")
      .def_readonly("active_steps", &RunReport::active_steps, "steps with a one-step problem")
      .def_readonly("solver_iterations", &RunReport::solver_iterations, "of all steps")
      .def_readonly("factorisations", &RunReport::factorisations, "by the solver, of all steps")
      .def_readonly("newton_iterations", &RunReport::newton_iterations, "of all steps")
      .def_readonly("unsolved_steps", &RunReport::unsolved_steps,
                    "accepted although the solver failed")
      .def_readonly("rejected_steps", &RunReport::rejected_steps,
                    "repeated with a shorter step (adaptive steps)")
      .def_readonly("shortest_step", &RunReport::shortest_step, "[s] (adaptive steps)")
      .def_readonly("longest_step", &RunReport::longest_step, "[s] (adaptive steps)")
      .def_readonly("worst_residual", &RunReport::worst_residual,
                    "largest residual of a one-step problem")
      .def_readonly("seconds", &RunReport::seconds, "wall time")
      .def_readonly("times", &RunReport::times, "StepTimes: where it went (if profiled)")
      .def_readonly("recording_seconds", &RunReport::recording_seconds,
                    "recording and observers (if profiled)")
      .def_readonly("last", &RunReport::last, "StepReport of the last step")
      .def("ok", &RunReport::ok, "ok($self)\n--\n\nThe run did what was asked, every step solved.")
      .def("message", &RunReport::message,
           "message($self)\n--\n\nOne sentence: how the run ended and, if it failed, when and why.")
      .def("__repr__", [](const RunReport& r) { return "<RunReport: " + r.message() + ">"; });
}

}  // namespace saltus::python
