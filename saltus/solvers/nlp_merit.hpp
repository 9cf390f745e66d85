#pragma once

#include "saltus/problems/nlp.hpp"
#include "saltus/solvers/outcome.hpp"

#include <variant>

namespace saltus {

// Unconstrained functions that stand for min f, g ≥ 0, h = 0 (S:B4). Each has the derivative
//     ∇ = ∇f − ∇gᵀλ̂ − ∇hᵀμ̂,    ∇² = W(λ̂, μ̂) + ∇gᵀ D_g ∇g + ∇hᵀ D_h ∇h
// with its own multiplier estimates λ̂, μ̂ and weights D, W the Hessian of the Lagrangian.

/// Exterior quadratic penalty (S:NLP-02): f + (1/2ε)(‖h‖² + ‖max(0, −g)‖²). λ̂ = max(0, −g)/ε.
struct QuadraticPenalty {
  double epsilon = 1;
};
/// Logarithmic barrier (S:NLP-03), equalities by the penalty: f − ε Σ log g_i + (1/2ε)‖h‖², ∞
/// outside {g > 0}. λ̂ = ε/g.
struct LogBarrier {
  double epsilon = 1;
};
/// Augmented Lagrangian (S:NLP-04), with the sign for g ≥ 0:
///     f − μᵀh + (σ/2)‖h‖² + (1/2σ) Σ [max(0, λ_i − σg_i)² − λ_i²].
/// λ̂ = max(0, λ − σg), μ̂ = μ − σh: exact at the solution if λ, μ are the multipliers.
struct AugmentedLagrangian {
  double sigma = 10;
  Vector lambda = {};
  Vector mu = {};
};
/// Lagrangian (S:NLP-01): f − λᵀg − μᵀh with fixed λ, μ, which are the estimates themselves.
struct PlainLagrangian {
  Vector lambda = {};
  Vector mu = {};
};
using NlpMerit = std::variant<QuadraticPenalty, LogBarrier, AugmentedLagrangian, PlainLagrangian>;

/// Value of a merit function and the pieces of its derivatives.
struct NlpMeritValue {
  double value = inf;
  Vector lambda, mu;          ///< estimates λ̂, μ̂
  Vector weight_g, weight_h;  ///< diagonals D_g, D_h
};
[[nodiscard]] NlpMeritValue evaluate(const NlpMerit& merit, double f, ConstVectorRef g,
                                     ConstVectorRef h);

/// Newton's method with Armijo's line search on a merit function, a Hessian that is not positive
/// definite shifted by a multiple of I. Stops at ‖∇‖∞ ≤ gradient_tolerance; the answer is
/// max_iterations, stalled (no descent in double precision) or converged in that sense.
[[nodiscard]] Outcome minimise(const Nlp& problem, VectorRef z, const NlpMerit& merit,
                               double gradient_tolerance, int max_iterations);

}  // namespace saltus
