#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Potential reduction (S:NCP-18) for monotone NCP and MCP: with multipliers w of the lower and v
/// of the upper bounds, r = F(z) − w + v, the N products (z − lower)∘w and (upper − z)∘v, gap their
/// sum and μ = gap/N, each step is Newton's for r = 0 and all products = σμ,
///
///     (∇F + w/(z − lower) + v/(upper − z)) dz = −F(z) + σμ/(z − lower) − σμ/(upper − z),
///
/// that is one inexact Newton step on the nonlinear equation instead of its solution, shortened
/// until the potential
///
///     (N + √N) log(gap + ‖r‖) − Σ log(products)
///
/// falls: its slope along the step is at most −√N (1 − σ). The iterates stay strictly between the
/// bounds, so F is never asked for a value outside; r need not be zero at the start. Converges for
/// monotone F with a strictly feasible point; a singular matrix or a step that vanishes (F not
/// monotone, no solution) is reported `stalled`. Dense: O(n³) per step, usually 10 to 40 steps,
/// linear rate σ. Rows with lower = upper are held. Stops when residual(problem, z) ≤ tolerance ·
/// max(1, ‖F(P(0))‖∞). [Potra & Ye 1996]
struct NcpInteriorPoint {
  static constexpr std::string_view name = "NcpInteriorPoint";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 300;  ///< Newton steps
  double sigma = 0.1;        ///< centring, in (0, 0.9]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"sigma", "centring", Range{0, 0.9, true}}, s.sigma);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpInteriorPoint&,
                                Workspace&);

}  // namespace saltus
