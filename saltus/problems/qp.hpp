#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/SparseCore>

namespace saltus {

/// Quadratic program (S:QP-01): with Q = Qᵀ,
///
///     minimise ½ zᵀQ z + pᵀz   subject to   A z ≥ b,   C z = d,   lower ≤ z ≤ upper.       (1)
///
/// p gives the size. Any other part may be left empty: Q = 0, no rows, no bounds. Single bounds may
/// be infinite. Convex if Q is positive semi-definite; general Q is NP-hard.
struct Qp {
  Eigen::SparseMatrix<double> Q;
  Vector p;
  Eigen::SparseMatrix<double> A;
  Vector b;
  Eigen::SparseMatrix<double> C;
  Vector d;
  Vector lower, upper;
};

/// A point and its multipliers (S:QP-02):
///
///     Q z + p − Aᵀλ − Cᵀμ − π = 0,   C z = d,                                               (2)
///     0 ≤ λ ⟂ A z − b ≥ 0,   −π ∈ N_[lower, upper](z),
///
/// so that π_i ≥ 0 at a lower bound, ≤ 0 at an upper one, 0 between. Solvers resize empty parts.
struct QpPoint {
  Vector z;
  Vector lambda;  ///< λ, of A z ≥ b
  Vector mu;      ///< μ, of C z = d
  Vector bounds;  ///< π, of lower ≤ z ≤ upper
};

/// max of ‖Q z + p − Aᵀλ − Cᵀμ − π‖∞, ‖C z − d‖∞, ‖min(λ, A z − b)‖∞ and ‖z − P_[lower, upper](z −
/// π)‖∞: zero exactly at the points of (2), infinite if anything is NaN. Throws Error on sizes that
/// do not fit.
[[nodiscard]] double residual(const Qp& problem, const QpPoint& point);

/// ½ zᵀQ z + pᵀz
[[nodiscard]] double objective(const Qp& problem, ConstVectorRef z);

/// Throws Error on sizes that do not fit, on a Q that is not symmetric, on NaN, on lower > upper,
/// on infinity other than in the bounds.
void validate(const Qp& problem);

/// The same problem with every part present: zero Q, matrices without rows, infinite bounds.
[[nodiscard]] Qp completed(Qp problem);
/// The same problem with the finite bounds as rows of A, after those that are there: lower bounds
/// first, in the order of the variables, then upper ones.
[[nodiscard]] Qp bounds_as_rows(const Qp& problem);
/// Zeros of the right sizes; keeps what fits already.
void resize(const Qp& problem, QpPoint& point);

/// The sign of a quadratic form (S:QP-05).
enum class Curvature { positive_definite, positive_semidefinite, indefinite };

/// Of a symmetric matrix, by sparse Cholesky factorisations of Q ± ε I, ε = 10 n · 2.2e-16 ·
/// max|Q|: eigenvalues within ε of zero count as zero.
[[nodiscard]] Curvature curvature(const Eigen::SparseMatrix<double>& Q);

/// What makes a solution delicate (S:QP-05).
struct QpDiagnosis {
  Curvature curvature = Curvature::positive_definite;
  Index active = 0;         ///< rows and bounds that hold as equalities, C z = d included
  Index rank = 0;           ///< of these; less than `active`: multipliers are not unique
  Index weakly_active = 0;  ///< inequalities with zero slack and zero multiplier
  [[nodiscard]] bool degenerate() const { return rank < active || weakly_active > 0; }
};

/// Counts at a point; a slack or multiplier below `tolerance` is zero. Dense rank: small problems.
[[nodiscard]] QpDiagnosis diagnose(const Qp& problem, const QpPoint& point,
                                   double tolerance = 1e-8);

/// The proof that no z is feasible (Farkas): y = (λ, μ, π) with λ ≥ 0, π_i ≤ 0 where lower_i = −∞,
/// π_i ≥ 0 where upper_i = ∞, Aᵀλ + Cᵀμ + π = 0 and bᵀλ + dᵀμ + lowerᵀπ⁺ − upperᵀπ⁻ > 0. True if y
/// is one up to rounding: with the gain scaled to 1, the sum is at most 1e-9 in every entry, which
/// excludes every feasible z with ‖z‖₁ < 1e9.
[[nodiscard]] bool proves_infeasible(const Qp& problem, ConstVectorRef y);

/// The proof that the objective has no minimum over a non-empty feasible set: v with Q v = 0,
/// A v ≥ 0, C v = 0, v_i ≥ 0 (≤ 0) where the lower (upper) bound is finite, and pᵀv < 0. True if v
/// is one up to rounding: violations at most 1e-9 when pᵀv = −1.
[[nodiscard]] bool proves_unbounded(const Qp& problem, ConstVectorRef v);

}  // namespace saltus
