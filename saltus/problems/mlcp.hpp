#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/problems/lcp.hpp"

#include <vector>

namespace saltus {

/// Mixed linear complementarity problem in index form (S:LCP-05): find z with
///
///     w = M z + q,    w_i = 0 for i in `equalities`,    0 ≤ z_i ⟂ w_i ≥ 0 otherwise.       (1)
struct Mlcp {
  BlockSparse M;
  Vector q;
  std::vector<Index> equalities;  ///< increasing, without repetition
};

/// max(‖min(z, w)‖∞ over the complementarity rows, ‖w‖∞ over the equalities); infinite if anything
/// is NaN. No allocation.
[[nodiscard]] double residual(const Mlcp& problem, ConstVectorRef z);

/// Throws Error on a matrix that is not square, on sizes that do not fit, on NaN or infinity, on
/// equalities that are out of range or not increasing.
void validate(const Mlcp& problem);

/// From the partitioned form (S:LCP-04):  A u + C v + a = 0,  0 ≤ v ⟂ D u + B v + b ≥ 0, with z =
/// (u, v).
[[nodiscard]] Mlcp make_mlcp(ConstMatrixRef A, ConstMatrixRef B, ConstMatrixRef C, ConstMatrixRef D,
                             ConstVectorRef a, ConstVectorRef b);

/// One scalar block per row: Reals for the equalities, NonNegative for the others.
[[nodiscard]] BlockForm to_block_form(const Mlcp& problem);
/// One scalar block per row, or the blocks of M as they are: NonNegative everywhere.
[[nodiscard]] BlockForm to_block_form(LcpView problem);

/// The LCP left when the equalities are eliminated, and the way back.
struct ReducedMlcp {
  Lcp lcp;                              ///< in v = z over the complementarity rows
  std::vector<Index> equalities, rows;  ///< rows of z that hold u, and v
  Matrix slope;                         ///< u = offset + slope v
  Vector offset;
  /// z from the solution v of `lcp`.
  [[nodiscard]] Vector expand(ConstVectorRef v) const;
};

/// Schur elimination of the equalities (S:LCP-11), with A, B, C, D, a, b the blocks of M and q as
/// in make_mlcp: M' = B − D A⁻¹ C, q' = b − D A⁻¹ a. Throws Error if the equality block A is
/// singular. Destroys sparsity: prefer the block form for large problems.
[[nodiscard]] ReducedMlcp to_lcp(const Mlcp& problem);

}  // namespace saltus
