#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Latin (large time increments) for u = W z + q, −u_i ∈ N_[lower_i, upper_i](z_i): alternates
/// between the graph of the law (local, nonlinear) and the affine space of the equation (global,
/// linear), each time along a search direction of slope ±k,
///
///     local    ẑ = P(z − u/k),                û = u + k (ẑ − z)
///     global   (W + k I) z = k ẑ + û − q,     u = W z + q  (so that u − û = −k (z − ẑ)).
///
/// In s = ẑ + û/k this is the splitting of Peaceman and Rachford, s ← s + 2 (ẑ⁺ − z); with the
/// relaxation θ it reads s ← s + 2θ (ẑ⁺ − z), and θ = ½ is that of Douglas and Rachford. Converges
/// for W positive definite (symmetric or not) with 0 < θ ≤ 1, for every solvable problem with W
/// positive semi-definite with θ < 1, whatever k > 0. The matrix is factorised once; then one
/// solve and one local pass per iteration, no diagonal needed (S:V-13). Linear, at best by
/// (√κ − 1)/(√κ + 1) per iteration for k = √(λ_min λ_max). Stops when residual(problem, ẑ) ≤
/// tolerance · max(1, ‖q‖∞). [Ladevèze 1985] [Lions & Mercier 1979]
struct Latin {
  static constexpr std::string_view name = "Latin";
  static constexpr std::string_view when =
      "monotone problems, asymmetric or with zeros on the diagonal";
  static constexpr std::string_view paper = "Ladeveze 1999";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;  ///< pairs of stages
  double k = 0;                ///< search direction; 0: ‖W‖_F / √n, or 1 if W = 0
  double relaxation = 0.8;     ///< θ, 0 < θ ≤ 1; nominal 0.8
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "pairs of stages", positive}, s.max_iterations);
    visit(Field{"k", "search direction; 0 means the mean row norm of W", non_negative}, s.k);
    visit(Field{"relaxation", "of the update", Range{0, 1, true}}, s.relaxation);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Latin&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Latin&, Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Latin&, Workspace&);

}  // namespace saltus
