#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

/// Paoli–Schatzman time stepping (TI:TI-130, TI:TI-131, TI:B.11, TI:E21, TI:E22, AC:GA-28b): two
/// steps in the positions, contacts without friction at position level (FS:FS-05, S:FC-15),
///     q_{k+1} + e q_{k−1} = (1+e) P_C[(2q_k − (1−e) q_{k−1} + h² M⁻¹F_k) / (1+e)],
/// P_C the projection on the admissible set in the metric M(q_k), F_k = F(t_k, q_k, v_k) with
/// v_k = (q_{k+1} − q_{k−1}) / 2h. With v = (q_k − q_{k−1})/h as the velocity of the state it reads
///     M(v⁺ − v) = h F(t, q, ½(v + v⁺)) + Hᵀ r,    q⁺ = q + h v⁺,
///     0 ≤ y(z) ⟂ r ≥ 0,    z = q + h(v⁺ − e v)/(1+e) = (q⁺ + e q_{k−1})/(1+e),    H at z:
/// a complementarity problem, linear if y is, else by Newton's method. Bilateral constraints:
/// y(q⁺) = 0. The first step starts from q₁ = q₀ + h v₀ + ½h² M⁻¹F₀; so does a step after the state
/// was changed from outside.
///
/// Positions penetrate by O(h) for e > 0, and not at all for e = 0; an impact reverses the velocity
/// in two steps, in which the contact is closed (TI:V-33). r is the step of the momentum but has no
/// meaning as an impulse at an impact. Order 1. The theory is for one contact, or for several with
/// e = 0; several with e > 0 are solved all the same. Positions must be vectors: bodies with
/// rotations on the group are refused. [Paoli & Schatzman 2002]
struct PaoliSchatzman {
  static constexpr std::string_view name = "PaoliSchatzman";
  static constexpr bool constant_steps = true;  ///< two steps: they must be equal
  Algorithm solver = Automatic{};               ///< of the one-step problem
  double newton_tolerance = 1e-12;  ///< of the last change of v, relative to 1 + ‖v‖∞
  int newton_iterations = 30;       ///< at most; time-invariant models need one

  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"solver", "algorithm for the one-step problem"}, s.solver);
    visit(Field{"newton_tolerance", "relative tolerance of Newton's method", positive},
          s.newton_tolerance);
    visit(Field{"newton_iterations", "most Newton iterations", Range{1, 1e9}}, s.newton_iterations);
  }
};

/// As for MoreauJean. prepare() throws Error on systems of first order, on positions that are no
/// vectors, on laws other than Equality and contact without friction, and on sources of contacts.
void prepare(const Model& model, const PaoliSchatzman& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h,
                              const PaoliSchatzman& scheme, StepWorkspace& work);

}  // namespace saltus
