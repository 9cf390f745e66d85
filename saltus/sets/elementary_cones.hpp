#pragma once

#include "saltus/base/report.hpp"
#include "saltus/sets/contains.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

// The cones without data: the whole space, the origin, the orthant. They live in any dimension.
// For a closed convex cone K (F:F010):
//     polar  K° = {s : s·y ≤ 0 for all y ∈ K},   dual  K* = −K°,
//     Moreau  x = P_K(x) + P_K°(x),  P_K(x)·P_K°(x) = 0,
//     support  σ_K(d) = 0 if d ∈ K°, +∞ otherwise.

/// K = Rⁿ: no constraint.
struct Reals {
  static constexpr std::string_view name = "Reals";
};

/// K = {0}: an equality.
struct Zero {
  static constexpr std::string_view name = "Zero";
};

/// K = {x : x ≥ 0}, component by component.
struct NonNegative {
  static constexpr std::string_view name = "NonNegative";
};

inline void validate(const Reals&) {}
inline void validate(const Zero&) {}
inline void validate(const NonNegative&) {}

inline void check_dimension(const Reals&, Index) {}
inline void check_dimension(const Zero&, Index) {}
inline void check_dimension(const NonNegative&, Index) {}

[[nodiscard]] inline Zero dual(const Reals&) { return {}; }
[[nodiscard]] inline Reals dual(const Zero&) { return {}; }
[[nodiscard]] inline NonNegative dual(const NonNegative&) { return {}; }

inline void project(const Reals&, ConstVectorRef x, VectorRef p) {
  check_result(Reals::name, x.size(), p.size());
  p = x;
}
inline void project_polar(const Reals&, ConstVectorRef x, VectorRef p) {
  check_result(Reals::name, x.size(), p.size());
  p.setZero();
}
[[nodiscard]] inline double distance(const Reals&, ConstVectorRef) { return 0; }
[[nodiscard]] inline double support(const Reals&, ConstVectorRef d) {
  return (d.array() == 0).all() ? 0 : inf;
}
inline void projection_jacobian(const Reals&, ConstVectorRef x, MatrixRef J) {
  check_jacobian(Reals::name, x.size(), J);
  J.setIdentity();
}

inline void project(const Zero&, ConstVectorRef x, VectorRef p) {
  check_result(Zero::name, x.size(), p.size());
  p.setZero();
}
inline void project_polar(const Zero&, ConstVectorRef x, VectorRef p) {
  check_result(Zero::name, x.size(), p.size());
  p = x;
}
[[nodiscard]] inline double distance(const Zero&, ConstVectorRef x) { return x.norm(); }
[[nodiscard]] inline double support(const Zero&, ConstVectorRef) { return 0; }
inline void projection_jacobian(const Zero&, ConstVectorRef x, MatrixRef J) {
  check_jacobian(Zero::name, x.size(), J);
  J.setZero();
}

/// p = max(x, 0)
inline void project(const NonNegative&, ConstVectorRef x, VectorRef p) {
  check_result(NonNegative::name, x.size(), p.size());
  for (Index i = 0; i < x.size(); ++i) p[i] = std::max(x[i], 0.0);
}
/// p = min(x, 0)
inline void project_polar(const NonNegative&, ConstVectorRef x, VectorRef p) {
  check_result(NonNegative::name, x.size(), p.size());
  for (Index i = 0; i < x.size(); ++i) p[i] = std::min(x[i], 0.0);
}
[[nodiscard]] inline double distance(const NonNegative&, ConstVectorRef x) {
  double sum = 0;
  for (Index i = 0; i < x.size(); ++i) {
    const double below = std::min(x[i], 0.0);
    sum += below * below;
  }
  return std::sqrt(sum);
}
[[nodiscard]] inline double support(const NonNegative&, ConstVectorRef d) {
  return (d.array() <= 0).all() ? 0 : inf;
}
/// J = diag(1 if x_i ≥ 0, else 0)
inline void projection_jacobian(const NonNegative&, ConstVectorRef x, MatrixRef J) {
  check_jacobian(NonNegative::name, x.size(), J);
  J.setZero();
  for (Index i = 0; i < x.size(); ++i) J(i, i) = x[i] >= 0 ? 1 : 0;
}

}  // namespace saltus
