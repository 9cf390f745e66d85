// An elastic bar hits a wall: contact force, duration, impulse, energy, and the cost of two
// schemes.

#include "saltus/integrators/scheme.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// A bar of unit section, E = 900, ρ = 1, L = 10, of linear elements, 5 before a wall, at speed 10.
struct Bar {
  Matrix M, K;
  explicit Bar(Index elements)
      : M(Matrix::Zero(elements + 1, elements + 1)), K(Matrix::Zero(elements + 1, elements + 1)) {
    const double length = 10.0 / double(elements), stiffness = 900 / length;
    const Eigen::Matrix2d mass{{length / 3, length / 6}, {length / 6, length / 3}};
    const Eigen::Matrix2d spring{{stiffness, -stiffness}, {-stiffness, stiffness}};
    for (Index i = 0; i < elements; ++i) {
      M.block<2, 2>(i, i) += mass;
      K.block<2, 2>(i, i) += spring;
    }
  }
  [[nodiscard]] Model model() const {
    const Index n = M.rows();
    Matrix H = Matrix::Zero(1, n);
    H(0, n - 1) = -1;  // the last node comes to the wall
    Model model;
    const auto id = model.add(LinearLagrangian{.M = M, .K = K},
                              {.q = Vector::Zero(n), .v = Vector::Constant(n, 10)});
    model.link(id, LinearRelation{.H = H, .b = {5.0}}, NewtonImpact{.e = 0}, "wall");
    return model;
  }
  [[nodiscard]] double energy(const State& s) const {
    return 0.5 * (s.v.dot(M * s.v) + s.q.dot(K * s.q));
  }
};

TEST(BarImpact, BarReboundsFromTheWall) {  // AC:AV-24
  const double h = 2e-3;
  const Bar bar(200);
  double iterations[2] = {};
  for (bool pva : {false, true}) {
    const Model model = bar.model();
    const GeneralizedAlpha scheme{
        .coefficients = ChungHulbert{.rho = .8},
        .levels = pva ? ConstraintLevels{LevelsPVA{}} : ConstraintLevels{LevelsPV{}},
        .newton_tolerance = 1e-6};
    StepWorkspace work;
    prepare(model, scheme, work);
    State state = model.initial_state();
    double impulse = 0, first = 0, last = 0;
    int steps = 0;
    for (; state.t < 1.3 - h / 2; ++steps) {
      const StepReport report = step(model, state, h, scheme, work);
      ASSERT_TRUE(report.done()) << name(report.status) << " at " << state.t;
      iterations[pva] += report.newton_iterations;
      const double force = work.r[0] / h, t = state.t;
      impulse += work.r[0];
      if (force > 1 && first == 0) first = t;
      if (force > 30) last = t;
      if (t > .6 && t < 1.1) {
        EXPECT_NEAR(force, 300, .005 * 300) << t;
      }
    }
    iterations[pva] /= steps;
    EXPECT_NEAR(first, .502, h);
    EXPECT_NEAR(last, 1.167, .01);
    EXPECT_NEAR(impulse, 198.96, .5);            // exact: 200
    EXPECT_NEAR(bar.energy(state), 497.6, 1.0);  // of 500 at the beginning: less than 1 % lost
  }
  RecordProperty("iterations_pv", std::to_string(iterations[0]));
  RecordProperty("iterations_pva", std::to_string(iterations[1]));
  EXPECT_LE(iterations[1], iterations[0] / 2) << iterations[0] << ' ' << iterations[1];
}

}  // namespace
}  // namespace saltus
