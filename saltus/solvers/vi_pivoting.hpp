#pragma once

#include "saltus/solvers/vi_threshold.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// Pivoting for VI over polyhedral sets (S:VI-24b): X is written as a linear image of a box,
///
///     X = {T x : lower ≤ x ≤ upper},    so that the VI becomes the MCP of Tᵀ F(T x),
///
/// each factor bringing its columns: a box the identity, a cone by generators {G c : c ≥ 0} the
/// matrix G. A cone by inequalities {z : A z ≥ 0} keeps z free and gets multipliers: F(z) − Aᵀλ =
/// 0, 0 ≤ λ ⟂ A z ≥ 0. The MCP goes to NewtonJosephy, that is to a sequence of linear
/// complementarity problems by Lemke's method: one if F is affine, with an exact answer. Dense
/// tableaux: n up to about 1000. Error if a factor of X is not polyhedral. Stops when
/// residual(problem, z) ≤ tolerance · max(1, ‖F(P(0))‖∞). [Eaves 1978] [Cao & Ferris 1996]
struct ViPivoting {
  static constexpr std::string_view name = "ViPivoting";
  double tolerance = 1e-8;   ///< relative, see above; nominal 1e-8
  int max_iterations = 100;  ///< linear problems; usually 5 to 10, one if F is affine
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖F(P(0))‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "linear problems", positive}, s.max_iterations);
  }
};

[[nodiscard]] SolveReport solve(const Vi& problem, VectorRef z, const ViPivoting&, Workspace&);

}  // namespace saltus
