#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Lemke's complementary pivoting for the LCP (S:LCP-30, S:LCP-29, S:LCP-24, S:B7): tableau of
///
///     w = q + M z + d z₀,    d = (1 … 1),
///
/// z₀ enters for the most negative q; then the complement of the variable that left enters, the row
/// of least ratio leaves, until z₀ leaves. Ties are broken lexicographically over [q | I], which
/// excludes cycling (S:LCP-31). The final basis is solved again by a fresh factorisation.
/// Processes every LCP with M positive (semi-)definite, P, copositive-plus or row-sufficient. A ray
/// with direction z of such a problem has Mᵀz ≤ 0 and qᵀz < 0; it is checked, left in
/// work.certificate, and the status is `infeasible`. Any other ray is `stalled`.
///
/// Dense tableau: O(n²) per pivot. n > 100 and at most a tenth of the entries stored: updated
/// sparse factors, a few triangular solves per pivot (revised_lemke.hpp), with the same pivots.
/// Usually about n pivots, 2ⁿ at worst (S:V-11). Of the initial guess only the basis is used: if it
/// solves, no pivot is made. Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞). [Lemke
/// 1965] [Cottle, Pang & Stone 1992]
struct Lemke {
  static constexpr std::string_view name = "Lemke";
  static constexpr std::string_view when =
      "any small or middle-sized matrix; proves that there is no solution";
  static constexpr std::string_view paper = "Lemke 1965";
  double tolerance = 1e-8;  ///< judges the result, see above; nominal 1e-8
  int max_iterations = 0;   ///< pivots; 0: 100 (n + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pivots; 0 means 100 (n + 10)", non_negative}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Lemke&, Workspace&);
/// Equalities are eliminated first (S:LCP-11).
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Lemke&, Workspace&);
/// Without friction only: Error on a friction cone. Conversion as in to_dense_lcp.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Lemke&, Workspace&);

}  // namespace saltus
