#pragma once

#include "saltus/analysis/passivity.hpp"
#include "saltus/problems/matrix_classes.hpp"
#include "saltus/systems/lcs.hpp"

#include <string>
#include <vector>

namespace saltus {

/// A theorem of well-posedness, and whether its hypotheses hold for a system.
struct Theorem {
  std::string name;                  ///< "passive system"
  Answer applies = Answer::unknown;  ///< all hypotheses hold, one fails, or one is not decided
  std::string reason;                ///< the hypothesis that decides, with its numbers
  std::string conclusion;            ///< what it says of solutions
  bool existence = false, uniqueness = false;  ///< that it would prove
};

/// What is known of the solutions of a system (F:B31): the theorems looked up, in the order of the
/// list below each function. One that does not apply says why.
struct WellPosedness {
  std::vector<Theorem> theorems;
  [[nodiscard]] bool existence() const;   ///< proved by one that applies
  [[nodiscard]] bool uniqueness() const;  ///< proved by one that applies
  /// One line per theorem that applies, or that none does and what each lacks.
  [[nodiscard]] std::string text() const;
};

/// For a linear complementarity system:
///     Lipschitz ODE       D is a P-matrix (F:F196): λ(x) is unique and Lipschitz
///     passive system      passive and minimal, [B; D + Dᵀ] of full rank (F:F085)
///     evolution VI        D = 0, B = Cᵀ (F:F197): linear evolution variational inequality
///     degree one          D = 0, CB a P-matrix (F:F197)
///     sweeping process of higher order   D = 0, uniform degree r ≥ 1, CA^(r−1)B > 0, for m > 1 a
///                         Stieltjes matrix (F:F213)
[[nodiscard]] WellPosedness well_posedness(const Lcs& system);

/// What is known of an inclusion, as far as the theorems ask (F:F021). Everything is `unknown`
/// until said.
enum class Formalism {
  differential_inclusion,   ///< ẋ ∈ F(t, x)
  maximal_monotone,         ///< ẋ + A(x) + g(t) ∋ 0
  sweeping_process,         ///< −ẋ ∈ N_{K(t)}(x)
  evolution_vi,             ///< ⟨ẋ + f(x), y − x⟩ ≥ 0 for y ∈ K
  switching_surface,        ///< ẋ = f±(x, t) on both sides of g(x, t) = 0
  dissipative_nonlinear,    ///< nonlinear complementarity system with a storage function V
  frictionless_lagrangian,  ///< unilateral constraints, impacts, no friction
  impulsive_ode             ///< ẋ = f(x) + g(x) u̇
};
[[nodiscard]] std::string_view name(Formalism formalism);

struct Traits {
  Formalism formalism = Formalism::differential_inclusion;
  Answer closed_convex = Answer::unknown;  ///< values of F, or K, are closed, convex, not empty
  Answer lipschitz = Answer::unknown;      ///< F, f or t ↦ K(t) is Lipschitz
  Answer upper_semicontinuous = Answer::unknown;
  Answer linear_growth = Answer::unknown;  ///< ‖F‖ ≤ c (1 + ‖x‖); of f and g_x for an impulsive ODE
  Answer uniform_one_sided = Answer::unknown;            ///< F is one-sided Lipschitz, uniformly
  Answer hypomonotone = Answer::unknown;                 ///< −F, or f
  Answer maximal_monotone = Answer::unknown;             ///< A
  Answer start_admissible = Answer::unknown;             ///< x(0) ∈ dom A, or K(0)
  Answer input_absolutely_continuous = Answer::unknown;  ///< g(t), or u(t)
  Answer bounded_variation =
      Answer::unknown;  ///< K(t) right-continuous, of bounded variation; or u
  Answer lipschitz_plus_gradient = Answer::unknown;  ///< f = linear + Lipschitz + ∇ of a convex C¹
  Answer continuous = Answer::unknown;               ///< f
  Answer transversal = Answer::unknown;              ///< g_t + g_x f± ≥ δ > 0
  Answer bounded_hessian = Answer::unknown;          ///< of V
  Answer analytic = Answer::unknown;                 ///< data piecewise analytic
  Answer independent_gradients = Answer::unknown;    ///< of the active constraints
  Answer once_differentiable = Answer::unknown;      ///< f and g are C¹
};
[[nodiscard]] WellPosedness well_posedness(const Traits& traits);

/// What the relative degree means for the solutions, and the scheme that fits (F:F195, TI:TI-149):
/// the right-hand side contains distributions of degree i, the order of discontinuity is q = 1 − i.
struct SolutionClass {
  Index relative_degree = -1;        ///< the largest r_j; −1 if λ never appears
  Index order_of_discontinuity = 1;  ///< q = 1 − r: 1 at r = 0 (kinks of ẋ)
  std::string solutions = {};        ///< "x continuously differentiable, λ a continuous function"
  std::string scheme = {};           ///< "backward Euler, or MoreauJean"
  bool backward_euler = false;       ///< point values of λ exist: r ≤ 1
};
[[nodiscard]] SolutionClass solution_class(const Lcs& system);

}  // namespace saltus
