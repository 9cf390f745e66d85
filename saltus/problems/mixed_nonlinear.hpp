#pragma once

#include "saltus/problems/global_block_form.hpp"

#include <functional>

namespace saltus {

/// The mixed nonlinear one-step problem (S:FC-05): find (v, r) with
///
///     R(v) = H(v) r,    u = H(v)ᵀ v + w,    −(u + g(u)) ∈ N_K(r),    K = K₀ × K₁ × …,      (1)
///
/// R the residual of the free motion over the step and H(v) = H(q_{k+1}(v)) the directions of the
/// contacts at its end, n×m, both given by functions of the velocities v at the end of the step;
/// restitution and obstacles that move are part of w. Sets and shift g as in BlockForm, `sizes[i]`
/// rows each. With R affine and H constant it is the GlobalBlockForm.
struct MixedNonlinear {
  using Sparse = Eigen::SparseMatrix<double>;
  std::function<void(ConstVectorRef v, VectorRef R)> residual = {};  ///< R(v), an impulse
  std::function<void(ConstVectorRef v, Sparse& J)> jacobian = {};    ///< ∂R/∂v, n×n
  std::function<void(ConstVectorRef v, Sparse& H)> directions = {};  ///< H(v), n×m
  /// ∂(H(v) r)/∂v with r held, n×n; empty: left out, exact for H constant.
  std::function<void(ConstVectorRef v, ConstVectorRef r, Sparse& A)> force_slope = {};
  /// ∂(H(v)ᵀ v)/∂v, m×n; empty: H(v)ᵀ, exact for H constant.
  std::function<void(ConstVectorRef v, Sparse& U)> velocity_slope = {};
  Vector w = {};
  std::vector<BlockSet> K = {};
  std::vector<Index> sizes = {};  ///< rows of each block
  Index n = 0;                    ///< velocities
};

/// (‖R(v) − H(v) r‖² + ‖r − P_K(r − (u + g(u)))‖²)^½, infinite if anything is NaN.
[[nodiscard]] double residual(const MixedNonlinear& problem, ConstVectorRef v, ConstVectorRef r);

/// The mixed linear problem of one step of Newton's method on R alone, H being that of v: what an
/// outer iteration solves (J v⁺ = H r + J v − R).
[[nodiscard]] GlobalBlockForm linearise(const MixedNonlinear& problem, ConstVectorRef v);

/// Throws Error if a function is missing, on sizes that do not fit (the functions are called at v),
/// NaN, infinity, and wrong sets as BlockForm does.
void validate(const MixedNonlinear& problem, ConstVectorRef v);

}  // namespace saltus
