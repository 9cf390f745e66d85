#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

// Where the law of a first-order inclusion is taken.

/// At x_θ = θx⁺ + (1−θ)x, with one multiplier for the step (TI:TI-074): F(x_θ) for an inclusion ẋ ∈
/// F(x). θ < 1 leaves oscillations on sliding surfaces that decay by (1−θ)/θ per step, θ = ½ a
/// cycle of two steps (TI:B.6, TI:E11).
struct AtStage {
  static constexpr std::string_view name = "AtStage";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// At the end, with the average θλ⁺ + (1−θ)λ (TI:TI-089): for complementarity systems with D > 0
/// (relative degree 0), whose λ is continuous. Preserves energy at θ = ½.
struct AveragedMultiplier {
  static constexpr std::string_view name = "AveragedMultiplier";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

using MultiplierRule = std::variant<AtStage, AveragedMultiplier>;

/// θ-method for first-order inclusions E ẋ = f(t, x) + B λ (TI:TI-074, TI:TI-084, TI:TI-089,
/// TI:TI-092, F:F175, F:F177, F:F182):
///     AtStage              x⁺ = x + h ζ,   E ζ = f(t + θh, x_θ) + B λ,   the law at x_θ
///     AveragedMultiplier   E(x⁺ − x) = h[θ(f⁺ + Bλ⁺) + (1−θ)(f + Bλ)],   the law at x⁺
/// θ = 1 is backward Euler, AtStage with θ = ½ the implicit midpoint rule. Order 2 in smooth motion
/// at θ = ½, and 1 across switches. The first averaged step finds λ from the law at the initial
/// state; where that is not possible it is a step of backward Euler.
struct ThetaMethod {
  static constexpr std::string_view name = "ThetaMethod";
  double theta = 0.5;                     ///< implicitness, above 0
  MultiplierRule multiplier = AtStage{};  ///< where the law is taken
  Algorithm solver = Automatic{};         ///< of the one-step problem
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"theta", "implicitness: 0.5 midpoint, 1 backward Euler", Range{0, 1, true}},
          s.theta);
    visit(Field{"multiplier", "where the law is taken: AtStage or AveragedMultiplier"},
          s.multiplier);
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
  }
};

void prepare(const Model& model, const ThetaMethod& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const ThetaMethod& scheme,
                              StepWorkspace& work);

/// Backward differentiation formula of order 2 for first-order inclusions (TI:TI-075), with steps
/// of any length: with ω = h/h₋,
///     E [(1+2ω) x⁺ − (1+ω)² x + ω² x₋] = (1+ω) h [f(t⁺, x⁺) + B λ],   the law at x⁺
/// (3x⁺ − 4x + x₋ = 2h(…) for equal steps). The first step, and the first after the state was
/// changed from outside, is one of backward Euler. Sliding surfaces are reached and kept as by
/// backward Euler; order 2 in smooth motion, 1 across switches.
struct Bdf2 {
  static constexpr std::string_view name = "Bdf2";
  Algorithm solver = Automatic{};  ///< of the one-step problem
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
  }
};

void prepare(const Model& model, const Bdf2& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const Bdf2& scheme,
                              StepWorkspace& work);

/// Singly diagonally implicit Runge–Kutta methods for first-order inclusions (TI:TI-076), stiffly
/// accurate, of order 2 (two stages) or 3 (three): each stage is one of backward Euler,
///     X_i = x + h Σ_j a_ij ζ_j,   E ζ_i = f(t + c_i h, X_i) + B λ_i,   the law at each X_i,
/// and x⁺ is the last stage, so that it obeys the law. a_ii = 1 − 1/√2, or 0.4358665… L-stable.
/// Order 1 across switches; not for laws that confine x to a set that moves fast (TI:B.6).
/// [Alexander 1977]
struct Sdirk {
  static constexpr std::string_view name = "Sdirk";
  int order = 2;                   ///< 2 or 3
  Algorithm solver = Automatic{};  ///< of the one-step problem
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"order", "2 or 3", Range{2, 3}}, s.order);
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
  }
};

void prepare(const Model& model, const Sdirk& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const Sdirk& scheme,
                              StepWorkspace& work);

/// Moreau's catching-up algorithm for perturbed sweeping processes (TI:TI-082, TI:TI-083, F:F190,
/// F:B9): f explicit, the law at the end of the step,
///     E (x⁺ − x) = h f(t, x) + h B λ,   x⁺ = proj[K(t⁺); x + h f(t, x)] for ẋ − f ∈ −N_K(t)(x).
/// Jumps of K need nothing of their own. Order 1.
struct CatchingUp {
  static constexpr std::string_view name = "CatchingUp";
  Algorithm solver = Automatic{};  ///< of the one-step problem
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
  }
};

void prepare(const Model& model, const CatchingUp& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const CatchingUp& scheme,
                              StepWorkspace& work);

}  // namespace saltus
