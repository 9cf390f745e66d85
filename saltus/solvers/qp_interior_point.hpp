#pragma once

#include "saltus/solvers/active_set_rows.hpp"

namespace saltus {

/// Primal–dual interior point for the convex QP (S:QP-21b): Mehrotra's method (S:LCP-37) on the
/// first-order conditions, a monotone mixed complementarity problem in (z, μ, λ),
///
///     [Q −Cᵀ −Aᵀ; C 0 0; A 0 0] [z; μ; λ] + [p; −d; −b],    z ∈ [lower, upper], μ free, λ ≥ 0.
///
/// Sparse data stay sparse: one KLU factorisation per iteration, ordering computed once; 10 to 40
/// iterations at any size. Dependent rows of C or flat free directions make the matrix singular:
/// then it is shifted by `regularisation` (S:QP-12, exact data in the residual). The guess is not
/// used. The final basis is solved exactly (S:QP-22). `infeasible` and `unbounded` when the
/// iterates run along a proof, which is checked and left in work.certificate; `nonconvex` for
/// indefinite Q; else `stalled`. Stops when residual(problem, point) ≤ tolerance · max(1, ‖p‖∞,
/// ‖b‖∞, ‖d‖∞). [Mehrotra 1992] [Gertz & Wright 2003]
struct QpInteriorPoint {
  static constexpr std::string_view name = "QpInteriorPoint";
  double tolerance = 1e-8;        ///< relative, see above; nominal 1e-8
  int max_iterations = 100;       ///< factorisations
  double regularisation = 1e-10;  ///< shift of singular systems, in units of max|data|
  bool purify = true;             ///< solve the final basis exactly
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "factorisations", positive}, s.max_iterations);
    visit(Field{"regularisation", "shift of singular systems", positive}, s.regularisation);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

[[nodiscard]] SolveReport solve(const Qp& problem, QpPoint& point, const QpInteriorPoint&,
                                Workspace&);

}  // namespace saltus
