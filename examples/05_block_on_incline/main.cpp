// A block on a slope stays, slides or topples: it slides if tan(slope) > μ, it topples if the slope
// is steeper than its diagonal and friction holds its foot.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <cmath>

using namespace saltus;
using namespace saltus::mechanics;

namespace {

constexpr double slope = 25 * M_PI / 180, g = 9.81, time_step = 1e-3, end_time = 0.5;

struct End {
  double way, turn;  // [m, rad]
};

/// The ground is level, gravity is inclined: the same thing, and the slope is the x-axis.
End simulate(const char* name, double b, double h, double mu) {
  RigidScene scene;
  scene.fix(Plane{}, {.mu = mu});
  scene.add(mechanics::Box{.half = {b, 0.2, h}}, 1000, {.x = {0, 0, h}}, {.mu = mu});
  Simulation sim(scene.model({g * std::sin(slope), 0, -g * std::cos(slope)}),
                 MoreauJean{.theta = 0.5}, {.step = time_step});
  const Trajectory run = sim.run(end_time);
  const Index last = run.size() - 1;
  const End end{run.q(last, 0), 2 * std::atan2(run.q(last, 5), run.q(last, 3))};
  fmt::print("{:8} b/h {:.2f}  mu {:.2f}: way {:7.4f} m, turned {:6.2f} degrees\n", name, b / h, mu,
             end.way, end.turn * 180 / M_PI);
  return end;
}

/// Turn of a rectangle that falls over its lower edge: θ̈ = p² sin(θ + slope − α).
double toppled(double b, double h) {
  double theta = 0, rate = 0;
  const double fine = time_step / 10, pp = 3 * g / (4 * std::hypot(b, h)), alpha = std::atan2(b, h);
  for (int k = 0; k < std::lround(end_time / fine); ++k) {
    rate += fine * pp * std::sin(theta + slope - alpha);
    theta += fine * rate;
  }
  return theta;
}

}  // namespace

int main() {
  const End stays = simulate("stays", 0.3, 0.3, 0.6), slides = simulate("slides", 0.3, 0.3, 0.2),
            topples = simulate("topples", 0.1, 0.4, 0.9);
  const double way = 0.5 * g * (std::sin(slope) - 0.2 * std::cos(slope)) * end_time * end_time;
  // The scheme is of order 1: a step of the velocity, and its tenth of a degree.
  const bool ok = std::abs(stays.way) < 1e-6 && std::abs(slides.way - way) < 2 * time_step &&
                  std::abs(topples.turn - toppled(0.1, 0.4)) < 0.1 * M_PI / 180;
  fmt::print("exact: slides {:.4f} m, topples {:.2f} degrees\n", way,
             toppled(0.1, 0.4) * 180 / M_PI);
  return ok ? 0 : 1;
}
