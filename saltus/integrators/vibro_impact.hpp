#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/fields.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace saltus {

/// An oscillator with a stop (TI:TI-049, TI:E7):
///     ẍ + 2a ẋ + ω² x = f(t) − λ,   0 ≤ λ ⟂ x_max − x ≥ 0,   ẋ⁺ = −e ẋ⁻ where x = x_max, ẋ⁻ > 0.
struct VibroImpactOscillator {
  static constexpr std::string_view name = "VibroImpactOscillator";
  double a = 0;                          ///< damping [1/s]
  double omega = 1;                      ///< ω [1/s]
  double x_max = 1;                      ///< place of the stop [m]
  double e = 1;                          ///< restitution
  std::function<double(double)> f = {};  ///< load per mass over time [m/s²]; empty: none
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"a", "damping [1/s]", non_negative}, s.a);
    visit(Field{"omega", "angular frequency [1/s]", non_negative}, s.omega);
    visit(Field{"x_max", "place of the stop [m]", {}}, s.x_max);
    visit(Field{"e", "restitution", unit_interval}, s.e);
  }
};

/// How the time of an impact is found in the step [t_k, t_k + h] that ends beyond the stop.
enum class ImpactTime : std::uint8_t {
  linear,     ///< IM1: line through x_k, x_{k+1} (TI:TI-050a)
  quadratic,  ///< IM2: parabola through them with the slope v_k (TI:TI-050b)
  dichotomy   ///< IM3: bisection on the step repeated, to h⁴ (TI:TI-050c)
};

/// The one-step method between impacts.
enum class SmoothMethod : std::uint8_t {
  runge_kutta,  ///< the classical one, order 4 (TI:TI-053e)
  newmark       ///< average acceleration, order 2 (TI:TI-053f)
};

/// Event-driven integration with steps of one length. A step that ends beyond the stop is cut at
/// the impact: x = x_max, ẋ ← −e ẋ there. On the rest of the step further impacts are located, too,
/// at most `most_impacts` of them (TI:TI-051; one by the line, which cannot start at the stop). If
/// it still ends beyond the stop, the mass sticks to it, until f − ω² x_max changes its sign
/// (TI:TI-052). With separate impacts the order is the least of the method's and that of the impact
/// time, 2, 3 or 4 [Janin & Lamarque 2001].
struct VibroImpactScheme {
  static constexpr std::string_view name = "VibroImpactScheme";
  SmoothMethod method = SmoothMethod::runge_kutta;
  ImpactTime impact_time = ImpactTime::dichotomy;
  int most_impacts = 10;  ///< located in one step
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"most_impacts", "located in one step", Range{1, 1e6}}, s.most_impacts);
  }
};

struct VibroImpactMotion {
  Vector t, x, v;               ///< at the ends of the steps, and at the start
  std::vector<double> impacts;  ///< their times
};

/// From (x, v) at time 0 to `end` in `steps` steps. Throws Error if x is beyond the stop.
[[nodiscard]] VibroImpactMotion integrate(const VibroImpactOscillator& oscillator, double x,
                                          double v, double end, int steps,
                                          const VibroImpactScheme& scheme = {});

}  // namespace saltus
