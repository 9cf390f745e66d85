#pragma once

#include "saltus/inclusions/sweeping.hpp"

namespace saltus {

// One problem in four languages, on a closed convex set K (F:B32): the edges of the graph are the
// functions below, which carry the data over as they are. Their solutions are the same.

/// Unilateral differential inclusion (F:F067, F:F068, TI:TI-084): −(ẋ + f(t, x)) ∈ N_K(x).
struct UnilateralInclusion {
  Values x0 = {};
  Set set = NonNegative{};  ///< K
  TimeField f = {};         ///< empty: 0
  [[nodiscard]] Model model() const;
};

/// Evolution variational inequality (F:F071, F:F073): x ∈ K, ⟨ẋ + f(t, x), y − x⟩ ≥ 0 for all y ∈
/// K.
struct EvolutionVariationalInequality {
  Values x0 = {};
  Set set = NonNegative{};
  TimeField f = {};
  [[nodiscard]] Model model() const;
};

/// Projected dynamical system (F:F078, F:C0-18): ẋ = proj[T_K(x); −f(t, x)].
struct ProjectedDynamicalSystem {
  Values x0 = {};
  Set set = NonNegative{};
  TimeField f = {};
  [[nodiscard]] Model model() const;
};

/// Differential variational inequality, separable (F:F076, F:F077, TI:TI-090):
///     ẋ = f(t, x) + B λ,   λ ∈ SOL(K, G(t, x) + D ·):   −(G(t, x) + D λ) ∈ N_K(λ).
/// As a model: y = G + Dλ under NormalCone(K). D ≥ 0.
struct DifferentialVariationalInequality {
  Values x0 = {};
  TimeField f = {};  ///< empty: 0
  Rows B = {};
  TimeField G = {};
  Rows D = {};  ///< empty: zero
  Set set = NonNegative{};
  [[nodiscard]] Model model() const;
};

[[nodiscard]] EvolutionVariationalInequality to_evi(const UnilateralInclusion& inclusion);
[[nodiscard]] UnilateralInclusion to_inclusion(const EvolutionVariationalInequality& inequality);
/// Slow solutions: at every time ẋ is the shortest of −f − N_K(x) (F:F069).
[[nodiscard]] ProjectedDynamicalSystem to_projected(const UnilateralInclusion& inclusion);
[[nodiscard]] UnilateralInclusion to_inclusion(const ProjectedDynamicalSystem& system);
[[nodiscard]] SweepingProcess to_sweeping(const UnilateralInclusion& inclusion);
/// With λ the cone of the dual: −x ∈ N_K*(λ), for cones K; Error for other sets (F:F077).
[[nodiscard]] DifferentialVariationalInequality to_dvi(
    const EvolutionVariationalInequality& inequality);

}  // namespace saltus
