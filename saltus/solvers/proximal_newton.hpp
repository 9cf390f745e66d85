#pragma once

#include "saltus/solvers/coulomb_interior_point.hpp"

namespace saltus {

/// Options of proximal_newton.
struct ProximalNewtonPlan {
  double tolerance = 1e-8;  ///< on CoulombSystem::error
  int budget = 40;          ///< factorisations
  double rho = 100;         ///< first penalty, in units of the scaled problem
  /// Level function of the line search: the natural one, ‖K⁻¹Φ‖_M with the current factor, or ‖Φ‖₂.
  bool natural = true;
};

/// Proximal point iteration on a CoulombSystem, y ← P_L(y − ρ û(v)) with M v = f + L y, each step
/// by a semismooth Newton method on the velocities (FS:B.8):
///
///     Φ(v) = M v − f − L P_L(y − ρ(u + ‖u_T‖ e)) = 0,    K(ρ P_L' G) dv = −Φ(v),
///
/// whose matrix has the graph of the bodies whatever the rank of L. Where the direction fails the
/// line search at a kink, half of the derivative of ‖u_T‖ is taken. ρ grows after quick steps and
/// falls after failures. A step ends with the additive correction of (v, y), which restores the
/// dynamics to rounding. Where redundant contacts contradict each other by little more than
/// roundings (w outside the range of Rᵀ), y drifts along null(L) in even steps until contacts slide
/// or open; it goes there at once. Starts from best.y and leaves the best point there.
void proximal_newton(CoulombSystem& system, const ProximalNewtonPlan& plan, CoulombBest& best);

}  // namespace saltus
