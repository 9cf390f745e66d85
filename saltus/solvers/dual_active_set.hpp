#pragma once

#include "saltus/solvers/active_set_rows.hpp"

namespace saltus {

/// Dual active set of Goldfarb and Idnani for the convex QP: starts at the minimum without
/// inequalities and takes in violated rows one after the other, keeping every multiplier ≥ 0; a
/// dual step either makes the row active or drives another multiplier to zero, whose row leaves.
/// The factors J = L⁻ᵀ Q', R of the active rows are updated by plane rotations, O(n²) per change
/// (Q = L Lᵀ once). Finite for positive definite Q (S:QP-13 works from the primal side). If no dual
/// step is possible the active rows contain a Farkas proof: `infeasible`, checked, in
/// work.certificate, in the layout (λ, μ, π) of proves_infeasible(Qp).
///
/// Positive semi-definite Q: proximal points (S:QP-24c), each step minimising
/// q(z) + ρ/2 ‖z − z_k‖² by the method above; `unbounded` with the direction in work.certificate if
/// the steps run along a proof. Indefinite Q: `nonconvex`. Dense, n up to about 1000. The guess is
/// used by the proximal steps only. Stops when residual(problem, point) ≤ tolerance · max(1, ‖p‖∞,
/// ‖b‖∞, ‖d‖∞). [Goldfarb & Idnani 1983]
struct DualActiveSet {
  static constexpr std::string_view name = "DualActiveSet";
  double tolerance = 1e-8;  ///< judges the result, see above; nominal 1e-8
  int max_iterations = 0;   ///< changes of the active set; 0: 100 (n + rows + 10)
  double rho = 1e-2;        ///< proximal weight in units of max|Q_ii| (or 1), singular Q only
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "changes of the active set; 0 means 100 (n + rows + 10)",
                non_negative},
          s.max_iterations);
    visit(Field{"rho", "proximal weight, singular Q only", positive}, s.rho);
  }
};

[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const DualActiveSet&,
                                Workspace&);

/// What the dual method finds.
struct DualActiveSetResult {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
  Vector z;
  std::vector<Index> active;  ///< linearly independent rows, equalities first
  Vector multipliers;         ///< of all rows; a Farkas proof if the status is `infeasible`
};

/// Minimises ½ (z − start)ᵀ L Lᵀ (z − start) over the rows; L lower triangular. With L = I: the
/// projection of `start`, which serves as phase 1 of the primal method.
[[nodiscard]] DualActiveSetResult dual_active_set(const ConstraintRows& rows, ConstMatrixRef L,
                                                  ConstVectorRef start, int max_iterations);

}  // namespace saltus
