#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Projected successive over-relaxation for u = W z + q, −u_i ∈ N_[lower_i, upper_i](z_i): in turn
///
///     z_i ← P_[lower_i, upper_i](z_i − ω u_i / (W_ii + ρ)),    u with the latest values.
///
/// ρ = 0: PSOR (S:LCP-18), with ω = 1 projected Gauss–Seidel (S:LCP-17). ρ > 0: RPSOR (S:LCP-20a),
/// with ω = 1 RPGS (S:LCP-20b), for zero diagonal entries (S:B5). Converges for symmetric positive
/// semi-definite W and 0 < ω < 2; no proof for the asymmetric case. Linear: slow on long chains
/// (S:V-17). A zero W_ii + ρ ends in `numerical_error`. Stops when residual(problem, z) ≤ tolerance
/// · max(1, ‖q‖∞), tested after each of the first 50 sweeps, later only when the residual met along
/// the sweep is close.
struct Psor {
  static constexpr std::string_view name = "Psor";
  static constexpr std::string_view when =
      "large sparse problems with a dominant diagonal, when a rough answer will do";
  static constexpr std::string_view paper = "Cryer 1971";
  double tolerance = 1e-8;     ///< relative, see above; nominal 1e-4 to 1e-10
  int max_iterations = 10000;  ///< sweeps
  double omega = 1;            ///< relaxation, 0 < ω < 2; 1.2 to 1.8 often pays
  double rho = 0;              ///< proximal shift; of the order of the mean |W_ii| if some are zero
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "sweeps", positive}, s.max_iterations);
    visit(Field{"omega", "relaxation", Range{0, 2, true}}, s.omega);
    visit(Field{"rho", "proximal shift on the diagonal", non_negative}, s.rho);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const Psor&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const Psor&, Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const Psor&, Workspace&);

}  // namespace saltus
