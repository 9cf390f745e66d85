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

/// Interior point for Coulomb friction (FS:FS-106d) on a CoulombSystem: Newton on the central path
///
///     M v = L y + f,    Rᵀ v + w + δ (y − y_k) = x − ‖x_T‖ e_N,    x ∘ y = σ e
///
/// (conic_step.hpp) with Mehrotra's predictor and corrector, held back while the residual lags
/// behind. The problem is not monotone and its central path has folds; the proximal term δ, raised
/// when steps collapse, carries the iteration over small ones, coulomb_path.hpp through all. Leaves
/// the best point in `best`; stops below `stop`, but as long as an iteration halves the error not
/// before `tolerance`; after `budget` factorisations; or without progress. Starts from the middle
/// of the cones or, if σ is given, near best.y: at the pairs with x ∘ y = σ e and y − x = y_0 −
/// û_0, where û_0 = u + ‖u_T‖ e_N follows from y_0 = best.y. The limit of its accuracy is the
/// cancellation in x_N − ‖x_T‖ of sliding contacts.
void coulomb_interior_point(CoulombSystem& system, int budget, double stop, CoulombBest& best,
                            double tolerance = inf, double sigma = 0);

/// Fixed point on the slip (FS:FS-29): with s given, from s = 0 on,
///
///     M v = L y + f,    Rᵀ v + w + s e_N = x,    L ∋ x ⟂ y ∈ L
///
/// is convex, and an interior point does not fail; its ‖x_T‖ is the next s. A solution without slip
/// is found at once, whatever the size of the problem; where little slides, in piles at rest, s
/// converges, else it creeps or cycles.
class SlipFixedPoint {
 public:
  explicit SlipFixedPoint(CoulombSystem& system)
      : s_(system), slip_(Vector::Zero(system.cells())) {}

  /// One convex problem, whose y is offered to `best`; ‖Δs‖, or infinity if it was not solved.
  double step(int budget, CoulombBest& best);

 private:
  CoulombSystem& s_;
  Vector slip_;
};

}  // namespace saltus
