#pragma once

#include "saltus/integrators/generalized_alpha.hpp"
#include "saltus/integrators/one_step.hpp"

namespace saltus {

/// A step of GeneralizedAlpha in the making: the staggered Newton method (AC:GA-20).
struct AlphaStep {
  enum class Smooth { position, velocity, acceleration };  ///< level of the smooth motion

  OneStep& one;
  const GeneralizedAlpha& scheme;
  AlphaCoefficients c = coefficients(scheme.coefficients);
  AlphaWorkspace& x = one.work.alpha;
  Smooth smooth = Smooth::acceleration;
  bool positions = false, velocities = false;  ///< U and W are there
  int strategy = 2;
  double velocity_gain = 0, position_gain = 0;  ///< ∂v⁺/∂ẇ⁺, ∂q⁺/∂ẇ⁺
  double increment = 0;  ///< of v by the last iteration, relative to 1 + ‖v‖∞

  AlphaStep(OneStep& step, const GeneralizedAlpha& options);

  /// Consistent ẇ, λ at the beginning (AC:GA-05), a = ẇ, η = λ.
  bool start();
  /// The Newton iterations.
  bool iterate();
  /// What the next step needs.
  void keep();

 private:
  [[nodiscard]] double end_time() const { return one.state.t + one.h; }
  void predict();
  void update();
  void linearise();
  void evaluate_dynamics();
  void weigh_contacts();
  void choose_sets();
  [[nodiscard]] bool sets_changed() const;
  [[nodiscard]] double residual();
  [[nodiscard]] double constraint_residual();
  bool factorise();
  bool correct_acceleration();
  bool correct_position();
  bool correct_velocity();
  bool solve_on(const std::vector<char>& set, StepFactors& factor, Vector& multiplier);
  void smooth_rest();
  bool settle(Vector& multiplier, Vector& variable, const std::vector<char>& set);
};

}  // namespace saltus
