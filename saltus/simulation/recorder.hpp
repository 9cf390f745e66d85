#pragma once

#include "saltus/simulation/simulation.hpp"

namespace saltus {

/// Writes states into a Trajectory.
class Recorder {
 public:
  Recorder(const Model& model, const RecordOptions& options);

  /// Reserves the memory for a run of that many steps: recording then allocates nothing.
  void reserve(long steps);
  void record(const Model& model, const State& state, StepWorkspace& work);
  [[nodiscard]] Trajectory take() { return std::move(trajectory_); }
  /// Time of the last record, −∞ before the first.
  [[nodiscard]] double last_time() const {
    return trajectory_.t.empty() ? -inf : trajectory_.t.back();
  }

 private:
  RecordOptions options_;
  Trajectory trajectory_;
  Vector y_, u_;
};

}  // namespace saltus
