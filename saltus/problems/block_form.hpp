#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/sets/boxes.hpp"
#include "saltus/sets/elementary_cones.hpp"
#include "saltus/sets/elliptic_cone.hpp"
#include "saltus/sets/friction_cone.hpp"
#include "saltus/sets/friction_cylinder.hpp"
#include "saltus/sets/rolling_cone.hpp"
#include "saltus/sets/second_order_cone.hpp"

#include <string_view>
#include <variant>
#include <vector>

namespace saltus {

/// The set of one block row of a block form.
using BlockSet = std::variant<Reals, NonNegative, Interval, FrictionCone, RollingCone, EllipticCone,
                              FrictionCylinder, SecondOrderCone>;

/// The form every one-step problem can take, on which the solvers are written once: find r with
///
///     u = W r + q,    −(u + g(u)) ∈ N_K(r),    K = K₀ × K₁ × …,                            (1)
///
/// one set per block row of W. Row by row:
///
///     Reals             u = 0                              (equality, bilateral constraint)
///     NonNegative       0 ≤ u ⟂ r ≥ 0                      (complementarity)
///     Interval          −u ∈ N_[lower, upper](r)           (relay: u > 0 ⇒ r = lower)
///     FrictionCone      K* ∋ u + g ⟂ r ∈ K,  g = μ‖u_T‖    (Coulomb friction, S:FC-03a, FS:FS-03)
///     EllipticCone      g = ((μ₁u₁)² + (μ₂u₂)²)^½          (orthotropic friction)
///     RollingCone       g = μ‖u_T‖ + μ_R‖u_R‖              (sliding and rolling friction)
///     SecondOrderCone   g = 0                              (SOCLCP, associated friction, FS:FS-10)
///     FrictionCylinder  g = 0: −u_N ∈ N_R+(r_N), −u_T ∈ N_D(r_T)    (Tresca friction, FS:FS-28)
///
/// where g(u) is the shift of the normal component, the first of the block: û = u + g(u) e_N is in
/// K* exactly if u_N ≥ 0. The scalar sets apply to each row of their block, of any size; the others
/// own their whole block (at most 32 rows). Covers S:LCP-01, S:LCP-05, S:FC-06, S:FC-08, S:FC-24.
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

/// ‖û − P_K*(û − r)‖² of a cone, the same in exact arithmetic but û is not lost beside a large r;
/// of other sets, and of scalar ones, where it is exact, the natural map.
[[nodiscard]] double squared_dual_map(const BlockSet& K, Index size, const double* r,
                                      const double* u);

/// g(u) of one block, on its normal component (see (1)); 0 for sets without one.
[[nodiscard]] double shift(const BlockSet& K, Index size, const double* u);
/// Row 0 of J += ∂g/∂u; the element 0 where g has a kink (u_T = 0).
void add_shift_jacobian(const BlockSet& K, ConstVectorRef u, MatrixRef J);

/// P_K and a Clarke element of its Jacobian, as in sets/.
void project(const BlockSet& K, ConstVectorRef x, VectorRef p);
void projection_jacobian(const BlockSet& K, ConstVectorRef x, MatrixRef J);
/// P_K*(x) = x + P_K(−x), the projection on the dual cone without cancellation; throws Error for
/// sets that are no cone.
void project_dual(const BlockSet& K, ConstVectorRef x, VectorRef p);

/// The set applies to each row of its block alone (Reals, NonNegative, Interval); in the others the
/// first row is the normal component.
[[nodiscard]] bool row_by_row(const BlockSet& K);

/// Throws Error on a matrix that is not square or whose partitions differ, on sizes that do not
/// fit, on NaN or infinity, on a negative μ, on an empty interval.
void validate(const BlockForm& problem);

/// Throws Error on a negative or infinite coefficient or radius or an empty interval; `block` is
/// named in the text. With `rows`, also if the set cannot have so many.
void validate(const BlockSet& set, Index block);
void validate(const BlockSet& set, Index block, Index rows);

/// Some block couples its rows: a cone or a cylinder.
[[nodiscard]] bool has_friction(const BlockForm& problem);

/// The name of the set, for messages: "friction cone".
[[nodiscard]] std::string_view name(const BlockSet& set);

}  // namespace saltus
