#pragma once

#include "saltus/integrators/one_step.hpp"

namespace saltus {

/// What the one-step schemes on velocities and percussions have in common, and in what they differ:
///     M(q̃)(v⁺ − v) = h[θ F(t⁺, q⁺, v⁺) + (1−θ) F(t, q, v)] + Hᵀ r
///     q⁺ = q ⊕ h(ϑ v⁺ + (1−ϑ) v),    q̃ = q ⊕ γ h v
/// Contacts with h(q̃) ≤ reach take part, with H at q̃, and obey their laws
///     at velocity level   u⁺ + e u⁻ + (β/h) min(y, 0) in place of u_N, y = h(q̃) − γ h u⁻, or
///     at position level   u⁺ + h(q̃)/h: the linearised gap at the end of the step, over h.
/// Bilateral constraints: u⁺ + (β/h) y = 0, or u⁺ + h(q̃)/h = 0.
/// M̂ = M + hθC + h²θϑK; Newton's method unless the model is time-invariant. Systems with
/// integrators of their own (work.rules) have their θ and ϑ, and γ = 1 − ϑ at position level.
struct ThetaRule {
  double theta = 0.5;     ///< θ, of the forces
  double position = 0.5;  ///< ϑ, of the positions
  double gamma = 0.5;     ///< γ
  double reach = 0;       ///< largest gap that takes part
  bool position_level = false;
  double baumgarte = 0;    ///< β, share of the violation that is given back in a step
  double violation = inf;  ///< contacts found deeper than this at q⁺ are added, the step repeated
  double newton_tolerance = 1e-12;
  int newton_iterations = 30;
};

/// One step of that family, up to q⁺ in work.q_end and v⁺, x⁺ in work.w. False if it failed: see
/// step.report.
[[nodiscard]] bool theta_step(OneStep& step, const ThetaRule& rule);

/// A rule at position level knows no restitution, and sources need a finite reach: throws Error if
/// the model asks for one; `who` begins the text.
void require_position_level(const Model& model, double reach, const char* who);

}  // namespace saltus
