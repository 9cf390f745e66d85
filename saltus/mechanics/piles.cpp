#include "saltus/mechanics/piles.hpp"

#include <cmath>
#include <functional>
#include <random>

namespace saltus::mechanics {

namespace {

/// Uniform in [−1, 1), the same on every machine.
class Jitter {
 public:
  explicit Jitter(int seed) : engine_(static_cast<std::uint64_t>(seed)) {}
  double operator()() { return std::ldexp(static_cast<double>(engine_() >> 11), -52) - 1; }
  Vector3 vector() {
    const double x = (*this)(), y = (*this)(), z = (*this)();
    return {x, y, z};
  }

 private:
  std::mt19937_64 engine_;
};

void add_container(RigidScene& scene, double half, const Material& material, bool walls) {
  scene.fix(Plane{}, material);
  if (!walls) return;
  for (const Vector3& n : {Vector3(Vector3::UnitX()), Vector3(-Vector3::UnitX()),
                           Vector3(Vector3::UnitY()), Vector3(-Vector3::UnitY())})
    scene.fix(Plane{.normal = n, .offset = -half}, material);
}

/// Lattice of cells in which the largest body can turn; jitter within the cell.
Model pile(const PileOptions& o, double largest_fit,
           const std::function<Shape(double r, Jitter&)>& shape) {
  Jitter jitter(o.seed);
  const double radius = 0.5 * o.size, largest = radius * (1 + o.spread) * largest_fit;
  const double cell = 2.1 * largest;
  const int side = o.columns > 0
                       ? o.columns
                       : static_cast<int>(std::ceil(std::cbrt(static_cast<double>(o.count))));
  const Material material{.mu = o.mu, .e = o.e};
  RigidScene scene;
  add_container(scene, 0.5 * cell * side, material, o.walls != 0);
  for (int i = 0; i < o.count; ++i) {
    const int layer = i / (side * side), in_layer = i % (side * side);
    const Vector3 centre(in_layer % side + 0.5 * (1 - side), in_layer / side + 0.5 * (1 - side),
                         layer + 0.5);
    const double r = radius * (1 + o.spread * jitter());
    const double room = 0.5 * cell - largest_fit * r;
    const Vector3 x = cell * centre + room * jitter.vector();
    const Vector3 turn = M_PI * jitter.vector();
    scene.add(shape(r, jitter), o.density, {.x = x, .turn = turn}, material);
  }
  return scene.model({0, 0, -o.gravity});
}

}  // namespace

Model PileOfSpheres::model() const {
  validate(*this);
  return pile(*this, 1, [](double r, Jitter&) { return Sphere{.radius = r}; });
}

Model PileOfBoxes::model() const {
  validate(*this);
  return pile(*this, 1.3 * std::sqrt(3.0), [](double r, Jitter& jitter) {
    return Box{.half = r * (Vector3::Ones() + 0.3 * jitter.vector())};
  });
}

Model PileOfCapsules::model() const {
  validate(*this);
  return pile(*this, 1.5, [](double r, Jitter&) {
    return Capsule{.radius = 0.5 * r * 1.5, .half_length = 0.5 * r * 1.5};
  });
}

}  // namespace saltus::mechanics
