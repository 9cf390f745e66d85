#pragma once

#include "saltus/base/fields.hpp"

#include <cmath>
#include <variant>

namespace saltus {

// Step lengths t along a Newton direction d of G, with the merit q(t) = ½‖G(r + t d)‖², whose slope
// at 0 is q'(0) = −2 q(0), so that full steps near a solution pass every test (with ½‖G‖ Goldstein
// and Price would refuse them). If the iterations run out the last t is taken.

/// t = 1.
struct FullStep {
  static constexpr std::string_view name = "FullStep";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};

/// The first t = 1, ½, ¼ … with q(t) ≤ q(0) + m₁ t q'(0) (FS:FS-60, FS:B.5, S:FC-21).
struct Armijo {
  static constexpr std::string_view name = "Armijo";
  double m1 = 0.01;         ///< 0 < m₁ < ½; nominal 1e-4 to 0.01
  int max_iterations = 20;  ///< halvings
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"m1", "sufficient decrease", Range{0, 0.5, true}}, s.m1);
    visit(Field{"max_iterations", "halvings", positive}, s.max_iterations);
  }
};

/// m₂ q'(0) ≤ (q(t) − q(0))/t ≤ m₁ q'(0), by extrapolation with the factor a until a bracket is
/// found, then bisection (FS:FS-59, FS:B.4). [Goldstein & Price 1967]
struct GoldsteinPrice {
  static constexpr std::string_view name = "GoldsteinPrice";
  double m1 = 0.01;         ///< 0 < m₁ < ½; nominal 0.01
  double m2 = 0.99;         ///< ½ < m₂ < 1; nominal 0.99
  double a = 1.1;           ///< extrapolation, > 1; nominal 1.1
  int max_iterations = 20;  ///< evaluations
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"m1", "sufficient decrease", Range{0, 0.5, true}}, s.m1);
    visit(Field{"m2", "largest decrease", Range{0.5, 1, true}}, s.m2);
    visit(Field{"a", "factor of extrapolation", Range{1, inf, true}}, s.a);
    visit(Field{"max_iterations", "evaluations", positive}, s.max_iterations);
  }
};

using LineSearch = std::variant<FullStep, GoldsteinPrice, Armijo>;

/// The step length; q(t) evaluates the merit, q0 = q(0). A merit that is not finite is too large.
template <class Merit>
[[nodiscard]] double find_length(const FullStep&, double, const Merit&) {
  return 1;
}
template <class Merit>
[[nodiscard]] double find_length(const Armijo& rule, double q0, const Merit& q) {
  double t = 1;
  for (int k = 0; k < rule.max_iterations && !(q(t) <= q0 * (1 - 2 * rule.m1 * t)); ++k) t /= 2;
  return t;
}
template <class Merit>
[[nodiscard]] double find_length(const GoldsteinPrice& rule, double q0, const Merit& q) {
  double t = 1, left = 0, right = 0;
  for (int k = 0; k < rule.max_iterations; ++k) {
    const double slope = (q(t) - q0) / t;
    const bool short_of = slope < -2 * rule.m2 * q0;
    if (slope <= -2 * rule.m1 * q0 && !short_of) return t;
    (short_of ? left : right) = t;
    t = right == 0 ? rule.a * t : (left + right) / 2;
  }
  return t;
}
template <class Merit>
[[nodiscard]] double find_length(const LineSearch& rule, double q0, const Merit& q) {
  return std::visit([&](const auto& held) { return find_length(held, q0, q); }, rule);
}

}  // namespace saltus
