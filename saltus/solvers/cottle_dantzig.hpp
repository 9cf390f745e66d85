#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Principal pivoting of Dantzig and Cottle for the LCP (S:LCP-24, S:LCP-25, S:LCP-29): tableau
/// w = q + M z, first with z = 0. A row r with w_r < 0 is made nonnegative by raising z_r, with
/// every w_i ≥ 0 kept nonnegative:
///
///     θ = min( −w_r / m_rr,   min {−w_i / m_ir : w_i ≥ 0, m_ir < 0} );
///
/// if w_r gets to 0 first, exchange (w_r, z_r) and take the next r; if w_s does, exchange (w_s,
/// z_s) and go on raising z_r; if m_ss = 0, exchange (w_s, z_r) and (w_r, z_s) together. The number
/// of negative w never grows and drops with every r: finite for P-matrices and, without degeneracy,
/// for positive semi-definite ones. A z_r that nothing stops is a ray: `infeasible` if it is a
/// proof (checked, in work.certificate), else `stalled`. Dense: O(n²) per pivot, usually about n
/// pivots. Of the initial guess only the basis is used, as in Lemke. [Dantzig & Cottle 1967]
/// [Cottle, Pang & Stone 1992, section 4.2]
struct CottleDantzig {
  static constexpr std::string_view name = "CottleDantzig";
  static constexpr std::string_view when =
      "small dense P or positive semi-definite matrices; certificates";
  static constexpr std::string_view paper = "Dantzig & Cottle 1967";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 0;   ///< pivots; 0: 100 (n + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pivots; 0 means 100 (n + 10)", non_negative}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const CottleDantzig&, Workspace&);
/// Equalities are eliminated first (S:LCP-11).
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const CottleDantzig&, Workspace&);
/// Without friction only: Error on a friction cone. Conversion as in to_dense_lcp.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const CottleDantzig&,
                                Workspace&);

}  // namespace saltus
