#pragma once

#include "saltus/sets/set.hpp"

#include <functional>

namespace saltus {

/// Reachable sets of the linear differential inclusion ẋ ∈ A(t) x + B(t) U, U convex (TI:TI-073),
/// from a convex set of initial states, by the second-order scheme
///     X_{k+1} = A_h X_k + B_h U,   A_h = I + (h/2)(A_k + A_{k+1}) + (h²/2) A_{k+1}²,
///     B_h = (h/2)(B_k + B_{k+1}) + (h²/2) A_{k+1} B_{k+1},
/// whose distance in the sense of Hausdorff from the reachable set is O(h²) for constant or smooth
/// A and B. Sets are known by their support functions: σ_{k+1}(d) = σ_k(A_hᵀ d) + σ_U(B_hᵀ d).
struct ReachableSet {
  Index n = 1;  ///< dimension of x
  Index m = 1;  ///< of U
  std::function<void(double t, MatrixRef A)> A = {};
  std::function<void(double t, MatrixRef B)> B = {};
  Set U = Interval{-1, 1};
  Set X0 = Zero{};  ///< initial states, moved by
  Values x0 = {};   ///< this; empty: 0

  /// sup {d · x : x reachable at t_end}, with `steps` steps.
  [[nodiscard]] double support(ConstVectorRef d, double t_end, int steps) const;
  /// Smallest box around the set: one row (lower, upper) per component.
  [[nodiscard]] Matrix box(double t_end, int steps) const;
};

}  // namespace saltus
