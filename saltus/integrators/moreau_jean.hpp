#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

// Where the gap of a contact enters the step.

/// The gap at the forecast q̃ = q + γ h v decides which contacts take part; they obey their laws in
/// velocities. Penetrations of O(h) and, on curved constraints, a drift of bilateral ones remain.
struct ForecastGap {
  static constexpr std::string_view name = "ForecastGap";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// Jean's gap (TI:TI-108c, TI:V-36, TI:TI-134 at θ = 1): every contact obeys
///     0 ≤ ḡ⁺/h ⟂ r ≥ 0,   ḡ⁺ = ḡ + h u⁺,   ḡ = h(q + (1−θ) h v),
/// in place of the law in u⁺ alone; ḡ⁺ is the gap at q⁺ + (1−θ) h v⁺, up to curvature. A contact
/// that stays closed, ḡ = ḡ⁺ = 0, has u⁺ = 0. Bilateral constraints take ḡ⁺ = 0. Contacts must have
/// e = 0: no restitution can be had at position level.
struct ConsistentGap {
  static constexpr std::string_view name = "ConsistentGap";
  double reach = inf;  ///< contacts with ḡ above this are left out [m]; a few times the largest
                       ///< h|u|, finite if contacts are found by sources
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"reach", "gap above which a contact is left out [m]", positive}, s.reach);
  }
};

using GapRule = std::variant<ForecastGap, ConsistentGap>;

// What is done about violated positions.

/// Nothing.
struct NoStabilisation {
  static constexpr std::string_view name = "NoStabilisation";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// Baumgarte's feedback at velocity level (TI:TI-108a): u_N⁺ + e u_N⁻ + (β/h) min(y, 0) in place of
/// u_N⁺ + e u_N⁻, and u⁺ + (β/h) y = 0 for bilateral constraints, y at the beginning of the step. A
/// step gives back the share β of a violation, at the price of the energy that this takes.
struct Baumgarte {
  static constexpr std::string_view name = "Baumgarte";
  double beta = 0.2;  ///< share of the violation that a step gives back; nominal 0.1 to 0.3
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"beta", "share of a violation that a step gives back", unit_interval}, s.beta);
  }
};

/// Combined projection (TI:TI-108b, TI:TI-116): contacts that would be violated at q⁺ take part in
/// the step from the first, and q⁺ is projected on all constraints, bilateral and unilateral, in
/// the metric of M (project_positions). Velocities are not touched: neither joints nor contacts
/// drift, and the laws hold in velocities as without projection.
struct CombinedProjection {
  static constexpr std::string_view name = "CombinedProjection";
  double tolerance = 1e-10;  ///< largest violation that remains [unit of y]
  int iterations = 20;       ///< of Newton's method, at most
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "largest violation that remains", positive}, s.tolerance);
    visit(Field{"iterations", "most Newton iterations", Range{1, 1e9}}, s.iterations);
  }
};

using Stabilisation = std::variant<NoStabilisation, Baumgarte, CombinedProjection>;

/// Moreau–Jean time stepping (TI:TI-100, TI:TI-101, TI:TI-102, TI:TI-103, TI:TI-106, TI:TI-107,
/// TI:TI-109d, TI:TI-118, TI:TI-119, TI:B.9, TI:B.10, TI:E17; PL:OI-02, PL:B4). Its one-step
/// problem is that of TI:TI-111, TI:TI-112, TI:TI-114b, with equalities TI:TI-115. On first-order
/// complementarity systems and relays it is the θ-method with λ implicit (TI:TI-086 at θ = 1).
///
/// Second-order systems, velocities jump, the unknown is the percussion r over the step:
///     M(q̃)(v⁺ − v) = h[θ F(t⁺, q⁺, v⁺) + (1−θ) F(t, q, v)] + Hᵀ r
///     q⁺ = q ⊕ h(θ v⁺ + (1−θ) v)                   (q + … but for rotations)
///     u⁺ = H v⁺,   the law between u⁺ and r for every contact with h(q̃) ≤ 0 (gap_tolerance),   q̃ =
///     q + γ h v
/// First-order systems, λ implicit (PL:B3):
///     E(x⁺ − x) = h[θ f(t⁺, x⁺) + (1−θ) f(t, x)] + h B λ,   y⁺ = C x⁺ + D λ + e
///
/// Eliminating v⁺ and x⁺ with M̂ = M + hθC + h²θ²K leaves the one-step problem in r alone,
///     u = W r + q,   W = H M̂⁻¹ Hᵀ   (C Ê⁻¹ h B + D for first order)
/// Contacts that sources find are looked for at the forecast q̃ of every step and are warm-started
/// by their keys. With friction among them, and Automatic or CoulombCascade as solver, the problem
/// keeps its global form, M̂ v = Hᵀ r + M̂ v_free and u = H v + …, instead.
/// Time-invariant systems need one factorisation and one solve per step; others iterate Newton.
/// Order 1 across impacts, 2 in smooth motion at θ = ½. Impacts are never located: accumulation
/// points are passed. θ ≥ ½ is unconditionally stable; θ = ½ conserves the energy of free undamped
/// linear motion, θ = 1 damps most. At θ = ½ the contacts of a linear undamped model change its
/// energy by ½(1−e) Σ u⁻ r per step: never a gain, except where a contact leaves so slowly (0 < u⁻)
/// that the load of the same step closes it again, and then at most O(h²). [Moreau 1988]  [Jean
/// 1999]  [Acary & Brogliato 2008, ch. 10]  θ = 0 is explicit but for r (TI:TI-105, AC:GA-28a).
struct MoreauJean {
  static constexpr std::string_view name = "MoreauJean";
  double theta = 0.5;            ///< implicitness; ½ midpoint, 1 backward Euler
  double gamma = 0.5;            ///< forecast of the gap: ½ (Moreau) or 1
  double gap_tolerance = 1e-12;  ///< a contact takes part if its forecast gap is below this: above
                                 ///< rounding errors, so that a resting contact does not blink
  GapRule gap = ForecastGap{};   ///< at velocity level, or Jean's consistent gap
  Stabilisation stabilisation = NoStabilisation{};  ///< of violated positions
  Algorithm solver = Automatic{};                   ///< of the one-step problem
  double newton_tolerance = 1e-12;  ///< of ‖R(v) − Hᵀr‖∞ relative to 1 + ‖M v‖∞ + h‖F‖∞
  int newton_iterations = 30;      ///< at most; time-invariant models need one
  SystemIntegrators systems = {};  ///< systems with an integrator of their own (PL:OI-04), by name

  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"theta", "implicitness: 0.5 midpoint, 1 backward Euler", unit_interval}, s.theta);
    visit(Field{"gamma", "forecast of the gap, in steps", unit_interval}, s.gamma);
    visit(Field{"gap_tolerance", "forecast gap below which a contact takes part", non_negative},
          s.gap_tolerance);
    visit(Field{"gap", "where the gap enters: ForecastGap or ConsistentGap"}, s.gap);
    visit(Field{"stabilisation",
                "of violated positions: NoStabilisation, Baumgarte or CombinedProjection"},
          s.stabilisation);
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
    visit(Field{"newton_tolerance", "relative tolerance of Newton's method", positive},
          s.newton_tolerance);
    visit(Field{"newton_iterations", "most Newton iterations", Range{1, 1e9}}, s.newton_iterations);
    visit(Field{"systems", "integrators of single systems, by name"}, s.systems);
  }
};

/// Sizes every buffer for `model` and checks that the solver suits its laws. Once before the steps.
void prepare(const Model& model, const MoreauJean& scheme, StepWorkspace& work);

/// Advances `state` by one step h > 0. If the report says it failed, the state is as before.
/// Allocates nothing once the same set of contacts has been seen (systems permitting).
[[nodiscard]] StepReport step(const Model& model, State& state, double h, const MoreauJean& scheme,
                              StepWorkspace& work);

}  // namespace saltus
