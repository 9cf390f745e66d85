#pragma once

#include "saltus/mechanics/collision/hull.hpp"
#include "saltus/systems/newton_euler.hpp"

#include <memory>
#include <variant>

namespace saltus::mechanics {

/// A ball about the origin of its frame.
struct Sphere {
  double radius = 1;  ///< [m]
};
/// All points within `radius` of the segment |z| ≤ half_length of the z-axis.
struct Capsule {
  double radius = 1;       ///< [m]
  double half_length = 1;  ///< [m]
};
/// |x_i| ≤ half_i.
struct Box {
  Vector3 half = Vector3::Ones();  ///< half of the edges [m]
};
/// The half space n·x ≤ offset: ground or wall.
struct Plane {
  Vector3 normal = Vector3::UnitZ();
  double offset = 0;  ///< [m]
};
/// The convex hull of points.
struct Polyhedron {
  std::shared_ptr<const Hull> hull;
  Polyhedron() = default;
  explicit Polyhedron(const std::vector<Vector3>& points)
      : hull(std::make_shared<const Hull>(convex_hull(points))) {}
};

/// The shapes: a closed set.
using Shape = std::variant<Sphere, Capsule, Box, Plane, Polyhedron>;

/// Throws Error on sizes that are not positive, a normal without direction, an empty polyhedron.
void check_shape(const Shape& shape);
/// Of the body of that shape with uniform density [kg/m³]; throws Error for a plane.
[[nodiscard]] MassProperties mass_properties(const Shape& shape, double density);

}  // namespace saltus::mechanics
