#pragma once

#include "saltus/problems/c_functions.hpp"
#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Semismooth Newton method (S:LCP-39, S:NCP-12) for u = W z + q, −u_i ∈ N_[lower_i, upper_i](z_i),
/// written as Φ(z) = 0 with a C-function per row (S:B9, see box_function). Each iteration solves
///
///     H d = −Φ,    H = diag(a) W + diag(b),    (a_i, b_i) ∈ ∂Φ_i by (u_i, z_i)             (1)
///
/// (S:NCP-11; at a kink the limit along a direction that moves the rows of the kink). The step is
/// taken whole if ‖Φ(z + d)‖ ≤ 0.9 ‖Φ(z)‖, else with the first t = 1, ½, ¼ … such that
/// Ψ(z + t d) ≤ Ψ(z) + σ t ∇Ψᵀd, Ψ = ½‖Φ‖². If H is singular or
/// ∇Ψᵀd > −κ‖d‖^p, or no t is found, the Levenberg–Marquardt direction
/// (HᵀH + νI) d = −HᵀΦ, ν = 10⁻² min(1, ‖Φ‖), replaces it (S:NCP-13a), computed by conjugate
/// gradients, whose first iterate is the gradient of Ψ: a descent direction however early they
/// stop.
///
/// Converges quadratically to solutions where every element of the generalised Jacobian is regular
/// (P-matrices: everywhere); with Minimum in finitely many steps once close. From far away every
/// limit point is stationary for Ψ (not proved for Minimum and Maximum, whose Ψ has kinks); it need
/// not be a solution unless W is a P₀-matrix: a stationary non-solution ends in `stalled`.
///
/// Cost per iteration: n ≤ 64 a dense LU; larger, rows with a_i ≈ 0 become identities, the others
/// are divided by a_i, and W + diag(b/a) is factorised with the pattern of W (LDLᵀ if W is
/// symmetric, else KLU). Stops when residual(problem, z) ≤ tolerance · max(1, ‖q‖∞).
/// [Qi & Sun 1993] [De Luca, Facchinei & Kanzow 1996] [Billups 1995]
struct SemismoothNewton {
  static constexpr std::string_view name = "SemismoothNewton";
  static constexpr std::string_view when =
      "asymmetric or semi-definite sparse problems, high accuracy";
  static constexpr std::string_view paper = "De Luca, Facchinei & Kanzow 1996";
  double tolerance = 1e-8;                   ///< relative, see above; nominal 1e-8 to 1e-12
  int max_iterations = 200;                  ///< Newton steps, usually 5 to 20
  CFunction function = FischerBurmeister{};  ///< φ
  double sigma = 1e-4;                       ///< Armijo, 0 < σ < ½; nominal 1e-4
  double kappa = 1e-9;                       ///< κ of the descent test; nominal 1e-9
  double power = 2.1;                        ///< p of the descent test, p > 2; nominal 2.1
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "Newton steps", positive}, s.max_iterations);
    visit(Field{"function", "C-function"}, s.function);
    visit(Field{"sigma", "sufficient decrease", Range{0, 0.5, true}}, s.sigma);
    visit(Field{"kappa", "factor of the descent test", positive}, s.kappa);
    visit(Field{"power", "exponent of the descent test", Range{2, inf, true}}, s.power);
  }
};

[[nodiscard]] SolveReport solve(LcpView problem, VectorRef z, const SemismoothNewton&, Workspace&);
[[nodiscard]] SolveReport solve(const Mlcp& problem, VectorRef z, const SemismoothNewton&,
                                Workspace&);
/// Without friction only: Error on a friction cone.
[[nodiscard]] SolveReport solve(const BlockForm& problem, VectorRef r, const SemismoothNewton&,
                                Workspace&);

}  // namespace saltus
