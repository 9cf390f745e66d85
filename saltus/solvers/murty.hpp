#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Murty's least-index principal pivoting for the LCP (S:LCP-28, S:LCP-24): while some q_i < 0,
/// pivot on the diagonal entry of the least such i, exchanging z_i and w_i. Finite for P-matrices,
/// up to 2ⁿ − 1 pivots (S:V-11); elsewhere it may cycle (`max_iterations`) or meet a zero pivot
/// (`numerical_error`). Dense: O(n²) per pivot. The initial guess is not used; the final basis is
/// solved again by a fresh LU factorisation. (S:B6) [Murty 1974]
struct Murty {
  static constexpr std::string_view name = "Murty";
  static constexpr std::string_view when =
      "small P-matrices; to check others: least index, no tie-breaking";
  static constexpr std::string_view paper = "Murty 1974";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 0;   ///< pivots; 0: 100 (n + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pivots; 0 means 100 (n + 10)", non_negative}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Murty&, Workspace&);
/// Equalities are eliminated first (S:LCP-11).
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Murty&, Workspace&);
/// Without friction only: Error on a friction cone. Conversion as in to_dense_lcp.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Murty&, Workspace&);

}  // namespace saltus
