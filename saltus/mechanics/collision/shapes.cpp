#include "saltus/mechanics/collision/shapes.hpp"

#include "saltus/base/overloaded.hpp"

#include <cmath>
#include <numbers>

namespace saltus::mechanics {

namespace {

constexpr double pi = std::numbers::pi;

void require_length(double value, const char* what) {
  require(value > 0 && std::isfinite(value), "{} is {}, expected > 0", what, value);
}

MassProperties ball(double r, double density) {
  const double m = density * 4 / 3 * pi * r * r * r;
  return {m, Vector3::Zero(), 0.4 * m * r * r * Matrix3::Identity()};
}

/// A cylinder and two half balls, whose centres of mass lie 3/8 r beyond its ends.
MassProperties capsule(const Capsule& c, double density) {
  const double r = c.radius, l = 2 * c.half_length;
  const double cylinder = density * pi * r * r * l, caps = density * 4 / 3 * pi * r * r * r;
  const double axial = 0.5 * cylinder * r * r + 0.4 * caps * r * r;
  const double across =
      cylinder * (r * r / 4 + l * l / 12) + caps * (0.4 * r * r + l * l / 4 + 3.0 / 8 * l * r);
  return {cylinder + caps, Vector3::Zero(), Vector3(across, across, axial).asDiagonal()};
}

MassProperties box(const Vector3& half, double density) {
  const double m = density * 8 * half.prod();
  const Vector3 s = half.cwiseAbs2();
  return {m, Vector3::Zero(),
          (m / 3 * Vector3(s.y() + s.z(), s.x() + s.z(), s.x() + s.y())).asDiagonal()};
}

}  // namespace

void check_shape(const Shape& shape) {
  std::visit(
      Overloaded{
          [](const Sphere& s) { require_length(s.radius, "Sphere: radius"); },
          [](const Capsule& s) {
            require_length(s.radius, "Capsule: radius");
            require_length(s.half_length, "Capsule: half_length");
          },
          [](const Box& s) {
            for (double half : s.half) require_length(half, "Box: half edge");
          },
          [](const Plane& s) {
            require_length(s.normal.norm(), "Plane: norm of the normal");
            require(std::isfinite(s.offset), "Plane: offset is {}", s.offset);
          },
          [](const Polyhedron& s) { require(s.hull != nullptr, "Polyhedron: it has no points"); },
      },
      shape);
}

MassProperties mass_properties(const Shape& shape, double density) {
  return std::visit(
      Overloaded{
          [&](const Sphere& s) { return ball(s.radius, density); },
          [&](const Capsule& s) { return capsule(s, density); },
          [&](const Box& s) { return box(s.half, density); },
          [](const Plane&) -> MassProperties { fail("mass_properties: a plane has no mass"); },
          [&](const Polyhedron& s) { return mass_properties(*s.hull, density); },
      },
      shape);
}

}  // namespace saltus::mechanics
