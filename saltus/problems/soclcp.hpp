#pragma once

#include "saltus/problems/avi.hpp"
#include "saltus/problems/block_form.hpp"

#include <vector>

namespace saltus {

/// Linear complementarity problem over second-order cones (S:VI-03): find z with
///
///     w = M z + q,    K* ∋ w ⟂ z ∈ K,    K = K¹ × K² × …,   Kⁱ = {(z₀, z̄) : ‖z̄‖ ≤ μ_i z₀},
///
/// cone i has `sizes[i]` rows; a cone of size 1 is z₀ ≥ 0. μ = 1 is the self-dual cone.
struct Soclcp {
  BlockSparse M;
  Vector q;
  std::vector<Index> sizes = {};
  Vector mu = {};  ///< one per cone, > 0; empty: all 1
};

/// ‖z − P_K(z − w)‖₂; infinite if anything is NaN.
[[nodiscard]] double residual(const Soclcp& problem, ConstVectorRef z);
/// Throws Error on sizes that do not add up to the size of q, on NaN, infinity or μ ≤ 0.
void validate(const Soclcp& problem);

/// K as a set.
[[nodiscard]] Product cone(const Soclcp& problem);
[[nodiscard]] Avi to_avi(const Soclcp& problem);
/// One block per cone: SecondOrderCone, NonNegative for those of size 1.
[[nodiscard]] BlockForm to_block_form(const Soclcp& problem);

}  // namespace saltus
