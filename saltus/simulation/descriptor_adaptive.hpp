#pragma once

#include "saltus/simulation/descriptor_progress.hpp"

namespace saltus {

/// The steps that the error chooses, between two instants that must be met. Their lengths are the
/// distance of the two halved n times, and they begin at multiples of their length: few lengths,
/// whose factors are kept, and no remainder at the end. A step with err > accuracy is repeated,
/// shorter; the next one is
///
///     h · clamp(0.9 (accuracy/err)^p, 1/16, 4),   p = 1/3, or 1 after a hard commutation,
///
/// rounded down to such a length. At a hard commutation two more errors count: a quarter of the
/// bend of the recorded quantities, in steps longer than an eighth of their distance (voltages
/// without a capacitor have no other), and how far a control is past the threshold of its switch,
/// in steps longer than 1/64 of it. At the shortest length a step is taken by the implicit Euler
/// method, whatever its error, and the rates are found afresh.
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
  [[nodiscard]] bool keep(const StepReport& report, double t);

  const Descriptor& system_;
  const DescriptorRun& options_;
  DescriptorResult& result_;
  DescriptorRecorder& recorder_;
  DescriptorState& state_;
  DescriptorWorkspace& work_;
  DescriptorTrBdf2 scheme_;
  DescriptorTrial trial_;
  std::vector<Mode> modes_;            // at the beginning of the step
  Vector before_;                      // z there
  double longest_ = 0, shortest_ = 0;  // [s]
  double wish_ = inf;                  // length of the next step [s]
  int forced_ = 0;                     // steps at the shortest length, one after the other
};

}  // namespace saltus
