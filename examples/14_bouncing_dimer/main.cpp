// A dimer, two beads on a rod, bounces on a shaken plate: one bead bounces high, the other hardly,
// and friction drives the dimer sideways.

#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/newton_euler.hpp"

#include <algorithm>
#include <cmath>

using namespace saltus;

namespace {

// Beads of radius r [m] at a distance d, of 0.5 kg each; the plate moves as A cos ωt, A ω² = 0.9 g.
constexpr double r = 0.02, d = 0.15, mass = 0.5, g = 9.81, omega = 2 * M_PI * 15, time_step = 1e-4;
constexpr double amplitude = 0.9 * g / (omega * omega);

// The bead at the end `side` of the dimer on the plate: gap, and slip to the left.
struct Bead {
  double side = 1;
  [[nodiscard]] static constexpr Index rows() { return 2; }
  [[nodiscard]] static constexpr Index dof() { return 3; }
  [[nodiscard]] double arm() const { return side * d / 2; }
  void output(const StateView& x, VectorRef y) const {
    y << x.q[1] + arm() * std::sin(x.q[2]) - r - amplitude * std::cos(omega * x.t), 0;
  }
  void jacobian(const StateView& x, MatrixRef H) const {
    H << 0, 1, arm() * std::cos(x.q[2]), -1, 0, arm() * std::sin(x.q[2]) - r;
  }
  static void time_derivative(const StateView& x, VectorRef dy) {
    dy << amplitude * omega * std::sin(omega * x.t), 0;
  }
};

Trajectory simulate(double mu, double tilt) {
  const double inertia = 2 * mass * d * d / 4 + 2 * 0.4 * mass * r * r;
  Model model;
  const auto dimer =
      model.add(PlanarBodies{.m = {2 * mass}, .inertia = {inertia}, .gravity = {0, -g}},
                {.q = {0, r + amplitude + d / 2 * std::abs(std::sin(tilt)), tilt}}, "dimer");
  model.link(dimer, Bead{-1}, Coulomb{.mu = mu, .e = 0.85}, "left");
  model.link(dimer, Bead{1}, Coulomb{.mu = mu, .e = 0.85}, "right");
  return Simulation(model, MoreauJean{}, {.step = time_step}).run(3.0);
}

// Mean velocity of the second half, in units of the largest velocity of the plate.
double drift(const Trajectory& run) {
  const Index half = run.size() / 2, last = run.size() - 1;
  return (run.q(last, 0) - run.q(half, 0)) / (run.t[last] - run.t[half]) / (amplitude * omega);
}

}  // namespace

int main() {
  const Trajectory right = simulate(0.3, 0.2), left = simulate(0.3, -0.2),
                   smooth = simulate(0, 0.2);
  const Index n = right.size();
  const double low = right.column("left.y[0]").tail(n / 2).maxCoeff();
  const double high = right.column("right.y[0]").tail(n / 2).maxCoeff();
  const double momentum = 2 * mass * right.v(n - 1, 0);
  const double pushed = -right.column("left.r[1]").sum() - right.column("right.r[1]").sum();
  fmt::print(
      "{}\nthe right bead bounces {:.2f} mm high, the left one {:.2f} mm\ndrift {:.4f} of the "
      "velocity "
      "of the plate, {:.4f} for the mirror image, {:.1e} without friction\nmomentum {:.6f} N s, of "
      "friction {:.6f} N s\n",
      right.report.message(), 1e3 * high, 1e3 * low, drift(right), drift(left), drift(smooth),
      momentum, pushed);
  // Friction is the only horizontal force; the mirror image drifts the other way, as far as impacts
  // of rounding let it.
  return right.report.ok() && left.report.ok() && smooth.report.ok() &&
                 smooth.column("dimer.q[0]").lpNorm<Eigen::Infinity>() < 1e-12 &&
                 std::abs(momentum - pushed) < 1e-10 && low < 0.2 * high && drift(right) > 0.01 &&
                 std::abs(drift(left) / drift(right) + 1) < 0.2
             ? 0
             : 1;
}
