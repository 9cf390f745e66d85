#include "saltus/simulation/descriptor_run.hpp"

#include "saltus/base/stopwatch.hpp"
#include "saltus/simulation/descriptor_adaptive.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// The start is made consistent by steps of this part of the first one.
constexpr double start_ratio = 1e-6;

struct Runner {
  const Descriptor& system;
  const DescriptorRun& options;
  DescriptorResult& result;
  DescriptorRecorder& recorder;
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
    if (options.record_from <= 0) recorder.asked(state);
    recorder.step(state);
    return true;
  }

  bool advance(double h, const DescriptorTheta& scheme) {
    const StepReport report = step(system, state, h, scheme, work);
    account(report, report.solver_iterations > 0, result.trajectory.report);
    if (!report.done())
      describe_failure(system, report, state.t + h, h, scheme.theta, work, result);
    return report.done();
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
      if (asked && state.t >= options.record_from) recorder.asked(state);
      recorder.step(state);
      scheme.theta = options.scheme.theta;
    }
    return true;
  }
};

}  // namespace

DescriptorResult run(const Descriptor& system, const std::vector<DescriptorProbe>& probes,
                     const DescriptorRun& options, const std::vector<DescriptorProbe>& at_steps) {
  validate(options);
  const Stopwatch clock;
  DescriptorResult result;
  DescriptorRecorder recorder(probes, at_steps, options, result);
  Runner runner{system, options, result, recorder};
  RunReport& report = result.trajectory.report;
  report.end = RunEnd::reached_end;
  bool going = runner.begin();
  AdaptiveDescriptor adaptive(system, options, result, recorder, runner.state, runner.work);
  while (going && runner.state.t < options.end)
    going = options.accuracy > 0 ? adaptive.segment() : runner.segment();
  report.end_time = runner.state.t;
  report.seconds = clock.seconds();
  return result;
}

}  // namespace saltus
