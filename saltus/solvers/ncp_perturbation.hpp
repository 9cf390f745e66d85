#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

// A Newton method may end at a local minimum z̄ of its merit function that solves nothing. Both
// methods here run one until it fails, then leave z̄ by proximal steps from c = z̄,
//
//     c ← solution of the problem with F(z) + ρ (z − c),
//
// solved by the same method, until the residual has fallen below half of that at z̄, where the
// plain method takes over again. ρ is multiplied by 10 when a perturbed problem is not solved:
// for ρ above −λ_min(sym ∇F) it is strongly monotone. The residual may rise on the way. No proof
// for general F. `iterations` counts plain and perturbed problems. Stop when residual(problem, z) ≤
// tolerance · max(1, ‖F(P(0))‖∞); otherwise the best point is returned. See also ProximalPoint,
// which perturbs from the start. [Billups & Ferris 1997]

/// QPCOMP (S:NCP-15a): NcpNeSqp with proximal perturbation.
struct NcpQpcomp {
  static constexpr std::string_view name = "NcpQpcomp";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 200;  ///< problems, plain and perturbed
  double rho = 1;            ///< first ρ; of the order of ‖∇F‖
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "problems, plain and perturbed", positive}, s.max_iterations);
    visit(Field{"rho", "first weight of the perturbation", positive}, s.rho);
  }
};

/// SEMICOMP (S:NCP-15b): NcpNewton with proximal perturbation. [Billups 1995]
struct NcpSemicomp {
  static constexpr std::string_view name = "NcpSemicomp";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 200;  ///< problems, plain and perturbed
  double rho = 1;            ///< first ρ; of the order of ‖∇F‖
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "problems, plain and perturbed", positive}, s.max_iterations);
    visit(Field{"rho", "first weight of the perturbation", positive}, s.rho);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpQpcomp&, Workspace&);
[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const NcpSemicomp&, Workspace&);

}  // namespace saltus
