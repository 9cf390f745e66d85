#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/Core>

#include <span>

namespace saltus::mechanics {

// Where a point lies against a polygon of the plane, convex or not: its corners in order, either
// way round, no edge crossing another.

/// Sum of the signed angles under which the edges are seen from the point (F:F130): ±2π inside, 0
/// outside. An angle for each edge, and no answer for a point on the boundary.
[[nodiscard]] double angle_sum(std::span<const Eigen::Vector2d> polygon,
                               const Eigen::Vector2d& point);
/// Edges that the ray from the point along +x crosses (F:F131): odd inside, even outside. An edge
/// owns its lower end, so that a ray through a corner counts once where it enters.
[[nodiscard]] int ray_crossings(std::span<const Eigen::Vector2d> polygon,
                                const Eigen::Vector2d& point);
/// By ray crossings. Throws Error on fewer than three corners.
[[nodiscard]] bool contains(std::span<const Eigen::Vector2d> polygon, const Eigen::Vector2d& point);

}  // namespace saltus::mechanics
