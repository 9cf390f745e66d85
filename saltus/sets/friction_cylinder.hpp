#pragma once

#include "saltus/sets/contains.hpp"

namespace saltus {

/// Half cylinder of Tresca's friction law, normal component first, in any dimension ≥ 2 (FS:FS-28):
///     C = {(n, t) : n ≥ 0, ‖t‖ ≤ radius}
/// the friction force is bounded by a given threshold instead of μ n. Projection of a product:
/// n' = max(n, 0), t' = min(1, radius/‖t‖) t.
struct FrictionCylinder {
  static constexpr std::string_view name = "FrictionCylinder";
  double radius = 0;  ///< threshold, finite, ≥ 0
};

/// Throws Error unless the radius is finite and ≥ 0.
void validate(const FrictionCylinder&);
/// Throws Error unless n ≥ 2.
void check_dimension(const FrictionCylinder&, Index n);

void project(const FrictionCylinder&, ConstVectorRef x, VectorRef p);
[[nodiscard]] double distance(const FrictionCylinder&, ConstVectorRef x);
/// radius ‖d_T‖ for d_N ≤ 0, ∞ otherwise
[[nodiscard]] double support(const FrictionCylinder&, ConstVectorRef d);
/// 1 if n ≥ 0 else 0, beside the Jacobian of the ball; 0 for the ball of radius 0.
void projection_jacobian(const FrictionCylinder&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
