#include "saltus/simulation/simulation.hpp"

#include "saltus/base/stopwatch.hpp"
#include "saltus/simulation/recorder.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// The grid of a run: `whole` steps of length h and, if the end is not on the grid, one shorter
/// step.
struct Grid {
  long whole = 0;
  double remainder = 0;
  [[nodiscard]] long steps() const { return whole + (remainder > 0 ? 1 : 0); }
};

/// Times closer than a billionth of a step count as equal.
Grid make_grid(double begin, double end, double h) {
  const double ratio = (end - begin) / h;
  require(ratio < 9e15, "Simulation::run: {} steps of {} are too many", ratio, h);
  Grid grid{static_cast<long>(std::floor(ratio + 1e-9)), 0};
  const double remainder = end - (begin + static_cast<double>(grid.whole) * h);
  if (remainder > 1e-9 * h) grid.remainder = remainder;
  return grid;
}

void require_same_size(const Vector& given, const Vector& expected, const char* name) {
  require(given.size() == expected.size(), "Simulation::set_state: {} has size {}, expected {}",
          name, given.size(), expected.size());
  require(given.allFinite(), "Simulation::set_state: {} has entries that are not finite", name);
}

}  // namespace

Simulation::~Simulation() = default;
Simulation::Simulation(Simulation&&) noexcept = default;
Simulation& Simulation::operator=(Simulation&&) noexcept = default;

Simulation::Simulation(Model model, MoreauJean scheme, SimulationOptions options)
    : Simulation(Scheme(std::move(scheme)), std::move(model), std::move(options)) {}

Simulation::Simulation(Scheme scheme, Model model, SimulationOptions options)
    : model_(std::move(model)),
      scheme_(std::move(scheme)),
      options_(std::move(options)),
      state_(model_.initial_state()) {
  validate(options_);
  require(std::isfinite(options_.step), "Simulation: step is {}, expected a finite number",
          options_.step);
  check(options_.adaptive, scheme_);
  require(!model_.systems().empty(), "Simulation: the model has no system");
  prepare(model_, scheme_, work_);
  work_.accept_unsolved = options_.accept_unsolved;
  work_.profile = options_.profile;
}

StepReport Simulation::advance(double h) {
  require(h > 0 && std::isfinite(h), "Simulation::advance: step is {}, expected > 0", h);
  return saltus::step(model_, state_, h, scheme_, work_);
}

/// Adds a step to the report; false if it failed.
bool Simulation::account(const StepReport& step, RunReport& report) {
  report.last = step;
  report.solver_iterations += step.solver_iterations;
  report.factorisations += step.factorisations;
  report.newton_iterations += step.newton_iterations;
  if (step.active_rows > 0) {
    ++report.active_steps;
    report.worst_residual = std::max(report.worst_residual, step.solve.residual);
  }
  if (!step.done()) return false;
  if (step.active_rows > 0 && !step.solve.converged()) ++report.unsolved_steps;
  ++report.steps;
  return true;
}

bool Simulation::run_step(double h, double t_next, RunReport& report) {
  if (!account(saltus::step(model_, state_, h, scheme_, work_), report)) return false;
  accounts_.add(model_, state_, h, scheme_, work_);
  state_.t = t_next;  // no drift of the clock
  return true;
}

/// Records and observes; true if a stop condition holds.
bool Simulation::after_step(long n, bool last, double end_time, Recorder& recorder,
                            RunReport& report) {
  const Stopwatch recording;
  if (last || n % options_.record.every == 0) recorder.record(model_, state_, work_);
  for (const Observer& observer : observers_) observer({model_, state_, report.last, n, end_time});
  if (work_.profile) report.recording_seconds += recording.seconds();
  return std::any_of(conditions_.begin(), conditions_.end(),
                     [&](const Condition& condition) { return condition(state_); });
}

RunEnd Simulation::run_steps(double end_time, Recorder& recorder, RunReport& report) {
  const double begin = state_.t, h = options_.step;
  const Grid grid = make_grid(begin, end_time, h);
  recorder.reserve(grid.steps());
  recorder.record(model_, state_, work_);
  for (long n = 1; n <= grid.steps(); ++n) {
    const bool last = n == grid.steps();
    const double t_next = last ? end_time : begin + static_cast<double>(n) * h;
    if (!run_step(n <= grid.whole ? h : grid.remainder, t_next, report)) return RunEnd::step_failed;
    if (after_step(n, last, end_time, recorder, report)) return RunEnd::stopped;
  }
  return RunEnd::reached_end;
}

RunEnd Simulation::run_adaptive(double end_time, Recorder& recorder, RunReport& report) {
  AdaptiveStepper stepper(options_.adaptive, options_.step);
  recorder.record(model_, state_, work_);
  report.shortest_step = inf;
  const auto near = 1e-9 * stepper.shortest;
  for (long n = 1; end_time - state_.t > near; ++n) {
    double taken = 0;
    const bool good = account(
        stepper.advance(model_, state_, end_time - state_.t, scheme_, work_, accounts_, taken),
        report);
    report.rejected_steps = stepper.rejected;
    if (!good) return RunEnd::step_failed;
    report.shortest_step = std::min(report.shortest_step, taken);
    report.longest_step = std::max(report.longest_step, taken);
    const bool last = end_time - state_.t <= near;
    if (last) state_.t = end_time;
    if (after_step(n, last, end_time, recorder, report)) return RunEnd::stopped;
  }
  return RunEnd::reached_end;
}

void Simulation::run(double end_time, Trajectory& trajectory) {
  require(std::isfinite(end_time) && end_time >= state_.t,
          "Simulation::run: end time is {}, the clock stands at {}", end_time, state_.t);
  const Stopwatch total;
  Recorder recorder(model_, options_.record);
  RunReport report;
  work_.times = {};
  accounts_.start(model_, state_, scheme_, work_);
  const auto finish = [&](RunEnd end) {
    report.end = end;
    report.end_time = state_.t;
    report.times = work_.times;
    report.energy = accounts_.energy;
    report.momentum = accounts_.momentum;
    report.seconds = total.seconds();
    trajectory = recorder.take();
    trajectory.report = report;
  };
  try {
    const RunEnd end = options_.adaptive.on() ? run_adaptive(end_time, recorder, report)
                                              : run_steps(end_time, recorder, report);
    if (recorder.last_time() < state_.t) recorder.record(model_, state_, work_);
    finish(end);
  } catch (...) {
    finish(RunEnd::interrupted);
    throw;
  }
}

Trajectory Simulation::run(double end_time) {
  Trajectory trajectory;
  run(end_time, trajectory);
  return trajectory;
}

void Simulation::set_parameters(SystemId system, const Values& z) {
  const SystemEntry& entry = model_[system];
  require(z.size() == entry.z_size,
          "Simulation::set_parameters: z has size {}, {} has {} parameters", z.size(), entry.name,
          entry.z_size);
  require(z.allFinite(), "Simulation::set_parameters: z of {} has entries that are not finite",
          entry.name);
  state_.z.segment(entry.z_offset, entry.z_size) = z;
}

void Simulation::set_state(const State& state) {
  require_same_size(state.q, state_.q, "q");
  require_same_size(state.v, state_.v, "v");
  require_same_size(state.x, state_.x, "x");
  require_same_size(state.z, state_.z, "z");
  require(std::isfinite(state.t), "Simulation::set_state: t is {}", state.t);
  for (const SystemEntry& entry : model_.systems())
    if (entry.system.order() == Order::second)
      entry.system.check_positions(Model::view(entry, state).q);
  state_ = state;
}

}  // namespace saltus
