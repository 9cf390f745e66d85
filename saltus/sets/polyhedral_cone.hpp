#pragma once

#include "saltus/sets/contains.hpp"

#include <optional>

namespace saltus {

/// Polyhedral cone, in either of its two forms (Minkowski–Weyl; F:F010):
///     by generators     K = {G c : c ≥ 0}      one generator per column of G (n×m),
///     by inequalities   K = {x : A x ≥ 0}      one facet per row of A (m×n).
/// Their polars are  {s : Gᵀ s ≤ 0}  and  {−Aᵀ c : c ≥ 0},  so the dual is found by swapping forms.
/// No generator (m = 0) is the cone {0}, no inequality is the whole space. Generators and facets
/// may be redundant, dependent, repeated or zero. Both forms may be given if the caller knows that
/// they describe the same cone: membership then uses the inequalities, the rest the generators.
///
/// Projection: nonnegative least squares on G, or on −Aᵀ and Moreau's decomposition
/// P_K(x) = x − P_K°(x). See nonnegative_least_squares.hpp for its accuracy.
struct PolyhedralCone {
  static constexpr std::string_view name = "PolyhedralCone";
  std::optional<Matrix> generators = {};
  std::optional<Matrix> inequalities = {};

  [[nodiscard]] static PolyhedralCone from_generators(Matrix G);
  [[nodiscard]] static PolyhedralCone from_inequalities(Matrix A);
};

/// n, the size of the vectors; throws Error if neither form is given.
[[nodiscard]] Index dimension(const PolyhedralCone&);

/// Throws Error unless at least one form is given, n ≥ 1, every entry is finite, and, with both
/// forms, the sizes agree and the generators satisfy the inequalities up to 1e-12 ‖a‖‖g‖ (room for
/// generators computed from the facets).
void validate(const PolyhedralCone&);
void check_dimension(const PolyhedralCone&, Index n);

/// {y : Gᵀ y ≥ 0} or {Aᵀ c : c ≥ 0}; both forms give both.
[[nodiscard]] PolyhedralCone dual(const PolyhedralCone&);

void project(const PolyhedralCone&, ConstVectorRef x, VectorRef p);
void project_polar(const PolyhedralCone&, ConstVectorRef x, VectorRef p);
[[nodiscard]] double distance(const PolyhedralCone&, ConstVectorRef x);

/// A x ≥ 0 if the inequalities are given, or distance ≤ tolerance. By generators alone a point of K
/// has a computed distance of some roundings of ‖x‖: give a tolerance.
[[nodiscard]] bool contains(const PolyhedralCone&, ConstVectorRef x, double tolerance = 0);

/// 0 on the polar cone, ∞ elsewhere. By generators: max_j g_j·d/‖g_j‖ ≤ 1e-12 ‖d‖; by inequalities:
/// the distance from d to cone(−Aᵀ) ≤ 1e-12 ‖d‖.
[[nodiscard]] double support(const PolyhedralCone&, ConstVectorRef d);

/// By generators: the orthogonal projector on the span of the face of K exposed by r = x − P_K(x),
/// that is of the generators with g_j·r = 0 (up to 1.5e-8 ‖g_j‖‖x‖: nearer points count as on the
/// kink). Their span is that of the critical cone of x at p, and the span of each face of the
/// critical cone is the range of the Jacobian at points arbitrarily near x: J is in the
/// B-subdifferential, hence in Clarke's Jacobian. By inequalities: I minus the same for K°.
void projection_jacobian(const PolyhedralCone&, ConstVectorRef x, MatrixRef J);

}  // namespace saltus
