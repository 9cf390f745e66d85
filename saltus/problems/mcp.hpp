#pragma once

#include "saltus/problems/mlcp.hpp"
#include "saltus/problems/ncp.hpp"

namespace saltus {

/// Mixed complementarity problem, box form (S:NCP-07): find z with lower ≤ z ≤ upper and
///
///     F(z) = w − v,    0 ≤ z − lower ⟂ w ≥ 0,    0 ≤ v ⟂ upper − z ≥ 0,                   (1)
///
/// that is −F(z) ∈ N_[lower, upper](z). Bounds may be infinite: lower = −∞, upper = ∞ is the
/// equation F_i = 0; lower = 0, upper = ∞ is complementarity.
struct Mcp {
  Index n = 0;
  VectorFunction F = {};
  JacobianFunction jacobian = {};  ///< empty: central differences of F
  Vector lower = {};
  Vector upper = {};
};

/// z − P(z − F), P the projection on the box, as max(z − upper, min(z − lower, F)): the same number
/// without the cancellation that makes the first form 0 for huge z.
[[nodiscard]] Vector natural_map(const Mcp& problem, ConstVectorRef z, ConstVectorRef F);

/// ‖z − P(z − F(z))‖∞ with P the projection on the box: ‖min(z, F)‖∞ on complementarity rows,
/// ‖F‖∞ on equations. Infinite if anything is NaN.
[[nodiscard]] double residual(const Mcp& problem, ConstVectorRef z);
/// Throws Error on a missing F, sizes that do not fit, NaN bounds or lower > upper.
void validate(const Mcp& problem);

/// The multipliers of (1): w = max(F, 0), v = max(−F, 0).
struct BoxMultipliers {
  Vector w, v;
};
[[nodiscard]] BoxMultipliers multipliers(const Mcp& problem, ConstVectorRef z);

/// From the partitioned form (S:NCP-06) in z = (u, v), u of size n, v of size m:
///     G(u, v) = 0,    0 ≤ v ⟂ H(u, v) ≥ 0.
/// Both functions get the whole z; the Jacobian is by differences.
[[nodiscard]] Mcp make_mcp(Index n, Index m, const VectorFunction& G, const VectorFunction& H);

[[nodiscard]] Mcp to_mcp(const Ncp& problem);
[[nodiscard]] Mcp to_mcp(const Mlcp& problem);
/// An equivalent NCP: finite lower bounds are shifted to 0, upper bounds alone are mirrored, two
/// bounds get a second complementarity, 0 ≤ v ⟂ upper − z ≥ 0. Throws Error if a row is free.
[[nodiscard]] Ncp to_ncp(const Mcp& problem);
/// z of the MCP from the solution x of to_ncp(problem).
[[nodiscard]] Vector from_ncp(const Mcp& problem, ConstVectorRef x);

/// The affine problem of a Newton step at `point`: W = ∇F(point), q = F(point) − W point, an
/// Interval per row.
[[nodiscard]] BlockForm linearise(const Mcp& problem, ConstVectorRef point);

/// VI over a polyhedron, −F(z) ∈ N_C(z) with C = {z : A z ≥ b}, through its multipliers (S:VI-01b):
///     F(z) − Aᵀλ = 0,    0 ≤ λ ⟂ A z − b ≥ 0,    in (z, λ).
[[nodiscard]] Mcp linearly_constrained(Index n, const VectorFunction& F,
                                       const JacobianFunction& jacobian, ConstMatrixRef A,
                                       ConstVectorRef b);

}  // namespace saltus
