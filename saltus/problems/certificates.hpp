#pragma once

#include "saltus/problems/global_block_form.hpp"
#include "saltus/problems/lcp.hpp"
#include "saltus/problems/mlcp.hpp"

namespace saltus {

/// Proofs that a problem has no solution because no point is even feasible. For bounds l ≤ z ≤ u
/// and w = W z + q a solution needs
///
///     w_i ≥ 0 if u_i = ∞ > |l_i|,   w_i ≤ 0 if l_i = −∞ < −|u_i|,   w_i = 0 if both are infinite,
///
/// and nothing of w_i if both are finite. By Farkas' lemma there is no such z exactly if some y
/// with the signs of w (y_i = 0 where nothing is needed) has
///
///     qᵀy + Σ_j sup {(Wᵀy)_j z_j : l_j ≤ z_j ≤ u_j} < 0.                                    (1)
///
/// LCP: y ≥ 0, Mᵀy ≤ 0, qᵀy < 0. A single row r with q_r < 0 and m_r· ≤ 0 is y = e_r (S:LCP-26).
///
/// In floating point a term (Wᵀy)_j of the wrong sign against an infinite bound is forgiven as
/// rounding if |(Wᵀy)_j| ≤ tolerance Σ_i |W_ij y_i|, which no scaling of rows or columns changes;
/// (1) must hold by the fraction `tolerance` of its terms. Signs of y are exact.
[[nodiscard]] bool proves_infeasible(const BlockSparse& W, ConstVectorRef q, ConstVectorRef lower,
                                     ConstVectorRef upper, ConstVectorRef y,
                                     double tolerance = 1e-11);
[[nodiscard]] bool proves_infeasible(LcpView problem, ConstVectorRef y, double tolerance = 1e-11);
[[nodiscard]] bool proves_infeasible(const Mlcp& problem, ConstVectorRef y,
                                     double tolerance = 1e-11);

/// The same with contacts. A solution needs u_N ≥ 0 of every contact, and that is all that û ∈ K*
/// says (FS:FS-03): the shift g(u) covers every slip. So y is a proof if y_N ≥ 0 and y_T = 0 on the
/// blocks with a shift and on cylinders, y ∈ K on second-order cones, the signs above elsewhere,
/// and
///
///     qᵀy + sup {(Wᵀy)ᵀr : r ∈ K} < 0;    for W = HᵀM⁻¹H, M positive definite: W y = 0, qᵀy < 0.
///
/// A y ∈ K with W y = 0, qᵀy < 0 and y_T ≠ 0 excludes associated friction (g = 0) only: Coulomb's
/// law may still have solutions, since yᵀû = yᵀq + Σ y_N g(u) can be positive (FS:FS-11).
[[nodiscard]] bool proves_infeasible(const BlockForm& problem, ConstVectorRef y,
                                     double tolerance = 1e-11);
/// H y = 0, wᵀy < 0, with the same signs. |H y| ≤ tolerance |H||y| row by row means that y is an
/// exact proof for a matrix that differs from H by the fraction `tolerance` of each entry at most;
/// sums of 10⁵ terms round less than 1e-11.
[[nodiscard]] bool proves_infeasible(const GlobalBlockForm& problem, ConstVectorRef y,
                                     double tolerance = 1e-11);

}  // namespace saltus
