#pragma once

#include "saltus/solvers/coulomb_system.hpp"
#include "saltus/solvers/lorentz.hpp"

#include <cstdint>
#include <vector>

namespace saltus {

/// The normal part of x as a function of u: the first two give u_N = 0 where a contact slides and
/// x = 0 where it sticks, so that at σ = 0 they state the same problem.
enum class Slip : std::uint8_t {
  kinked,  ///< u_N = x_N − ‖x_T‖, not smooth on the axis of the cone
  smooth,  ///< u_N = det x / x_N
  frozen   ///< u_N = x_N − s with s given: a convex problem if W is symmetric
};

/// A point inside the cones of a CoulombSystem and Newton's steps from it towards
///
///     M v = L y + f,    Rᵀ v + w = x − ‖x_T‖ e_N + r_p,    x ∘ y = σ e,
///
/// (or another u_N, see Slip) in the Nesterov–Todd scaling T x = T⁻¹ y = λ. With A = T² G,
/// G = dx/du = [1 x_Tᵀ/‖x_T‖; 0 I], and B = (I + δ A)⁻¹, where δ is a proximal term on y, a step
/// that changes r_p by −r and obeys T dx + T⁻¹ dy = c solves
///
///     K(B A) dv = r_d + L B (T c − A r).
///
/// (dv, dy) is refined additively, so that the dynamics hold to rounding however large A is.
class ConicStep {
 public:
  explicit ConicStep(CoulombSystem& system, Slip slip = Slip::kinked);

  [[nodiscard]] bool free(Index cell) const { return s.kind(cell) == CoulombSystem::Kind::free; }
  [[nodiscard]] bool slips(Index cell) const {
    return s.kind(cell) == CoulombSystem::Kind::coulomb;
  }
  /// r_d, r_p, λ, mean(x·y), ‖T r_p‖²; false once a pair has left the cone.
  [[nodiscard]] bool residuals();
  /// K(B A); false if singular.
  [[nodiscard]] bool factorise(double delta);
  /// c = λ \ (σ e − k (T dx)∘(T⁻¹ dy)) − λ, the product cut to `limit` per cell.
  void aim(double sigma, double k, double limit);
  /// (dv, dx, dy) for c and the residuals given; refined, at most twice, the equations of motion
  /// hold to rounding.
  void solve(const Vector& motion, const Vector& kinematics, bool refined = true);
  /// The longest step that (dx, dy) allow.
  [[nodiscard]] double longest_step() const { return longest_step(dx, dy); }
  [[nodiscard]] double longest_step(const Vector& along_x, const Vector& along_y) const;
  /// mean(x·y) after a step a (dx, dy).
  [[nodiscard]] double mean_after(double a);
  /// (v, x, y) ← (v, x, y) + a (dv, dx, dy)
  void move(double a);

  CoulombSystem& s;
  const Index n;  ///< cells
  UnsetVector<lorentz::Scaling> scaling;
  Vector x, y, v, rd, rp, lambda, c;
  Vector dx, dy, dv;
  Vector frozen_slip;  ///< s of each cell
  double cones = 0, mean = 0, scaled_squares = 0;

 private:
  void reduce_dy(const Vector& d);

  Slip slip_;
  double delta_ = 0;
  UnsetVector<double> A_, B_, BA_;
  Vector product_, square_;  // of each cell
  Vector u_, ddv_, hd_, b_;
};

}  // namespace saltus
