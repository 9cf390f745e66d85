#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Proximal point method (S:VI-23) for VI, NCP and MCP: z_{k+1} solves the regularised problem
///
///     0 ∈ F(z) + N_X(z) + ρ (z − z_k),
///
/// by NcpNewton (MCP; together this is the scheme of PROXI, S:NCP-16) or NaturalMapNewton (VI), to
/// a tenth of the residual at z_k. Converges for every solvable monotone problem and any ρ > 0; the
/// inner problem is strongly monotone. ρ is divided by 10 after a success (not below 1e-6 of its
/// start) and multiplied by 10 when the inner solve fails, which also leads out of local minima of
/// the merit function. Stops when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞).
/// [Rockafellar 1976] [Billups & Ferris 1996]
struct ProximalPoint {
  static constexpr std::string_view name = "ProximalPoint";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 200;  ///< regularised problems
  double rho = 1;            ///< first ρ; of the order of ‖∇F‖
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "regularised problems", positive}, s.max_iterations);
    visit(Field{"rho", "first weight of the proximal term", positive}, s.rho);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const ProximalPoint&, Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ProximalPoint&, Workspace&);

}  // namespace saltus
