#pragma once

#include "saltus/algebra/state.hpp"

#include <vector>

namespace saltus {

/// What the schemes for first-order inclusions keep: from step to step, and in the step. Vectors
/// over x, or over the rows.
struct InclusionWorkspace {
  State stage;                ///< from which an implicit stage starts
  Vector x_left;              ///< the state that the last step left; another one: start anew
  Vector x_before, rate;      ///< the state before that, and ẋ at its end
  double h_before = 0;        ///< length of the last step; 0: none
  std::vector<Vector> rates;  ///< of the stages
  Vector x, f, y, lambda, trial;
  Matrix B, C, W;             ///< explicit schemes: E⁻¹B, C, and CE⁻¹B over all rows
  std::vector<Matrix> input;  ///< zero-order hold: Γ of each body,
  double held = 0;            ///< for this length of step
  /// The last step left this state.
  [[nodiscard]] bool continues(const State& state) const {
    return h_before > 0 && state.x == x_left;
  }
};

}  // namespace saltus
