#pragma once

#include "saltus/problems/lcp_variants.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Parametric principal pivoting: the solutions of LCP(M, q + t d) for t from `from` to `to`. For a
/// fixed complementary basis, basic variables are affine in t,
///
///     x_B(t) = b + t c;    the next breakpoint is the least t' > t where a component reaches 0.
///
/// There the variable leaves and its complement enters: one principal pivot if its diagonal entry
/// is positive; if that is zero, the complement is driven up at constant t until another variable
/// blocks (z jumps to another point of the solution set, S:LCP-25), and if nothing blocks no
/// solution exists beyond t', which is certified as for Lemke. The start is solved by Lemke
/// (S:LCP-30). Complete for P-matrices and positive semi-definite M; others may end `stalled`.
/// Dense, O(n²) per breakpoint. Judged at every breakpoint by residual(problem.at(t), z) ≤
/// tolerance · max(1, ‖q + t d‖∞). [Cottle 1972] [Cottle, Pang & Stone 1992, section 4.5]
struct ParametricPivoting {
  static constexpr std::string_view name = "ParametricPivoting";
  double from = 0;          ///< first t
  double to = 1;            ///< last t, > from
  double tolerance = 1e-8;  ///< judges the breakpoints, see above; nominal 1e-8
  int max_iterations = 0;   ///< pivots; 0: 100 (n + 10)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"from", "first t", any_number}, s.from);
    visit(Field{"to", "last t", any_number}, s.to);
    visit(Field{"tolerance", "relative to max(1, ‖q + t d‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pivots; 0 means 100 (n + 10)", non_negative}, s.max_iterations);
  }
};

/// z(t) is affine between successive breakpoints; two breakpoints with the same t are a jump.
struct LcpBreakpoint {
  double t = 0;
  Vector z;
};
using LcpPath = std::vector<LcpBreakpoint>;

/// z(t) on the path (the later one of a jump); Error if t is outside.
[[nodiscard]] Vector evaluate(const LcpPath& path, double t);

/// Writes the breakpoints from `from` to the last t reached, ends included. The residual of the
/// report is the largest over the breakpoints; `converged` only if `to` was reached.
[[nodiscard]] SolveReport solve(const ParametricLcp& problem, LcpPath& path,
                                const ParametricPivoting&, Workspace&);

}  // namespace saltus
