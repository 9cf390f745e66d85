#pragma once

#include "saltus/solvers/coulomb_system.hpp"

namespace saltus {

/// The best point that the methods on a CoulombSystem have met.
struct CoulombBest {
  Vector y;
  double error = inf;
  /// Keeps y if it is better.
  void offer(const Vector& candidate, double e) {
    if (!(e < error)) return;
    error = e;
    y = candidate;
  }
};

/// How the parameter σ of the central path decreases.
enum class Centring : std::uint8_t {
  guarded,  ///< Mehrotra's predictor and corrector, held back while the residual lags behind
  strict,   ///< only near the central path
  picard    ///< strict, with the slip taken from the last iterate: u_N = det x / x_N
};

/// Interior point for Coulomb friction (FS:FS-106d) on a CoulombSystem: Newton on the central path
///
///     M v = L y + f,    Rᵀ v + w + δ (y − y_k) = x − ‖x_T‖ e_N,    x ∘ y = σ e,
///
/// in the Nesterov–Todd scaling T x = T⁻¹ y = λ: with A = T² G, G = [1 x_Tᵀ/‖x_T‖; 0 I], B = (I +
/// δ A)⁻¹, a step solves K(B A) dv = r_d + L B (T c − A r_p). The problem is not monotone and its
/// central path has folds; the proximal term δ, raised when steps collapse, carries the iteration
/// over them. (dv, dy) is refined additively, so that the dynamics hold to rounding however large A
/// is. Leaves the best point in `best`; stops at `stop`, after `budget` factorisations, or without
/// progress. The limit of its accuracy is the cancellation in x_N − ‖x_T‖ of sliding contacts.
void coulomb_interior_point(CoulombSystem& system, Centring centring, int budget, double stop,
                            CoulombBest& best);

}  // namespace saltus
