#include "saltus/simulation/descriptor_progress.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

double value_of(const DescriptorProbe& probe, const Vector& z) {
  double sum = 0;
  for (const auto& term : probe.terms) sum += term.factor * z[term.index];
  return sum;
}

/// The row of the one-step problem that is violated most, by name.
std::string worst_row(const Descriptor& system, DescriptorWorkspace& work, double h, double theta) {
  const BlockForm& form = work.problem(system, h, theta).form;
  Vector u(system.size());
  form.W.multiply(work.z, u);
  u += form.q;
  std::vector<char> function(static_cast<std::size_t>(system.size()), 0);
  for (const HingeRows::Row& hinge : system.hinges.rows) function[hinge.row] = 1;
  Index worst = 0;
  double largest = -1;
  for (Index i = 0; i < u.size(); ++i) {
    const double amount = function[i] != 0 ? 0.0  // its own nodes tell more
                                           : squared_natural_map(form.K[i], 1, &work.z[i], &u[i]);
    if (amount > largest || !std::isfinite(amount)) {
      largest = amount;
      worst = i;
    }
  }
  return system.names[worst];
}

}  // namespace

double next_stop(const Descriptor& system, double t, double end) {
  double stop = end;
  if (system.next_break) stop = std::min(stop, system.next_break(t));
  for (const DescriptorSwitch& s : system.switches)
    if (s.clock > 0) stop = std::min(stop, (std::floor(t / s.clock + 1e-6) + 1) * s.clock);
  return stop;
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

void account(const StepReport& step, bool commuted, RunReport& total) {
  total.last = step;
  if (!step.done()) return;
  ++total.steps;
  total.active_steps += commuted ? 1 : 0;
  total.solver_iterations += step.solver_iterations;
  total.factorisations += step.factorisations;
  total.worst_residual = std::max(total.worst_residual, step.solve.residual);
}

DescriptorRecorder::DescriptorRecorder(const std::vector<DescriptorProbe>& probes,
                                       const std::vector<DescriptorProbe>& at_steps,
                                       const DescriptorRun& options, DescriptorResult& result)
    : probes_(probes), at_steps_(at_steps), options_(options), result_(result) {
  for (const DescriptorProbe& probe : probes) result.trajectory.x.names.push_back(probe.name);
  for (const DescriptorProbe& probe : at_steps) result.steps.x.names.push_back(probe.name);
  constexpr double most = 1e6;  // instants that memory is taken for at once
  const double instants = std::min(options.end / (options.step * options.every) + 2, most);
  result.trajectory.t.reserve(static_cast<std::size_t>(instants));
  result.trajectory.x.values.reserve(static_cast<std::size_t>(instants) * probes.size());
  size_.assign(probes.size() + at_steps.size(), 0.0);
  next_ = std::max(1.0, std::ceil(options.record_from / options.step * (1 - 1e-9)));
}

double DescriptorRecorder::bend(const DescriptorState& state, const DescriptorTrial& trial) {
  constexpr double mid = DescriptorTrial::mid;
  double largest = 0;
  std::size_t k = 0;
  for (const auto* probes : {&probes_, &at_steps_})
    for (const DescriptorProbe& probe : *probes) {
      const double a = value_of(probe, state.z), b = value_of(probe, trial.z_mid),
                   c = value_of(probe, trial.z);
      double& size = size_[k++];
      size = std::max({size, std::abs(a), std::abs(b), std::abs(c)});
      if (size > 0) largest = std::max(largest, std::abs(b - (1 - mid) * a - mid * c) / size);
    }
  return largest;
}

void DescriptorRecorder::step(const DescriptorState& state) {
  if (at_steps_.empty()) return;
  result_.steps.t.push_back(state.t);
  for (const DescriptorProbe& probe : at_steps_)
    result_.steps.x.values.push_back(value_of(probe, state.z));
}

void DescriptorRecorder::asked(const DescriptorState& state) {
  result_.trajectory.t.push_back(state.t);
  for (const DescriptorProbe& probe : probes_)
    result_.trajectory.x.values.push_back(value_of(probe, state.z));
}

void DescriptorRecorder::instant(double t, const DescriptorState& state,
                                 const DescriptorTrial& trial, const DescriptorTrial::Weights& w,
                                 bool asked) {
  const auto write = [&](const std::vector<DescriptorProbe>& probes, Trajectory& to) {
    if (probes.empty()) return;
    to.t.push_back(t);
    for (const DescriptorProbe& probe : probes) {
      double sum = 0;
      for (const auto& term : probe.terms)
        sum += term.factor * (w.begin * state.z[term.index] + w.mid * trial.z_mid[term.index] +
                              w.end * trial.z[term.index]);
      to.x.values.push_back(sum);
    }
  };
  if (asked) write(probes_, result_.trajectory);
  write(at_steps_, result_.steps);
}

void DescriptorRecorder::between(const DescriptorState& state, const DescriptorTrial& trial,
                                 double t) {
  constexpr double rounding = 1e-9;
  const bool last = t >= options_.end;
  for (;; ++next_) {
    const double at = next_ * options_.step;
    if (at > t + rounding * options_.step || (last && at > t - rounding * options_.step)) break;
    const double part = std::min((at - state.t) / trial.h, 1.0);
    instant(at, state, trial,
            trial.hard ? DescriptorTrial::Weights{1 - part, 0, part} : trial.parabola(part), true);
  }
  instant(t, state, trial, {0, 0, 1}, last);
}

}  // namespace saltus
