#pragma once

#include "saltus/solvers/automatic.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/vi_threshold.hpp"

#include <variant>

namespace saltus {

/// Newton–Josephy method for NCP and MCP (S:NCP-08; sequential LCP, as in MILES): the next point
/// solves the problem linearised at the last one,
///
///     0 ≤ z ⟂ F(z_k) + ∇F(z_k)(z − z_k) ≥ 0            (bounds as in the MCP).
///
/// Quadratic near strongly regular solutions. Far away the linear problem may have no solution or a
/// bad one. With `damping` the step is halved until Ψ = ½‖Φ‖² (problems/mcp_merit.hpp) falls below
/// its largest value of the last five points; where that fails, or `inner` does not converge, one
/// semismooth Newton step (NcpNewton) is taken instead. Without damping: full steps, and the method
/// stops `stalled` where `inner` fails. One linear problem per iteration. Stops when
/// residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Josephy 1979] [Mathiesen 1985]
struct NewtonJosephy {
  static constexpr std::string_view name = "NewtonJosephy";
  double tolerance = 1e-8;                         ///< relative, see above; nominal 1e-8
  int max_iterations = 100;                        ///< linear problems; usually 5 to 10
  bool damping = true;                             ///< see above
  std::variant<Lemke, Automatic> inner = Lemke{};  ///< solver of the linear problems
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "linear problems", positive}, s.max_iterations);
    visit(Field{"damping", "halve steps and fall back to NcpNewton", unit_interval}, s.damping);
    visit(Field{"inner", "solver of the linear problems"}, s.inner);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NewtonJosephy&, Workspace&);

}  // namespace saltus
