#pragma once

#include "saltus/systems/lcs.hpp"

namespace saltus {

/// A cell of a piecewise linear system: ẋ = A x + a where C x + c ≥ 0.
struct LinearCell {
  std::vector<Index> active;  ///< the pairs with w_i = 0; λ_i = 0 for the others
  Matrix A, C;
  Vector a, c;
};

/// The piecewise linear system that an Lcs with a P-matrix D is (F:F198, F:B12): one cell for each
/// set α of active pairs, with λ_α = −D_αα⁻¹ (C_α x + b_α),
///     ẋ = (A − B_α D_αα⁻¹ C_α) x + …   where λ_α ≥ 0 and w ≥ 0 elsewhere.
/// The cells cover the space, and the fields agree where cells meet. Throws Error if D is proved to
/// be no P-matrix, or m > 12.
[[nodiscard]] std::vector<LinearCell> piecewise_linear(const Lcs& system);

/// The field of the cell that contains x; of the one violated least if rounding leaves none.
[[nodiscard]] Vector rate(const std::vector<LinearCell>& cells, ConstVectorRef x);

/// The field of an Lcs with one pair, D = 0 and CB > 0 (F:F198, F:B12): with f = A x + a,
///     ẋ = f                          if (w, Cf) ≥ 0 lexicographically,
///     ẋ = (I − B (CB)⁻¹ C) f         otherwise, and w stays zero.
/// For states with w ≥ 0, where |w| ≤ tolerance counts as zero.
class LexicographicField {
 public:
  /// Throws Error unless m = 1, D = 0 and CB > 0.
  explicit LexicographicField(const Lcs& system);
  [[nodiscard]] Vector rate(ConstVectorRef x, double tolerance = 0) const;

 private:
  Lcs system_;
  Matrix projector_;
};

/// The perturbed sweeping process that an Lcs with D = 0 and PB = Cᵀ is (F:F204, F:B15, F:C0-30),
/// in z = R x with R = P^½:
///     ż ∈ A z + a − N_K(z),   K = {z : C z + b ≥ 0};   jumps project on K.
struct SweepingForm {
  Matrix R, A, C;
  Vector a, b;
};
/// Throws Error if D ≠ 0, P is not positive definite, or PB ≠ Cᵀ.
[[nodiscard]] SweepingForm sweeping_form(const Lcs& system, ConstMatrixRef P);

}  // namespace saltus
