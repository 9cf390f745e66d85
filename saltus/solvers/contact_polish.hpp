#pragma once

#include "saltus/problems/global_block_form.hpp"

namespace saltus {

/// The digits of a solution that the tolerance of a solver leaves open, for rigid bodies: Newton's
/// method in the modes of the point given (open, stick, slide along t; at a bound or not),
///
///     (M + H A Hᵀ) dv = −H A u,    dr = −A (u + Hᵀ dv),
///     stick  A = ρ 1,    slide  A = ρ (1, −μ t) e_Nᵀ + a t⊥ t⊥ᵀ,   a⁻¹ = t·u_T/(μ r_N) + ρ⁻¹,
///
/// with the velocities eliminated by bodies (BodyLu). ρ = 1e7/W_cc of the cell makes each step one
/// of a proximal point: of least change, whatever the rank of H, so that redundant contacts keep
/// their self-stress. Steps with the same factors follow until the error is at rounding or no
/// longer falls, then the modes are read again. Two runs whose problems differ by rounding only,
/// such as those of a scene in two frames of the world (F:F123), so stay together to rounding
/// where the velocity is unique. (FS:FS-08, FS:B.8)
struct ContactPolish {
  double target = 1e-15;        ///< error in velocities, relative to ‖q‖
  int factorisations = 5;       ///< at most; usually 1
  double flops_per_row = 1500;  ///< of a factorisation at most: a tenth of what solvers take
};

/// Every set is scalar or a friction cone of 2 or 3 rows, M has blocks of at most 6 rows, and the
/// factors are cheap. Then r and v = M⁻¹(H r + f) are improved, or stay. Returns the error reached,
///     ‖w ∘ (r − P_K(r − û/w))‖/‖q‖,   w = mean W_ii of a cell,
/// or infinity if the problem is of another kind.
double polish(const GlobalBlockForm& problem, VectorRef v, VectorRef r,
              const ContactPolish& options = {});

}  // namespace saltus
