#pragma once

#include <Eigen/Core>

#include <cmath>

namespace saltus {

/// A number with a derivative, x + x′ε with ε² = 0: what a function written for any number type
/// returns for it carries its exact derivative along x′ (forward automatic differentiation).
/// Dual<Dual<double>> has second derivatives. Comparisons look at the value.
template <class S>
struct Dual {
  S value = S(0);
  S slope = S(0);  ///< derivative

  Dual() = default;
  Dual(double x) : value(x) {}
  Dual(const S& x) requires(!std::is_same_v<S, double>) : value(x) {}
  Dual(const S& x, const S& d) : value(x), slope(d) {}

  Dual& operator+=(const Dual& y) { return *this = *this + y; }
  Dual& operator-=(const Dual& y) { return *this = *this - y; }
  Dual& operator*=(const Dual& y) { return *this = *this * y; }
  Dual& operator/=(const Dual& y) { return *this = *this / y; }

  friend Dual operator-(const Dual& x) { return {-x.value, -x.slope}; }
  friend Dual operator+(const Dual& x, const Dual& y) {
    return {x.value + y.value, x.slope + y.slope};
  }
  friend Dual operator-(const Dual& x, const Dual& y) {
    return {x.value - y.value, x.slope - y.slope};
  }
  friend Dual operator*(const Dual& x, const Dual& y) {
    return {x.value * y.value, x.slope * y.value + x.value * y.slope};
  }
  friend Dual operator/(const Dual& x, const Dual& y) {
    const S ratio = x.value / y.value;
    return {ratio, (x.slope - ratio * y.slope) / y.value};
  }
  friend bool operator==(const Dual& x, const Dual& y) { return x.value == y.value; }
  friend auto operator<=>(const Dual& x, const Dual& y) { return x.value <=> y.value; }

  friend Dual sin(const Dual& x) {
    using std::cos, std::sin;
    return {sin(x.value), cos(x.value) * x.slope};
  }
  friend Dual cos(const Dual& x) {
    using std::cos, std::sin;
    return {cos(x.value), -sin(x.value) * x.slope};
  }
  friend Dual tan(const Dual& x) { return sin(x) / cos(x); }
  friend Dual exp(const Dual& x) {
    using std::exp;
    const S e = exp(x.value);
    return {e, e * x.slope};
  }
  friend Dual log(const Dual& x) {
    using std::log;
    return {log(x.value), x.slope / x.value};
  }
  friend Dual sqrt(const Dual& x) {
    using std::sqrt;
    const S root = sqrt(x.value);
    return {root, x.slope / (S(2.0) * root)};
  }
  /// A constant power.
  friend Dual pow(const Dual& x, double p) {
    using std::pow;
    return {pow(x.value, p), S(p) * pow(x.value, p - 1) * x.slope};
  }
  friend Dual atan2(const Dual& y, const Dual& x) {
    using std::atan2;
    return {atan2(y.value, x.value),
            (x.value * y.slope - y.value * x.slope) / (x.value * x.value + y.value * y.value)};
  }
  friend Dual abs(const Dual& x) { return x.value < S(0) ? -x : x; }
};

}  // namespace saltus

namespace Eigen {

template <class S>
struct NumTraits<saltus::Dual<S>> : NumTraits<double> {
  using Real = saltus::Dual<S>;
  using NonInteger = saltus::Dual<S>;
  using Nested = saltus::Dual<S>;
  enum {
    IsComplex = 0,
    IsInteger = 0,
    IsSigned = 1,
    RequireInitialization = 1,
    ReadCost = 2,
    AddCost = 2,
    MulCost = 4
  };
};

}  // namespace Eigen
