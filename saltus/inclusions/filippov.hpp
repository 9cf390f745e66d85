#pragma once

#include "saltus/inclusions/moving_relation.hpp"
#include "saltus/model/model.hpp"

#include <array>

namespace saltus {

/// Discontinuous field with one surface c(x) = 0, in the sense of Filippov (F:F051, F:F055,
/// TI:TI-001):
///     ẋ ∈ α f⁺ + (1−α) f⁻,   α = (1 + s)/2,   s ∈ Sgn(c(x))
/// As a model: ẋ = ½(f⁺ + f⁻) − ½(f⁺ − f⁻) λ, y = c(x), λ ∈ −Sgn(y): f⁺ where c > 0.
struct FilippovSystem {
  Values x0 = {};
  TimeField above = {};                                            ///< f⁺, where c > 0
  TimeField below = {};                                            ///< f⁻, where c < 0
  std::function<double(ConstVectorRef x)> surface = {};            ///< c
  std::function<void(ConstVectorRef x, VectorRef n)> normal = {};  ///< ∇c; empty: differences
  [[nodiscard]] Model model() const;
};

/// What a surface does to solutions that meet it (F:F055, F:B5).
enum class Surface {
  crossing_up,    ///< into c > 0
  crossing_down,  ///< into c < 0
  sliding,        ///< both fields point to it
  repulsive       ///< both fields leave it: solutions are not unique
};
[[nodiscard]] std::string_view name(Surface kind);
/// From ċ for the two fields; 0 counts as the side it comes from.
[[nodiscard]] Surface classify(double above, double below);
/// α of the sliding field αf⁺ + (1−α)f⁻, for which ċ = 0: a⁻/(a⁻ − a⁺).
[[nodiscard]] double sliding_share(double above, double below);

/// Coefficients α₁ … α₄ of the fields of the regions (+,−), (−,−), (−,+), (+,+) of two surfaces for
/// selections s₁, s₂ ∈ [−1, 1] of their signs, in product form (TI:TI-002, TI:E1): they add up to 1
/// and α₁α₃ = α₂α₄.
[[nodiscard]] std::array<double, 4> product_shares(double s1, double s2);

/// Regions by discriminant functions (TI:TI-003, TI:E2): R_i = {x : h_i(x) < h_j(x) for all j ≠ i},
/// h_i = −Σ_j s_ij c_j for sign vectors s_i of the surfaces c_j (one row of `signs` per region).
struct Regions {
  Rows signs;
  /// The discriminants for values c of the surfaces.
  [[nodiscard]] Vector discriminants(ConstVectorRef c) const;
  /// The region that c lies in.
  [[nodiscard]] Index region(ConstVectorRef c) const;
};

/// The active set I of regions that meet at a point (TI:TI-006, TI:TI-007, TI:TI-008), gradients
/// ∇h_i as rows of `normals` and fields f_i as columns of `fields`.
struct ActiveRegions {
  Matrix M;  ///< m_ij = ∇h_i · f_j
  ActiveRegions(ConstMatrixRef normals, ConstMatrixRef fields) : M(normals * fields) {}

  /// α for which M + α e eᵀ has positive entries: 1 + max(0, −min M).
  [[nodiscard]] double shift() const;
  /// M + α e eᵀ: the matrix of the linear complementarity problem with q = −e whose solutions ẑ are
  /// the continuations from the point, I_next = {i : ẑ_i > 0}.
  [[nodiscard]] Matrix lcp_matrix(double alpha) const;
  /// z = ẑ/eᵀẑ, ẑ = (M + α e eᵀ)⁻¹ e: the sliding field on a constant active set is Σ z_i f_i. Any
  /// α for which the matrix is regular gives the same z. Throws Error if it is singular.
  [[nodiscard]] Vector shares(double alpha) const;
  /// m̃_ij = m_ij − m_ik − m_kj + m_kk, k the last region: regular for a well-posed active set.
  [[nodiscard]] Matrix reduced() const;
  /// det M̃ ≠ 0 up to rounding: false where several regions meet with dependent gradients (TI:E2).
  [[nodiscard]] bool regular() const;
};

}  // namespace saltus
