#pragma once

#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// A value of the dual function.
struct NlpDualValue {
  double value = -inf;                        ///< θ(λ, μ)
  Vector z;                                   ///< a minimiser of the Lagrangian
  Vector lambda_slope;                        ///< −g(z), a supergradient of θ in λ
  Vector mu_slope;                            ///< −h(z)
  SolveStatus status = SolveStatus::not_run;  ///< of the minimisation; see below
};

/// The dual function (S:NLP-12) of min f, g ≥ 0, h = 0, at λ ≥ 0 and any μ:
///
///     θ(λ, μ) = min_z L(z, λ, μ),    L = f − λᵀg − μᵀh,
///
/// concave, θ(λ, μ) ≤ f(z) for every feasible z; equality at the multipliers of a convex problem
/// that satisfies a constraint qualification. The minimum is found by Newton's method with line
/// search from `guess` to ‖∇L‖∞ ≤ gradient_tolerance: local, hence θ itself only if L is convex in
/// z. `status` is converged, stalled or max_iterations (the value is then only an upper estimate of
/// θ, which may be −∞) or numerical_error. Error if a λ_i is negative or sizes do not fit.
[[nodiscard]] NlpDualValue dual_function(const Nlp& problem, ConstVectorRef lambda,
                                         ConstVectorRef mu, ConstVectorRef guess,
                                         double gradient_tolerance = 1e-10,
                                         int max_iterations = 200);

}  // namespace saltus
