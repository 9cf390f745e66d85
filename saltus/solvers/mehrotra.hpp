#pragma once

#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Mehrotra's infeasible predictor–corrector (S:LCP-37) for u = W z + q, −u_i ∈ N_[l_i, u_i](z_i),
/// and for horizontal LCPs. One factorisation and two solves per iteration:
///
///     S dx + X ds = −x ∘ s                                     affine step, length α_a, μ_a
///     S dx + X ds = σ μ 1 − x ∘ s − dx_a ∘ ds_a,  σ = (μ_a/μ)³   second-order corrector
///
/// with the linear equations solved in full; α = min(1, fraction · the longest step). If α < 0.1, a
/// centred step (σ = ½) is tried instead and the longer one taken. Default for large monotone
/// problems without a guess: 10 to 30 iterations at any size (S:V-09, S:V-17). Tends to the centre
/// of a solution set that is not a point (S:V-16). Proofs need monotone problems with a strictly
/// feasible point; others end `stalled`, or `infeasible` when the iterates run along a proof. The
/// guess is not used. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Mehrotra 1992]
/// [Wright 1997]
struct Mehrotra {
  static constexpr std::string_view name = "Mehrotra";
  static constexpr std::string_view when = "large monotone problems without a good guess";
  static constexpr std::string_view paper = "Mehrotra 1992";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 100;  ///< factorisations
  double fraction = 0.9995;  ///< of the step to the boundary, in (0, 1]
  bool purify = true;        ///< solve the final basis exactly (S:QP-22)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "factorisations", positive}, s.max_iterations);
    visit(Field{"fraction", "of the step to the boundary", Range{0, 1, true}}, s.fraction);
    visit(Field{"purify", "solve the final basis exactly", unit_interval}, s.purify);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Mehrotra&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Mehrotra&, Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Mehrotra&, Workspace&);
[[nodiscard]] SolveReport solve(const HorizontalLcp& problem, HorizontalPoint& point,
                                const Mehrotra&, Workspace&);

}  // namespace saltus
