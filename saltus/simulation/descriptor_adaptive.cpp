#include "saltus/simulation/descriptor_adaptive.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double shortest_ratio = 1e-6;      // of the longest step
constexpr double tiny_ratio = 1.0 / 131072;  // of the first step: what the rates are found with
constexpr double first_change = 0.25;        // of full scale, by the rates at the beginning
constexpr double bend_part = 0.25;           // of the bend of the recorded quantities
constexpr double near_end = 0.75;            // events behind this part of a step need not be cut at
constexpr int patience = 64;                 // forced steps until the shortest length is doubled

/// What values behind a step are found with: few lengths.
double tiny_length(double h) { return tiny_ratio * std::exp2(std::floor(std::log2(h))); }

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
  // a parabola through the points of a step is off by up to 0.01 (2π h/T)³ of a sine: 6e-4 at T/16
  const double resolved = std::clamp(std::cbrt(options.accuracy / 6e-4), 0.1, 2.5);
  longest_ = std::min(options.longest > 0 ? options.longest : options.end / 50,
                      resolved * system.resolution);
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
  modes_ = work_.modes;
  const std::vector<char> closed = state_.closed;
  const StepReport report = restart(system_, tiny_ratio * h, scheme_, state_, work_, trial_);
  commuted_ = !modes_.empty() && (modes_ != work_.modes || closed != state_.closed);
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
  if (!pass(t)) return false;
  keep(report, t);
  return true;
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

/// Values and rates behind an event or a hard commutation at the end of the trial, which is taken
/// over. False, and everything as before, if they cannot be found, or if the rates bend so much
/// that it matters how late the event was met.
bool AdaptiveDescriptor::pass(double t) {
  before_ = state_;
  accept(t, trial_, work_, state_);
  const double tiny = tiny_length(trial_.h);
  restarted_ = restart(system_, tiny, scheme_, state_, work_, trial_);
  if (!restarted_.done()) {
    describe_failure(system_, restarted_, t, tiny, 1, work_, result_);
    return false;
  }
  if (!trial_.waiting || late_aim_ < 1e-4 * options_.accuracy) return true;
  const double late = (1 - part_) * trial_.h;
  for (const Index i : work_.differential)
    if (std::abs(state_.rate[i] - trial_.rate[i]) * late > options_.accuracy * trial_.size[i]) {
      state_ = before_;
      work_.modes = modes_;
      late_aim_ /= 16;
      cut_ = (part_ + late_aim_) * trial_.h;
      return false;
    }
  return true;
}

/// Takes the trial over, with the values behind an event recorded at its end.
void AdaptiveDescriptor::keep(const StepReport& report, double t) {
  RunReport& total = result_.trajectory.report;
  account(report, trial_.commuted || trial_.waiting || commuted_, total);
  commuted_ = false;
  total.shortest_step = total.steps == 1 ? trial_.h : std::min(total.shortest_step, trial_.h);
  total.longest_step = std::max(total.longest_step, trial_.h);
  if (!trial_.hard && !trial_.waiting) {
    recorder_.between(state_, trial_, t);
    accept(t, trial_, work_, state_);
    return;
  }
  trial_.z = state_.z;
  recorder_.between(before_, trial_, t);
}

/// The largest part of the segment that is not longer than the wish, begins where such a part may,
/// and does not leave less than the shortest step.
double AdaptiveDescriptor::next_length(double length, double left) const {
  double h = cut_ > 0 ? cut_ : length;
  const auto misplaced = [&] {
    const double place = (length - left) / h;
    return aligned_ && std::abs(place - std::round(place)) > 1e-6;
  };
  if (cut_ == 0)
    while (h > shortest_ && (h > wish_ * (1 + 1e-9) || misplaced())) h /= 2;
  return left - h < shortest_ ? left : h;
}

/// A trial step; without held modes if it cannot be done with them.
StepReport AdaptiveDescriptor::attempt(double h) {
  modes_ = work_.modes;
  if (hold_) {
    const StepReport report = try_step(system_, state_, h, scheme_, work_, trial_, true);
    if (report.done()) return report;
    work_.modes = modes_;
    hold_ = false;
  }
  return try_step(system_, state_, h, scheme_, work_, trial_);
}

/// False if the trial may stand, up to its event at least (end_at_event). Otherwise the next
/// attempt is up to the event, or does without held modes.
bool AdaptiveDescriptor::cut_at_event() {
  if (!trial_.waiting) return false;
  part_ = first_event(system_, state_, trial_, work_);
  if (part_ >= near_end || (part_ > 0 && cut_ > 0)) return false;  // pass() judges
  const double cut = (part_ + late_aim_) * trial_.h;
  hold_ = cut >= 2 * shortest_;
  if (hold_ && part_ > 0 && trial_.error <= options_.accuracy) return false;
  cut_ = hold_ ? cut : 0;
  return true;
}

/// An accurate trial with an event inside ends just behind it. If that cannot be done, the next
/// attempt is up to there.
StepReport AdaptiveDescriptor::end_at_event() {
  const double end = part_ + late_aim_;
  if (!trial_.waiting || trial_.hard || cut_ > 0 || part_ == 0 || end >= 1) return {};
  cut_ = end * trial_.h;
  part_ /= end;
  aligned_ = false;
  return end_early(system_, state_, end, tiny_length(trial_.h), scheme_, work_, trial_);
}

void AdaptiveDescriptor::begin_step() {
  cut_ = 0;
  hold_ = true;
  late_aim_ = std::min(0.02, 3 * options_.accuracy);
}

void AdaptiveDescriptor::reject() {
  ++result_.trajectory.report.rejected_steps;
  work_.modes = modes_;
}

bool AdaptiveDescriptor::segment() {
  const double from = state_.t;
  const double stop = std::max(next_stop(system_, from, options_.end), std::nextafter(from, inf));
  const double length = stop - from;
  if (!begin_segment(std::min({length, longest_, 4 * wish_}))) return false;
  wish_ = proposal(length);
  aligned_ = true;
  begin_step();
  while (state_.t < stop) {
    const double left = stop - state_.t, h = next_length(length, left);
    double t = h == left ? stop : state_.t + h;
    const StepReport report = attempt(h);
    if (report.done() && cut_at_event()) {
      reject();
      continue;
    }
    const double before = wish_;
    if (report.done()) judge();
    if (report.done() && trial_.error <= options_.accuracy) {
      if (!end_at_event().done()) {
        reject();
        continue;
      }
      if (trial_.h < h) t = state_.t + trial_.h;
      if ((trial_.hard || trial_.waiting) && !pass(t)) {
        if (!restarted_.done()) return false;
        reject();
        continue;
      }
      keep(report, t);
      forced_ = 0;
      aligned_ = aligned_ && cut_ == 0;
      if (2 * h < before) wish_ = std::max(wish_, before);  // shortened by its place
      if (trial_.waiting) wish_ = std::min(wish_, proposal(length));
      begin_step();
    } else if (h >= 2 * shortest_) {
      reject();
      cut_ = 0;
      wish_ = std::max(report.done() ? std::min(wish_, h / 2) : h / 16, shortest_);
    } else {
      work_.modes = modes_;
      if (!jump(h, t)) return false;
      begin_step();
    }
  }
  return true;
}

}  // namespace saltus
