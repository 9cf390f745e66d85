#pragma once

#include "saltus/sets/friction_cone.hpp"

namespace saltus {

/// The set of the FrictionCone, {(n, t) : ‖t‖ ≤ μ n}, as the cone of a complementarity condition
/// K* ∋ u ⟂ r ∈ K without the shift g(u) of Coulomb's law: associated (dilatant) friction, SOCLCP
/// (FS:FS-10, FS:FS-106b). Same projection; only problems tell the two apart.
struct SecondOrderCone {
  static constexpr std::string_view name = "SecondOrderCone";
  double mu = 1;  ///< slope μ ∈ [0, ∞]; 1 is the self-dual cone

  [[nodiscard]] FrictionCone cone() const { return {mu}; }
};

inline void validate(const SecondOrderCone& K) {
  require(K.mu >= 0, "SecondOrderCone: mu is {}, expected >= 0", K.mu);
}
inline void check_dimension(const SecondOrderCone&, Index n) {
  require(n >= 2, "SecondOrderCone: x has size {}, expected at least 2", n);
}
/// The cone of 1/μ.
[[nodiscard]] inline SecondOrderCone dual(const SecondOrderCone& K) { return {1 / K.mu}; }

inline void project(const SecondOrderCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(SecondOrderCone::name, x.size(), p.size());
  project(K.cone(), x, p);
}
inline void project_polar(const SecondOrderCone& K, ConstVectorRef x, VectorRef p) {
  check_dimension(K, x.size());
  check_result(SecondOrderCone::name, x.size(), p.size());
  project_polar(K.cone(), x, p);
}
[[nodiscard]] inline double distance(const SecondOrderCone& K, ConstVectorRef x) {
  check_dimension(K, x.size());
  return distance(K.cone(), x);
}
[[nodiscard]] inline double support(const SecondOrderCone& K, ConstVectorRef d) {
  check_dimension(K, d.size());
  return support(K.cone(), d);
}
inline void projection_jacobian(const SecondOrderCone& K, ConstVectorRef x, MatrixRef J) {
  check_dimension(K, x.size());
  check_jacobian(SecondOrderCone::name, x.size(), J);
  projection_jacobian(K.cone(), x, J);
}

}  // namespace saltus
