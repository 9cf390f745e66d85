#include "saltus/simulation/descriptor_run.hpp"

#include "saltus/base/stopwatch.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// The start is made consistent by steps of this part of the first one.
constexpr double start_ratio = 1e-6;

void record(const std::vector<DescriptorProbe>& probes, const DescriptorState& state,
            Trajectory& run) {
  run.t.push_back(state.t);
  for (const DescriptorProbe& probe : probes) {
    double sum = 0;
    for (const auto& term : probe.terms) sum += term.factor * state.z[term.index];
    run.x.values.push_back(sum);
  }
}

/// The next instant that must be met, `end` at the latest.
double next_stop(const Descriptor& system, double t, double end) {
  double stop = end;
  if (system.next_break) stop = std::min(stop, system.next_break(t));
  for (const DescriptorSwitch& s : system.switches)
    if (s.clock > 0) stop = std::min(stop, (std::floor(t / s.clock + 1e-6) + 1) * s.clock);
  return stop;
}

/// The row of the one-step problem that is violated most, by name.
std::string worst_row(const Descriptor& system, DescriptorWorkspace& work, double h, double theta) {
  const BlockForm& form = work.problem(system, h, theta).form;
  Vector u(system.size());
  form.W.multiply(work.z, u);
  u += form.q;
  Index worst = 0;
  double largest = -1;
  for (Index i = 0; i < u.size(); ++i) {
    const double amount = squared_natural_map(form.K[i], 1, &work.z[i], &u[i]);
    if (amount > largest || !std::isfinite(amount)) {
      largest = amount;
      worst = i;
    }
  }
  return system.names[worst];
}

void describe_failure(const Descriptor& system, const StepReport& report, double t, double h,
                      double theta, DescriptorWorkspace& work, DescriptorResult& result) {
  result.trajectory.report.end = RunEnd::step_failed;
  result.failure = fmt::format(
      "no solution at t = {:.6g} s: {} after {} exchanges of modes, residual {:.3g}, worst at the "
      "{}; an ideal source may be shorted or a current interrupted there",
      t, name(report.status == StepStatus::done ? SolveStatus::stalled : report.solve.status),
      report.solver_iterations, report.solve.residual, worst_row(system, work, h, theta));
}

struct Runner {
  const Descriptor& system;
  const std::vector<DescriptorProbe>& probes;
  const DescriptorRun& options;
  DescriptorResult& result;
  DescriptorState state = {};
  DescriptorWorkspace work = {};

  bool begin() {
    const double first = std::min(next_stop(system, 0, options.end), options.step);
    const double h = start_ratio * first;
    const StepReport report = options.at_rest
                                  ? operating_point(system, 0, options.scheme, state, work)
                                  : start_descriptor(system, 0, h, options.scheme, state, work);
    result.trajectory.report.last = report;
    if (!report.done()) {
      describe_failure(system, report, 0, options.at_rest ? inf : h, 1, work, result);
      return false;
    }
    result.start = state.z;
    if (options.record_from <= 0) record(probes, state, result.trajectory);
    return true;
  }

  bool advance(double h, const DescriptorTheta& scheme) {
    RunReport& total = result.trajectory.report;
    const StepReport report = step(system, state, h, scheme, work);
    total.last = report;
    if (!report.done()) {
      describe_failure(system, report, state.t + h, h, scheme.theta, work, result);
      return false;
    }
    ++total.steps;
    total.active_steps += report.solver_iterations > 0 ? 1 : 0;
    total.solver_iterations += report.solver_iterations;
    total.factorisations += report.factorisations;
    total.worst_residual = std::max(total.worst_residual, report.solve.residual);
    return true;
  }

  /// Equal steps to the next instant that must be met.
  bool segment() {
    const double from = state.t;
    const double stop = std::max(next_stop(system, from, options.end), std::nextafter(from, inf));
    const double count = std::max(1.0, std::ceil((stop - from) / options.step * (1 - 1e-9)));
    const double h = (stop - from) / count;
    DescriptorTheta scheme = options.scheme;
    scheme.theta = 1;  // the sources may jump at the beginning
    for (double k = 1; k <= count; ++k) {
      if (!advance(h, scheme)) return false;
      state.t = k < count ? from + k * h : stop;
      const bool asked =
          result.trajectory.report.steps % options.every == 0 || state.t >= options.end;
      if (asked && state.t >= options.record_from) record(probes, state, result.trajectory);
      scheme.theta = options.scheme.theta;
    }
    return true;
  }
};

}  // namespace

DescriptorResult run(const Descriptor& system, const std::vector<DescriptorProbe>& probes,
                     const DescriptorRun& options) {
  validate(options);
  const Stopwatch clock;
  DescriptorResult result;
  for (const DescriptorProbe& probe : probes) result.trajectory.x.names.push_back(probe.name);
  Runner runner{system, probes, options, result};
  RunReport& report = result.trajectory.report;
  report.end = RunEnd::reached_end;
  bool going = runner.begin();
  while (going && runner.state.t < options.end) going = runner.segment();
  report.end_time = runner.state.t;
  report.seconds = clock.seconds();
  return result;
}

}  // namespace saltus
