#pragma once

#include "saltus/problems/piecewise_friction.hpp"
#include "saltus/solvers/faceted_friction.hpp"

namespace saltus {

/// Friction in the plane that depends on the slip speed (S:FC-09b), first by linear complementarity
/// problems: the normal impulses that multiply the change by slip are held at the last ones, the
/// hinges of its graph become half lines (with_hinges), and FacetedFriction, exact in the plane,
/// solves the rest by `inner`. One problem if no contact has a graph (given normal forces), else a
/// fixed point on the normal impulses, halved where it does not contract, which converges if they
/// depend little on friction and the graphs fall slowly, |ψ'| r_N W_TT < 1.
///
/// If ten of them in a row do not lower the best residual by a percent, or one cannot be solved,
/// the problem is taken as a whole, as the mixed complementarity problem
///
///     u_T = κ⁺ − κ⁻,    0 ≤ κ^± ⟂ (μ + ψ(κ^±)) r_N ± r_T ≥ 0,    0 ≤ r_N ⟂ u_N ≥ 0,         (1)
///
/// which linearises in both factors of ψ r_N: by NewtonJosephy from the last point and from zero,
/// by NcpNewton, along (1) with t ψ, t from 0, where it is Coulomb's law, to 1, and at last from
/// scattered points, the same ones every time. Which of several solutions is found is up to the
/// path. Stops when residual(problem, r) ≤ tolerance · max(1, ‖q‖∞), `stalled` if nothing helps.
/// Dense: for small problems. [Pfeiffer & Glocker 1996] [Facchinei & Pang 2003]
struct SlipFriction {
  static constexpr std::string_view name = "SlipFriction";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 2000;   ///< complementarity problems
  FacetInner inner = Lemke{};  ///< of those with held normal impulses
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "complementarity problems", positive}, s.max_iterations);
    visit(Field{"inner", "solver of the LCP"}, s.inner);
  }
};

/// Incoming r gives the first normal impulses. Throws Error on problems that validate() refuses.
[[nodiscard]] SolveReport solve(const PiecewiseFriction& problem, VectorRef r, const SlipFriction&,
                                Workspace&);

}  // namespace saltus
