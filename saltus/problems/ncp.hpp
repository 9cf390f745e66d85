#pragma once

#include "saltus/problems/lcp.hpp"

#include <functional>

namespace saltus {

/// F(z), written into a vector that already has its size.
using VectorFunction = std::function<void(ConstVectorRef z, VectorRef F)>;
/// ∇F(z), J_ij = ∂F_i/∂z_j, written into a matrix that already has its size.
using JacobianFunction = std::function<void(ConstVectorRef z, MatrixRef J)>;

/// Nonlinear complementarity problem (S:NCP-01): find z with
///
///     0 ≤ z ⟂ F(z) ≥ 0.                                                                   (1)
///
/// F monotone: the solutions form a convex set. F strictly monotone or a P-function: at most one;
/// strongly monotone or uniform P: exactly one (see vi_diagnostics.hpp for tests on samples).
struct Ncp {
  Index n = 0;
  VectorFunction F = {};
  JacobianFunction jacobian = {};  ///< empty: central differences of F
};

/// J_ij by central differences with the step ε^⅓ max(1, |z_j|): error of order ε^⅔ ≈ 4e-11 in the
/// units of F'''. J may have any number of rows, that of F.
void central_differences(const VectorFunction& F, ConstVectorRef z, MatrixRef J);
/// ∇F(z): `jacobian` if it is given, otherwise central differences of F.
void evaluate_jacobian(const VectorFunction& F, const JacobianFunction& jacobian, ConstVectorRef z,
                       MatrixRef J);

/// F(z) as a value.
[[nodiscard]] Vector evaluate(const VectorFunction& F, ConstVectorRef z);

/// ‖min(z, F(z))‖∞: zero exactly at solutions of (1), infinite if anything is NaN.
[[nodiscard]] double residual(const Ncp& problem, ConstVectorRef z);
/// Throws Error on a missing F or a negative n.
void validate(const Ncp& problem);

/// ½ Σ (√(z_i² + F_i²) − z_i − F_i)²: Fischer–Burmeister merit function, continuously
/// differentiable, zero exactly at solutions of (1) (S:NCP-05). [Fischer 1992]
[[nodiscard]] double fischer_burmeister_merit(const Ncp& problem, ConstVectorRef z);

/// Implicit Lagrangian (S:NCP-04), α > 1 (not α > 0 as sometimes printed):
///     zᵀF + (1/2α) (‖max(0, z − αF)‖² − ‖z‖² + ‖max(0, F − αz)‖² − ‖F‖²)
/// Nonnegative, zero exactly at solutions of (1). [Mangasarian & Solodov 1993]
[[nodiscard]] double implicit_lagrangian(const Ncp& problem, ConstVectorRef z, double alpha = 2);

/// F(z) = M z + q; copies the data.
[[nodiscard]] Ncp to_ncp(LcpView problem);
/// The LCP of a Newton step at `point` (S:NCP-08): M = ∇F(point), q = F(point) − M point.
[[nodiscard]] Lcp linearise(const Ncp& problem, ConstVectorRef point);

}  // namespace saltus
