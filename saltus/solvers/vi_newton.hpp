#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Generalised Newton method on the natural map of a VI (S:VI-22, S:VI-10):
///
///     Φ(z) = z − P_X(z − ρF(z)),    (I − 𝒥 (I − ρ∇F)) d = −Φ,    𝒥 ∈ ∂P_X(z − ρF(z)),
///
/// with Armijo's line search on ½‖Φ‖² and the Levenberg–Marquardt direction where the matrix is
/// singular or d does not descend. ½‖Φ‖² is not differentiable: far from a solution the search may
/// stop, `stalled` (then see ProximalPoint). Quadratic near strongly regular solutions. Dense:
/// O(n³) per step. Stops when residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Pang & Qi
/// 1993]
struct NaturalMapNewton {
  static constexpr std::string_view name = "NaturalMapNewton";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 200;  ///< Newton steps; usually 5 to 20
  double rho = 1;            ///< scale between z and F, of the order of 1/‖∇F‖
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"rho", "scale between z and F", positive}, s.rho);
  }
};

/// The same on the normal map (S:VI-11), so that F is only evaluated in X:
///
///     Φ(y) = F(P_X(y)) + y − P_X(y),    (∇F 𝒥 + I − 𝒥) d = −Φ,    z = P_X(y).
///
/// Starts at y = z − F(z). [Robinson 1992]
struct NormalMapNewton {
  static constexpr std::string_view name = "NormalMapNewton";
  double tolerance = 1e-8;   ///< as NaturalMapNewton
  int max_iterations = 200;  ///< Newton steps
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const NaturalMapNewton&,
                                Workspace&);
[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const NormalMapNewton&, Workspace&);

}  // namespace saltus
