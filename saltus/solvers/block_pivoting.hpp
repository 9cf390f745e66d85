#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Block principal pivoting for u = W r + q, −u_i ∈ N_[lower_i, upper_i](r_i). Each row is at its
/// lower bound, at its upper bound, or free (u_i = 0); rows of Reals are always free. Repeat:
///
///     W_FF r_F = −(q_F + W_FN r_N),   r_N at its bounds;   exchange every row of the wrong sign,
///
/// until none is left. When `patience` exchanges in a row have not lowered the number of wrong
/// signs, only the least index is exchanged (Murty, S:LCP-28) until it drops: finite for
/// P-matrices. The first set is predicted from the initial guess, so a good guess costs one
/// factorisation.
///
/// W_FF is factorised by MaskedFactor: dense Cholesky or LU, about a microsecond for n ≤ 8, or
/// sparse LDLᵀ or KLU.
/// Singular W_FF (redundant constraints, S:V-16; zero diagonals, S:V-13): proximal points, r ←
/// solution for (W + εI, q − ε r), ε = 1e-7 max|W_ii|, each by the same method; converges for every
/// solvable monotone problem. No proof for other matrices: `stalled` or `max_iterations`, then use
/// Lemke. [Kostreva 1978] [Júdice & Pires 1994]
struct BlockPivoting {
  static constexpr std::string_view name = "BlockPivoting";
  static constexpr std::string_view when =
      "P-matrices of any size, dense or sparse; warm starts in time steps";
  static constexpr std::string_view paper = "Júdice & Pires 1994";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 0;   ///< exchanges, proximal points included; 0: 100 (n + 10)
  int patience = 10;     ///< block exchanges without progress before least-index ones; nominal 10
  bool proximal = true;  ///< proximal points when W_FF is singular; false: numerical_error
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "exchanges; 0 means 100 (n + 10)", non_negative},
          s.max_iterations);
    visit(Field{"patience", "block exchanges without progress", non_negative}, s.patience);
    visit(Field{"proximal", "proximal points on singular sets", unit_interval}, s.proximal);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const BlockPivoting&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const BlockPivoting&, Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const BlockPivoting&,
                                Workspace&);

}  // namespace saltus
