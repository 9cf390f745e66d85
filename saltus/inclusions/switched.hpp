#pragma once

#include "saltus/inclusions/moving_relation.hpp"
#include "saltus/model/model.hpp"

#include <vector>

namespace saltus {

/// Switched system with an exogenous signal (F:F096): ẋ = f_σ(t)(t, x), σ piecewise constant: mode
/// `modes[k]` from times[k] on, the first from the beginning.
struct SwitchedSystem {
  Values x0 = {};
  std::vector<TimeField> fields = {};
  Values times = {};              ///< increasing: when σ changes
  std::vector<Index> modes = {};  ///< one more than times
  [[nodiscard]] Index mode(double t) const;
  [[nodiscard]] Model model() const;
};

/// Impulsive system driven by the derivative of an input of bounded variation (F:F099, F:F100,
/// F:B16):
///     ẋ = f(t, x) + g(x) u̇,   u with jumps Δu_k at times t_k.
/// A jump carries x along the flow of ż = g(z) over the pseudo-time Δu, not by g(x) Δu: that is the
/// limit of smooth inputs (F:F102).
struct ImpulsiveSystem {
  Values x0 = {};
  TimeField f = {};  ///< empty: 0
  std::function<void(ConstVectorRef x, VectorRef g)> g = {};
  std::function<double(double t)> rate = {};  ///< u̇ between jumps; empty: 0
  Values times = {};                          ///< t_k, increasing
  Values jumps = {};                          ///< Δu_k

  /// Between jumps, from x0.
  [[nodiscard]] Model model() const;
  /// x(t_k⁺) from x(t_k⁻): the flow of g over `jump` by the classical Runge–Kutta method in `steps`
  /// steps, error O(steps⁻⁴).
  [[nodiscard]] Vector after_jump(ConstVectorRef x, double jump, int steps = 100) const;
  /// x(t_end): smooth pieces and jumps one after the other, by the same method in steps of at most
  /// h.
  [[nodiscard]] Vector solve(double t_end, double h) const;
};

}  // namespace saltus
