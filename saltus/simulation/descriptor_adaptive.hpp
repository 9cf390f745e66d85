#pragma once

#include "saltus/simulation/descriptor_progress.hpp"

namespace saltus {

/// The steps that the error chooses, between two instants that must be met. Their lengths are the
/// distance of the two halved n times, and up to the first event they begin at multiples of their
/// length: few lengths, whose factors are kept, and no remainder at the end. A step with err >
/// accuracy is repeated, shorter; the next one is
///
///     h · clamp(0.9 (accuracy/err)^p, 1/16, 4),   p = 1/3, or 1 after a hard commutation,
///
/// rounded down to such a length.
///
/// Events: a step holds the modes of hard rows and switches. If one of them must change inside, the
/// step ends just behind the first such instant (first_event, end_early); if its error is too large
/// for that, it is repeated up to there. It is also repeated if the event was met too late: if the
/// time behind it, times the bend of the rates, is more than the accuracy. The values and rates
/// behind the event are found afresh. Where this does not work (a row that is past its
/// bound from the beginning, events closer than two of the shortest steps, no solution with held
/// modes), a step is tried that changes the modes itself, and is shortened until it is right: at a
/// hard commutation two more errors count: a quarter of the bend of the recorded quantities, in
/// steps longer than an eighth of their distance (voltages without a capacitor have no other), and
/// how far a control is past the threshold of its switch, in steps longer than 1/64 of it. At the
/// shortest length a step is taken by the implicit Euler method, whatever its error, and the rates
/// are found afresh.
class AdaptiveDescriptor {
 public:
  AdaptiveDescriptor(const Descriptor& system, const DescriptorRun& options,
                     DescriptorResult& result, DescriptorRecorder& recorder, DescriptorState& state,
                     DescriptorWorkspace& work);
  /// Steps to the next instant that must be met. False if one fails.
  [[nodiscard]] bool segment();

 private:
  [[nodiscard]] double proposal(double length) const;
  [[nodiscard]] bool begin_segment(double h);
  [[nodiscard]] bool jump(double h, double t);
  void judge();
  [[nodiscard]] double next_length(double length, double left) const;
  [[nodiscard]] StepReport attempt(double h);
  [[nodiscard]] bool cut_at_event();
  [[nodiscard]] StepReport end_at_event();
  [[nodiscard]] bool pass(double t);
  void keep(const StepReport& report, double t);
  void reject();
  void begin_step();

  const Descriptor& system_;
  const DescriptorRun& options_;
  DescriptorResult& result_;
  DescriptorRecorder& recorder_;
  DescriptorState& state_;
  DescriptorWorkspace& work_;
  DescriptorTrBdf2 scheme_;
  DescriptorTrial trial_;
  std::vector<Mode> modes_;            // at the beginning of the step
  DescriptorState before_;             // there, if there is an event in the step
  StepReport restarted_;               // behind it
  double longest_ = 0, shortest_ = 0;  // [s]
  double wish_ = inf;                  // length of the next step [s]
  double cut_ = 0;                     // length up to the next event [s]; 0: not known
  double part_ = 1;                    // of the trial up to its event
  double late_aim_ = 0;    // cuts are longer by this part of the trial: behind the event
  bool aligned_ = true;    // no event in this segment yet
  bool commuted_ = false;  // at the beginning of the segment
  bool hold_ = true;       // the next attempt holds the modes
  int forced_ = 0;         // steps at the shortest length, one after the other
};

}  // namespace saltus
