// The bouncing flexible pendulum: a beam with finite rotations falls against a stop.

#include "saltus/integrators/scheme.hpp"
#include "saltus/relations/linear.hpp"
#include "support/planar_beam.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

using testing::PlanarBeam;

PlanarBeam steel_beam() {  // AC:AV-23
  const double E = 2.1e11, A = 1e-4, I = 8.33e-10, density = 7800, nu = .3;
  return {.elements = 4,
          .length = 1,
          .EA = E * A,
          .GAs = E / (2 * (1 + nu)) * 5 / 6 * A,
          .EI = E * I,
          .rhoA = density * A,
          .rhoI = density * I,
          .gravity = 10};
}

/// Pinned at its first node, horizontal at rest, tip x ≥ L√2/2 with e = 0.
Model pendulum(const PlanarBeam& beam) {
  const Index n = beam.dof();
  Vector q = Vector::Zero(n);
  for (Index i = 0; i <= beam.elements; ++i) q[3 * i] = beam.part() * double(i);
  Matrix pin = Matrix::Zero(2, n), stop = Matrix::Zero(1, n);
  pin(0, 0) = pin(1, 1) = stop(0, n - 3) = 1;
  Model model;
  const auto id = model.add(beam, {.q = q}, "beam");
  model.link(id, LinearRelation{.H = pin}, Equality{}, "pin");
  model.link(id, LinearRelation{.H = stop, .b = {-std::sqrt(.5)}}, NewtonImpact{.e = 0}, "stop");
  return model;
}

TEST(FlexiblePendulum, StiffnessIsTheDerivativeOfTheForce) {
  const PlanarBeam beam{.elements = 2, .EA = 3, .GAs = 2, .EI = 0.5};
  Vector q(9);
  q << 0.1, -0.2, 0.3, 0.5, 0.1, -0.4, 0.9, 0.4, 0.2;
  const Vector zero = Vector::Zero(9);
  const auto at = [&](const Vector& p) {
    return StateView{0, view_of(p.data(), 9), view_of(zero.data(), 9)};
  };
  Matrix K(9, 9);
  beam.stiffness(at(q), K);
  for (Index j = 0; j < 9; ++j) {
    Vector plus = q, minus = q, F(9), G(9);
    plus[j] += 1e-5, minus[j] -= 1e-5;
    beam.force(at(plus), F);
    beam.force(at(minus), G);
    EXPECT_LT((K.col(j) + (F - G) / 2e-5).lpNorm<Eigen::Infinity>(), 1e-8) << j;
  }
}

TEST(FlexiblePendulum, TouchesWhenTheRigidRodWouldAndNeverGainsEnergy) {  // AC:AV-23
  const PlanarBeam beam = steel_beam();
  const Model model = pendulum(beam);
  const double h = 5e-6;
  const GeneralizedAlpha scheme{.coefficients = ChungHulbert{.rho = .8}, .newton_tolerance = 1e-8};
  StepWorkspace work;
  prepare(model, scheme, work);
  State state = model.initial_state();
  double first = 0, last = 0, lowest = 0, energy = beam.energy(state);
  long iterations = 0, steps = 0;
  for (; state.t < .36; ++steps) {
    const StepReport report = step(model, state, h, scheme, work);
    ASSERT_TRUE(report.done()) << name(report.status) << " at " << state.t;
    iterations += report.newton_iterations;
    if (work.r[2] > 0) {
      if (first == 0) first = state.t;
      last = state.t;
    }
    lowest = std::min(lowest, state.q[beam.dof() - 3] - std::sqrt(.5));
    if (steps % 20 != 0) continue;
    const double now = beam.energy(state);
    // 2.5 J fall to the stop; the scheme keeps energy to O(h²) of the elastic waves
    EXPECT_LE(now, energy + 1e-5) << state.t;
    energy = std::min(energy, now);
  }
  EXPECT_NEAR(first, .327, .002);
  EXPECT_NEAR(last, .348, .006);  // read off a figure
  EXPECT_GT(lowest, -1e-9);
  EXPECT_LT(double(iterations) / double(steps), 2);
  RecordProperty("iterations", std::to_string(double(iterations) / double(steps)));
  RecordProperty("contact", std::to_string(first) + " to " + std::to_string(last));
}

}  // namespace
}  // namespace saltus
