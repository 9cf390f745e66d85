#pragma once

#include "saltus/integrators/descriptor_trbdf2.hpp"
#include "saltus/simulation/descriptor_run.hpp"

namespace saltus {

/// What runs with fixed and with chosen steps share: the instants to be met, what is recorded, the
/// text of a failure.

/// The next instant that must be met, `end` at the latest: breaks of the sources, ticks of clocks.
[[nodiscard]] double next_stop(const Descriptor& system, double t, double end);

/// Adds what a step did.
void account(const StepReport& step, bool commuted, RunReport& total);

void describe_failure(const Descriptor& system, const StepReport& report, double t, double h,
                      double theta, DescriptorWorkspace& work, DescriptorResult& result);

/// Writes the probes into the trajectories of a result.
class DescriptorRecorder {
 public:
  DescriptorRecorder(const std::vector<DescriptorProbe>& probes,
                     const std::vector<DescriptorProbe>& at_steps, const DescriptorRun& options,
                     DescriptorResult& result);
  /// The probes, and the values for measurements, as they are now.
  void asked(const DescriptorState& state);
  /// The values for measurements only.
  void step(const DescriptorState& state);
  /// Those of the instants k · options.step that lie in the trial step from `state` to t: on the
  /// parabola through its three points, on a straight line if a hard commutation was in it. Then
  /// the end of the step, for measurements.
  void between(const DescriptorState& state, const DescriptorTrial& trial, double t);
  /// How far the recorded quantities bend or jump inside the trial step: the distance of their
  /// middle value from the straight line, in parts of the largest value so far.
  [[nodiscard]] double bend(const DescriptorState& state, const DescriptorTrial& trial);

 private:
  void instant(double t, const DescriptorState& state, const DescriptorTrial& trial,
               const DescriptorTrial::Weights& w, bool asked);

  const std::vector<DescriptorProbe>& probes_;
  const std::vector<DescriptorProbe>& at_steps_;
  const DescriptorRun& options_;
  DescriptorResult& result_;
  std::vector<double> size_;  // largest values so far, of the probes and of at_steps
  double next_ = 0;           // number of the next instant asked for
};

}  // namespace saltus
