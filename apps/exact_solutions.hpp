#pragma once

#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/mechanics/bead_column.hpp"
#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/simulation/trajectory.hpp"

#include <string>

namespace saltus {

/// Voltage of the diode bridge at time t (PL:C-01). The ideal bridge makes the oscillator see the
/// plain resistor, v̈ + 2α v̇ + ω₀² v = 0 with α = 1/(2RC), ω₀² = 1/(LC), v̇(0) = −(i₀ + v₀/R)/C:
///     v = e^{−αt} [v₀ cosh st + (v̇(0) + α v₀) sinh(st)/s],   s² = α² − ω₀²
/// s is imaginary for an underdamped circuit.
[[nodiscard]] double exact_voltage(const circuits::DiodeBridge& bridge, double t);

/// Heights of the bouncing ball at increasing times (PL:C-02): parabolas between the impacts at
/// t₀(1 + 2e + … + 2eᵏ), t₀ = √(2·height/g); zero from t₀(1+e)/(1−e) on.
class ExactBall {
 public:
  explicit ExactBall(const mechanics::BouncingBall& ball);
  /// z(t); t must not be less than in the call before.
  [[nodiscard]] double height(double t);

 private:
  double drop_, e_, gravity_, rest_time_;
  double impact_ = 0;  ///< time of the last impact
  double speed_ = 0;   ///< after it
  bool fallen_ = false;
};

// Comparison of a run, whose last step has length h, with the exact solution: one line of text,
// empty if it does not apply.
[[nodiscard]] std::string compare(const circuits::DiodeBridge&, const Trajectory&, double h);
[[nodiscard]] std::string compare(const mechanics::BouncingBall&, const Trajectory&, double h);
/// At rest the contact below bead i (from 1, the lowest) carries (count − i + 1) m g (PL:C-03).
[[nodiscard]] std::string compare(const mechanics::BeadColumn&, const Trajectory&, double h);

}  // namespace saltus
