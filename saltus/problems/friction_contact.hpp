#pragma once

#include "saltus/problems/global_block_form.hpp"

namespace saltus {

/// Reduced friction-contact problem (S:FC-03a): find r with
///
///     u = W r + q,    K*_μ ∋ u + μ‖u_T‖ e_N ⟂ r ∈ K_μ     for every contact,               (1)
///
/// contact i owns `dimension` rows in the order normal, tangents. Restitution enters through q.
/// With rolling friction (`mu_rolling` not empty) as many rolling components follow the tangents,
///
///     K* ∋ u + (μ‖u_T‖ + μ_R‖u_R‖) e_N ⟂ r ∈ K = {‖r_T‖ ≤ μ r_N, ‖r_R‖ ≤ μ_R r_N}.
struct FrictionContact {
  Index dimension = 3;  ///< rows per contact: 3 in space, 2 in the plane; 5 and 3 with rolling
  BlockSparse W = {};
  Vector q = {};
  Vector mu = {};          ///< one per contact
  Vector mu_rolling = {};  ///< one per contact [m], or empty: no rolling friction
};

/// Global friction-contact problem (S:FC-04): find (v, r) with
///
///     M v = H r + f,    u = Hᵀ v + w,    (1) for (u, r).                                   (2)
struct GlobalFrictionContact {
  Index dimension = 3;  ///< as above
  Eigen::SparseMatrix<double> M = {}, H = {};
  Vector f = {}, w = {}, mu = {};
  Vector mu_rolling = {};  ///< one per contact, or empty
};

/// ‖r − P_K(r − (u + g(u)))‖₂ as for the block form. No allocation.
[[nodiscard]] double residual(const FrictionContact& problem, ConstVectorRef r);
/// (‖M v − H r − f‖² + ‖r − P_K(r − (u + g(u)))‖²)^½.
[[nodiscard]] double residual(const GlobalFrictionContact& problem, ConstVectorRef v,
                              ConstVectorRef r);

/// Throws Error on sizes that do not fit, a dimension other than 2 or 3 (with rolling 3 or 5), NaN,
/// infinity, negative μ.
void validate(const FrictionContact& problem);
void validate(const GlobalFrictionContact& problem);

/// (2) → (1): W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w, by a sparse factorisation of M (S:FC-02). Throws
/// Error if M is singular.
[[nodiscard]] FrictionContact reduce(const GlobalFrictionContact& problem);
/// v = M⁻¹ (H r + f)
[[nodiscard]] Vector velocity(const GlobalFrictionContact& problem, ConstVectorRef r);

/// The cone of contact i: a FrictionCone, with rolling friction a RollingCone.
[[nodiscard]] BlockSet contact_set(const Vector& mu, const Vector& mu_rolling, Index i);

/// One block per contact.
[[nodiscard]] GlobalBlockForm to_global_block_form(const GlobalFrictionContact& problem);
/// One block per contact.
[[nodiscard]] BlockForm to_block_form(const FrictionContact& problem);
/// The same into an existing form; allocates nothing if the sizes have not grown.
void to_block_form(const FrictionContact& problem, BlockForm& form);

}  // namespace saltus
