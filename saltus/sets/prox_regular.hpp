#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/report.hpp"

#include <functional>
#include <variant>

namespace saltus {

// Closed sets that need not be convex, but prox-regular with a constant r > 0 (F:F023): every point
// at a distance below r has exactly one nearest point p, and x − p ∈ N_S(p), the normal cone in the
// sense of limits. Balls of radius r roll on the set from outside without touching it twice. Convex
// sets have r = ∞; they are a Set. [Poliquin, Rockafellar & Thibault 2000]

/// {x : ‖x − center‖ ≥ radius}: all but a ball; r = radius.
struct BallComplement {
  static constexpr std::string_view name = "BallComplement";
  Values center = {};
  double radius = 1;
};

/// {x : g(x) ≥ 0}, m constraints with smooth g, whose prox-regularity constant is known: for m = 1
/// at most min ‖∇g‖ / L on the boundary, L a Lipschitz constant of ∇g, and at most the least radius
/// of curvature of the parts of the boundary that bend inwards.
struct SmoothSet {
  static constexpr std::string_view name = "SmoothSet";
  Index n = 1, m = 1;  ///< of x and g
  std::function<void(ConstVectorRef x, VectorRef g)> g = {};
  std::function<void(ConstVectorRef x, MatrixRef slope)> slope = {};  ///< rows ∇g_iᵀ
  double r = 1;
};

using ProxRegularSet = std::variant<BallComplement, SmoothSet>;

/// Throws Error on a wrong parameter, or if the set does not lie in Rⁿ.
void validate(const ProxRegularSet& set, Index n);
/// r
[[nodiscard]] double prox_regularity(const ProxRegularSet& set);
/// g_i(x), ≥ 0 in the set: ½(‖x − center‖² − radius²)/radius for a BallComplement, and its rows
/// ∇g_iᵀ.
[[nodiscard]] Index constraints(const ProxRegularSet& set);
void evaluate(const ProxRegularSet& set, ConstVectorRef x, VectorRef g);
void evaluate_slope(const ProxRegularSet& set, ConstVectorRef x, MatrixRef slope);

/// p, the nearest point of the set: unique if x is nearer than r. On a SmoothSet by successive
/// linearisation, p⁺ = argmin ‖p⁺ − x‖ over g(p) + ∇g(p)(p⁺ − p) ≥ 0, which converges at the rate
/// (distance / r) from points that near, until p moves by less than 1e-14 max(1, ‖x‖).
/// `max_iterations` after 1000 of them; `stalled` at the centre of a ball, where no point is
/// nearest.
[[nodiscard]] SolveReport project(const ProxRegularSet& set, ConstVectorRef x, VectorRef p);

}  // namespace saltus
