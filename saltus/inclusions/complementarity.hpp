#pragma once

#include "saltus/inclusions/sweeping.hpp"
#include "saltus/systems/lcs.hpp"

namespace saltus {

/// The model of a linear complementarity system (F:F081, F:F082, TI:TI-086) from x0. Throws Error
/// if its relative degree is 2 or more, for which the schemes for models have no meaning (TI:V-20).
[[nodiscard]] Model to_model(const Lcs& system, const Values& x0);

/// Mixed linear complementarity system in descriptor form (F:F083):
///     E ẋ = A x + B λ + a,   M w = C x + D λ + b,   w_i = 0 for i in `equalities`, else 0 ≤ w ⟂ λ
///     ≥ 0
/// Empty E, M are identities; then the relative degree may be 1 at most. M must be regular; E may
/// be singular, a step needs E − hθA alone.
struct MixedLcs {
  Lcs system = {};
  Rows E = {};
  Rows M = {};
  std::vector<Index> equalities = {};
  [[nodiscard]] Model model(const Values& x0) const;
};

/// Nonlinear complementarity system (F:F079, F:F084): ẋ = f(t, x) + g(x) λ, 0 ≤ h(t, x) + D λ ⟂ λ ≥
/// 0.
struct NonlinearLcs {
  Values x0 = {};
  Index pairs = 1;  ///< m, size of λ
  TimeField f = {};
  std::function<void(double t, ConstVectorRef x, MatrixRef g)> g = {};
  TimeField h = {};
  Rows D = {};  ///< empty: zero
  [[nodiscard]] Model model() const;
};

/// Gradient complementarity system (F:F070): ẋ + f(t, x) = ∇g(x) λ, 0 ≤ g(x) ⟂ λ ≥ 0, m
/// constraints; `slope` writes the rows ∇g_iᵀ. The unilateral inclusion on {x : g(x) ≥ 0}, if the
/// gradients of active constraints are independent.
struct GradientSystem {
  Values x0 = {};
  Index constraints = 1;
  TimeField f = {};
  TimeField g = {};
  std::function<void(ConstVectorRef x, MatrixRef slope)> slope = {};
  [[nodiscard]] Model model() const;
};

/// Linear system with m relays (TI:TI-079, F:B3):
///     ẋ = A x + B u + a,   y = C x + D u + b,   −y_i ∈ N_[lower, upper](u_i)
struct RelaySystem {
  Lcs system = {};  ///< A, B, C, D, a, b; u takes the place of λ
  double lower = -1, upper = 1;
  [[nodiscard]] Model model(const Values& x0) const;
};

/// A relay as complementarity (F:F035, F:F037, F:C0-05, TI:E12): with λ₁ = u − lower,
///     0 ≤ λ₁ ⟂ y + λ₂ ≥ 0,   0 ≤ λ₂ ⟂ (upper − lower) − λ₁ ≥ 0.
[[nodiscard]] Lcs to_lcs(const RelaySystem& relays);

/// A complementarity system with D = 0 and P B = Cᵀ, P symmetric positive definite, as a perturbed
/// sweeping process in z = P^½ x (F:B15, F:F204): ż ∈ P^½ A P^(−½) z − N_K(z), K = {C P^(−½) z + b
/// ≥ 0}. Throws Error unless the hypothesis holds up to 1e-10 ‖C‖.
struct SweepingForm {
  PolyhedralSweeping process;
  Matrix root;  ///< P^½: x = root⁻¹ z
};
[[nodiscard]] SweepingForm to_sweeping(const Lcs& system, ConstMatrixRef P, const Values& x0);

}  // namespace saltus
