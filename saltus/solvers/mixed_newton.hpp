#pragma once

#include "saltus/problems/mixed_nonlinear.hpp"
#include "saltus/solvers/nonsmooth_newton.hpp"

namespace saltus {

/// Nonsmooth Newton method on the mixed nonlinear one-step problem (S:FC-05, S:FC-19b): dynamics
/// and contacts in one system instead of two nested loops,
///
///     [J − ∂(H r)/∂v   −H; ∂G/∂u ∂u/∂v   ∂G/∂r] (dv, dr) = −(R(v) − H(v) r, G),
///
/// G the equations of the contacts (AlartCurnier by default) with u = H(v)ᵀv + w. Quadratic near
/// solutions where the matrix is regular and all derivatives are given; without those of H the rate
/// is linear, of the order of the step length. Incoming v and r are the guess. Stops when
/// residual(problem, v, r) ≤ tolerance · max(1, ‖H(v)ᵀv + w‖∞ of the guess); statuses as for the
/// global form. Throws Error on problems that validate() refuses. `start_projections` is not
/// used. [Alart & Curnier 1991]
[[nodiscard]] SolveReport solve(const MixedNonlinear& problem, VectorRef v, VectorRef r,
                                const NonsmoothNewton& options, Workspace&);

}  // namespace saltus
