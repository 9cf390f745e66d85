#pragma once

#include "saltus/problems/mlcp.hpp"

namespace saltus {

/// Vertical linear complementarity problem (S:LCP-07): find x with
///
///     0 ≤ A x + a ⟂ B x + b ≥ 0.                                                          (1)
struct VerticalLcp {
  Matrix A;
  Vector a;
  Matrix B;
  Vector b;
};

/// ‖min(A x + a, B x + b)‖∞: zero exactly at solutions of (1), infinite if anything is NaN.
[[nodiscard]] double residual(const VerticalLcp& problem, ConstVectorRef x);

/// Throws Error on matrices that are not square, on sizes that do not fit, on NaN or infinity.
void validate(const VerticalLcp& problem);

/// (I, 0, M, q): x = z.
[[nodiscard]] VerticalLcp to_vertical_lcp(LcpView problem);

/// MLCP with blocks A, B, C, D, a, b as in make_mlcp (S:LCP-11): with C regular, v = −C⁻¹(A u + a)
/// and (1) in u reads
///
///     0 ≤ −C⁻¹A u − C⁻¹a ⟂ (D − B C⁻¹A) u + b − B C⁻¹a ≥ 0.
struct MlcpAsVertical {
  VerticalLcp problem;                  ///< x = u
  std::vector<Index> equalities, rows;  ///< rows of z that hold u, and v
  /// z of the MLCP from the solution u of `problem`.
  [[nodiscard]] Vector expand(ConstVectorRef u) const;
};

/// Throws Error unless there are as many equalities as complementarities and C is regular.
[[nodiscard]] MlcpAsVertical to_vertical_lcp(const Mlcp& problem);

/// With A regular, z = A x + a gives LCP(B A⁻¹, b − B A⁻¹a) (S:LCP-11).
struct VerticalAsLcp {
  Lcp lcp;
  Matrix inverse;  ///< A⁻¹
  Vector a;
  /// x from the solution z of `lcp`.
  [[nodiscard]] Vector expand(ConstVectorRef z) const { return inverse * (z - a); }
};

/// Throws Error if A is singular.
[[nodiscard]] VerticalAsLcp to_lcp(const VerticalLcp& problem);

}  // namespace saltus
