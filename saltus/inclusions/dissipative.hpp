#pragma once

#include "saltus/inclusions/prox_regular_sweeping.hpp"

namespace saltus {

/// Dissipative nonlinear complementarity system (F:F086) with a storage function V,
///     ẋ = f(t, x) + B λ,   w = Bᵀ∇V(x) + g(t),   0 ≤ w ⟂ λ ≥ 0:
/// λ supplies the power wᵀλ − gᵀλ = −gᵀλ, so that V̇ ≤ ∇V·f where g = 0.
struct DissipativeSystem {
  Values x0 = {};
  TimeField f = {};  ///< empty: 0
  Rows B = {};
  std::function<void(ConstVectorRef x, VectorRef gradient)> gradient = {};  ///< ∇V
  std::function<void(double t, VectorRef g)> input = {};                    ///< g; empty: 0
  [[nodiscard]] Model model() const;
};

/// Coordinates z = h(x) in which the storage function is ½‖z‖² to second order: ∂h/∂x = Λ(x), ΛᵀΛ =
/// ∇²V(x). For V = Σ V_i(x_i) they are integrals of √V_i''.
struct StorageCoordinates {
  std::function<void(ConstVectorRef x, VectorRef z)> forward = {};   ///< h
  std::function<void(ConstVectorRef z, VectorRef x)> backward = {};  ///< h⁻¹
  std::function<void(ConstVectorRef x, MatrixRef Lambda)> root = {};
};

/// The system as a perturbed sweeping process in z = h(x) (F:F205, F:B15):
///     −ż + Λ f ∈ N_S(z),   S = {z : Bᵀ∇V(h⁻¹(z)) ≥ 0},
/// with the normals BᵀΛ. S is convex only if ∇V is linear along B; r is its constant of
/// prox-regularity. Throws Error if there is an input g, or if ΛᵀΛ and the differences of ∇V differ
/// at x0.
[[nodiscard]] ProxRegularSweeping to_sweeping(const DissipativeSystem& system,
                                              const StorageCoordinates& coordinates, double r);

}  // namespace saltus
