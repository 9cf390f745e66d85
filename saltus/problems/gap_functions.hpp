#pragma once

#include "saltus/problems/vi.hpp"

namespace saltus {

// Merit functions of the VI 0 ∈ F(z) + N_X(z): zero exactly at solutions (for gap and regularised
// gap: among the points of X). Minimising one may stop at a stationary point that solves nothing;
// with ∇F positive definite stationary points of G_α and of the D-gap are solutions (box X: ∇F a
// P-matrix suffices for the D-gap).

/// Gap function (S:VI-05): G(z) = sup_{y ∈ X} F(z)·(z − y) = F·z + σ_X(−F), possibly ∞; on a cone
/// F·z if F ∈ K*, else ∞. Nonnegative on X. [Auslender 1976]
[[nodiscard]] double gap(const Vi& problem, ConstVectorRef z);

/// argmax {F(z)·(z − y) : y ∈ X}, the solution of the linear program in the gap function (S:VI-19);
/// components of F that are 0 leave those of z. Throws Error unless X is a product of bounded
/// boxes, balls and disks.
[[nodiscard]] Vector gap_point(const Vi& problem, ConstVectorRef z);

/// y_α(z) = P_X(z − F(z)/α), the maximiser in the regularised gap.
[[nodiscard]] Vector regularised_gap_point(const Vi& problem, ConstVectorRef z, double alpha = 1);

/// Regularised gap (S:VI-07), metric Q = I, α > 0:
///     G_α(z) = F·(z − y_α) − (α/2)‖z − y_α‖²  =  max over y ∈ X.
/// Nonnegative on X. [Fukushima 1992]
[[nodiscard]] double regularised_gap(const Vi& problem, ConstVectorRef z, double alpha = 1);
/// ∇G_α = F + (∇F − α I)ᵀ (z − y_α).
[[nodiscard]] Vector regularised_gap_gradient(const Vi& problem, ConstVectorRef z,
                                              double alpha = 1);

/// D-gap (S:VI-08): G_α(z) − G_β(z) with 0 < α < β, nonnegative on all of Rⁿ (with α > β it is
/// not). [Peng 1997]
[[nodiscard]] double d_gap(const Vi& problem, ConstVectorRef z, double alpha, double beta);
/// ∇Fᵀ (y_β − y_α) − α (z − y_α) + β (z − y_β).
[[nodiscard]] Vector d_gap_gradient(const Vi& problem, ConstVectorRef z, double alpha, double beta);

/// Auchmuty's saddle function (S:VI-06) for a convex f with gradient ∇f:
///     L(z, y) = f(z) − f(y) + (F(z) − ∇f(z))·(z − y).
/// sup over y ∈ X is a generalised gap; f = 0 gives the gap, f = (α/2)‖·‖² the regularised one.
/// [Auchmuty 1989]
[[nodiscard]] double auchmuty_lagrangian(const Vi& problem,
                                         const std::function<double(ConstVectorRef)>& f,
                                         const VectorFunction& gradient, ConstVectorRef z,
                                         ConstVectorRef y);

/// Potential of a gradient map along the ray from 0 (S:VI-04): ∫₀¹ F(tz)·z dt by 8-point Gauss–
/// Legendre quadrature, exact for polynomial F of degree ≤ 15. If ∇F is symmetric everywhere,
/// F = ∇G with G this integral, and for convex G the VI is min {G(z) : z ∈ X}.
[[nodiscard]] double potential(const VectorFunction& F, ConstVectorRef z);

}  // namespace saltus
