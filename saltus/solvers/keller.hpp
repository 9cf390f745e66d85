#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Keller's principal pivoting for symmetric M of any inertia (S:LCP-24, S:LCP-13, S:LCP-29): the
/// LCP as the stationarity conditions of
///
///     min f(z) = ½ zᵀM z + qᵀz,  z ≥ 0.
///
/// Only z ≥ 0 is kept, not w ≥ 0. The variable z_r with the most negative slope w_r is raised until
/// w_r = 0, then (w_r, z_r) are exchanged, or until a basic z_s reaches 0, then (w_s, z_s) are and
/// z_r goes on. f decreases all the time and M_αα of the basic z stays positive definite, so that
/// without degeneracy it ends, at a solution or on a ray along which f falls for ever: none exists
/// if M is strictly copositive, and for positive semi-definite M it proves infeasibility (checked,
/// in work.certificate); otherwise the ray is `stalled`. Copes with indefinite M where Murty and
/// BlockPivoting cycle. Not symmetric: `nonconvex`, there is no f. Dense: O(n²) per pivot. Of the
/// initial guess only the basis is used, as in Lemke. [Keller 1973]
/// [Cottle, Pang & Stone 1992, section 4.2]
struct Keller {
  static constexpr std::string_view name = "Keller";
  static constexpr std::string_view when =
      "small symmetric matrices of any inertia, copositive ones among them";
  static constexpr std::string_view paper = "Keller 1973";
  double tolerance = 1e-8;  ///< judges the result: residual ≤ tolerance · max(1, ‖q‖∞)
  int max_iterations = 0;   ///< pivots; 0: 100 (n + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pivots; 0 means 100 (n + 10)", non_negative}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Keller&, Workspace&);
/// Equalities are eliminated first (S:LCP-11).
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Keller&, Workspace&);
/// Without friction only: Error on a friction cone. Conversion as in to_dense_lcp.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Keller&, Workspace&);

}  // namespace saltus
