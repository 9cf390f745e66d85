#pragma once

#include "saltus/problems/lcp_variants.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Gap minimisation for the generalised and the extended LCP (S:LCP-10, S:LCP-09, S:LCP-11): with
/// x = (z, w, y), E = [M N Q] and the columns of U spanning the kernel of E,
///
///     min zᵀw    subject to    E x = q,  x ≥ 0,        x = x₀ + U v,
///
/// is a quadratic program in v; its minimum is 0 exactly at the solutions, and it is convex if E x
/// = 0 implies zᵀw ≥ 0 (monotone problems: HorizontalLcp, LCP with M semi-definite). It goes to
/// QpAutomatic, and the piece of its answer, with z_i = 0 or w_i = 0 for each i, is solved again.
/// If the program is not convex, the 2ⁿ pieces are tried one after the other up to n = `enumerate`,
/// each a projection on a polyhedron; larger ones end `nonconvex`. An ExtendedLcp is first written
/// with the slack y of its faces. `infeasible` if E x = q, x ≥ 0 has no solution: work.certificate
/// is μ with Eᵀμ ≥ 0 and qᵀμ = −1; a positive minimum, or no piece with a solution, is `stalled`.
/// Dense, O((2n + size of y)³). `iterations` adds up over the quadratic programs. The guess is
/// not used. Stops when residual(problem, …) ≤ tolerance · max(1, ‖q‖∞). [Ye 1993]
struct GapMinimisation {
  static constexpr std::string_view name = "GapMinimisation";
  double tolerance = 1e-8;  ///< relative, see above
  int enumerate = 12;       ///< largest n for the pieces of a problem that is not monotone
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"enumerate", "largest n for trying all pieces", Range{0, 20, false}}, s.enumerate);
  }
};

[[nodiscard]] SolveReport solve(const GeneralisedLcp& problem, GeneralisedPoint& point,
                                const GapMinimisation&, Workspace&);
/// y of the point becomes the slack G (M z + N w) − g.
[[nodiscard]] SolveReport solve(const ExtendedLcp& problem, GeneralisedPoint& point,
                                const GapMinimisation&, Workspace&);

}  // namespace saltus
