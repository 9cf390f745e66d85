#pragma once

#include "saltus/problems/horizontal_lcp.hpp"

namespace saltus {

/// Extended linear complementarity problem (S:LCP-09): find z and w with
///
///     M z + N w ∈ K,    K = {y : G y ≥ g},    0 ≤ w ⟂ z ≥ 0.
struct ExtendedLcp {
  Matrix M, N;
  Matrix G;  ///< one row per face of K
  Vector g;
};

/// max(‖min(z, w)‖∞, ‖max(0, g − G (M z + N w))‖∞); infinite if anything is NaN.
[[nodiscard]] double residual(const ExtendedLcp& problem, ConstVectorRef z, ConstVectorRef w);
/// Throws Error on sizes that do not fit, on NaN or infinity.
void validate(const ExtendedLcp& problem);

/// Generalised linear complementarity problem of Ye (S:LCP-10): find z, w and y with
///
///     M z + N w + Q y = q,    y ≥ 0,    0 ≤ w ⟂ z ≥ 0.
struct GeneralisedLcp {
  Matrix M, N, Q;
  Vector q;
};

struct GeneralisedPoint {
  Vector z, w, y;
};

/// max(‖M z + N w + Q y − q‖∞, ‖max(0, −y)‖∞, ‖min(z, w)‖∞); infinite if anything is NaN.
[[nodiscard]] double residual(const GeneralisedLcp& problem, ConstVectorRef z, ConstVectorRef w,
                              ConstVectorRef y);
/// Throws Error on sizes that do not fit, on NaN or infinity.
void validate(const GeneralisedLcp& problem);

/// y = G (M z + N w) − g ≥ 0: the same z and w (S:LCP-11).
[[nodiscard]] GeneralisedLcp to_generalised_lcp(const ExtendedLcp& problem);
/// M = Q, N = R, no y: z = x, w = s (S:LCP-11).
[[nodiscard]] GeneralisedLcp to_generalised_lcp(const HorizontalLcp& problem);

/// The family LCP(M, q + t d) over a parameter t; its solutions along t are traced by
/// ParametricPivoting (solvers/).
struct ParametricLcp {
  BlockSparse M;
  Vector q, d;
  /// The member for this t.
  [[nodiscard]] Lcp at(double t) const { return {M, q + t * d}; }
};

/// Throws Error on a matrix that is not square, on sizes that do not fit, on NaN or infinity.
void validate(const ParametricLcp& problem);

}  // namespace saltus
