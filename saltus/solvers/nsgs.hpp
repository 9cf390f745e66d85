#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/local_contact.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/sweep_order.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Nonsmooth Gauss–Seidel for block forms of any mix of sets (S:FC-30, S:FC-24, S:B15): sweeps over
/// the blocks, each solving its own part of u = W r + q, −(u + g(u)) ∈ N_K(r) with the latest r of
/// the others,
///
///     Reals         dense LU of the block
///     scalar sets   row by row, r_i ← P(r_i − u_i / W_ii)  (S:FC-31)
///     other sets    `local`
///
/// then r ← (1 − ω) r_old + ω r. With the factor ω' of over-relaxation the block solves its own
/// part with W_bb/ω' in the place of W_bb, the increment from r_old counted (FS:B.6; PSOR,
/// FS:FS-77a, FS:FS-77b). The literature's names: NSGS-AC, -JM, -AC-GP, -JM-GP with
/// LocalNonsmoothNewton (FS:FS-70, FS:FS-71, FS:FS-72, FS:FS-73), -FP-DS-One with LocalProjection
/// (FS:FS-74), -FP-VI-UPK with LocalVi (FS:FS-75), -EXACT with LocalExact (FS:FS-76). No
/// convergence proof in general; linear tail in practice, slow for large mass ratios and
/// hyperstatic stacks. One sweep costs O(nnz W), and so does a residual. Stops when
/// residual(problem, r) ≤ limit = tolerance · max(1, ‖q‖∞), tested after each of the first 10
/// sweeps, then every fifth; or, with `cheap_test` (FS:B.14, FS:FS-111), once ‖r − r_old‖ ≤ t
/// ‖r_old‖ with t = tolerance at first, t ← t · clip(limit/residual, 0.1, 0.5) where that was too
/// early. A block that cannot be divided by (zero normal or scalar diagonal, singular Reals block)
/// ends in `numerical_error`. [Jourdan, Alart & Jean 1998]
struct Nsgs {
  static constexpr std::string_view name = "Nsgs";
  static constexpr std::string_view when =
      "contact with friction; any mix of sets, large and sparse";
  static constexpr std::string_view paper = "Jourdan, Alart & Jean 1998";
  double tolerance = 1e-8;    ///< relative, see above; 1e-4 (animation) to 1e-10 (validation)
  int max_iterations = 1000;  ///< sweeps
  double omega = 1;           ///< relaxation, 0 < ω ≤ 1 damps
  LocalSolver local = LocalNewton{};  ///< one-contact solver
  double over_relaxation = 1;         ///< ω', 0 < ω' < 2; 0.5 to 1 for deformable bodies
  SweepOrder order = NaturalOrder{};  ///< of the blocks in a sweep
  bool adaptive_local = false;        ///< local tolerance = residual / 10, at least that of `local`
                                      ///< (FS:FS-79b); otherwise fixed (FS:FS-79a)
  bool cheap_test = false;            ///< the residual is computed only where the step is small
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sweeps", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation", Range{0, 1, true}}, s.omega);
    visit(Field{"local", "one-contact solver"}, s.local);
    visit(Field{"over_relaxation", "factor of the own block", Range{0, 2, true}},
          s.over_relaxation);
    visit(Field{"order", "of the blocks in a sweep"}, s.order);
    visit(Field{"adaptive_local", "local tolerance follows the residual", unit_interval},
          s.adaptive_local);
    visit(Field{"cheap_test", "residual only where the step is small", unit_interval},
          s.cheap_test);
  }
};

[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Nsgs&, Workspace&);
[[nodiscard]] SolveReport solve(const FrictionContact& problem, VectorRef r, const Nsgs&,
                                Workspace&);

}  // namespace saltus
