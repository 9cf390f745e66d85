#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Stewart–Trinkle time stepping (TI:TI-133, TI:TI-134): backward Euler in the positions, contacts
/// at position level by the gap linearised at the beginning of the step,
///     M(q)(v⁺ − v) = h[θ F(t⁺, q⁺, v⁺) + (1−θ) F(t, q, v)] + Hᵀ r,    q⁺ = q ⊕ h v⁺
///     K* ∋ (u_N⁺ + y/h + μ‖u_T⁺‖, u_T⁺) ⟂ r ∈ K,    u⁺ = H(q) v⁺,  y = h(q),
/// and y/h + u⁺ = 0 for bilateral constraints. No penetration where the constraint is flat, of
/// O(h²) elsewhere; every contact within `reach` takes part, closed or not. Contacts must have e =
/// 0. The cone is the exact one; with FacetedFriction as solver it is the pyramid of the authors.
/// Order 1. [Stewart & Trinkle 1996]
struct StewartTrinkle {
  static constexpr std::string_view name = "StewartTrinkle";
  double theta = 1;    ///< implicitness of the forces; 0: explicit, as the authors have them
  double reach = inf;  ///< contacts with a gap above this are left out [m]; a few times the largest
                       ///< h|u|, finite if contacts are found by sources
  Algorithm solver = Automatic{};   ///< of the one-step problem
  double newton_tolerance = 1e-12;  ///< as in MoreauJean
  int newton_iterations = 30;       ///< as in MoreauJean
  SystemIntegrators systems = {};   ///< as in MoreauJean; of Theta the forces only

  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"theta", "implicitness of the forces: 0 explicit, 1 implicit", unit_interval},
          s.theta);
    visit(Field{"reach", "gap above which a contact is left out [m]", positive}, s.reach);
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
    visit(Field{"newton_tolerance", "relative tolerance of Newton's method", positive},
          s.newton_tolerance);
    visit(Field{"newton_iterations", "most Newton iterations", Range{1, 1e9}}, s.newton_iterations);
    visit(Field{"systems", "integrators of single systems, by name"}, s.systems);
  }
};

/// Anitescu–Potra time stepping (TI:TI-133): the same dynamics, contacts at velocity level,
///     K* ∋ (u_N⁺ + e u_N⁻ + μ‖u_T⁺‖, u_T⁺) ⟂ r ∈ K   where h(q) ≤ gap_tolerance,
/// the closed contacts being those of the beginning of the step. The problem has a solution for
/// every step whatever μ, if the cone is pointed. Penetration of O(h), restitution as in the law.
/// Order 1. [Anitescu & Potra 1997]
struct AnitescuPotra {
  static constexpr std::string_view name = "AnitescuPotra";
  double theta = 1;                 ///< implicitness of the forces; 0: explicit
  double gap_tolerance = 1e-12;     ///< a contact takes part if its gap is below this
  Algorithm solver = Automatic{};   ///< of the one-step problem
  double newton_tolerance = 1e-12;  ///< as in MoreauJean
  int newton_iterations = 30;       ///< as in MoreauJean
  SystemIntegrators systems = {};   ///< as in MoreauJean; of Theta the forces only

  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"theta", "implicitness of the forces: 0 explicit, 1 implicit", unit_interval},
          s.theta);
    visit(Field{"gap_tolerance", "gap below which a contact takes part", non_negative},
          s.gap_tolerance);
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
    visit(Field{"newton_tolerance", "relative tolerance of Newton's method", positive},
          s.newton_tolerance);
    visit(Field{"newton_iterations", "most Newton iterations", Range{1, 1e9}}, s.newton_iterations);
    visit(Field{"systems", "integrators of single systems, by name"}, s.systems);
  }
};

/// As for MoreauJean.
void prepare(const Model& model, const StewartTrinkle& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h,
                              const StewartTrinkle& scheme, StepWorkspace& work);
void prepare(const Model& model, const AnitescuPotra& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h,
                              const AnitescuPotra& scheme, StepWorkspace& work);

}  // namespace saltus
