#pragma once

#include "saltus/solvers/conic_step.hpp"
#include "saltus/solvers/coulomb_interior_point.hpp"

namespace saltus {

/// What to do where the path turns back.
enum class Fold : std::uint8_t {
  follow,  ///< stay on the path, through larger t
  jump     ///< leave it for another part of it at a smaller t
};

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
///
/// A fold belongs to a few contacts, but its way through larger t takes all others along, and with
/// many folds they pass them again and again, in all combinations. Fold::jump goes on at a t that
/// is smaller by e^−0.6, held fixed, with the pseudo-time τ of
///
///     dy/dτ = −(Rᵀ v + w − x + ‖x_T‖ e_N − t r₀),    x ∘ y = t e,
///
/// by linearly implicit Euler steps of length 1/δ: what has lost its balance moves to another one,
/// the rest stays. δ grows until det K has the sign of the start, and falls with each long step.
/// Where the flow finds no rest in 150 steps it tries a larger t.
class CoulombPath {
 public:
  explicit CoulombPath(CoulombSystem& system, Slip slip = Slip::kinked, Fold fold = Fold::follow);

  /// Goes on until the error is below `stop`, for at most `budget` factorisations. False if it
  /// cannot go on: K is singular, or the curve was lost. May be called again.
  bool run(int budget, double stop, CoulombBest& best);

  /// Turns of t, from falling to growing or back, met so far; or jumps.
  [[nodiscard]] int folds() const { return folds_; }

 private:
  void begin();
  [[nodiscard]] double distance() const;
  void directions();
  [[nodiscard]] double inner(const Vector& ax, const Vector& ay, const Vector& bx,
                             const Vector& by) const;
  [[nodiscard]] double largest(const Vector& ax, const Vector& ay) const;
  [[nodiscard]] double orient();
  void step(double forward, bool near);
  void lean();
  void flow();
  void keep();
  [[nodiscard]] bool retreat();

  CoulombSystem& s_;
  ConicStep at_;  // its dx, dy, dv: the tangent
  Fold fold_;
  double log_t_ = 0, t_ = 1;
  int orientation_ = 0;  // sign of det K at the start
  int last_sign_ = 0, folds_ = 0;
  double reach_ = 1;  // of the predictor, in strides
  bool jumping_ = false;
  double delta_ = 0;  // while jumping
  int flowed_ = 0;    // steps of this jump
  int retreats_ = 0;
  Vector r0_, zero_, aim_;           // aim: −t r₀
  Vector cx_, cy_, cv_, px_, py_;    // corrector and predictor
  Vector last_x_, last_y_, last_v_;  // where the last step came from
  double last_log_t_ = 0;
};

}  // namespace saltus
