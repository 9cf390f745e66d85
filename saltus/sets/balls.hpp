#pragma once

#include "saltus/sets/contains.hpp"

#include <algorithm>

namespace saltus {

/// {x ∈ R² : ‖x‖ ≤ radius}: the section of a Coulomb cone, D(μ r_N).
struct Disk {
  static constexpr std::string_view name = "Disk";
  double radius = 1;
};

/// {x : ‖x − center‖ ≤ radius}, in the dimension of the center.
struct Ball {
  static constexpr std::string_view name = "Ball";
  Values center = {};
  double radius = 1;
};

/// Throws Error unless the radius is finite and ≥ 0 and the center finite.
void validate(const Disk&);
void validate(const Ball&);

inline void check_dimension(const Disk&, Index n) {
  require(n == 2, "Disk: x has size {}, expected 2", n);
}
inline void check_dimension(const Ball& ball, Index n) {
  require(ball.center.size() == n, "Ball: center has size {}, x has size {}", ball.center.size(),
          n);
}

/// p = x inside, radius · x / ‖x‖ outside
inline void project(const Disk& disk, ConstVectorRef x, VectorRef p) {
  check_dimension(disk, x.size());
  check_result(Disk::name, x.size(), p.size());
  const double norm = x.norm();
  p = (norm > disk.radius ? disk.radius / norm : 1.0) * x;
}
/// p = center + projection of x − center on the centred ball
void project(const Ball&, ConstVectorRef x, VectorRef p);

/// max(‖x − center‖ − radius, 0)
[[nodiscard]] double distance(const Disk&, ConstVectorRef x);
[[nodiscard]] double distance(const Ball&, ConstVectorRef x);

/// σ(d) = center · d + radius ‖d‖
[[nodiscard]] double support(const Disk&, ConstVectorRef d);
[[nodiscard]] double support(const Ball&, ConstVectorRef d);

/// With z = x − center:  J = I for ‖z‖ ≤ radius,  (radius/‖z‖)(I − z zᵀ/‖z‖²) outside, and 0 if the
/// radius is 0 (FS:B.1).
void projection_jacobian(const Disk&, ConstVectorRef x, MatrixRef J);
void projection_jacobian(const Ball&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
