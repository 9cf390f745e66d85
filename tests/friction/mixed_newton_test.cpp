// Newton's method on dynamics and contacts together, against time stepping with two nested loops
// (S:FC-05, S:FC-19b).
#include "support/expect_error.hpp"

#include "saltus/integrators/moreau_jean.hpp"
#include "saltus/integrators/step_workspace.hpp"
#include "saltus/solvers/mixed_newton.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// A pendulum on a cart, q = (x, θ): rod of length l and mass m at its tip, which hangs at
/// (x + l sin θ, −l cos θ).
struct CartPendulum {
  double cart = 2, m = 1, l = 1, J = 0.1, g = 9.81;
  [[nodiscard]] Index dof() const { return 2; }
  void mass(const StateView& s, MatrixRef M) const {
    const double coupling = m * l * std::cos(s.q[1]);
    M << cart + m, coupling, coupling, m * l * l + J;
  }
  void force(const StateView& s, VectorRef F) const {
    F << m * l * std::sin(s.q[1]) * s.v[1] * s.v[1], -m * g * l * std::sin(s.q[1]);
  }
  void stiffness(const StateView& s, MatrixRef K) const {
    K << 0, -m * l * std::cos(s.q[1]) * s.v[1] * s.v[1], 0, m * g * l * std::cos(s.q[1]);
  }
  void damping(const StateView& s, MatrixRef C) const {
    C << 0, -2 * m * l * std::sin(s.q[1]) * s.v[1], 0, 0;
  }
};

/// The tip above a floor at the height −d: normal first, then along the floor.
struct Tip {
  double l = 1, d = 0.8;
  [[nodiscard]] Index rows() const { return 2; }
  [[nodiscard]] Index dof() const { return 2; }
  void output(const StateView& s, VectorRef y) const {
    y << d - l * std::cos(s.q[1]), s.q[0] + l * std::sin(s.q[1]);
  }
  void jacobian(const StateView& s, MatrixRef H) const {
    H << 0, l * std::sin(s.q[1]), 1, l * std::cos(s.q[1]);
  }
  /// ∂(Hᵀ r)/∂θ and ∂(H v)/∂θ
  [[nodiscard]] Vector force_turn(double angle, ConstVectorRef r) const {
    return Values{0, l * (std::cos(angle) * r[0] - std::sin(angle) * r[1])};
  }
  [[nodiscard]] Vector velocity_turn(double angle, ConstVectorRef v) const {
    return Values{l * std::cos(angle) * v[1], -l * std::sin(angle) * v[1]};
  }
};

/// One step of Moreau's scheme as a mixed nonlinear problem.
struct Step {
  CartPendulum body;
  Tip tip;
  Vector q, v;  ///< at the beginning
  double h = 1e-2, theta = 0.6, gamma = 0.5, e = 0.3, mu = 0.4;
  bool at_end = false;  ///< H at q⁺ instead of the forecast

  static StateView view(const Vector& q, const Vector& v) {
    return {0, view_of(q.data(), 2), view_of(v.data(), 2)};
  }
  [[nodiscard]] Vector forecast() const { return q + gamma * h * v; }
  [[nodiscard]] Vector end(ConstVectorRef speed) const {
    return q + h * (theta * speed + (1 - theta) * v);
  }
  [[nodiscard]] bool closed() const {
    Vector y(2);
    tip.output(view(forecast(), v), y);
    return y[0] <= 1e-12;
  }
  [[nodiscard]] Matrix relation(const Vector& at) const {
    Matrix H(2, 2);
    tip.jacobian(view(at, v), H);
    return H;
  }
  [[nodiscard]] Matrix mass() const {
    Matrix M(2, 2);
    body.mass(view(forecast(), v), M);
    return M;
  }
  [[nodiscard]] Vector force(const Vector& at, const Vector& speed) const {
    Vector F(2);
    body.force(view(at, speed), F);
    return F;
  }

  [[nodiscard]] MixedNonlinear problem() const {
    MixedNonlinear p;
    p.n = 2;
    p.w = Vector::Zero(2);
    p.w[0] = e * (relation(forecast()) * v)[0];
    p.K = {FrictionCone{mu}};
    p.sizes = {2};
    p.residual = [*this](ConstVectorRef x, VectorRef R) {
      R = mass() * (x - v) - h * (theta * force(end(x), x) + (1 - theta) * force(q, v));
    };
    p.jacobian = [*this](ConstVectorRef x, MixedNonlinear::Sparse& J) {
      Matrix K(2, 2), C(2, 2);
      const Vector at = end(x), speed = x;
      body.stiffness(view(at, speed), K);
      body.damping(view(at, speed), C);
      J = Matrix(mass() + h * theta * C + h * theta * h * theta * K).sparseView();
    };
    p.directions = [*this](ConstVectorRef x, MixedNonlinear::Sparse& H) {
      H = Matrix(relation(at_end ? end(x) : forecast()).transpose()).sparseView();
    };
    return p;
  }
  /// With the derivatives of H(q⁺(v)).
  [[nodiscard]] MixedNonlinear problem_with_slopes() const {
    MixedNonlinear p = problem();
    p.force_slope = [*this](ConstVectorRef x, ConstVectorRef r, MixedNonlinear::Sparse& A) {
      Matrix slope = Matrix::Zero(2, 2);
      slope.col(1) = h * theta * tip.force_turn(end(x)[1], r);
      A = slope.sparseView();
    };
    p.velocity_slope = [*this](ConstVectorRef x, MixedNonlinear::Sparse& U) {
      Matrix slope = relation(end(x));
      slope.col(1) += h * theta * tip.velocity_turn(end(x)[1], x);
      U = slope.sparseView();
    };
    return p;
  }
};

const NonsmoothNewton exact{.tolerance = 1e-13};

TEST(MixedNewton, MakesTheStepsOfTheNestedLoops) {  // S:FC-05, S:FC-19b
  Model model;
  Step step;
  step.q = Values{0, -0.8};
  step.v = Values{0.5, 0};
  const auto body = model.add(step.body, {.q = Values{0, -0.8}, .v = Values{0.5, 0}});
  model.link(body, step.tip, Coulomb{.mu = step.mu, .e = step.e});
  const MoreauJean scheme{
      .theta = step.theta, .gamma = step.gamma, .solver = exact, .newton_tolerance = 1e-14};
  StepWorkspace work;
  prepare(model, scheme, work);
  State state = model.initial_state();
  Workspace solver;
  int closed = 0, sliding = 0, nested = 0, together = 0;
  for (int k = 0; k < 150; ++k) {
    step.q = state.q;
    step.v = state.v;
    const StepReport report = saltus::step(model, state, step.h, scheme, work);
    ASSERT_TRUE(report.done()) << k;
    if (!step.closed()) continue;
    ++closed;
    Vector v = step.v, r = Vector::Zero(2);
    const SolveReport solved = solve(step.problem(), v, r, exact, solver);
    ASSERT_TRUE(solved.converged()) << k << " " << name(solved.status);
    EXPECT_LE((v - state.v).norm(), 1e-10) << k;
    EXPECT_LE((r - work.r).norm(), 1e-10) << k;
    sliding += r[0] > 0 && std::abs(r[1]) > 0.999 * step.mu * r[0] ? 1 : 0;
    nested += report.newton_iterations;
    together += solved.iterations;
  }
  EXPECT_GE(closed, 5);  // impacts, then the tip drags along the floor
  EXPECT_GE(sliding, 3);
  RecordProperty("steps with contact", closed);
  RecordProperty("iterations of the outer loop", nested);
  RecordProperty("iterations together", together);
}

Step touching() {
  Step step;
  step.q = Values{0.1, -0.6435};
  step.v = Values{0.4, 2};  // the tip goes down
  step.at_end = true;
  return step;
}

TEST(MixedNewton, TakesTheDirectionsAtTheEndOfTheStep) {  // S:FC-05, S:FC-19b
  Workspace work;
  for (const double mu : {0.1, 0.4, 2.0})
    for (const double h : {1e-3, 1e-2, 5e-2}) {
      Step step = touching();
      step.mu = mu;
      step.h = h;
      const MixedNonlinear problem = step.problem_with_slopes();
      Vector v = step.v, r = Vector::Zero(2);
      const SolveReport report = solve(problem, v, r, exact, work);
      ASSERT_TRUE(report.converged()) << mu << " " << h << " " << name(report.status);
      EXPECT_LE(report.iterations, 12);
      // the same by linear problems one after the other, with H of the last
      Vector w = step.v, s = Vector::Zero(2);
      for (int k = 0; k < 100; ++k) {
        const GlobalBlockForm linear = linearise(problem, w);
        ASSERT_TRUE(solve(linear, w, s, NonsmoothNewton{.tolerance = 1e-14}, work).converged());
      }
      EXPECT_LE((v - w).norm(), 1e-10) << mu << " " << h;
      EXPECT_LE((r - s).norm(), 1e-10) << mu << " " << h;
    }
}

TEST(MixedNewton, IsQuadraticWithAllDerivativesOnly) {  // S:FC-19b
  Workspace work;
  for (const double h : {1e-2, 5e-2}) {
    Step step = touching();
    step.h = h;
    const auto error = [&](const MixedNonlinear& problem, int iterations) {
      Vector v = step.v, r = Vector::Zero(2);
      NonsmoothNewton some = exact;
      some.max_iterations = iterations;
      return solve(problem, v, r, some, work).residual;
    };
    int squared = 0, linear = 0;
    for (int k = 1; k < 12; ++k) {
      // once the mode is found a step squares the error: the curvatures are of the order of h
      const MixedNonlinear full = step.problem_with_slopes(), part = step.problem();
      if (const double e = error(full, k); e <= 1e-3 && e > 1e-10) {
        EXPECT_LE(error(full, k + 1), e * e + 1e-13) << h;
        ++squared;
      }
      // without the derivatives of H an iteration removes all but what H turns by, h θ |ω| = 1.2 h
      if (const double e = error(part, k); e <= 1e-3 && e > 1e-11) {
        EXPECT_LE(error(part, k + 1), 1.2 * h * e) << h;
        EXPECT_GE(error(part, k + 1), 1e-3 * e) << h;
        ++linear;
      }
    }
    EXPECT_GE(squared, 1) << h;
    EXPECT_GE(linear, 3) << h;
  }
}

TEST(MixedNewton, RefusesProblemsThatDoNotFit) {  // S:FC-05
  Workspace work;
  const Step step = touching();
  Vector v = step.v, r = Vector::Zero(2), longer = Vector::Zero(3);
  MixedNonlinear problem = step.problem();
  EXPECT_ERROR(static_cast<void>(solve(problem, v, longer, exact, work)), "r has size 3");
  EXPECT_ERROR(static_cast<void>(solve(problem, longer, r, exact, work)), "v has size 3");
  problem.K = {FrictionCone{-1}};
  EXPECT_ERROR(static_cast<void>(solve(problem, v, r, exact, work)), "mu of block 0 is -1");
  problem = step.problem();
  problem.jacobian = {};
  EXPECT_ERROR(static_cast<void>(solve(problem, v, r, exact, work)), "must be given");
  problem = step.problem();
  problem.directions = [](ConstVectorRef, MixedNonlinear::Sparse& H) { H.resize(2, 5); };
  EXPECT_ERROR(static_cast<void>(solve(problem, v, r, exact, work)), "H is 2x5, expected 2x2");
}

}  // namespace
}  // namespace saltus
