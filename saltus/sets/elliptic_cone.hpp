#pragma once

#include "saltus/sets/contains.hpp"

namespace saltus {

/// Cone of orthotropic friction: normal component first, then the two tangents in the principal
/// directions, with a coefficient for each (AC:BP-10),
///     K = {(n, t₁, t₂) : ((t₁/μ₁)² + (t₂/μ₂)²)^½ ≤ n},    K* = the same with 1/μ₁, 1/μ₂,
/// 0 ≤ μ_i ≤ ∞. μ_i = 0 binds t_i = 0, μ_i = ∞ leaves it free; μ₁ = μ₂ is the FrictionCone.
///
/// Beside the cone the projection is t_i' = μ_i² n' t_i/d_i with d_i = (1 + μ_i²) n' − n and the
/// normal component n' > max(n, 0) that solves (AC:BP-15)
///     Σ (μ_i t_i / d_i)² = 1.
/// The reciprocal root of the left side is concave and increasing in n': Newton's method started
/// below the root rises to it, one step if μ₁ = μ₂ or one t_i is 0, and ends when rounding stops
/// the rise.
struct EllipticCone {
  static constexpr std::string_view name = "EllipticCone";
  double mu_1 = 0;  ///< coefficient of friction along the first tangent, in [0, ∞]
  double mu_2 = 0;  ///< along the second
};

/// Throws Error unless μ₁, μ₂ ≥ 0; NaN is refused.
void validate(const EllipticCone&);
/// Throws Error unless n is 3.
void check_dimension(const EllipticCone&, Index n);

/// The cone of 1/μ₁, 1/μ₂.
[[nodiscard]] inline EllipticCone dual(const EllipticCone& K) { return {1 / K.mu_1, 1 / K.mu_2}; }

void project(const EllipticCone&, ConstVectorRef x, VectorRef p);
/// P_K°(x) = −P_K*(−x), on its own ray.
void project_polar(const EllipticCone&, ConstVectorRef x, VectorRef p);
[[nodiscard]] double distance(const EllipticCone&, ConstVectorRef x);
/// 0 on the polar cone, up to 8 machine roundings of d, ∞ elsewhere.
[[nodiscard]] double support(const EllipticCone&, ConstVectorRef d);
/// Derivative of the projection by the implicit function theorem; the inner side on a boundary.
void projection_jacobian(const EllipticCone&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
