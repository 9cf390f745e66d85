// Extended Moreau time stepping on systems of relative degree 1 to 5.

#include "saltus/integrators/emts.hpp"

#include "analysis/integrator_chain.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

using testing::integrator_chain;

TEST(Emts, IsExactAfterOneStepAtRelativeDegreeTwo) {  // TI:V-20, TI:TI-147, TI:B.12
  const Lcs s = integrator_chain(3, 2);
  for (double h : {1e-1, 1e-3, 1e-6}) {
    const EmtsRun first = simulate(s, Values{0, -1, 0}, h, 5 * h);
    const EmtsRun second = simulate(s, Values{-1, -1, 0}, h, 5 * h);
    ASSERT_TRUE(first.done() && second.done());
    EXPECT_LE((first.measures.col(1) - Values{0, 1}).norm(), 1e-15);
    EXPECT_LE((second.measures.col(1) - Values{1, 1}).norm(), 1e-15);
    EXPECT_TRUE(first.x.rightCols(5).isZero(0) && second.x.rightCols(5).isZero(0));
    EXPECT_TRUE(first.measures.rightCols(4).isZero(0) && second.measures.rightCols(4).isZero(0));
  }
}

TEST(Emts, IsExactAfterOneStepAtRelativeDegreeThree) {  // TI:V-21, TI:E23
  const Lcs s = integrator_chain(3, 3);
  for (double h : {1e-1, 1e-3, 1e-6}) {
    const EmtsRun first = simulate(s, Values{0, -1, 0}, h, 5 * h);
    const EmtsRun second = simulate(s, Values{-1, -1, 0}, h, 5 * h);
    ASSERT_TRUE(first.done() && second.done());
    EXPECT_LE((first.measures.col(1) - Values{0, 1, 0}).norm(), 1e-15);
    EXPECT_LE((second.measures.col(1) - Values{1, 1, 0}).norm(), 1e-15);
    EXPECT_TRUE(first.x.rightCols(5).isZero(0) && second.x.rightCols(5).isZero(0));
    EXPECT_TRUE(first.measures.rightCols(4).isZero(0) && second.measures.rightCols(4).isZero(0));
  }
}

TEST(Emts, CatchesAVelocityOnArrival) {  // TI:V-22, TI:TI-142, TI:TI-148, F:F089
  const double h = 0.0137;
  const EmtsRun run = simulate(integrator_chain(3, 3), Values{1, -1, 0}, h, 2);
  ASSERT_TRUE(run.done());
  for (Index k = 0; k < 73; ++k) {
    EXPECT_NEAR(run.x(0, k), 1 - h * double(k), 1e-14);
    EXPECT_EQ(run.x(1, k), -1);
  }
  EXPECT_NEAR(run.measures(0, 73), 1e-4, 1e-14);  // 73 · 0.0137 − 1, the overshoot of the step
  EXPECT_EQ(run.measures(1, 74), 1);
  EXPECT_EQ(run.impulses[1](0, 74), 1);  // λ contains δ'
  EXPECT_TRUE(run.x.rightCols(run.x.cols() - 74).isZero(1e-12));
  EXPECT_TRUE(run.measures.rightCols(run.x.cols() - 75).isZero(1e-12));
  EXPECT_LE(run.dissipation_defect, 1e-14);
  EXPECT_NEAR(run.variation[0], 1, 1e-12);
  EXPECT_NEAR(run.variation[1], 1, 1e-12);
}

TEST(Emts, InconsistentScalarStartIsAbsorbedWhateverTheStep) {  // TI:V-23, TI:E13
  const Lcs s{.A = {{-1}}, .B = {{1}}, .C = {{1}}};
  for (double h : {1.0, 1e-2, 1e-5}) {
    const EmtsRun run = simulate(s, Values{-1}, h, 3 * h);
    EXPECT_NEAR(run.measures(0, 1), 1, 1e-14);  // h λ_0
    EXPECT_TRUE(run.x.rightCols(3).isZero(0));
    EXPECT_TRUE(run.measures.rightCols(2).isZero(0));
  }
}

TEST(Emts, JumpsFromTheWrongSideAtEveryRelativeDegree) {  // F:V53, TI:TI-144, F:F088
  for (Index r = 1; r <= 5; ++r) {
    const EmtsRun run = simulate(integrator_chain(r, r), -Vector::Ones(r), 1e-3, 5e-3);
    ASSERT_TRUE(run.done());
    EXPECT_TRUE(run.x.rightCols(5).isZero(0)) << r;
    ASSERT_EQ(Index(run.impulses.size()), r);
    for (const Matrix& coefficient : run.impulses) {  // λ = δ + δ' + … + δ^(r−1)
      EXPECT_NEAR(coefficient(0, 1), 1, 1e-14);
      EXPECT_TRUE(coefficient.rightCols(4).isZero(0));
    }
    EXPECT_TRUE(run.density.isZero(0));
  }
}

TEST(Emts, ArrivesAtEveryRelativeDegreeWithOrderOne) {  // TI:TI-147, F:F213
  for (Index r = 2; r <= 5; ++r) {
    // x = 1 − t^(r−1) until t = 1, where all derivatives are negative: rest at zero after it.
    Vector x0 = Vector::Unit(r, 0);
    x0[r - 1] = -std::tgamma(double(r));
    const auto error = [&](double h) {  // integral of |x − x_exact| over [0, 2]
      const EmtsRun run = simulate(integrator_chain(r, r), x0, h, 2);
      double sum = 0;
      for (Index k = 1; k < run.t.size(); ++k)
        sum += h * std::abs(run.x(0, k) - std::max(0.0, 1 - std::pow(run.t[k], double(r - 1))));
      EXPECT_LE((run.x.rightCols(run.t.size() / 3)).cwiseAbs().maxCoeff(), 1e-12) << r;
      EXPECT_GE(run.x.row(0).minCoeff(), 0);
      return sum;
    };
    if (r == 2) {  // x falls at constant speed, which backward Euler reproduces
      EXPECT_LE(error(0.01), 1e-4);
      continue;
    }
    EXPECT_NEAR(testing::fitted_order(testing::steps(3e-2, 3e-3, 16), error), 1.0, 0.1) << r;
  }
}

TEST(Emts, TripleIntegratorFollowsTheDerivedSolutions) {  // F:V53, F:F213, TI:TI-144
  const Lcs s = integrator_chain(3, 3);
  const auto total = [](const EmtsRun& run, std::size_t order) {
    return run.impulses[order].sum();
  };
  const EmtsRun fall = simulate(s, Values{1, 0, -2}, 1e-4, 2);  // x = 1 − t², λ = 2δ' + 2δ at 1
  EXPECT_NEAR(total(fall, 0), 2, 1e-12);
  // Backward Euler has x_2 = −2 t; the step before contact ends at most h after t = 1 + O(h).
  EXPECT_NEAR(total(fall, 1), 2, 2 * 3e-4);
  EXPECT_LE(total(fall, 2), 2 * 1e-4);  // what the last step before contact went too far
  const EmtsRun free = simulate(s, Values{0, 1, -5}, 1e-4, 1);  // free, then hits at 0.4
  Index hit = 1;
  while (free.x(0, hit) > 0) ++hit;
  EXPECT_NEAR(free.t[hit], 0.4, 5e-4);  // error of the position ½·5·t·h over the speed 1, twice
  EXPECT_NEAR(total(free, 0), 5, 1e-12);
  EXPECT_NEAR(total(free, 1), 1, 5 * 5e-4);
  EXPECT_TRUE(free.x.rightCols(5000).isZero(0));
}

TEST(Emts, StateJumpIsTheStepOfLengthZero) {  // TI:TI-143, F:F006, F:B28
  const ZeroDynamicsForm form = zero_dynamics_form(integrator_chain(4, 4));
  EmtsWorkspace work;
  prepare(form, Emts{}, work);
  const auto jump = [&](Values z) {
    EXPECT_TRUE(step(form, z, 0, Emts{}, work).done());
    return Vector(z);
  };
  EXPECT_EQ(jump({-1, -2, -3, -4}), (Values{0, 0, 0, 0}));
  EXPECT_EQ(jump({0, -2, 3, -4}), (Values{0, 0, 3, -4}));   // the third is free to stay
  EXPECT_EQ(jump({0, 2, -3, -4}), (Values{0, 2, -3, -4}));  // leaving: nothing happens
  EXPECT_EQ(jump({1, -2, -3, -4}), (Values{1, -2, -3, -4}));
  EXPECT_EQ(jump({0, 0, -3, 4}), (Values{0, 0, 0, 4}));
}

TEST(Emts, ReducesToABallThatDoesNotBounce) {  // TI:B.12, TI:TI-147
  // q̈ = −g + λ: Moreau's scheme with e = 0, θ = 1 but for μ_1, which corrects the penetration.
  const double g = 9.81, h = 1e-3;
  const Lcs ball{.A = {{0, 1}, {0, 0}}, .B = {{0}, {1}}, .C = {{1, 0}}, .a = {0, -g}};
  const EmtsRun run = simulate(ball, Values{1, 0}, h, 1);
  ASSERT_TRUE(run.done());
  const double impact = std::sqrt(2 / g);
  Index hit = 1;
  while (run.x(0, hit) > 0) ++hit;
  EXPECT_NEAR(run.t[hit], impact, 2 * h);
  EXPECT_NEAR(run.impulses[0].sum(), g * impact, 2 * g * h);  // percussion
  EXPECT_NEAR(run.density(0, run.t.size() - 1), g, 1e-12);    // then the weight
  EXPECT_NEAR(run.measures(1, run.t.size() - 1), g * h, 1e-15);
  EXPECT_TRUE(run.x.rightCols(500).isZero(0));
}

TEST(Emts, ZeroDynamicsDecideTheForceOnTheBoundary) {  // TI:TI-145, F:V52, F:F213
  // ẅ = −w − ẇ + αξ₁ + βξ₂ + λ, ξ̈₁ = ξ₁ + w: with w = 0, ξ₁ = cosh t presses on w if α < 0.
  const double alpha = -2, beta = 0.5, h = 1e-4;
  const Lcs s{.A = {{0, 1, 0, 0}, {-1, -1, alpha, beta}, {0, 0, 0, 1}, {1, 0, 1, 0}},
              .B = {{0}, {1}, {0}, {0}},
              .C = {{1, 0, 0, 0}}};
  const EmtsRun run = simulate(s, Values{0, -3, 1, 0}, h, 0.5);
  ASSERT_TRUE(run.done());
  // The percussion is the jump of ẇ, the density follows −αξ₁ − βξ₂; ξ is of first order in h.
  EXPECT_NEAR(run.impulses[0](0, 1), 3, 1e-12);
  for (Index k = 2; k < run.t.size(); k += 500) {
    EXPECT_NEAR(run.density(0, k), 2 * std::cosh(run.t[k]) - 0.5 * std::sinh(run.t[k]), 2 * h);
    EXPECT_EQ(run.impulses[0](0, k), 0);
  }
  EXPECT_TRUE(run.z.topRows(2).rightCols(run.t.size() - 1).isZero(0));
  // With the opposite sign it lets go.
  Lcs pulled = s;
  pulled.A(1, 2) = 2;
  const EmtsRun leaves = simulate(pulled, Values{0, -3, 1, 0}, h, 0.5);
  EXPECT_GT(leaves.x(0, leaves.t.size() - 1), 0.1);
  EXPECT_TRUE(leaves.density.rightCols(4000).isZero(0));
}

TEST(Emts, SweepsAPointAlongAHalfLine) {  // TI:V-27, TI:TI-085
  // ẋ = −1 + λ, 0 ≤ x ⟂ λ ≥ 0.
  Lcs s{.A = {{0}}, .B = {{1}}, .C = {{1}}, .a = {-1}};
  const double h = 0.25;
  const EmtsRun falls = simulate(s, Values{1}, h, 2);
  for (Index k = 0; k <= 8; ++k) {
    EXPECT_EQ(falls.x(0, k), std::max(0.0, 1 - h * double(k)));
    EXPECT_EQ(falls.measures(0, k), k > 4 ? h : 0);
  }
  const EmtsRun below = simulate(s, Values{-1}, h, 1);
  EXPECT_EQ(below.measures(0, 1), 1.25);
  EXPECT_EQ(below.impulses[0](0, 1), 1);  // the jump; the rest is the density 1
  EXPECT_TRUE(below.x.rightCols(4).isZero(0));
  EXPECT_EQ(below.measures(0, 2), 0.25);
  // The set jumps from [0, ∞) to [1, ∞): a jump map, with the impulse 1.
  s.b = Values{-1};
  const ZeroDynamicsForm form = zero_dynamics_form(s);
  EmtsWorkspace work;
  prepare(form, Emts{}, work);
  Vector z = form.to_canonical(Values{0});
  ASSERT_TRUE(step(form, z, 0, Emts{}, work).done());
  EXPECT_EQ(work.parts.measures[0], 1);
  EXPECT_EQ(form.from_canonical(z)[0], 1);
}

TEST(Emts, SatisfiesTheEvolutionInequalityAndItsBound) {  // TI:TI-146, F:F213, F:V53
  // ⟨z_i⁺ − z_i − h z_{i+1}⁺, v − z_i⁺⟩ ≥ 0 for v ∈ T_i, at v = 0 and v = 2 z_i⁺ + 1; |z(t)| ≤
  // e^(Λt) |z(0)| with Λ the norm of the canonical matrix, 1 for a chain.
  const double h = 1e-3;
  const EmtsRun run = simulate(integrator_chain(4, 4), Values{0.5, -1, 2, -6}, h, 3);
  ASSERT_TRUE(run.done());
  for (Index k = 1; k < run.t.size(); ++k) {
    bool cone = true;
    for (Index i = 0; i < 4; ++i) {
      const double defect = run.z(i, k) - run.z(i, k - 1) - (i < 3 ? h * run.z(i + 1, k) : 0);
      if (cone) {
        EXPECT_GE(defect * (0 - run.z(i, k)), -1e-12);
        EXPECT_GE(defect * (run.z(i, k) + 1), -1e-12);
      } else {
        EXPECT_NEAR(defect, 0, 1e-12);
      }
      cone = cone && run.z(i, k - 1) <= 1e-11;
    }
    EXPECT_LE(run.z.col(k).norm(), std::exp(run.t[k]) * run.z.col(0).norm() * (1 + 1e-9));
  }
}

TEST(Emts, FollowsPontryaginsConditionsUnderAStateConstraint) {  // F:F214, TI:TI-144, TI:TI-145
  // min ∫ ½u² − ρx, ẍ = u, x ≤ l: z = l − x has z⁗ = λ − ρ. With s = t₁ − t the optimum is z = αs³
  // − ρs⁴/24 until t₁, where u̇ jumps by 6α, and z = 0 after it.
  const double rho = 2, t1 = 1.5, alpha = 0.4;
  const auto z = [&](double t, int derivative) {
    const double s = std::max(0.0, t1 - t);
    return derivative == 0   ? alpha * std::pow(s, 3) - rho * std::pow(s, 4) / 24
           : derivative == 1 ? -3 * alpha * s * s + rho * std::pow(s, 3) / 6
           : derivative == 2 ? 6 * alpha * s - rho * s * s / 2
                             : -6 * alpha + rho * s;
  };
  Lcs s = integrator_chain(4, 4);
  s.a = Values{0, 0, 0, -rho};
  const auto error = [&](double h) {
    const EmtsRun run = simulate(s, Values{z(0, 0), z(0, 1), z(0, 2), z(0, 3)}, h, 3);
    // z⃛ grows by ρh per step: the atom knows where the step ended that met the constraint.
    EXPECT_NEAR(run.impulses[0].sum(), 6 * alpha, 2 * rho * h);
    EXPECT_NEAR(run.density(0, run.t.size() - 1), rho, 1e-10);
    double worst = 0;
    for (Index k = 0; k < run.t.size(); ++k)
      worst = std::max(worst, std::abs(run.z(2, k) - z(run.t[k], 2)));
    return worst;
  };
  EXPECT_NEAR(testing::fitted_order(testing::steps(2e-2, 2e-3, 12), error), 1.0, 0.15);
}

TEST(Emts, TreatsTwoCoupledOutputsOfEqualDegree) {  // F:F194, TI:TI-143
  // Two chains of three with λ coupled by a Stieltjes matrix: the last jump is a projection.
  const Matrix coupling = Rows{{2, -1}, {-1, 2}};
  Lcs s{.A = Matrix::Zero(6, 6), .B = Matrix::Zero(6, 2), .C = Matrix::Zero(2, 6)};
  s.A.topRightCorner(4, 4).setIdentity();
  s.B.bottomRows(2) = coupling;
  s.C.leftCols(2).setIdentity();
  const EmtsRun run = simulate(s, Values{0, 0, 0, 0, -3, 1}, 1e-3, 3e-3);
  ASSERT_TRUE(run.done());
  // Output 0 must stop: −3 + 2ν = 0; that pushes output 1 to 1 − ν = −1/2 < 0, so both act:
  // 2ν₀ − ν₁ = 3, −ν₀ + 2ν₁ = −1 has ν = (5/3, 1/3) ≥ 0.
  EXPECT_NEAR(run.impulses[0](0, 1), 5.0 / 3, 1e-12);
  EXPECT_NEAR(run.impulses[0](1, 1), 1.0 / 3, 1e-12);
  EXPECT_TRUE(run.x.rightCols(3).isZero(1e-14));
  // A jump of the outputs themselves is reported as Δ⁻¹ δ''.
  const EmtsRun deep = simulate(s, Values{-1, -1, 0, 0, 0, 0}, 1e-3, 2e-3);
  EXPECT_NEAR(deep.impulses[2](0, 1), 1, 1e-12);
  EXPECT_NEAR(deep.impulses[2](1, 1), 1, 1e-12);
}

TEST(Emts, TreatsOutputsOfDifferentDegree) {  // F:F194
  // A mass on the floor (r = 2) beside a leaking tank that must not run dry (r = 1).
  const Lcs s{.A = {{0, 1, 0}, {0, 0, 0}, {0, 0, -1}},
              .B = {{0, 0}, {1, 0}, {0, 1}},
              .C = {{1, 0, 0}, {0, 0, 1}},
              .a = {0, -1, -0.5}};
  const EmtsRun run = simulate(s, Values{0, -2, -1}, 1e-3, 2e-3);
  ASSERT_TRUE(run.done());
  EXPECT_EQ(run.impulses.size(), 2u);
  EXPECT_NEAR(run.impulses[0](0, 1), 2, 1e-12);
  EXPECT_NEAR(run.impulses[0](1, 1), 1, 1e-12);
  EXPECT_NEAR(run.density(0, 2), 1, 1e-12);
  EXPECT_NEAR(run.density(1, 2), 0.5, 1e-12);
  EXPECT_TRUE(run.x.rightCols(2).isZero(1e-14));
}

TEST(Emts, RefusesSystemsWithoutMeaning) {  // TI:B.12, F:B28
  Lcs wrong = integrator_chain(2, 2);
  wrong.B *= -1;
  EXPECT_ERROR(simulate(wrong, Values{0, 0}, 0.1, 1), "CA^(r-1)B is -1, expected > 0");
  Lcs direct = integrator_chain(2, 2);
  direct.D = {{1}};
  EXPECT_ERROR(simulate(direct, Values{0, 0}, 0.1, 1), "D is not zero");
  Lcs blind = integrator_chain(2, 2);
  blind.C = {{0, 0}};
  EXPECT_ERROR(simulate(blind, Values{0, 0}, 0.1, 1), "no vector relative degree");
  EXPECT_ERROR(simulate(integrator_chain(2, 2), Values{0}, 0.1, 1),
               "x0 has size 1, the system 2 states");
  EXPECT_ERROR(simulate(integrator_chain(2, 2), Values{0, 0}, 0, 1), "expected 0 < step");
  EXPECT_ERROR(simulate(integrator_chain(2, 2), Values{0, 0}, 0.1, 1, Emts{.zero_tolerance = -1}),
               "zero_tolerance is -1");
}

TEST(Emts, WarmStepDoesNotAllocate) {
  const ZeroDynamicsForm form = zero_dynamics_form(integrator_chain(5, 4));
  EmtsWorkspace work;
  const Emts scheme;
  prepare(form, scheme, work);
  Vector z = form.to_canonical(Values{1e-2, -1, -1, -2, -1});
  for (int k = 0; k < 30; ++k) ASSERT_TRUE(step(form, z, 1e-3, scheme, work).done());
  z = form.to_canonical(Values{1e-2, -1, -1, -2, -1});
  const testing::AllocationGuard guard;
  bool done = true;
  for (int k = 0; k < 30; ++k) done = done && step(form, z, 1e-3, scheme, work).done();
  EXPECT_EQ(guard.count(), 0);
  EXPECT_TRUE(done);
  EXPECT_TRUE(z.head(4).isZero(0));
}

}  // namespace
}  // namespace saltus
