#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/report.hpp"

#include <functional>
#include <span>

namespace saltus {

/// The values of a scalar set-valued map, lower ≤ y ≤ upper; empty if lower > upper.
struct ValueInterval {
  double lower = inf, upper = -inf;
  [[nodiscard]] bool empty() const { return lower > upper; }
};
using IntervalMap = std::function<ValueInterval(double x)>;

/// One-sided and two-sided Lipschitz constants of a scalar set-valued map F (F:F048, F:F056,
/// F:F057, F:C0-16), for x₁ > x₂ and F = [l, u]:
///     Lipschitz   |u₁ − u₂|, |l₁ − l₂| ≤ L |x₁ − x₂|
///     OSLC        u₁ − u₂, l₁ − l₂ ≤ L (x₁ − x₂)          for every y₁ some y₂
///     UOSLC       u₁ − l₂ ≤ L (x₁ − x₂)                   for every y₁ and y₂
/// and of linear growth, |y| ≤ c (1 + |x|). Lipschitz ⇒ OSLC and UOSLC ⇒ OSLC; UOSLC: at most one
/// solution of ẋ ∈ F(x), and |x₁ − x₂|(t) ≤ e^(Lt) |x₁ − x₂|(0) (F:F206).
struct LipschitzConstants {
  double lipschitz = inf, one_sided = inf, uniform_one_sided = inf, growth = inf;
};

/// The constants over all pairs of a grid on [from, to] of 2 `intervals` + 1 points, with a finer
/// one nested around each of `special` points (jumps, kinks: the only places where a piecewise
/// smooth F can fail), at distances down to (to − from) · 1e-10. A constant that grows beyond 1e6
/// is infinite, up to a factor near there. A sampled estimate from below: exact for piecewise
/// linear maps whose breaks are special. Constants may be negative: OSLC with −L is a contraction.
[[nodiscard]] LipschitzConstants lipschitz_constants(const IntervalMap& F, double from, double to,
                                                     std::span<const double> special,
                                                     int intervals = 64);

/// Filippov's neighbourhood theorem (F:F207): y absolutely continuous, ẏ nowhere farther than
/// g(t) from F(t, y), F Lipschitz in x with the constant l. Then ẋ ∈ F(t, x) has a solution with
///     |x − y|(t) ≤ v(t),   v̇ = l v + g,   v(t₀) = |x − y|(t₀):
/// an error bound from the defect of a numerical solution. v at the times t (rising) for g linear
/// between its values there, exactly.
[[nodiscard]] Vector neighbourhood_bound(ConstVectorRef t, ConstVectorRef g, double lipschitz,
                                         double initial = 0);

/// The one-sided Lipschitz constant of x ↦ A x in the metric P > 0: the largest eigenvalue μ of
/// ½(R A R⁻¹ + (·)ᵀ), P = RᵀR. Every pair of solutions of an inclusion ẋ ∈ A x − N(x) with N
/// monotone in that metric obeys |x₁ − x₂|_P(t) ≤ e^(μt) |x₁ − x₂|_P(0) (F:F206, F:F208).
[[nodiscard]] double one_sided_lipschitz(ConstMatrixRef A, ConstMatrixRef P);

/// Smallest and largest rate of V along the convex hull of some fields, the columns of F: the range
/// of ∇V·f (F:F212). V is a Lyapunov function where `upper` ≤ 0.
[[nodiscard]] ValueInterval lyapunov_rate(ConstVectorRef gradient, ConstMatrixRef fields);

/// P of AᵀP + PA = −Q, Q symmetric. Throws Error if two eigenvalues of A add up to zero.
[[nodiscard]] Matrix lyapunov_matrix(ConstMatrixRef A, ConstMatrixRef Q);

}  // namespace saltus
