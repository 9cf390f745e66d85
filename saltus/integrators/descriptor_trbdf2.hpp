#pragma once

#include "saltus/integrators/descriptor_stage.hpp"

namespace saltus {

/// TR-BDF2 for descriptor systems w = E ż + G z + s(t), −w ∈ N_K(z), with an error for every step:
/// the trapezoidal rule to t + γ h, then the second backward difference formula over both points.
/// With γ = 2 − √2, η = γ h/2 and the rates k = ė both are the implicit problem of DescriptorStage
/// with one matrix,
///
///     (E z_γ − e_γ*)/η + G z_γ + s(t + γ h) ∈ −N_K(z_γ),   e_γ* = e + η k                  (1)
///     (E z⁺ − e*)/η + G z⁺ + s(t + h) ∈ −N_K(z⁺),          e* = e + h (k + k_γ)/(2√2)
///     k_γ = (E z_γ − e_γ*)/η,   k⁺ = (E z⁺ − e*)/η.
///
/// Second order where no mode changes and L-stable: k⁺ does not depend on k where constraints
/// determine e (loops of capacitors and sources), so nothing rings after a commutation. The error
/// of a step, the difference to an embedded formula of third order [Hosea & Shampine 1996],
///
///     err = max_i |h (b₀ k + b₁ k_γ + b₂ k⁺)_i| / size_i,   size_i = the largest |E_ij z_j| so
///     far,
///
/// is in parts of full scale of each charge and flux. A hard commutation inside the step makes it
/// O(h) times the jump of the rates: the step is to be repeated, shorter. The end of the step may
/// be right by chance then; so that the values between are, too, err is at least h/32 times the
/// largest difference of two successive rates: a bend somewhere in the step is then met to 8 err.
/// (TI:TI-086)
struct DescriptorTrBdf2 {
  static constexpr std::string_view name = "DescriptorTrBdf2";
  double accuracy = 1e-3;  ///< of a step, in parts of full scale; nominal 1e-2 (quick) to 1e-6
  ModePivoting solver = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"accuracy", "error of a step, in parts of full scale", Range{1e-12, 0.5}},
          s.accuracy);
    visit(Field{"solver", "of the one-step problems"}, s.solver);
  }
};

/// A step that is not accepted yet: the values at t + γ h and t + h.
struct DescriptorTrial {
  double h = 0;
  double error = inf;     ///< err of this step
  double overshoot = 0;   ///< see StageReport
  bool commuted = false;  ///< a mode or a switch changed
  bool hard = false;      ///< one that bends or jumps, see StageReport
  bool waiting = false;   ///< a held row or switch asks for another mode
  Vector z_mid, z;
  Vector w_mid, w;                  ///< on the held rows
  Vector x_mid, x;                  ///< arguments of the functions
  Vector e, rate, rate_mid, known;  ///< on the differential rows; known: e* of a stage
  Vector size;                      ///< full scale of each row, kept from step to step
  std::vector<char> closed;
  /// γ
  static constexpr double mid = 0.58578643762690495;
  struct Weights {  ///< of the three points
    double begin, mid, end;
  };
  /// Those of the parabola through them, at this part of the step.
  [[nodiscard]] static Weights parabola(double part) {
    return {(part - mid) * (part - 1) / mid, part * (part - 1) / (mid * (mid - 1)),
            part * (part - mid) / (1 - mid)};
  }
};

/// Tries a step from `state`, which is not changed. `hold`: held rows and switches keep their modes
/// over the whole step, and first_event() tells when they should not have.
[[nodiscard]] StepReport try_step(const Descriptor& system, const DescriptorState& state, double h,
                                  const DescriptorTrBdf2& scheme, DescriptorWorkspace& work,
                                  DescriptorTrial& trial, bool hold = false);

/// The part s of the trial step at which the first held row or switch reaches its bound or
/// threshold, on the parabola through the three points of the step; 1 if none does, 0 if one was
/// past it at the beginning. The error of s is O(h³), that of the values O(h³), too.
[[nodiscard]] double first_event(const Descriptor& system, const DescriptorState& state,
                                 const DescriptorTrial& trial, const DescriptorWorkspace& work);

/// Ends a trial with held modes at the part s of its length. The charges and rates there are those
/// of the cubics that have the charges and rates of both ends of the step; an implicit Euler step
/// of length `tiny` brings the charges back to the constraints that the modes impose. Errors are
/// those of the whole step. If it is not done, the trial is of no use any more.
[[nodiscard]] StepReport end_early(const Descriptor& system, const DescriptorState& state, double s,
                                   double tiny, const DescriptorTrBdf2& scheme,
                                   DescriptorWorkspace& work, DescriptorTrial& trial);

/// A step by the implicit Euler method, across a jump of charges or a commutation that no step is
/// short enough for; z_mid is on the straight line, the error is not estimated.
[[nodiscard]] StepReport try_euler(const Descriptor& system, const DescriptorState& state, double h,
                                   const DescriptorTrBdf2& scheme, DescriptorWorkspace& work,
                                   DescriptorTrial& trial);

/// The state after the trial, at time t.
void accept(double t, DescriptorTrial& trial, DescriptorWorkspace& work, DescriptorState& state);

/// Values and rates just after state.t, where sources or switches may have jumped: two implicit
/// Euler steps of length `tiny`, the first with s(t + max(tiny, 2 break_width)), after which the
/// time is still t. Jumps of charges are the least ones, as in start_descriptor().
[[nodiscard]] StepReport restart(const Descriptor& system, double tiny,
                                 const DescriptorTrBdf2& scheme, DescriptorState& state,
                                 DescriptorWorkspace& work, DescriptorTrial& trial);

}  // namespace saltus
