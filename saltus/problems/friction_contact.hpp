#pragma once

#include "saltus/problems/block_form.hpp"

#include <Eigen/SparseCore>

namespace saltus {

/// Reduced friction-contact problem (S:FC-03a): find r with
///
///     u = W r + q,    K*_μ ∋ u + μ‖u_T‖ e_N ⟂ r ∈ K_μ     for every contact,               (1)
///
/// contact i owns `dimension` rows in the order normal, tangents. Restitution enters through q.
struct FrictionContact {
  Index dimension = 3;  ///< rows per contact: 3 in space, 2 in the plane
  BlockSparse W;
  Vector q;
  Vector mu;  ///< one per contact
};

/// Global friction-contact problem (S:FC-04): find (v, r) with
///
///     M v = H r + f,    u = Hᵀ v + w,    (1) for (u, r).                                   (2)
struct GlobalFrictionContact {
  Index dimension = 3;
  Eigen::SparseMatrix<double> M, H;
  Vector f, w, mu;
};

/// ‖r − P_K(r − (u + g(u)))‖₂ as for the block form. No allocation.
[[nodiscard]] double residual(const FrictionContact& problem, ConstVectorRef r);
/// (‖M v − H r − f‖² + ‖r − P_K(r − (u + g(u)))‖²)^½.
[[nodiscard]] double residual(const GlobalFrictionContact& problem, ConstVectorRef v,
                              ConstVectorRef r);

/// Throws Error on sizes that do not fit, a dimension other than 2 or 3, NaN, infinity, negative μ.
void validate(const FrictionContact& problem);
void validate(const GlobalFrictionContact& problem);

/// (2) → (1): W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w, by a sparse factorisation of M (S:FC-02). Throws
/// Error if M is singular.
[[nodiscard]] FrictionContact reduce(const GlobalFrictionContact& problem);
/// v = M⁻¹ (H r + f)
[[nodiscard]] Vector velocity(const GlobalFrictionContact& problem, ConstVectorRef r);

/// One FrictionCone block per contact.
[[nodiscard]] BlockForm to_block_form(const FrictionContact& problem);
/// The same into an existing form; allocates nothing if the sizes have not grown.
void to_block_form(const FrictionContact& problem, BlockForm& form);

}  // namespace saltus
