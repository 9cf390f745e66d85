#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/problems/lcp.hpp"
#include "saltus/problems/qp.hpp"
#include "saltus/problems/qvi.hpp"

namespace saltus {

// Other ways to write a friction-contact problem (no rolling friction), and what they tell.

/// The contacts without friction (S:FC-06): 0 ≤ r_N ⟂ W_NN r_N + q_N ≥ 0, restitution being part of
/// q, with one scalar per contact.
[[nodiscard]] Lcp normal_lcp(const FrictionContact& problem);
/// The same as a quadratic program (S:FC-07), min ½ r_NᵀW_NN r_N + q_Nᵀr_N over r_N ≥ 0, with the
/// symmetric part of W_NN. Throws Error unless W_NN is symmetric up to rounding (1e-12 of its
/// norm): otherwise the two have different solutions.
[[nodiscard]] Qp normal_qp(const FrictionContact& problem);

/// The quasi-variational inequality (FS:FS-14): r ∈ C(r_N), (W r + q)·(s − r) ≥ 0 for all s in
/// C(r_N) = Π {s_N ≥ 0, ‖s_T‖ ≤ μ r_N}. The map is affine and monotone, the set moves.
[[nodiscard]] Qvi to_qvi(const FrictionContact& problem);

/// Σ r·u + μ r_N‖u_T‖ with u = W r + q (FS:FS-26, FS:FS-09). Not negative where r ∈ K and u_N ≥ 0;
/// then zero exactly at the solutions: the friction r_T has the largest dissipation −r_T·u_T that
/// its disk allows. The power that is missing, for any other admissible r.
[[nodiscard]] double bipotential(const FrictionContact& problem, ConstVectorRef r);

/// c = λ_min((W + Wᵀ)/2) − max μ · ‖W_T‖₂, W_T the tangential rows (FS:FS-12). With
/// F(r) = W r + q + g(W r + q),  (F(r) − F(s))·(r − s) ≥ c ‖r − s‖²: a positive c makes the
/// solution unique, whatever q is. Dense: for small problems.
[[nodiscard]] double uniqueness_margin(const FrictionContact& problem);

}  // namespace saltus
