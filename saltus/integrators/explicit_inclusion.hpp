#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

// What takes the place of a multiplier that the law leaves open, in explicit schemes: for
// comparison. They see the state, not the multipliers, and chatter or are stiff where an implicit
// scheme slides.

/// Any multiplier the law allows at y: in the middle of what it leaves open (TI:TI-072a). On a
/// surface the sign of y decides, and rounding errors decide that: chattering of amplitude O(h)
/// (F:F179, F:F181).
struct MiddleSelection {
  static constexpr std::string_view name = "MiddleSelection";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// The multipliers that make ẋ shortest (TI:TI-072b, F:F069): slow solutions, ẋ = proj_F(0).
/// |y| ≤ band counts as y = 0, which lets it see surfaces that it can only jump over (F:F180,
/// F:B4).
struct MinimalNorm {
  static constexpr std::string_view name = "MinimalNorm";
  double band = 0;  ///< |y| up to which the law is taken at y = 0; nominal h‖CB‖
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"band", "|y| up to which the law is taken at y = 0", non_negative}, s.band);
  }
};

/// The multipliers that change ẋ least from the last step (TI:TI-072c).
struct MinimalVariation {
  static constexpr std::string_view name = "MinimalVariation";
  double band = 0;  ///< as in MinimalNorm
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"band", "|y| up to which the law is taken at y = 0", non_negative}, s.band);
  }
};

/// Leine's switch model (TI:TI-078, TI:B.8, TI:E11): within |y| ≤ ε of the surface, where both
/// fields point to it, the convex combination for which ẏ = −y/τ, τ = ε. Stiff: explicit Euler
/// needs h < 2ε. For one relay. [Leine & Nijmeijer 2004]
struct SwitchModel {
  static constexpr std::string_view name = "SwitchModel";
  double epsilon = 1e-3;  ///< ε, half the width of the band
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"epsilon", "half the width of the band", positive}, s.epsilon);
  }
};

/// tanh(y/ε) in place of the sign (TI:TI-077): an ordinary differential equation, stiff as 1/ε.
struct Sigmoid {
  static constexpr std::string_view name = "Sigmoid";
  double epsilon = 1e-3;  ///< ε
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"epsilon", "width of the smoothed jump", positive}, s.epsilon);
  }
};

using Selection =
    std::variant<MiddleSelection, MinimalNorm, MinimalVariation, SwitchModel, Sigmoid>;

/// Explicit Euler (order 1) or the classical Runge–Kutta method (order 4) on ẋ ∈ F(t, x) =
/// E⁻¹(f + B λ), λ by a selection from the law at each evaluation (TI:TI-070, TI:TI-053a,
/// TI:TI-053e, F:F176, F:F179, F:B4). For relays and broken lines with bounded λ, D = 0. [Dontchev
/// & Lempio 1992]
struct ExplicitInclusion {
  static constexpr std::string_view name = "ExplicitInclusion";
  int order = 1;                            ///< 1: Euler, 4: Runge–Kutta
  Selection selection = MiddleSelection{};  ///< of the multipliers
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"order", "1 (Euler) or 4 (Runge-Kutta)", Range{1, 4}}, s.order);
    visit(Field{"selection", "of the multipliers"}, s.selection);
  }
};

void prepare(const Model& model, const ExplicitInclusion& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h,
                              const ExplicitInclusion& scheme, StepWorkspace& work);

/// Mannshardt's consistent method for ẋ = f± on either side of one surface y = 0 (TI:TI-060,
/// TI:B.5, TI:TI-013, F:F090, F:F183, F:B5): the classical Runge–Kutta method on the smooth field
/// in hand; where y changes its sign within the step, the step is cut there, the root being found
/// to rounding by secants, and goes on with the field that the multipliers ask for. With a± = ẏ for
/// the fields of y > 0 and y < 0:
///     a⁺, a⁻ of one sign: cross;   a⁺ < 0 < a⁻: slide with ẏ = 0, until λ reaches a bound;
///     a⁻ < 0 < a⁺: repulsive, the solution is not unique: the field of y > 0 is taken.
/// Order 4 if the surface is crossed at an angle. For one relay, D = 0. [Mannshardt 1978]
struct Mannshardt {
  static constexpr std::string_view name = "Mannshardt";
  int max_events = 10;  ///< in one step
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"max_events", "switches in one step, at most", Range{1, 1e9}}, s.max_events);
  }
};

void prepare(const Model& model, const Mannshardt& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const Mannshardt& scheme,
                              StepWorkspace& work);

}  // namespace saltus
