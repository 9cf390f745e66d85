#pragma once

#include "saltus/solvers/conic_step.hpp"
#include "saltus/solvers/coulomb_interior_point.hpp"

namespace saltus {

/// The central path of contact with friction, followed by its length. From a point with x ∘ y = e
/// and the residual r₀ of its kinematics,
///
///     M v = L y + f,    Rᵀ v + w = x − ‖x_T‖ e_N + t r₀,    x ∘ y = t e
///
/// (or u_N = det x / x_N + t r₀_N: the curve is smooth then, but has more folds) is a curve from
/// t = 1 that ends, for almost all problems, at a solution, t = 0. The problem is
/// not monotone, so the curve has folds, where t grows again for a while: a method that only
/// lessens t is stuck there. An iteration factorises K once and takes
///
///     predictor    the tangent d/dlog t, as far as its worst cell moves by `stride` in the local
///                  norm ‖(T dx, T⁻¹ dy)‖/√t; t falls where det K has the sign of the start and
///                  grows where it has the other, as it must along a smooth curve
///     corrector    Newton's step towards the curve, orthogonal to the tangent
///
/// as homotopies do (Allgower and Georg 1990), here for the cones of friction (FS:FS-106d). The
/// number of iterations is that of the folds rather than of the contacts. Its accuracy ends, like
/// that of any interior point, in the cancellation of x_N − ‖x_T‖ where contacts slide: polish.
class CoulombPath {
 public:
  explicit CoulombPath(CoulombSystem& system, Slip slip = Slip::kinked, double stride = 0.9);

  /// Goes on until the error is below `stop`, for at most `budget` factorisations. False if it
  /// cannot go on: K is singular, or the curve was lost.
  bool run(int budget, double stop, CoulombBest& best);

  /// Turns of t, from falling to growing or back, met so far.
  [[nodiscard]] int folds() const { return folds_; }

 private:
  void begin();
  [[nodiscard]] double distance() const;
  void directions();
  [[nodiscard]] double inner(const Vector& ax, const Vector& ay, const Vector& bx,
                             const Vector& by) const;
  [[nodiscard]] double largest(const Vector& ax, const Vector& ay) const;
  void step(bool near);
  [[nodiscard]] bool retreat();

  CoulombSystem& s_;
  ConicStep at_;  // its dx, dy, dv: the tangent
  double stride_;
  double log_t_ = 0, t_ = 1;
  int orientation_ = 0;  // sign of det K at the start
  int last_sign_ = 0, folds_ = 0;
  double reach_ = 1;  // of the predictor, in strides
  int retreats_ = 0;
  Vector r0_, zero_, aim_;           // aim: −t r₀
  Vector cx_, cy_, cv_, px_, py_;    // corrector and predictor
  Vector last_x_, last_y_, last_v_;  // where the last step came from
  double last_log_t_ = 0;
};

}  // namespace saltus
