#pragma once

#include "saltus/base/report.hpp"
#include "saltus/sets/contains.hpp"

#include <algorithm>

namespace saltus {

/// {x : lower ≤ x_i ≤ upper}: the same bounds on every component, in any dimension. Bounds may be
/// infinite; lower = upper is a single point.
struct Interval {
  static constexpr std::string_view name = "Interval";
  double lower = -inf;
  double upper = inf;
};

/// {x : lower_i ≤ x_i ≤ upper_i}. Bounds may be infinite.
struct Box {
  static constexpr std::string_view name = "Box";
  Values lower = {};
  Values upper = {};
};

/// Throws Error unless lower ≤ upper, neither is NaN, and the interval holds a real number.
void validate(const Interval&);
void validate(const Box&);

inline void check_dimension(const Interval&, Index) {}
inline void check_dimension(const Box& box, Index n) {
  require(box.lower.size() == n && box.upper.size() == n,
          "Box: lower has size {}, upper has size {}, x has size {}", box.lower.size(),
          box.upper.size(), n);
}

/// p = min(max(x, lower), upper)
inline void project(const Interval& set, ConstVectorRef x, VectorRef p) {
  check_result(Interval::name, x.size(), p.size());
  for (Index i = 0; i < x.size(); ++i) p[i] = std::min(std::max(x[i], set.lower), set.upper);
}
inline void project(const Box& set, ConstVectorRef x, VectorRef p) {
  check_dimension(set, x.size());
  check_result(Box::name, x.size(), p.size());
  for (Index i = 0; i < x.size(); ++i) p[i] = std::min(std::max(x[i], set.lower[i]), set.upper[i]);
}

[[nodiscard]] double distance(const Interval&, ConstVectorRef x);
[[nodiscard]] double distance(const Box&, ConstVectorRef x);

/// σ(d) = Σ_i max(lower_i d_i, upper_i d_i), with 0·∞ = 0
[[nodiscard]] double support(const Interval&, ConstVectorRef d);
[[nodiscard]] double support(const Box&, ConstVectorRef d);

/// J = diag(1 if lower_i ≤ x_i ≤ upper_i and lower_i < upper_i, else 0)
void projection_jacobian(const Interval&, ConstVectorRef x, MatrixRef J);
void projection_jacobian(const Box&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
