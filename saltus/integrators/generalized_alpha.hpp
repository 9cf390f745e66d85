#pragma once

#include "saltus/integrators/step_report.hpp"
#include "saltus/integrators/step_workspace.hpp"

namespace saltus {

// Coefficients of the generalized-α method.

/// α_m = (2ρ−1)/(ρ+1), α_f = ρ/(ρ+1), ρ the spectral radius at infinite frequency (AC:GA-16a,
/// AC:AV-18). [Chung & Hulbert 1993]
struct ChungHulbert {
  static constexpr std::string_view name = "ChungHulbert";
  double rho = 0.9;  ///< 1: no numerical damping, 0: the most. 0.8 to 1 for rigid bodies
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"rho", "spectral radius at infinite frequency", unit_interval}, s.rho);
  }
};

/// α_m = 0, α_f = a (AC:GA-16b). [Hilber, Hughes & Taylor 1977]
struct HilberHughesTaylor {
  static constexpr std::string_view name = "HilberHughesTaylor";
  double a = 0.05;  ///< 0: no numerical damping, 1/3: the most
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"a", "numerical damping", Range{0, 1.0 / 3}}, s.a);
  }
};

/// α_m = α_f = 0 (AC:GA-16c). Order 2 at γ = ½ only; β = ¼ is the trapezoidal rule. [Newmark 1959]
struct Newmark {
  static constexpr std::string_view name = "Newmark";
  double gamma = 0.5;  ///< ≥ ½
  double beta = 0.25;  ///< ≥ ¼(γ + ½)² for unconditional stability
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"gamma", "weight of the new acceleration in v", Range{0.5, 1}}, s.gamma);
    visit(Field{"beta", "weight of the new acceleration in q", Range{0, 1, true}}, s.beta);
  }
};

using AlphaFamily = std::variant<ChungHulbert, HilberHughesTaylor, Newmark>;

struct AlphaCoefficients {
  double alpha_m, alpha_f, gamma, beta;
};
/// γ = ½ + α_f − α_m, β = ¼(γ + ½)² but for Newmark.
[[nodiscard]] AlphaCoefficients coefficients(const AlphaFamily& rule);

// The levels at which constraints hold at the end of a step: positions, velocities, accelerations.

/// g(q) = 0: index 3 (AC:GA-21a). Bilateral constraints only. O(h) spurious transients in λ.
struct LevelsP {
  static constexpr std::string_view name = "LevelsP";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// g_q v = 0: index 2, positions drift (AC:GA-21b). Contacts obey their impact law if g ≤ 0 at the
/// end of the step.
struct LevelsV {
  static constexpr std::string_view name = "LevelsV";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// g_q v̇ + … = 0: index 1, positions and velocities drift (AC:GA-21c). Bilateral constraints only.
struct LevelsA {
  static constexpr std::string_view name = "LevelsA";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// g = 0 and g_q v = 0 (AC:GA-25), the smooth motion at velocity level; contacts take part where
/// the smooth motion has g ≤ 0 (AC:GA-18).
struct LevelsPV {
  static constexpr std::string_view name = "LevelsPV";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// All three levels (AC:GA-17, AC:GA-26). The strategy says which constraints S the smooth motion
/// obeys.
struct LevelsPVA {
  static constexpr std::string_view name = "LevelsPVA";
  int strategy = 3;  ///< 1: none (AC:GA-10), 2: the bilateral ones (AC:GA-11), 3: also the closed
                     ///< contacts that press (AC:GA-12): contacts that stay closed have order 2
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"strategy", "1: free, 2: bilateral, 3: also closed contacts", Range{1, 3}},
          s.strategy);
  }
};

using ConstraintLevels = std::variant<LevelsP, LevelsV, LevelsA, LevelsPV, LevelsPVA>;

/// Nonsmooth generalized-α (AC:GA-01, AC:GA-03, AC:GA-04, AC:GA-06, AC:GA-07, AC:GA-09, AC:GA-13,
/// AC:GA-14, AC:GA-15, AC:GA-16d, AC:GA-20, AC:B.10): the motion of a step is split into a smooth
/// part with acceleration a, of second order, and corrections U of the position and W of the
/// velocity that carry impacts,
///     q⁺ = q ⊕ [h v + h²((½−β) a + β a⁺) + U],    v⁺ = v + h((1−γ) a + γ a⁺) + W
///     (1−α_m) a⁺ + α_m a = (1−α_f) ẇ⁺ + α_f ẇ
/// with, g being the constraints and H = g_q at q⁺,
///     M ẇ⁺ − Hᵀλ = F⁺,      H ẇ⁺ + ḣ = 0 on S      (at velocity or position level for the other
///     M U − Hᵀν = 0,        g(q⁺) = 0 on A                                               levels)
///     M W − HᵀΛ = 0,        H v⁺ + e H v = 0 on B,      multipliers zero elsewhere.
/// S, A, B hold the bilateral constraints and the contacts that augmented multipliers choose,
///     A: ν* ≥ r g,   B ⊂ A: Λ* ≥ r (u⁺ + e u),   S ⊂ B: λ ≥ r (H ẇ⁺ + ḣ),
/// ν* and Λ* being the integrals of the total reaction. A staggered semismooth Newton method solves
/// (ẇ, λ), (U, ν), (W, Λ) in turn. The multipliers of a step are Λ*, the physical impulses.
///
/// Order 2 in smooth motion, contacts that stay closed included with strategy 3; order 1 across
/// impacts. No drift at the levels asked for. Rotations move on the group (AcceleratedBodies): the
/// displacement is one in the space of v. Contacts have no friction: the active sets and augmented
/// multipliers of the scheme are for sign conditions, its authors define no tangential law.
/// Independent constraints. Starts, and starts again after the state was changed from
/// outside, from consistent accelerations. [Brüls, Acary & Cardona 2014, 2018]
struct GeneralizedAlpha {
  static constexpr std::string_view name = "GeneralizedAlpha";
  static constexpr bool constant_steps = true;  ///< a is shifted by a part of a step
  AlphaFamily coefficients = ChungHulbert{};
  ConstraintLevels levels = LevelsPVA{};
  double augmentation = 1;         ///< r, in units of the mass that a contact feels; any number > 0
  Algorithm solver = Automatic{};  ///< of the linear systems for the multipliers
  double newton_tolerance = 1e-10;  ///< of the residuals, relative to 1 + the size of their terms
  int newton_iterations = 50;       ///< at most

  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"coefficients", "ChungHulbert, HilberHughesTaylor or Newmark"}, s.coefficients);
    visit(Field{"levels", "LevelsP, LevelsV, LevelsA, LevelsPV or LevelsPVA"}, s.levels);
    visit(Field{"augmentation", "weight of the gaps in the choice of contacts", positive},
          s.augmentation);
    visit(Field{"solver", "algorithm for the multipliers"}, s.solver);
    visit(Field{"newton_tolerance", "relative tolerance of Newton's method", positive},
          s.newton_tolerance);
    visit(Field{"newton_iterations", "most Newton iterations", Range{1, 1e9}}, s.newton_iterations);
  }
};

/// As for MoreauJean. prepare() throws Error on what the scheme cannot treat: see PaoliSchatzman;
/// contacts at the levels P or A alone.
void prepare(const Model& model, const GeneralizedAlpha& scheme, StepWorkspace& work);
[[nodiscard]] StepReport step(const Model& model, State& state, double h,
                              const GeneralizedAlpha& scheme, StepWorkspace& work);

}  // namespace saltus
