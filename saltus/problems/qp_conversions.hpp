#pragma once

#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/problems/qp.hpp"

namespace saltus {

// The first-order conditions of a QP as complementarity problems (S:LCP-12)

/// QP with z ≥ 0 as its only constraint: LCP(Q, p), z the solution, w = π. Throws Error if there
/// are rows, an upper bound, or a lower bound other than 0.
[[nodiscard]] Lcp to_lcp(const Qp& problem);

/// The general QP as an MLCP in (z, μ, λ, λ_L, λ_U), one λ_L (λ_U) per finite lower (upper) bound:
///
///     Q z + p − Cᵀμ − Aᵀλ − E_Lᵀλ_L + E_Uᵀλ_U = 0,   C z − d = 0,
///     0 ≤ λ ⟂ A z − b ≥ 0,   0 ≤ λ_L ⟂ z_L − l ≥ 0,   0 ≤ λ_U ⟂ u − z_U ≥ 0.
///
/// Monotone if the QP is convex. Sparse.
struct QpAsMlcp {
  Mlcp mlcp;
  Index variables = 0, equalities = 0, rows = 0;
  std::vector<Index> lower, upper;  ///< variables with a finite bound
  /// Point and multipliers from the solution of `mlcp`.
  [[nodiscard]] QpPoint expand(ConstVectorRef solution) const;
};
[[nodiscard]] QpAsMlcp to_mlcp(const Qp& problem);

/// QP with z ≥ 0 and C z = d only, as a horizontal LCP in x = z, s = λ: with C Z = 0,
///
///     [ZᵀQ; C] z + [−Zᵀ; 0] λ = [−Zᵀp; d],    0 ≤ z ⟂ λ ≥ 0.
///
/// Z is n×(n − rows of C); computed by a QR factorisation of Cᵀ if it is not given. Throws Error on
/// other constraints, on a C without full row rank, or a Z with C Z ≠ 0.
[[nodiscard]] HorizontalLcp to_horizontal_lcp(const Qp& problem);
[[nodiscard]] HorizontalLcp to_horizontal_lcp(const Qp& problem, ConstMatrixRef Z);

// Complementarity problems as QPs

/// Symmetric M (S:LCP-13): minimise ½ zᵀM z + qᵀz over z ≥ 0. The solutions are the same if M is
/// positive semi-definite. Throws Error if M is not symmetric.
[[nodiscard]] Qp to_symmetric_qp(LcpView problem);

/// Any M (S:LCP-14): minimise zᵀ(M z + q) over M z + q ≥ 0, z ≥ 0. The value is never negative, and
/// z solves the LCP if and only if it is 0; stationary points do if M is row-sufficient. Convex
/// only if M is positive semi-definite.
[[nodiscard]] Qp to_gap_qp(LcpView problem);
/// zᵀ(M z + q) ≤ tolerance · max(1, ‖q‖∞) and no sign is violated by more: the optimum-0 check.
[[nodiscard]] bool closes_gap(LcpView problem, ConstVectorRef z, double tolerance);

// Duals

/// Value of the Lagrangian dual at the multipliers, positive definite Q (S:QP-03):
///
///     −½ gᵀQ⁻¹g + bᵀλ + dᵀμ + lowerᵀπ⁺ − upperᵀπ⁻,    g = Aᵀλ + Cᵀμ + π − p.
///
/// −∞ where λ has a negative entry or π a sign whose bound is infinite. Throws Error if Q is not
/// positive definite.
[[nodiscard]] double dual_objective(const Qp& problem, const QpPoint& point);

/// The Lagrangian dual as a minimisation (S:QP-03): the unknowns are (λ, μ), finite bounds being
/// rows of A (see bounds_as_rows); its minimum is − the primal one. `primal` gives z back:
/// z = Q⁻¹(Aᵀλ + Cᵀμ − p). Dense; positive definite Q, else Error.
struct DualQp {
  Qp dual;
  double constant = 0;  ///< objective(dual, y) + constant = −(12.8)
  Matrix slope;
  Vector offset;
  [[nodiscard]] Vector primal(ConstVectorRef y) const { return offset + slope * y; }
};
[[nodiscard]] DualQp to_dual(const Qp& problem);

/// Dorn's dual (S:QP-23), for positive semi-definite Q: in (z, λ, μ),
///
///     minimise ½ zᵀQ z − bᵀλ − dᵀμ   subject to   Aᵀλ + Cᵀμ − Q z = p,   λ ≥ 0,
///
/// finite bounds being rows of A. Its minimum is − the primal one.
[[nodiscard]] Qp to_dorn_dual(const Qp& problem);

}  // namespace saltus
