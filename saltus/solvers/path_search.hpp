#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Newton's method on the normal map with a path search by pivoting (S:NCP-09; the method behind
/// PATH) for NCP and MCP: with x = P(y), P the projection on the bounds,
///
///     F^nor(y) = F(P(y)) + y − P(y),
///     L_k(y)   = F(x_k) + ∇F(x_k)(P(y) − x_k) + y − P(y),
///     path     L_k(p(t)) = (1 − t) F^nor(y_k),   p(0) = y_k,   t towards 1.
///
/// L_k is affine where no y_i crosses a bound, so p is piecewise linear; each crossing is a pivot
/// that exchanges column i of the basis between ∇F_i and e_i (Sherman–Morrison, O(n²)), and t turns
/// back where the determinant changes sign, as in Lemke's method. The farthest point of the path
/// that satisfies ‖F^nor(p)‖ ≤ (1 − σt) reference is taken, searching backwards by halves of the
/// length; the reference is the largest norm of the last `memory` points. A singular first basis is
/// shifted to ∇F + δI; where no point of the path is accepted, one step of NcpNewton is taken and
/// the reference starts anew. Quadratic near strongly regular solutions. O(n³) per iteration. Stops
/// when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Ralph 1994] [Dirkse & Ferris 1995]
struct PathSearch {
  static constexpr std::string_view name = "PathSearch";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 100;  ///< paths
  int max_pivots = 0;        ///< per path; 0: 10 n + 100
  double sigma = 1e-4;       ///< decrease asked for, in (0, 1)
  int memory = 4;            ///< points of the non-monotone reference; 1: monotone
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "paths", positive}, s.max_iterations);
    visit(Field{"max_pivots", "per path; 0 means 10 n + 100", non_negative}, s.max_pivots);
    visit(Field{"sigma", "relative decrease of the normal map", Range{0, 1, true}}, s.sigma);
    visit(Field{"memory", "points of the non-monotone reference", Range{1, 100, false}}, s.memory);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const PathSearch&, Workspace&);

}  // namespace saltus
