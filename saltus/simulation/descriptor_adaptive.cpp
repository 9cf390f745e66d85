#include "saltus/simulation/descriptor_adaptive.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace saltus {

namespace {

constexpr double shortest_ratio = 1e-6;      // of the longest step
constexpr double tiny_ratio = 1.0 / 131072;  // of the first step: what the rates are found with
constexpr double first_change = 0.25;        // of full scale, by the rates at the beginning
constexpr double bend_part = 0.25;           // of the bend of the recorded quantities
constexpr int levels = 40;                   // of halving
constexpr int patience = 64;                 // forced steps until the shortest length is doubled

}  // namespace

AdaptiveDescriptor::AdaptiveDescriptor(const Descriptor& system, const DescriptorRun& options,
                                       DescriptorResult& result, DescriptorRecorder& recorder,
                                       DescriptorState& state, DescriptorWorkspace& work)
    : system_(system),
      options_(options),
      result_(result),
      recorder_(recorder),
      state_(state),
      work_(work) {
  scheme_ = {.accuracy = options.accuracy, .solver = options.scheme.solver};
  longest_ = std::min(options.longest > 0 ? options.longest : options.end / 50, system.resolution);
  shortest_ = std::max(shortest_ratio * longest_, 8 * system.break_width);
}

/// Length of the first step: that of the last one grown, and no more change than `first_change`.
double AdaptiveDescriptor::proposal(double length) const {
  double h = std::min({length, longest_, 4 * wish_});
  for (const Index i : work_.differential) {
    const double rate = std::abs(state_.rate[i]);
    if (rate * h > first_change * trial_.size[i]) h = first_change * trial_.size[i] / rate;
  }
  return std::max(h, shortest_);
}

bool AdaptiveDescriptor::begin_segment(double h) {
  const StepReport report = restart(system_, tiny_ratio * h, scheme_, state_, work_, trial_);
  if (report.done()) {
    recorder_.step(state_);
    return true;
  }
  describe_failure(system_, report, state_.t, tiny_ratio * h, 1, work_, result_);
  return false;
}

/// A step at the shortest length, by implicit Euler.
bool AdaptiveDescriptor::jump(double h, double t) {
  const StepReport report = try_euler(system_, state_, h, scheme_, work_, trial_);
  if (!report.done()) {
    account(report, true, result_.trajectory.report);
    describe_failure(system_, report, t, h, 1, work_, result_);
    return false;
  }
  if (++forced_ % patience == 0) shortest_ *= 2;
  return keep(report, t);
}

/// The length of the next step from the error of the last one.
void AdaptiveDescriptor::judge() {
  if (trial_.hard && 8 * trial_.h > options_.step)
    trial_.error = std::max(trial_.error, bend_part * recorder_.bend(state_, trial_));
  if (64 * trial_.h > options_.step) trial_.error = std::max(trial_.error, trial_.overshoot);
  const double power = trial_.hard ? 1.0 : 1.0 / 3;
  const double ratio = trial_.error / options_.accuracy;
  const double factor = ratio > 0 ? 0.9 * std::pow(ratio, -power) : inf;
  const double change = std::clamp(std::isnan(factor) ? 0.0 : factor, 1.0 / 16, 4.0);
  wish_ = std::min(trial_.h * change, longest_);
}

/// Takes the trial over. After a hard commutation the values at the end (currents of capacitors)
/// are found afresh before they are recorded.
bool AdaptiveDescriptor::keep(const StepReport& report, double t) {
  RunReport& total = result_.trajectory.report;
  account(report, trial_.commuted, total);
  total.shortest_step = total.steps == 1 ? trial_.h : std::min(total.shortest_step, trial_.h);
  total.longest_step = std::max(total.longest_step, trial_.h);
  if (!trial_.hard) {
    recorder_.between(state_, trial_, t);
    accept(t, trial_, work_, state_);
    return true;
  }
  const double begin = state_.t;
  before_ = state_.z;
  accept(t, trial_, work_, state_);
  const double tiny = tiny_ratio * trial_.h;
  const StepReport again = restart(system_, tiny, scheme_, state_, work_, trial_);
  if (!again.done()) {
    describe_failure(system_, again, t, tiny, 1, work_, result_);
    return false;
  }
  trial_.z = state_.z;
  state_.z.swap(before_);
  state_.t = begin;
  recorder_.between(state_, trial_, t);
  state_.z.swap(before_);
  state_.t = t;
  return true;
}

bool AdaptiveDescriptor::segment() {
  const double from = state_.t;
  const double stop = std::max(next_stop(system_, from, options_.end), std::nextafter(from, inf));
  const double length = stop - from;
  if (!begin_segment(std::min({length, longest_, 4 * wish_}))) return false;
  wish_ = proposal(length);
  constexpr std::uint64_t all = std::uint64_t{1} << levels;
  for (std::uint64_t at = 0; at < all;) {
    std::uint64_t size = all;
    const auto h = [&] { return length * (static_cast<double>(size) / static_cast<double>(all)); };
    while ((h() > wish_ * (1 + 1e-9) || at % size != 0) && size > 1) size /= 2;
    const bool forced = h() < 2 * shortest_;
    const double t =
        at + size == all
            ? stop
            : from + length * (static_cast<double>(at + size) / static_cast<double>(all));
    modes_ = work_.modes;
    const StepReport report = try_step(system_, state_, h(), scheme_, work_, trial_);
    const double before = wish_;
    if (report.done()) judge();
    if (report.done() && trial_.error <= options_.accuracy) {
      forced_ = 0;
      if (2 * h() < before) wish_ = std::max(wish_, before);  // shortened by its place
      if (!keep(report, t)) return false;
      at += size;
    } else if (!forced) {
      ++result_.trajectory.report.rejected_steps;
      work_.modes = modes_;
      wish_ = std::max(report.done() ? std::min(wish_, h() / 2) : h() / 16, shortest_);
    } else {
      work_.modes = modes_;
      if (!jump(h(), t)) return false;
      at += size;
    }
  }
  return true;
}

}  // namespace saltus
