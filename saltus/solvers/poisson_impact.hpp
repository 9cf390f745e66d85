#pragma once

#include "saltus/problems/friction_contact.hpp"
#include "saltus/solvers/lemke.hpp"

namespace saltus {

/// Collisions with Poisson's law of impact and faceted friction, two complementarity problems one
/// after the other (S:FC-13), u = W r + q with q the velocities before the impact:
///
///     compression   u_c = W r_c + q,              0 ≤ r_cN ⟂ u_cN ≥ 0, friction as in
///     FacetedFriction expansion     u   = W (r_c + r_e) + q,      0 ≤ r_eN − e r_cN ⟂ u_N ≥ 0,
///                   0 ≤ β ⟂ Dᵀu_T + λ ≥ 0,   0 ≤ λ ⟂ μ r_eN − Σβ ≥ 0,   r_eT = D β.
///
/// At least the fraction e of the normal impulse of the compression is given back; a contact that
/// would be penetrated by the others gets more. Bilateral rows act in both phases, frictionless
/// rows have an e too. In the plane the friction is exact, in space that of the inner polygon.
/// [Pfeiffer & Glocker 1996] [Anitescu & Potra 1997]
struct PoissonImpact {
  static constexpr std::string_view name = "PoissonImpact";
  int facets = 8;         ///< ω ≥ 3, of a contact in space
  Lemke inner = Lemke{};  ///< solver of the two problems
};

struct PoissonReport {
  SolveStatus status = SolveStatus::not_run;  ///< of the first phase that failed
  int iterations = 0;                         ///< of both
  Vector compression;                         ///< r_c
  Vector velocity;                            ///< u after the impact
};

/// `restitution` has one e ∈ [0, 1] per block; that of a bilateral block is not used. r becomes
/// r_c + r_e. Throws Error on sizes, on e outside [0, 1], on sets other than friction cones of 2 or
/// 3 rows, NonNegative and Reals.
[[nodiscard]] PoissonReport solve(const BlockForm& problem, ConstVectorRef restitution, VectorRef r,
                                  const PoissonImpact&, Workspace&);

}  // namespace saltus
