#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/local_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Nonsmooth Gauss–Seidel for block forms of any mix of sets (S:FC-30, S:FC-24): sweeps over the
/// blocks, each solving its own part of u = W r + q, −(u + g(u)) ∈ N_K(r) with the latest r of the
/// others,
///
///     Reals         dense LU of the block
///     scalar sets   row by row, r_i ← P(r_i − u_i / W_ii)  (S:FC-31)
///     FrictionCone  `local`
///
/// then r ← (1 − ω) r_old + ω r. No convergence proof in general; linear tail in practice, slow for
/// large mass ratios and hyperstatic stacks. One sweep costs O(nnz W). Stops when
/// residual(problem, r) ≤ tolerance · max(1, ‖q‖∞), tested after each of the first 10 sweeps, then
/// every fifth. A block that cannot be divided by (zero normal or scalar diagonal, singular Reals
/// block) ends in `numerical_error`. [Jourdan, Alart & Jean 1998]
struct Nsgs {
  static constexpr std::string_view name = "Nsgs";
  static constexpr std::string_view when =
      "contact with friction; any mix of sets, large and sparse";
  static constexpr std::string_view paper = "Jourdan, Alart & Jean 1998";
  double tolerance = 1e-8;    ///< relative, see above; 1e-4 (animation) to 1e-10 (validation)
  int max_iterations = 1000;  ///< sweeps
  double omega = 1;           ///< relaxation, 0 < ω ≤ 1 damps
  LocalSolver local = LocalNewton{};  ///< one-contact solver
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sweeps", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation", Range{0, 1, true}}, s.omega);
    visit(Field{"local", "one-contact solver"}, s.local);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Nsgs&, Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Nsgs&,
                                Workspace&);

}  // namespace saltus
