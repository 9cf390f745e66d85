#pragma once

#include "saltus/problems/vi.hpp"

namespace saltus {

/// Nonlinear program (S:NLP-01):
///
///     min f(z)    subject to    g(z) ≥ 0 (m rows),    h(z) = 0 (p rows).                  (1)
///
/// Lagrangian L = f − λᵀg − μᵀh, and the KKT conditions
///
///     ∇f − ∇gᵀλ − ∇hᵀμ = 0,    0 ≤ λ ⟂ g(z) ≥ 0,    h(z) = 0.                             (2)
struct Nlp {
  Index n = 0;  ///< variables
  Index m = 0;  ///< inequalities
  Index p = 0;  ///< equalities
  std::function<double(ConstVectorRef z)> f = {};
  VectorFunction gradient = {};      ///< ∇f; empty: central differences
  VectorFunction g = {};             ///< needed if m > 0
  JacobianFunction g_jacobian = {};  ///< m×n; empty: central differences
  VectorFunction h = {};             ///< needed if p > 0
  JacobianFunction h_jacobian = {};  ///< p×n; empty: central differences
  /// W = ∇²f − Σ λ_i ∇²g_i − Σ μ_i ∇²h_i; empty: central differences of ∇L, symmetrised
  std::function<void(ConstVectorRef z, ConstVectorRef lambda, ConstVectorRef mu, MatrixRef W)>
      hessian = {};
};

/// A point with its multipliers.
struct NlpPoint {
  Vector z;
  Vector lambda;  ///< of the inequalities, m entries; empty means 0
  Vector mu;      ///< of the equalities, p entries; empty means 0
};

/// max(‖∇f − ∇gᵀλ − ∇hᵀμ‖∞, ‖min(λ, g)‖∞, ‖h‖∞): zero exactly at KKT points (2).
[[nodiscard]] double residual(const Nlp& problem, const NlpPoint& point);
/// Throws Error on missing functions or negative sizes.
void validate(const Nlp& problem);
/// Throws Error unless the sizes fit.
void validate(const Nlp& problem, const NlpPoint& point);

/// Everything of first order at z.
struct NlpValues {
  double f = 0;
  Vector gradient, g, h;
  Matrix G, H;  ///< ∇g (m×n), ∇h (p×n)
};
[[nodiscard]] NlpValues evaluate(const Nlp& problem, ConstVectorRef z);
/// W, the Hessian of the Lagrangian in z.
[[nodiscard]] Matrix lagrangian_hessian(const Nlp& problem, ConstVectorRef z, ConstVectorRef lambda,
                                        ConstVectorRef mu);

/// Linear independence of the gradients of the equalities and of the inequalities with
/// g_i ≤ `active`: the smallest singular value of their matrix, ∞ if there are none (S:NLP-01).
[[nodiscard]] double licq(const Nlp& problem, ConstVectorRef z, double active = 1e-8);

/// The KKT conditions (2) as an MCP in (z, μ, λ), in this order.
[[nodiscard]] Mcp to_mcp(const Nlp& problem);
/// min zᵀF(z) subject to F(z) ≥ 0, z ≥ 0 (S:NCP-03): solves the NCP exactly if the optimum is 0.
/// The constraints come in the order F, z.
[[nodiscard]] Nlp to_nlp(const Ncp& problem);

/// Minimisation over a convex set with a projection (S:NLP-08, S:QP-04):
///
///     min f(z)    subject to    z ∈ X.
struct SetNlp {
  Index n = 0;
  Set X = Reals{};
  std::function<double(ConstVectorRef z)> f = {};
  VectorFunction gradient = {};   ///< ∇f; empty: central differences of f
  JacobianFunction hessian = {};  ///< ∇²f; empty: central differences of ∇f
};

/// ∇f(z)
[[nodiscard]] Vector gradient(const SetNlp& problem, ConstVectorRef z);
/// ‖z − P_X(z − ∇f(z))‖₂: zero exactly at stationary points, minima if f is convex.
[[nodiscard]] double residual(const SetNlp& problem, ConstVectorRef z);
/// Throws Error on a missing f, a wrong set or one that does not lie in Rⁿ.
void validate(const SetNlp& problem);
/// The stationary points as a VI with F = ∇f (S:VI-04).
[[nodiscard]] Vi to_vi(const SetNlp& problem);

}  // namespace saltus
