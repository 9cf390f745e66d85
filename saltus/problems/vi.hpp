#pragma once

#include "saltus/problems/mcp.hpp"
#include "saltus/sets/set.hpp"

namespace saltus {

/// Variational inequality over a closed convex set (S:VI-01a): find z ∈ X with
///
///     F(z)·(y − z) ≥ 0 for all y ∈ X    ⇔    0 ∈ F(z) + N_X(z).                           (1)
///
/// The second form is the generalised equation S:VI-09. X = a box: the Mcp (S:VI-01c);
/// X = a cone: the complementarity problem K ∋ z ⟂ F(z) ∈ K* (S:VI-03).
struct Vi {
  Index n = 0;
  Set X = Reals{};
  VectorFunction F = {};
  JacobianFunction jacobian = {};  ///< empty: central differences of F
};

/// ‖z − P_X(z − F(z))‖₂: zero exactly at solutions of (1), infinite if anything is NaN. On a box
/// without cancellation (see natural_map of the Mcp); on other sets not below ε‖z‖, which is what
/// the difference can resolve.
[[nodiscard]] double residual(const Vi& problem, ConstVectorRef z);
/// The same for given F = F(z).
[[nodiscard]] double natural_residual(const Set& X, ConstVectorRef z, ConstVectorRef F);
/// Throws Error on a missing F, a wrong set or one that does not lie in Rⁿ.
void validate(const Vi& problem);

/// out = z − P_X(z − ρ F(z)), ρ > 0 (S:VI-10): zero exactly at solutions.
void natural_map(const Vi& problem, ConstVectorRef z, VectorRef out, double rho = 1);
/// out = F(P_X(y)) + y − P_X(y) (S:VI-11): zero at y ⇔ P_X(y) is a solution; conversely y = z −
/// F(z).
void normal_map(const Vi& problem, ConstVectorRef y, VectorRef out);

/// Complementarity problem over a cone as a VI (S:VI-03). Throws Error if K is not a cone.
[[nodiscard]] Vi cone_problem(Index n, const Set& K, const VectorFunction& F,
                              const JacobianFunction& jacobian = {});
[[nodiscard]] Vi to_vi(const Ncp& problem);
[[nodiscard]] Vi to_vi(const Mcp& problem);

/// X is a product of intervals (bounds possibly infinite): `lower` and `upper` are filled.
[[nodiscard]] bool box_bounds(const Set& X, VectorRef lower, VectorRef upper);
/// Throws Error unless X is a box.
[[nodiscard]] Mcp to_mcp(const Vi& problem);

}  // namespace saltus
