#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Lemke's method on a sparse matrix, the other half of `Lemke` (S:LCP-30, S:LCP-31, S:GEN-02). The
/// box problem (1) of box.hpp keeps its sparsity: with signs and bases that move every bound to 0
/// and a second complementarity per two-sided row,
///
///     w = q + M z + d z₀,    basis B ⊂ [I, −M, −d],   x_B = B⁻¹ q,
///
/// where z_i of a free row is always basic and d_i = 0 there, d_i = 1 elsewhere: the same pivots as
/// on the dense tableau after the elimination of the free rows. A pivot takes one solve with
/// BasisFactor for the entering column; rows of B⁻¹ are only computed to break ties. B is
/// factorised afresh after every 64 pivots and at the end.
///
/// `z` holds the guess (a basis that solves at once costs no pivot) and then the last point. On a
/// ray, the direction of z is left in work.certificate. `limit` bounds the pivots.
[[nodiscard]] Outcome revised_lemke(const BoxView& box, VectorRef z, Index limit, Workspace& work);

/// Large and sparse enough for revised_lemke to beat the dense tableau: n > 100 and at most a tenth
/// of the entries stored.
[[nodiscard]] bool prefers_revised_lemke(const BoxView& box);

}  // namespace saltus
