#include "saltus/mechanics/masonry.hpp"

#include <cmath>

namespace saltus::mechanics {

Model BoxStack::model() const {
  validate(*this);
  const Material material{.mu = mu};
  RigidScene scene;
  scene.fix(Plane{}, material);
  for (int i = 0; i < count; ++i)
    scene.add(Box{.half = {0.5 * edge, 0.5 * edge, 0.5 * height}}, density,
              {.x = {0, 0, (i + 0.5) * height}}, material);
  return scene.model(gravity * Vector3(std::sin(tilt), 0, -std::cos(tilt)));
}

Model Wall::model() const {
  validate(*this);
  const Material material{.mu = mu};
  RigidScene scene;
  scene.fix(Plane{}, material);
  const double half_length = 0.5 * length;
  const auto brick = [&](double centre, double half, double z) {
    scene.add(Box{.half = {half, 0.5 * width, 0.5 * height}}, density, {.x = {centre, 0, z}},
              material);
  };
  // Bricks of a row keep a small distance: they touch above and below only.
  const double joint = 1e-3 * length;
  for (int row = 0; row < rows; ++row) {
    const double z = (row + 0.5) * height, left = -half_length * columns;
    const bool shifted = row % 2 == 1;
    if (shifted) brick(left + 0.5 * half_length, 0.5 * half_length - joint, z);
    for (int i = 0; i < columns - (shifted ? 1 : 0); ++i)
      brick(left + (i + (shifted ? 1.0 : 0.5)) * length, half_length - joint, z);
    if (shifted) brick(-left - 0.5 * half_length, 0.5 * half_length - joint, z);
  }
  if (speed > 0)
    scene.add(
        Sphere{.radius = ball}, density,
        {.x = {0, -ball - 2 * width, std::max(0.5 * rows * height, ball)}, .v = {0, speed, 0}},
        material);
  return scene.model({0, 0, -gravity});
}

Model KaplaTower::model() const {
  validate(*this);
  require(2 * width <= length, "KaplaTower: width is {}, expected at most half the length {}",
          width, length);
  const Material material{.mu = mu};
  RigidScene scene;
  scene.fix(Plane{}, material);
  const double aside = 0.5 * (length - width);
  for (int level = 0; level < levels; ++level)
    for (const double side : {-aside, aside}) {
      const double z = (level + 0.5) * thickness;
      const bool across = level % 2 == 1;
      const Vector3 half{0.5 * (across ? width : length), 0.5 * (across ? length : width),
                         0.5 * thickness};
      scene.add(Box{.half = half}, density,
                {.x = across ? Vector3(side, 0, z) : Vector3(0, side, z)}, material);
    }
  return scene.model(gravity * Vector3(std::sin(tilt), 0, -std::cos(tilt)));
}

Model Arch::model() const {
  validate(*this);
  require(thickness < radius, "Arch: thickness is {}, expected less than the radius {}", thickness,
          radius);
  const Material material{.mu = mu};
  RigidScene scene;
  scene.fix(Plane{}, material);
  const double step = M_PI / count, inner = radius - 0.5 * thickness,
               outer = radius + 0.5 * thickness;
  for (int i = 0; i < count; ++i) {
    // The middle of the block points along the local z-axis; the block is turned by `angle`.
    std::vector<Vector3> corners;
    for (double side : {-0.5, 0.5})
      for (double r : {inner, outer})
        for (double y : {-0.5, 0.5})
          corners.emplace_back(r * std::sin(side * step), y * width, r * std::cos(side * step));
    const Polyhedron block(corners);
    const Vector3 centre = mass_properties(*block.hull, 1.0).centre;
    const double angle = (i + 0.5) * step - 0.5 * M_PI;
    const Vector3 x(centre.z() * std::sin(angle), 0, centre.z() * std::cos(angle));
    scene.add(block, density, {.x = x, .turn = {0, angle, 0}}, material);
  }
  return scene.model({0, 0, -gravity});
}

}  // namespace saltus::mechanics
