#pragma once

#include "saltus/solvers/active_set_rows.hpp"

namespace saltus {

/// Primal active set for the convex QP (S:QP-13, S:B2). With the working rows W held as
/// equalities, the step r minimises ½ rᵀQ r + (Q z + p)ᵀr, h_iᵀr = 0 on W: null-space method
/// (S:QP-10), r = Z y with
///
///     Zᵀ Q Z y = −Zᵀ(Q z + p),    α = min {1, min (g_i − h_iᵀz)/(h_iᵀr) : h_iᵀr < 0},
///
/// z ← z + α r; a row that blocks enters W, and at the minimum on W the row with the most negative
/// multiplier leaves. The orthogonal factor of W and the Cholesky factor of ZᵀQZ are updated by
/// plane rotations, O(n²) per change. Semi-definite Q: directions without curvature start as
/// artificial rows, so that at most one is free at a time; along it the step is infinite, and if
/// nothing blocks the answer is `unbounded`, the direction in work.certificate. Phase 1 projects
/// the guess on the feasible set (dual_active_set) and proves infeasibility. Cycling at degenerate
/// vertices (S:QP-24b) is stopped by Bland's rule after n zero steps. Indefinite Q: `nonconvex`.
/// Warm start: a feasible guess keeps its active rows. Dense, n up to about 2000; slow if many rows
/// change. Stops when residual(problem, point) ≤ tolerance · max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞). [Gill,
/// Murray & Wright 1981] [Nocedal & Wright 2006]
struct ActiveSet {
  static constexpr std::string_view name = "ActiveSet";
  double tolerance = 1e-8;  ///< judges the result, see above; nominal 1e-8
  int max_iterations = 0;   ///< changes of the working set; 0: 100 (n + rows + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "changes of the working set; 0 means 100 (n + rows + 10)",
                non_negative},
          s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const ActiveSet&, Workspace&);

}  // namespace saltus
