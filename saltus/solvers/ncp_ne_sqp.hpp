#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// NE/SQP (S:NCP-14) for NCP and MCP: Newton's method on the min function, its direction from a
/// convex quadratic program over the bounds. With H(z) = z − P(z − F(z)) and A the rows of ∇F where
/// H_i = F_i, of the identity where H_i = z_i − bound (on an NCP: H = min(z, F)),
///
///     d = argmin ½‖H + A d‖²,    lower ≤ z + d ≤ upper,
///     z ← z + t d,    t = 1, ½, …    until    θ(z + td) ≤ θ(z) + σ t H·Ad,    θ = ½‖H‖².
///
/// The program is always solvable and d a direction of descent unless A d = 0: such a point, a
/// local minimum of θ if it solves nothing, is reported `stalled` (NcpQpcomp leaves it). The
/// iterates satisfy the bounds. Quadratic near solutions where A is regular. The program is a box
/// problem with the matrix AᵀA, given to Automatic. Dense: O(n³) per step. Stops when
/// residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Pang & Gabriel 1993]
struct NcpNeSqp {
  static constexpr std::string_view name = "NcpNeSqp";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 300;  ///< quadratic programs; usually 5 to 20
  double sigma = 1e-4;       ///< decrease asked for, in (0, ½)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "quadratic programs", positive}, s.max_iterations);
    visit(Field{"sigma", "decrease asked for", Range{0, 0.5, true}}, s.sigma);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpNeSqp&, Workspace&);

}  // namespace saltus
