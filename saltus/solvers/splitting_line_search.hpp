#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Splitting with line search for u = W z + q, −u_i ∈ N_[lower_i, upper_i](z_i).
///
/// Symmetric W (S:LCP-21): z* is one sweep of Psor, that is, the solution for the matrix
/// B = L + D/ω and the vector q + (W − B) z; with d = z* − z the step
///
///     α = −dᵀu / dᵀW d,   but at most the largest α with z + α d in the box;   α = 1 if dᵀW d ≤ 0
///
/// minimises f = ½ zᵀ W z + qᵀ z along d. Converges if B is positive definite and f bounded below
/// on the box: W positive semi-definite with a positive diagonal and 0 < ω < 2, but also indefinite
/// W (copositive for instance) with ω small enough. O(nnz W) per iteration.
///
/// Asymmetric W (S:LCP-22): the problem becomes a dense LCP (M, q) as in to_dense_lcp, and that the
/// programme  min f = zᵀ(M z + q),  z ≥ 0,  M z + q ≥ 0  (S:LCP-14), whose stationary points are
/// the solutions if M is row-sufficient (P and positive semi-definite matrices are). M + Mᵀ is
/// split with B = M + Mᵀ + σ I positive definite,
///
///     z* = argmin ½ xᵀ B x + (q − σ z)ᵀ x,   x ≥ 0,   M x + q ≥ 0,
///
/// found by Lemke on its optimality conditions, and α as above with dᵀ∇f and dᵀ(M + Mᵀ) d. Dense,
/// O(n³) per iteration, and allocates; one or two iterations if M is positive semi-definite (σ is
/// then tiny), hundreds if M + Mᵀ is strongly indefinite. An empty feasible set, or a stationary
/// point that is no solution, ends in `stalled`.
///
/// Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). A zero W_ii with symmetric W ends in
/// `numerical_error`. [Cottle, Pang & Stone 1992, chapter 5]
struct LineSearchSplitting {
  static constexpr std::string_view name = "LineSearchSplitting";
  static constexpr std::string_view when =
      "symmetric matrices, also indefinite copositive; small row-sufficient ones";
  static constexpr std::string_view paper = "De Pierro & Iusem 1993";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;  ///< steps
  double omega = 1;            ///< of the sweep, symmetric W; 0 < ω < 2
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "steps", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation of the sweep", Range{0, 2, true}}, s.omega);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const LineSearchSplitting&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const LineSearchSplitting&,
                                Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const LineSearchSplitting&,
                                Workspace&);

}  // namespace saltus
