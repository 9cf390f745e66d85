#pragma once

#include "saltus/problems/mlcp.hpp"

#include <Eigen/SparseCore>

namespace saltus {

/// Horizontal linear complementarity problem (S:LCP-06): find x and s with
///
///     Q x + R s = q,    0 ≤ x ⟂ s ≥ 0.                                                    (1)
///
/// The pair (Q, R) is monotone if Q x + R s = 0 implies xᵀs ≥ 0: then the solution set is convex
/// and every interior-point method of solvers/ applies. An LCP is (M, −I, −q).
struct HorizontalLcp {
  Eigen::SparseMatrix<double> Q, R;
  Vector q;
};

struct HorizontalPoint {
  Vector x, s;
};

/// max(‖Q x + R s − q‖∞, ‖min(x, s)‖∞): zero exactly at solutions of (1), infinite if anything is
/// NaN.
[[nodiscard]] double residual(const HorizontalLcp& problem, ConstVectorRef x, ConstVectorRef s);

/// Throws Error on matrices that are not square, on sizes that do not fit, on NaN or infinity.
void validate(const HorizontalLcp& problem);

/// (M, −I, −q): x = z, s = w (S:LCP-11).
[[nodiscard]] HorizontalLcp to_horizontal_lcp(LcpView problem);

/// MLCP with blocks A, B, C, D, a, b as in make_mlcp (S:LCP-11): with D regular, u = D⁻¹(w − B v −
/// b) and
///
///     (C − A D⁻¹B) v + A D⁻¹ w = A D⁻¹ b − a,    0 ≤ v ⟂ w ≥ 0.
struct MlcpAsHorizontal {
  HorizontalLcp problem;                ///< x = v, s = w
  std::vector<Index> equalities, rows;  ///< rows of z that hold u, and v
  Matrix of_v, of_w;                    ///< u = offset + of_v v + of_w w
  Vector offset;
  /// z of the MLCP from a solution of `problem`.
  [[nodiscard]] Vector expand(const HorizontalPoint& point) const;
};

/// Throws Error unless there are as many equalities as complementarities and D is regular.
[[nodiscard]] MlcpAsHorizontal to_horizontal_lcp(const Mlcp& problem);

/// The LCP equivalent to (1) (S:LCP-11). With J a largest set of independent columns of R, the
/// basis of s_J and x_I, I the other indices, is regular for every monotone pair: solving (1) for
/// it gives w = M v + q' with v = (x_J, s_I), w = (s_J, x_I). J is everything if R is regular.
struct HorizontalAsLcp {
  Lcp lcp;
  std::vector<bool> swapped;  ///< i ∈ I: v_i is s_i and w_i is x_i
  /// (x, s) from the solution v of `lcp`.
  [[nodiscard]] HorizontalPoint expand(ConstVectorRef v) const;
};

/// Throws Error if no such basis is found, neither from R nor from Q: the pair is then not
/// monotone.
[[nodiscard]] HorizontalAsLcp to_lcp(const HorizontalLcp& problem);

}  // namespace saltus
