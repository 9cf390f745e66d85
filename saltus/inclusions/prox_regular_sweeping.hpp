#pragma once

#include "saltus/inclusions/moving_relation.hpp"
#include "saltus/model/model.hpp"
#include "saltus/sets/prox_regular.hpp"

namespace saltus {

/// A run of the catching-up algorithm; column k belongs to t_k.
struct CatchingUpRun {
  SolveReport last = {};  ///< of the last projection; the run ends at the first one that fails
  Vector t = {};
  Matrix x = {};
  double longest = 0;  ///< largest move of the state against the set in a step, below r
  [[nodiscard]] bool done() const { return last.converged(); }
};

/// Sweeping process with a set that is prox-regular with the constant r, not convex (F:F063,
/// F:F066, F:F023, TI:TI-081):
///     −ẋ + f(t, x) ∈ N_K(t)(x),   K(t) = c(t) + K.
/// One solution, as for convex sets, of which the catching-up algorithm (TI:TI-082, F:B9)
///     x⁺ = proj[K(t⁺); x + h f(t, x)]
/// finds the right nearest point as long as the state moves against the set by less than r in a
/// step, ‖h f − (c⁺ − c)‖ < r. [Thibault 2003] [Edmond & Thibault 2005]
struct ProxRegularSweeping {
  Values x0 = {};
  ProxRegularSet set = BallComplement{};
  std::function<void(double t, VectorRef c)> center = {};  ///< empty: 0
  TimeField f = {};                                        ///< empty: 0

  /// ẋ = f + ∇gᵀλ, 0 ≤ g(x − c) ⟂ λ ≥ 0, for any implicit scheme; its steps have to be short enough
  /// by themselves.
  [[nodiscard]] Model model() const;
  /// Catching-up with steps h until `end`, which is rounded to whole steps. Throws Error if a step
  /// moves the state against the set by r or more, with a step that would do, or if x0 lies r or
  /// more outside.
  [[nodiscard]] CatchingUpRun run(double h, double end) const;
};

}  // namespace saltus
