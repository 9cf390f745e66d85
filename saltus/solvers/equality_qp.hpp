#pragma once

#include "saltus/solvers/active_set_rows.hpp"

namespace saltus {

// Equality-constrained QPs: minimise ½ zᵀQ z + pᵀz subject to C z = d, that is
//
//     K [z; −μ] = [−p; d],    K = [Q Cᵀ; C 0].                                              (1)
//
// Unique if C has independent rows and Q is positive definite on {C z = 0}. What else can happen is
// told by the status: `nonconvex` (negative curvature on {C z = 0}), `unbounded` (a direction of
// zero curvature and descent, in work.certificate), `infeasible` (C z = d contradicts itself; proof
// (λ, μ, π) in work.certificate). Error on inequalities or bounds. The guess is not used. Judged by
// residual(problem, point) ≤ tolerance · max(1, ‖p‖∞, ‖d‖∞), after two steps of iterative
// refinement.

/// Symmetric indefinite factorisation of K (S:QP-06): Bunch–Parlett, dense, up to 500 unknowns;
/// above, sparse LDLᵀ of the quasi-definite K + diag(δ I, −δ I), δ = max(regularisation, 1e-10
/// max|K|). `regularisation` > 0 makes degenerate problems solvable (S:QP-12): the refinement
/// removes its influence if (1) has a solution.
struct KktLdlt {
  static constexpr std::string_view name = "KktLdlt";
  double tolerance = 1e-8;    ///< judges the result; nominal 1e-8
  double regularisation = 0;  ///< δ; nominal 1e-10 to 1e-6 for dependent rows or flat directions
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"regularisation", "shift of K", non_negative}, s.regularisation);
  }
};

/// LU with partial pivoting of K (S:QP-07): dense up to 500 unknowns, KLU above.
struct KktLu {
  static constexpr std::string_view name = "KktLu";
  double tolerance = 1e-8;    ///< judges the result; nominal 1e-8
  double regularisation = 0;  ///< as in KktLdlt (S:QP-12)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"regularisation", "shift of K", non_negative}, s.regularisation);
  }
};

/// Range-space method (S:QP-09): (C Q⁻¹Cᵀ) μ = C Q⁻¹p + d, Q z = Cᵀμ − p; sparse Cholesky of Q,
/// dense of C Q⁻¹Cᵀ + regularisation I (S:QP-12). Q must be positive definite, else
/// `numerical_error`. Few constraints, cheap Q⁻¹.
struct RangeSpace {
  static constexpr std::string_view name = "RangeSpace";
  double tolerance = 1e-8;    ///< judges the result; nominal 1e-8
  double regularisation = 0;  ///< shift of C Q⁻¹Cᵀ, for dependent rows
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"regularisation", "shift of C Q⁻¹Cᵀ", non_negative}, s.regularisation);
  }
};

/// Null-space method (S:QP-10): z = z₀ + Z w with C z₀ = d, C Z = 0, Z orthonormal by a
/// rank-revealing QR of Cᵀ, ZᵀQZ w = −Zᵀ(Q z₀ + p), Cᵀμ = Q z + p. Dense; takes dependent rows.
struct NullSpace {
  static constexpr std::string_view name = "NullSpace";
  double tolerance = 1e-8;  ///< judges the result; nominal 1e-8
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖d‖∞)", positive}, s.tolerance);
  }
};

[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const KktLdlt&, Workspace&);
[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const KktLu&, Workspace&);
[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const RangeSpace&, Workspace&);
[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const NullSpace&, Workspace&);

/// No rows of A and no finite bound.
[[nodiscard]] bool only_equalities(const Qp& problem);

}  // namespace saltus
