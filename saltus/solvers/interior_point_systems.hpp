#pragma once

#include "saltus/problems/horizontal_lcp.hpp"
#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

#include <functional>

namespace saltus {

// Complementarity pairs x_k, s_k > 0, k = 1 … m, and a direction dx, ds in the workspace.

/// μ = xᵀs/m after a step α; 0 without pairs.
[[nodiscard]] double central_mu(const InteriorWorkspace& v, double alpha = 0);
/// Largest α ≤ `most` with x + α dx ≥ 0 and s + α ds ≥ 0.
[[nodiscard]] double longest_step(const InteriorWorkspace& v, double most);
/// After a step α: ‖x ∘ s − μ 1‖₂ ≤ θ μ (narrow neighbourhood N₂) with x, s > 0.
[[nodiscard]] bool in_narrow(const InteriorWorkspace& v, double alpha, double theta);
/// After a step α: x_k s_k ≥ ε μ (wide neighbourhood N₋∞) with x, s > 0.
[[nodiscard]] bool in_wide(const InteriorWorkspace& v, double alpha, double epsilon);

/// The unknowns, without what is negligible, are Farkas' proof that there is no solution, or a row
/// is (certified_infeasible): in a monotone infeasible problem they run away along a proof.
[[nodiscard]] bool runs_to_a_proof(const BoxView& box, Workspace& work);

// A system gives Newton's direction for
//
//     x ∘ s = target,    (linear equations) = (1 − weight) r,    r the present error of them,
//
// that is  S dx + X ds = rc,  rc = target − x ∘ s  (written by the method):
//
//     bool factorise()               at the present point; false if singular
//     void direction(double weight)  dx and ds for v.rc
//     void advance(double alpha)     x += α dx, s += α ds
//     double error()                 residual(problem, present point) of problems/

/// The Newton systems of −u_i ∈ N_[lower_i, upper_i](z_i), u = W z + q: one pair per finite bound,
///
///     x_k = z_i − lower_i or upper_i − z_i > 0 (exact at every iterate),
///     r = W z + q − s_lower + s_upper (to be brought to zero),
///     (W + diag(Σ s_k / x_k)) dz = −weight r ± rc_k / x_k.
class BoxSystem {
 public:
  BoxSystem(const BoxView& box, InteriorWorkspace& vectors,
            std::function<double(ConstVectorRef)> residual);
  /// x_k = κ inside the bounds, s_k = κ²/x_k, κ = max(1, ‖q‖∞).
  void start();
  /// At z with s = ±u, if that is strictly inside: true.
  [[nodiscard]] bool start_at(ConstVectorRef z);
  [[nodiscard]] bool factorise();
  void direction(double weight);
  void advance(double alpha);
  [[nodiscard]] double error() { return residual_(v.z); }
  /// Basis of the rows whose slack exceeds its multiplier, the others at their bound (S:QP-22):
  /// z_F ← z_F − (W_FF + ε I)⁻¹ u_F, ε = 1e-10 max|W_ii|, three times, so that singular bases are
  /// solved too. Kept in v.z if the residual falls; returns the residual.
  [[nodiscard]] double purify(double error);

  InteriorWorkspace& v;

 private:
  [[nodiscard]] Index pairs() const { return v.x.size(); }
  void evaluate();  // r

  const BoxView& box_;
  std::function<double(ConstVectorRef)> residual_;
};

/// The Newton systems of Q x + R s = q: with dx = X y,
///
///     (Q X − R S) y = −weight r − R X⁻¹ rc,    ds = X⁻¹ rc − S y,    r = Q x + R s − q.
class HorizontalSystem {
 public:
  HorizontalSystem(const HorizontalLcp& problem, InteriorWorkspace& vectors)
      : v(vectors), problem_(problem) {}
  void start();
  /// At the point, if it is strictly positive and satisfies the equation: true.
  [[nodiscard]] bool start_at(const HorizontalPoint& point);
  [[nodiscard]] bool factorise();
  void direction(double weight);
  void advance(double alpha);
  [[nodiscard]] double error() { return residual(problem_, v.x, v.s); }
  /// Solves for the larger of each pair, the smaller set to zero (S:QP-22); kept if the residual
  /// falls. Returns the residual.
  [[nodiscard]] double purify(HorizontalPoint& point, double error);

  InteriorWorkspace& v;

 private:
  void resize();

  const HorizontalLcp& problem_;
};

}  // namespace saltus
