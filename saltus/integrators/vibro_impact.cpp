#include "saltus/integrators/vibro_impact.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

struct Point {
  double t, x, v;
};

class VibroImpact {
 public:
  VibroImpact(const VibroImpactOscillator& oscillator, const VibroImpactScheme& scheme, double step)
      : o_(oscillator), scheme_(scheme), step_(step) {}

  /// The point one step on.
  Point advance(Point at, double end, std::vector<double>& impacts) const {
    const int most = scheme_.impact_time == ImpactTime::linear ? 1 : scheme_.most_impacts;
    for (int located = 0;; ++located) {
      if (at.x == o_.x_max && at.v == 0 && !leave(at, end)) return {end, o_.x_max, 0};
      const Point next = flow(at, end - at.t);
      if (next.x <= o_.x_max) return next;
      if (located == most) return {end, o_.x_max, 0};
      const double way = impact_after(at, next);
      at = flow(at, way);
      impacts.push_back(at.t);
      at = {at.t, o_.x_max, -o_.e * at.v};
    }
  }

 private:
  [[nodiscard]] double load(double t) const {
    const double value = o_.f ? o_.f(t) : 0;
    require(std::isfinite(value), "VibroImpactOscillator: f({}) is {}, expected a finite load", t,
            value);
    return value;
  }
  [[nodiscard]] double acceleration(const Point& p) const {
    return load(p.t) - 2 * o_.a * p.v - o_.omega * o_.omega * p.x;
  }
  [[nodiscard]] bool pressed(double t) const {
    return load(t) - o_.omega * o_.omega * o_.x_max > 0;
  }

  /// Moves a mass at rest at the stop to the time when it is let go; false if that is not before
  /// `end`.
  [[nodiscard]] bool leave(Point& at, double end) const {
    if (!pressed(at.t)) return true;
    if (pressed(end)) return false;
    double low = at.t, high = end;
    while (high - low > precision()) (pressed((low + high) / 2) ? low : high) = (low + high) / 2;
    at.t = high;
    return high < end;
  }

  /// h⁴, as far as a time can have it.
  [[nodiscard]] double precision() const { return std::max(std::pow(step_, 4), 1e-15); }

  [[nodiscard]] Point flow(const Point& p, double h) const {
    return scheme_.method == SmoothMethod::newmark ? newmark(p, h) : runge_kutta(p, h);
  }

  [[nodiscard]] Point runge_kutta(const Point& p, double h) const {
    const auto stage = [&](double part, double dx, double dv) {
      return Point{p.t + part * h, p.x + part * h * dx, p.v + part * h * dv};
    };
    const double a1 = acceleration(p);
    const Point p2 = stage(0.5, p.v, a1);
    const double a2 = acceleration(p2);
    const Point p3 = stage(0.5, p2.v, a2);
    const double a3 = acceleration(p3);
    const Point p4 = stage(1, p3.v, a3);
    const double a4 = acceleration(p4);
    return {p.t + h, p.x + h / 6 * (p.v + 2 * p2.v + 2 * p3.v + p4.v),
            p.v + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
  }

  /// x⁺ = x + h v + h²/4 (ẍ + ẍ⁺), v⁺ = v + h/2 (ẍ + ẍ⁺), solved for the sum.
  [[nodiscard]] Point newmark(const Point& p, double h) const {
    const double square = o_.omega * o_.omega;
    const double sum =
        (acceleration(p) + load(p.t + h) - 2 * o_.a * p.v - square * (p.x + h * p.v)) /
        (1 + o_.a * h + square * h * h / 4);
    return {p.t + h, p.x + h * p.v + h * h / 4 * sum, p.v + h / 2 * sum};
  }

  /// Time from `at`, at the stop or before it, to the impact before `next`, beyond it.
  [[nodiscard]] double impact_after(const Point& at, const Point& next) const {
    const double h = next.t - at.t, gap = o_.x_max - at.x;
    switch (scheme_.impact_time) {
      case ImpactTime::linear:
        return h * gap / (next.x - at.x);
      case ImpactTime::quadratic:
        return first_root((next.x - at.x - at.v * h) / (h * h), at.v, gap, h);
      case ImpactTime::dichotomy:
        break;
    }
    double low = 0, high = h;
    while (high - low > precision()) {
      const double middle = (low + high) / 2;
      (flow(at, middle).x <= o_.x_max ? low : high) = middle;
    }
    return (low + high) / 2;
  }

  /// The first τ ∈ (0, h] with c τ² + v τ = gap ≥ 0.
  static double first_root(double c, double v, double gap, double h) {
    const double root = std::sqrt(std::max(v * v + 4 * c * gap, 0.0));
    if (v >= 0) return v + root > 0 ? std::min(2 * gap / (v + root), h) : 0;
    return std::min((root - v) / (2 * c), h);  // it goes back first: the time of its return
  }

  const VibroImpactOscillator& o_;
  const VibroImpactScheme& scheme_;
  double step_;
};

}  // namespace

VibroImpactMotion integrate(const VibroImpactOscillator& oscillator, double x, double v, double end,
                            int steps, const VibroImpactScheme& scheme) {
  validate(oscillator);
  validate(scheme);
  require(std::isfinite(x) && std::isfinite(v),
          "VibroImpactOscillator: x, v are {}, {}, expected finite", x, v);
  require(x <= oscillator.x_max, "VibroImpactOscillator: x is {}, beyond the stop at x_max = {}", x,
          oscillator.x_max);
  require(end > 0 && std::isfinite(end), "VibroImpactOscillator: end is {}, expected > 0", end);
  require(steps > 0, "VibroImpactOscillator: steps is {}, expected at least 1", steps);
  const double h = end / steps;
  const VibroImpact method(oscillator, scheme, h);
  VibroImpactMotion motion{Vector(steps + 1), Vector(steps + 1), Vector(steps + 1), {}};
  Point at{0, x, v};
  if (x == oscillator.x_max && v > 0) at.v = -oscillator.e * v;
  for (int k = 0; k <= steps; ++k) {
    if (k > 0) at = method.advance(at, k * h, motion.impacts);
    motion.t[k] = at.t = k * h;
    motion.x[k] = at.x;
    motion.v[k] = at.v;
  }
  return motion;
}

}  // namespace saltus
