#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/sets/boxes.hpp"
#include "saltus/sets/elementary_cones.hpp"
#include "saltus/sets/friction_cone.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace saltus {

/// The set of one block row of a block form.
using BlockSet = std::variant<Reals, NonNegative, Interval, FrictionCone>;

/// The form every one-step problem can take, on which the solvers are written once: find r with
///
///     u = W r + q,    −(u + g(u)) ∈ N_K(r),    K = K₀ × K₁ × …,                            (1)
///
/// one set per block row of W. Row by row:
///
///     Reals          u = 0                               (equality, bilateral constraint)
///     NonNegative    0 ≤ u ⟂ r ≥ 0                       (complementarity)
///     Interval       −u ∈ N_[lower, upper](r)            (relay: u > 0 ⇒ r = lower)
///     FrictionCone   u + μ‖u_T‖ e_N ∈ K*_μ ⟂ r ∈ K_μ     (contact with Coulomb friction, S:FC-03a)
///
/// and g(u) = μ‖u_T‖ on the normal component (the first) of a FrictionCone block, 0 elsewhere. The
/// scalar sets apply to each row of their block, of any size; a cone owns its whole block (2 rows
/// at least). Covers S:LCP-01, S:LCP-05, S:FC-06, S:FC-08, S:FC-24.
struct BlockForm {
  BlockSparse W;
  Vector q;
  std::vector<BlockSet> K;
};

/// ‖r − P_K(r − (u + g(u)))‖₂, the natural map with ρ = 1: zero exactly at solutions of (1),
/// infinite if anything is NaN. No allocation.
[[nodiscard]] double residual(const BlockForm& problem, ConstVectorRef r);

/// The part of one block in that sum: ‖r − P_K(r − (u + g(u)))‖² for `size` rows (of a cone: all).
[[nodiscard]] double squared_natural_map(const BlockSet& K, Index size, const double* r,
                                         const double* u);

/// Throws Error on a matrix that is not square or whose partitions differ, on sizes that do not
/// fit, on NaN or infinity, on a negative μ, on an empty interval.
void validate(const BlockForm& problem);

/// Throws Error on a negative or infinite μ or an empty interval; `block` is named in the text.
void validate(const BlockSet& set, Index block);

/// Some block is a friction cone.
[[nodiscard]] bool has_friction(const BlockForm& problem);

/// The name of the set, for messages: "friction cone".
[[nodiscard]] std::string_view name(const BlockSet& set);

}  // namespace saltus
