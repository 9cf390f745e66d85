#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Bard's principal pivoting for the LCP (S:LCP-27, S:LCP-24): while some q_i < 0, pivot on the
/// diagonal entry of the most negative q_i (the first one of equals), exchanging z_i and w_i. Often
/// fewer pivots than Murty's least index, but no proof: it may cycle even for P-matrices
/// (`max_iterations`), meet a zero pivot (`numerical_error`), or need 2ⁿ − 1 pivots (S:V-11).
/// Dense: O(n²) per pivot. Of the initial guess only the basis is used, as in Lemke. [Bard 1974]
/// [Cottle, Pang & Stone 1992, section 4.2] (S:B6)
struct Bard {
  static constexpr std::string_view name = "Bard";
  static constexpr std::string_view when =
      "often quick on P-matrices, without a proof; to compare with Murty";
  static constexpr std::string_view paper = "Bard 1974";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 0;   ///< pivots; 0: 100 (n + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pivots; 0 means 100 (n + 10)", non_negative}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Bard&, Workspace&);
/// Equalities are eliminated first (S:LCP-11).
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Bard&, Workspace&);
/// Without friction only: Error on a friction cone. Conversion as in to_dense_lcp.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Bard&, Workspace&);

}  // namespace saltus
