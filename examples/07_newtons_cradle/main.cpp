// Newton's cradle, and what an impact law knows of it. With small gaps the blows pass from ball to
// ball and the last one leaves, as on the desk; where the balls touch, Newton's law has all
// contacts at once.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <cmath>

using namespace saltus;

namespace {

constexpr Index n = 5;
constexpr double m = 0.05, omega2 = 9.81 / 0.15, pull = 0.03, time_step = 1e-4;

/// Velocities 10 ms behind the first blow, in units of the first ball's speed. Small swings of n
/// pendulums, q̈ᵢ = −g/l qᵢ; ball i + 1 stays to the right of ball i.
Vector behind_the_blow(double gap) {
  Model model;
  Vector q = Vector::Zero(n);
  q[0] = -pull;
  const Matrix I = Matrix::Identity(n, n);
  const auto balls =
      model.add(LinearLagrangian{.M = m * I, .K = m * omega2 * I}, {.q = q}, "balls");
  for (Index i = 0; i + 1 < n; ++i) {
    Matrix H = Matrix::Zero(1, n);
    H(0, i) = -1;
    H(0, i + 1) = 1;
    model.link(balls, LinearRelation{.H = H, .b = {gap}}, NewtonImpact{.e = 1});
  }
  Simulation sim(model, MoreauJean{.theta = 0.5}, {.step = time_step});
  const double quarter = 0.5 * M_PI / std::sqrt(omega2), later = 0.01;
  const Trajectory run = sim.run(quarter + later);
  return sim.state().v / (pull * std::sqrt(omega2) * std::cos(std::sqrt(omega2) * later));
}

void print(const char* name, const Vector& v) {
  fmt::print("{:16}", name);
  for (Index i = 0; i < n; ++i) fmt::print(" {:6.3f}", v[i]);
  fmt::print("\n");
}

}  // namespace

int main() {
  const Vector apart = behind_the_blow(5e-4), touching = behind_the_blow(0);
  Vector last = Vector::Zero(n), all = Vector::Constant(n, 2.0 / n);
  last[n - 1] = 1;
  all[0] -= 1;  // u⁺ = −u⁻ at every contact, and the momentum is kept
  print("gaps of 0.5 mm", apart);
  print("touching", touching);
  print("touching, exact", all);
  // Order 1 in the step: the speed at a blow is right to ω² pull h, the phases to the gaps.
  return (apart - last).cwiseAbs().maxCoeff() < 0.05 &&
                 (touching - all).cwiseAbs().maxCoeff() < 0.05
             ? 0
             : 1;
}
