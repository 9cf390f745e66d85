#pragma once

#include "saltus/algebra/state.hpp"

#include <functional>

namespace saltus {

/// The gyroscopic term of a mass matrix that depends on the positions, by Christoffel's formula
/// (F:F107, F:C0-14):
///     N_i = ½ Σ_kl (∂_l M_ik + ∂_k M_il − ∂_i M_kl) v_k v_l,    M(q) v̇ + N(q, v) = F
/// with derivatives of M by central differences of fourth order, step ε^(1/5) max(1, ‖q‖∞):
/// relative error about 1e-12. For the force of a Lagrangian system: F − N.
[[nodiscard]] Vector gyroscopic_term(const std::function<void(ConstVectorRef q, MatrixRef M)>& mass,
                                     ConstVectorRef q, ConstVectorRef v);

}  // namespace saltus
