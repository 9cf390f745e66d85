#pragma once

#include "saltus/problems/lcp.hpp"
#include "saltus/systems/lcs.hpp"

namespace saltus {

/// A state of rest: A x + B λ + a = 0, w = C x + D λ + b, 0 ≤ w ⟂ λ ≥ 0.
struct Equilibrium {
  Vector x, lambda;
  std::vector<Index> active;  ///< the pairs with λ_i free to be positive, w_i = 0
  bool family = false;        ///< one of infinitely many with this set of active pairs
  Matrix directions;  ///< of the family: (x, λ) may move in the span of these columns as far
                      ///< as λ ≥ 0 and w ≥ 0 hold; no columns otherwise
};

/// The LCP of the states of rest for regular A (F:F192, F:B10, F:C0-03):
///     0 ≤ λ ⟂ (D − C A⁻¹ B) λ + b − C A⁻¹ a ≥ 0,   x = −A⁻¹ (B λ + a).
/// A P-matrix: one equilibrium. Throws Error if A is singular.
[[nodiscard]] Lcp equilibrium_lcp(const Lcs& system);
/// One state of rest, by the default algorithm for that LCP; its status is in `report`.
[[nodiscard]] Equilibrium equilibrium(const Lcs& system, SolveReport& report);

/// All states of rest, for any A (F:B10): for each of the 2^m sets of active pairs the shortest
/// (x, λ) of the polyhedron
///     A x + B_α λ_α + a = 0,   w_α = 0,   λ_α ≥ 0,   w ≥ 0 elsewhere,
/// if there is one. The same point is listed once; a polyhedron of more than one point is listed as
/// a family, one point of it. Throws Error if m > 12.
[[nodiscard]] std::vector<Equilibrium> equilibria(const Lcs& system);

/// max of ‖A x + B λ + a‖∞ and ‖min(λ, w)‖∞: zero exactly at states of rest.
[[nodiscard]] double equilibrium_residual(const Lcs& system, ConstVectorRef x,
                                          ConstVectorRef lambda);

}  // namespace saltus
