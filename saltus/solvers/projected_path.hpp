#pragma once

#include "saltus/solvers/box_iteration.hpp"

#include <variant>

namespace saltus {

// Steps along the projected path t ↦ P_[lower, upper](z + t d) of the bound-constrained quadratic
// programme  min ½ zᵀ W z + qᵀ z,  lower ≤ z ≤ upper,  W symmetric: the box problem read as an
// optimality condition (S:LCP-13). With φ(t) the objective on the path:

/// Projected search (S:QP-17): the first t of a decreasing sequence with
///
///     φ(t) ≤ φ_max + μ uᵀ(P(z + t d) − z),    φ_max the largest of the last `memory` objectives.
///
/// Each trial shrinks t by a factor between 0.1 and 0.5 chosen by quadratic interpolation.
/// [Grippo, Lampariello & Lucidi 1986]
struct SufficientDecrease {
  static constexpr std::string_view name = "SufficientDecrease";
  double mu = 0.1;  ///< share of the predicted decrease that is asked for, 0 < μ < ½; nominal 0.1
  int memory = 10;  ///< objectives compared with, 1 to 16; 1: every step decreases, slower
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"mu", "share of the predicted decrease", Range{0, 0.5, true}}, s.mu);
    visit(Field{"memory", "objectives compared with", Range{1, 16}}, s.memory);
  }
};

/// Exact Cauchy point (S:QP-18): the first local minimiser of the piecewise quadratic φ, found by
/// walking over its breakpoints; O(n) per breakpoint passed.
struct CauchyPoint {
  static constexpr std::string_view name = "CauchyPoint";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

using StepSearch = std::variant<SufficientDecrease, CauchyPoint>;

/// An iterate and the vectors around it; u is kept equal to W z + q.
struct PathPoint {
  double *z, *u;
  double *s, *Ws;  ///< last step and its image
};

/// What a step did. `moved` is false if no decrease was found.
struct PathStep {
  bool moved = false;
  bool unbounded = false;  ///< the objective falls for ever along the path
  double decrease = 0;     ///< φ(0) − φ(t)
  double length = 0;       ///< t
};

/// d_i = −u_i, and 0 where a bound forbids to move that way. Returns ‖d‖².
double projected_gradient(const BoxView& box, const double* z, const double* u, double* d);

/// Moves the point along d, first trial `length`, allowing φ(t) − φ(0) ≤ allowance + μ uᵀ(…). One
/// product with W per trial.
[[nodiscard]] PathStep search_path(const BoxView& box, const PathPoint& point, const double* d,
                                   double length, double mu, double allowance = 0);
/// Moves the point to the Cauchy point along d, which is left overwritten.
[[nodiscard]] PathStep walk_path(const BoxView& box, const PathPoint& point, double* d,
                                 Workspace& work);

}  // namespace saltus
