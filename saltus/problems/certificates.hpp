#pragma once

#include "saltus/problems/block_form.hpp"
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
/// False if a block is a friction cone: (1) does not cover it.
[[nodiscard]] bool proves_infeasible(const BlockForm& problem, ConstVectorRef y,
                                     double tolerance = 1e-11);

}  // namespace saltus
