#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Smoothing method (S:NCP-17; as in SMOOTH) for NCP and MCP: the natural map with a smoothed plus
/// function,
///
///     Φ_ε(z) = z − P_ε(z − F(z)),    P_ε(x) = x + p_ε(l − x) − p_ε(x − u),
///     p_ε(s) = (s + √(s² + 4ε²))/2  →  max(s, 0),
///
/// is solved by Newton's method with Armijo's line search on ½‖Φ_ε‖² while ε → 0: after each
/// accepted step ε ← min(`shrink` ε, ‖Φ_0‖²) when ‖Φ_ε‖ ≤ ε. The Jacobian is regular for every
/// ε > 0 if ∇F is a P₀-matrix (P-matrix with free rows). A singular one is shifted. Dense: O(n³)
/// per step. Stops when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Chen & Mangasarian
/// 1996]
struct Smoothing {
  static constexpr std::string_view name = "Smoothing";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 300;  ///< Newton steps; usually 10 to 30
  double epsilon = 1;        ///< first ε, in the units of z and F; 0.1 to 10
  double shrink = 0.1;       ///< factor of ε, in (0, 0.9]
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"epsilon", "first smoothing parameter", positive}, s.epsilon);
    visit(Field{"shrink", "factor of epsilon", Range{0, 0.9, true}}, s.shrink);
  }
};

[[nodiscard]] SolveReport solve(const Mcp& problem, VectorRef z, const Smoothing&, Workspace&);

}  // namespace saltus
