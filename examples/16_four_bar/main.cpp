// A four-bar linkage swings under gravity and comes to rest by dry friction in its four joints.

#include "saltus/mechanics/planar_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <array>
#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

namespace {

// A crank, a coupler and a rocker over a base of 0.5 m: lengths [m], a mass of 1 kg per metre, and
// a friction torque [N m] in every joint.
constexpr double crank = 0.2, coupler = 0.55, rocker = 0.4, base = 0.5, torque = 0.02,
                 time_step = 5e-4;

// The two moving joints for an angle of the crank.
std::array<Vector2, 2> corners(double angle) {
  const Vector2 a = crank * Vector2(std::cos(angle), std::sin(angle)), d = Vector2(base, 0) - a;
  const double length = d.norm();
  const double along = (coupler * coupler - rocker * rocker + length * length) / (2 * length);
  const Vector2 up(-d.y() / length, d.x() / length);
  return {a, a + along / length * d + std::sqrt(coupler * coupler - along * along) * up};
}

Trajectory simulate() {
  const auto [a, b] = corners(2.5);
  PlanarScene scene;
  const auto bar = [&](const Vector2& from, const Vector2& to) {
    const Vector2 d = to - from;
    const double length = d.norm();
    scene.add(length, length * length * length / 12,
              {.x = (from + to) / 2, .angle = std::atan2(d.y(), d.x())});
  };
  bar({0, 0}, a);
  bar(a, b);
  bar({base, 0}, b);
  scene.revolute(PlanarScene::world, 0, {0, 0}, {.name = "crank", .friction = torque});
  scene.revolute(0, 1, a, {.name = "knee", .friction = torque});
  scene.revolute(1, 2, b, {.name = "elbow", .friction = torque});
  scene.revolute(PlanarScene::world, 2, {base, 0}, {.name = "rocker", .friction = torque});
  return Simulation(scene.model({0, -9.81}), MoreauJean{.stabilisation = CombinedProjection{}},
                    {.step = time_step})
      .run(8.0);
}

}  // namespace

int main() {
  const Trajectory run = simulate();
  const Index last = run.size() - 1;
  // Dry friction takes the torque times the way that each joint turns.
  double way = 0, held = 0;
  for (Index k = 1; k < run.size(); ++k) {
    const auto turn = [&](Index i) { return run.q(k, i) - run.q(k - 1, i); };
    way += std::abs(turn(2)) + std::abs(turn(5) - turn(2)) + std::abs(turn(8) - turn(5)) +
           std::abs(turn(8));
  }
  for (const char* name : {"crank", "knee", "elbow", "rocker"})
    held = std::max(held,
                    std::abs(run.column(fmt::format("{}.friction.r[0]", name))[last]) / time_step);
  const EnergyBalance& e = run.report.energy;
  fmt::print(
      "{}\n{:.4f} J lost by friction, {:.4f} J by the turns of the joints; {:.4f} J by the "
      "scheme\nthe "
      "joints hold {:.4f} N m at the end, of {} N m\n",
      run.report.message(), e.friction, torque * way, e.scheme, held, torque);
  // A turn of a step and the velocity at its end differ by O(h²): the two accounts of friction
  // agree far better than one in a thousand. At rest friction carries the weight with less than its
  // bound.
  return run.report.ok() && std::abs(e.friction / (torque * way) - 1) < 1e-3 &&
                 std::abs(run.v(last, 2)) < 1e-6 && held < torque
             ? 0
             : 1;
}
