// Contacts that rest stay closed although solvers leave a little of their velocity, in any unit.

#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// Beads on top of each other, the lowest on the ground, that slide in different directions; n is
/// the first coordinate. Lengths in a unit that is 1/scale of a metre.
Model sliding_beads(Index count, double scale) {
  Model model;
  SystemId below{};
  for (Index i = 0; i < count; ++i) {
    const auto k = static_cast<double>(i);
    const double speed = 0.02 * scale * (1 + k);
    const SystemId bead =
        model.add(PointMass{.m = 1 + 0.3 * k, .gravity = {-9.81 * scale, 0.0, 0.0}},
                  {.q = Vector::Zero(3), .v = {0.0, speed * std::cos(k), speed * std::sin(k)}},
                  fmt::format("bead {}", i));
    Matrix H = Matrix::Identity(3, i == 0 ? 3 : 6);
    if (i > 0) H << -Matrix::Identity(3, 3), Matrix::Identity(3, 3);
    if (i == 0)
      model.link(bead, LinearRelation{.H = H}, Coulomb{.mu = 0.3});
    else
      model.link({below, bead}, LinearRelation{.H = H}, Coulomb{.mu = 0.3});
    below = bead;
  }
  return model;
}

/// The tolerance lets contacts drift; no absolute reach.
MoreauJean loose() {
  return {.gap_tolerance = 0, .solver = CoulombCascade{.tolerance = 1e-6, .threads = 1}};
}

TEST(RestingContacts, StayClosedUnderALooseTolerance) {  // TI:TI-107
  Simulation sim(sliding_beads(6, 1), loose(), {.step = 1e-3});
  for (int k = 0; k < 2000; ++k) {
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done());
    ASSERT_EQ(report.active_rows, 18) << k;
  }
}

TEST(RestingContacts, RestInTheSameWayInAnyUnitOfLength) {  // TI:TI-107
  // A power of two scales every number without rounding: a step that knows no absolute length gives
  // the same digits.
  for (const double scale : {std::ldexp(1.0, 10), std::ldexp(1.0, -10)}) {
    Simulation scaled(sliding_beads(6, scale), loose(), {.step = 1e-3});
    Simulation again(sliding_beads(6, 1), loose(), {.step = 1e-3});
    for (int k = 0; k < 500; ++k) {
      const StepReport expected = again.advance(), report = scaled.advance();
      ASSERT_TRUE(report.done());
      ASSERT_EQ(report.active_rows, expected.active_rows) << scale << ", " << k;
      ASSERT_EQ(scaled.state().q, scale * again.state().q) << scale << ", " << k;
      ASSERT_EQ(scaled.state().v, scale * again.state().v) << scale << ", " << k;
    }
  }
}

TEST(RestingContacts, OpenWhereTheyLeaveSlowlyButForGood) {  // TI:TI-107
  // A bead under its weight, that is drawn up from t = 0.1 s on by 1 % more than it: it rises from
  // the step after, by the scheme's own parabola q = 0.01 g t²/2 up to O(h).
  const double g = 9.81, h = 1e-3, begin = 0.1;
  Model model;
  const SystemId bead = model.add(
      Lagrangian{
          .n = 1,
          .M = [](const StateView&, MatrixRef M) { M(0, 0) = 1; },
          .F = [=](const StateView& x, VectorRef F) { F[0] = x.t < begin - 1e-9 ? -g : 0.01 * g; }},
      {.q = {0.0}});
  model.link(bead, LinearRelation{.H = {{1.0}}}, NewtonImpact{});
  Simulation sim(model, {}, {.step = h});
  for (int k = 0; k < 200; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(sim.state().q[0], 0.5 * 0.01 * g * 0.01, 2 * 0.01 * g * 0.1 * h);
}

}  // namespace
}  // namespace saltus
