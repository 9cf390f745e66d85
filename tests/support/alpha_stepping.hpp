#pragma once

#include "saltus/integrators/generalized_alpha.hpp"

#include <gtest/gtest.h>

namespace saltus::testing {

/// A run of GeneralizedAlpha step by step, with the workspace at hand: what a trajectory lacks.
struct AlphaStepping {
  Model model;
  GeneralizedAlpha scheme;
  double h;
  StepWorkspace work = {};
  State state = model.initial_state();

  AlphaStepping(const Model& m, const GeneralizedAlpha& s, double step_length)
      : model(m), scheme(s), h(step_length) {
    prepare(model, scheme, work);
  }
  StepReport advance() {
    const StepReport report = step(model, state, h, scheme, work);
    EXPECT_TRUE(report.done()) << name(report.status) << " at " << state.t;
    return report;
  }
  /// ẇ and λ at the end of the last step.
  [[nodiscard]] const Vector& acceleration() const { return work.alpha.acceleration_begin; }
  [[nodiscard]] const Vector& lambda() const { return work.alpha.lambda_begin; }
};

}  // namespace saltus::testing
