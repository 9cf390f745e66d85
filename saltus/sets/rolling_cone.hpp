#pragma once

#include "saltus/sets/contains.hpp"

namespace saltus {

/// Cone of sliding and rolling friction: the rows are the normal force n, the tangential force t
/// and the rolling moment m, the last two of the same size (5 rows in space, 3 in the plane):
///     K = {(n, t, m) : ‖t‖ ≤ μ n, ‖m‖ ≤ μ_R n},    K* = {(n, t, m) : μ‖t‖ + μ_R‖m‖ ≤ n}.
///
/// With a = ‖t‖, b = ‖m‖ the projection has the normal component n' ≥ 0 that minimises
///     (n' − n)² + (a − μ n')₊² + (b − μ_R n')₊²,
/// a convex function of three quadratic pieces: n' = (n + μ a + μ_R b)/(1 + μ² + μ_R²) where both
/// bounds hold with equality, the same without the term of a bound that is slack, 0 in the polar
/// cone. Then t' = min(a, μ n') t/a, m' = min(b, μ_R n') m/b.
struct RollingCone {
  static constexpr std::string_view name = "RollingCone";
  double mu = 0;          ///< coefficient of sliding friction, finite, ≥ 0
  double mu_rolling = 0;  ///< coefficient of rolling friction [m], finite, ≥ 0
};

/// K* of the RollingCone with the same coefficients: μ‖t‖ + μ_R‖m‖ ≤ n.
struct RollingDualCone {
  static constexpr std::string_view name = "RollingDualCone";
  double mu = 0;
  double mu_rolling = 0;
};

/// Throws Error unless both coefficients are finite and ≥ 0.
void validate(const RollingCone&);
void validate(const RollingDualCone&);

/// Throws Error unless n is odd and at least 3.
void check_dimension(const RollingCone&, Index n);
void check_dimension(const RollingDualCone&, Index n);

[[nodiscard]] inline RollingDualCone dual(const RollingCone& K) { return {K.mu, K.mu_rolling}; }
[[nodiscard]] inline RollingCone dual(const RollingDualCone& K) { return {K.mu, K.mu_rolling}; }

void project(const RollingCone&, ConstVectorRef x, VectorRef p);
/// P_K*(x) = −P_K°(−x)
void project(const RollingDualCone&, ConstVectorRef x, VectorRef p);

/// P_K°(x) = (−μ α − μ_R β, α t/a, β m/b), α = (a − μ n')₊, β = (b − μ_R n')₊: no cancellation.
void project_polar(const RollingCone&, ConstVectorRef x, VectorRef p);
/// K*° = −K
void project_polar(const RollingDualCone&, ConstVectorRef x, VectorRef p);

[[nodiscard]] double distance(const RollingCone&, ConstVectorRef x);
[[nodiscard]] double distance(const RollingDualCone&, ConstVectorRef x);

/// 0 on the polar cone, up to 8 machine roundings of d, ∞ elsewhere.
[[nodiscard]] double support(const RollingCone&, ConstVectorRef d);
[[nodiscard]] double support(const RollingDualCone&, ConstVectorRef d);

/// Derivative of the piece in which x lies; on a boundary that of the inner side. With μ = 0 the
/// tangential rows are 0 everywhere.
void projection_jacobian(const RollingCone&, ConstVectorRef x, MatrixRef J);
/// I − J_K(−x)
void projection_jacobian(const RollingDualCone&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
