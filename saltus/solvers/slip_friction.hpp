#pragma once

#include "saltus/problems/piecewise_friction.hpp"
#include "saltus/solvers/faceted_friction.hpp"

namespace saltus {

/// Friction in the plane that depends on the slip speed, by linear complementarity problems
/// (S:FC-09b): the normal impulses that multiply the change by slip are held at the last ones, the
/// hinges of its graph become half lines (with_hinges), and FacetedFriction, exact in the plane,
/// solves the rest by `inner`. One problem if no contact has a graph (given normal forces), else a
/// fixed point on the normal impulses, halved where it does not contract, which converges if they
/// depend little on friction and the graphs fall slowly, |ψ'| r_N W_TT < 1; `stalled` if ten of
/// them in a row do not lower the best residual by a percent. Which of several solutions is found
/// is up to Lemke's path. `numerical_error` if a graph falls exactly as fast as W r rises. Stops
/// when residual(problem, r) ≤ tolerance · max(1, ‖q‖∞). Dense: for small problems. [Pfeiffer &
/// Glocker 1996] [Facchinei & Pang 2003]
struct SlipFriction {
  static constexpr std::string_view name = "SlipFriction";
  double tolerance = 1e-8;     ///< relative, see above
  int max_iterations = 100;    ///< complementarity problems
  FacetInner inner = Lemke{};  ///< of them
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
