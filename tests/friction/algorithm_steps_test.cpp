// The algorithms of the theory of frictional contact, one step each, against their definition:
// step lengths (FS:B.2), line searches (FS:B.4, FS:B.5), over-relaxed sweeps (FS:B.6), the proximal
// point (FS:B.8), the projected gradient (FS:B.9), Tresca and ACLM iterations (FS:B.11, FS:B.12).
#include "solvers/friction_cases.hpp"
#include "support/random_matrix.hpp"

#include "saltus/solvers/convex_projected_gradient.hpp"
#include "saltus/solvers/friction_convex_loops.hpp"
#include "saltus/solvers/friction_proximal_point.hpp"
#include "saltus/solvers/newton_line_search.hpp"
#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/step_rule.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace saltus {
namespace {

// FS:B.2: ρ falls by ν until ρ‖F(z) − F(z̄)‖ ≤ L‖z − z̄‖, and grows by 1/ν after a ratio below L_min.
TEST(AdaptiveStep, FallsUntilTheRatioHoldsAndGrowsAfterSmallOnes) {
  const AdaptiveStep rule{};
  // F(z) = s z on the line, no constraint: the ratio is ρ s
  for (const double s : {0.1, 0.5, 1.0, 10.0}) {
    const auto map = [&](ConstVectorRef z, VectorRef F) { F = s * z; };
    double rho = 1;
    Vector trial(1), trial_F(1);
    const Vector z = Values{1}, F = Values{s};
    const double ratio = find_step(
        rule, map, [](VectorRef) {}, z, F, rho, trial, trial_F);
    int reductions = 0;
    while (std::pow(rule.nu, reductions) * s > rule.L) ++reductions;
    EXPECT_NEAR(rho, std::pow(rule.nu, reductions), 1e-15) << s;
    EXPECT_NEAR(ratio, rho * s, 1e-15) << s;
    EXPECT_NEAR(trial[0], 1 - rho * s, 1e-15) << s;
    const double before = rho;
    grow_step(rule, ratio, rho);
    EXPECT_DOUBLE_EQ(rho, ratio < rule.L_min ? before / rule.nu : before) << s;
  }
}

// FS:B.5: the first of 1, ½, ¼ … with q(t) ≤ q(0) + m₁ t q'(0), q'(0) = −2 q(0).
TEST(Armijo, HalvesUntilTheMeritFalls) {
  const Armijo rule{};
  for (const double best : {1.0, 0.4, 0.1, 0.01}) {
    const auto q = [&](double t) { return 1 - 2 * t + t * t / best; };  // q(0) = 1, q'(0) = −2
    double t = 1;
    while (q(t) > 1 - 2 * rule.m1 * t) t /= 2;
    EXPECT_EQ(find_length(rule, 1, q), t) << best;
  }
  const auto nowhere = [](double) { return std::nan(""); };
  EXPECT_EQ(find_length(rule, 1, nowhere), std::ldexp(1.0, -rule.max_iterations));
}

// FS:B.4: m₂ q'(0) ≤ (q(t) − q(0))/t ≤ m₁ q'(0); a step that is too short is extrapolated.
TEST(GoldsteinPrice, EndsBetweenItsTwoLines) {
  for (const double best : {50.0, 3.0, 1.0, 0.3, 0.01}) {
    const GoldsteinPrice rule{.m1 = 0.1, .m2 = 0.7, .a = 1.5, .max_iterations = 60};
    const auto q = [&](double t) { return 1 - 2 * t + t * t / best; };
    const double t = find_length(rule, 1, q), slope = (q(t) - 1) / t;
    EXPECT_GE(slope, -2 * rule.m2) << best;
    EXPECT_LE(slope, -2 * rule.m1) << best;
    EXPECT_EQ(t > 1, best > 1 / 0.6) << best;  // t = 1 is too short if −2 + 1/best < −1.4
  }
}

/// Contacts in space with W positive definite.
FrictionContact contacts(unsigned seed, Index count) {
  RandomMatrix matrix(seed);
  const Index n = 3 * count;
  const Matrix A = matrix(n, n), W = A * A.transpose() + Matrix::Identity(n, n);
  FrictionContact problem;
  problem.dimension = 3;
  problem.W = BlockSparse::sparse(Eigen::SparseMatrix<double>(W.sparseView()), 3);
  problem.q = 2 * matrix(n, 1);
  problem.mu = Vector::Constant(count, 0.4);
  return problem;
}

// FS:B.6: contact by contact FC(W_cc/ω, q̄, μ_c), q̄ = q_c + Σ W_cb r_b − W_cc r_c/ω with the latest
// r of the others and the last one of its own.
TEST(OverRelaxedSweep, SolvesTheContactsOfItsDefinition) {
  const FrictionContact problem = contacts(4, 4);
  const Matrix W = problem.W.to_dense();
  Workspace work;
  for (const double omega : {0.7, 1.0, 1.4}) {
    RandomMatrix matrix(9);
    Vector start = matrix(12, 1);
    project_blocks(to_block_form(problem), start);
    Vector r = start, expected = start;
    static_cast<void>(
        solve(problem, r,
              Nsgs{.max_iterations = 1, .local = LocalExact{}, .over_relaxation = omega}, work));
    for (Index c = 0; c < 4; ++c) {
      const Matrix own = W.block(3 * c, 3 * c, 3, 3);
      const Vector before = expected.segment(3 * c, 3);
      const Vector q =
          problem.q.segment(3 * c, 3) + W.middleRows(3 * c, 3) * expected - own * before / omega;
      Vector x = Vector::Zero(3);
      ASSERT_TRUE(solve(friction_cases::one_contact(own / omega, q, 0.4), x,
                        Nsgs{.tolerance = 1e-14, .local = LocalExact{}}, work)
                      .converged());
      expected.segment(3 * c, 3) = x;
    }
    // roots of the quartic from different starts, entries of order one
    EXPECT_LE((r - expected).lpNorm<Eigen::Infinity>(), 1e-11) << omega;
  }
}

// FS:B.8: z solves FC(W + αI, q − α r, μ) to a tenth of the residual; r ← (1 − ω) r + ω z.
TEST(ProximalPointStep, SolvesTheShiftedProblem) {
  const FrictionContact problem = contacts(6, 3);
  Workspace work;
  for (const double omega : {1.0, 0.6}) {
    const double alpha = 2;
    Vector start = Vector::Constant(9, 0.3), r = start;
    project_blocks(to_block_form(problem), start);
    static_cast<void>(
        solve(problem, r,
              FrictionProximalPoint{.max_iterations = 1, .alpha = alpha, .omega = omega}, work));
    const Vector z = start + (r - start) / omega;
    FrictionContact shifted = problem;
    const Matrix W = problem.W.to_dense() + alpha * Matrix::Identity(9, 9);
    shifted.W = BlockSparse::sparse(Eigen::SparseMatrix<double>(W.sparseView()), 3);
    shifted.q = problem.q - alpha * start;
    EXPECT_LE(residual(shifted, z), 0.1 * residual(problem, start) * (1 + 1e-9)) << omega;
    EXPECT_GT(residual(shifted, start), residual(shifted, z));
  }
}

// FS:B.9: the first ρ = ρ₀ lⁱ with θ(r⁺) − θ(r) ≤ σ (W r + q)·(r⁺ − r), r⁺ = P_C(r − ρ(W r + q)).
TEST(ProjectedGradientStep, TakesTheFirstStepThatDecreasesEnough) {
  RandomMatrix matrix(8);
  const Matrix A = matrix(6, 6), W = 10 * A * A.transpose();
  const Vector q = -matrix(6, 1).cwiseAbs(), start = Vector::Zero(6);
  const BlockForm form{.W = BlockSparse::dense(W), .q = q, .K = {NonNegative{}}};
  const ConvexProjectedGradient options{.max_iterations = 1, .rho = 5};
  Workspace work;
  Vector r = start;
  static_cast<void>(solve(form, r, options, work));
  const auto theta = [&](const Vector& x) { return 0.5 * x.dot(W * x) + x.dot(q); };
  const Vector gradient = W * start + q;
  int reductions = 0;
  double rho = options.rho;
  Vector next = (start - rho * gradient).cwiseMax(0);
  while (theta(next) - theta(start) > options.sigma * gradient.dot(next - start)) {
    rho *= options.l;
    ++reductions;
    next = (start - rho * gradient).cwiseMax(0);
  }
  EXPECT_GT(reductions, 0);
  EXPECT_LE((r - next).lpNorm<Eigen::Infinity>(), 1e-14);
}

/// Normal force of FS:V6 after k sub-problems, each solved exactly.
template <class Loop>
double normal_after(Loop loop, int k) {
  Workspace work;
  Vector r = Vector::Zero(3);
  loop.tolerance = 1e-15;
  loop.max_iterations = k;
  loop.inner = FixedPointProjection{.max_iterations = 100000};
  static_cast<void>(solve(friction_cases::slide().problem, r, loop, work));
  return r[0];
}

// FS:B.12 on FS:V6, from s = 0: 1.2, 1.04, 1.008 …, the error falls by μ²/(1 + μ²) = 0.2. The inner
// problems are solved to a tenth of the residual before: that share of the error of the step
// before.
TEST(AclmStep, HasTheNormalForcesOfTheCard) {
  const double expected[] = {1.2, 1.04, 1.008, 1.0016};
  double error = 1;
  for (int k = 1; k <= 4; ++k) {
    Workspace work;
    Vector r = Values{2, -1, 0};  // u = (1, 0, 0): no slip
    const Aclm loop{.tolerance = 1e-15,
                    .max_iterations = k,
                    .inner = FixedPointProjection{.max_iterations = 100000}};
    static_cast<void>(solve(friction_cases::slide().problem, r, loop, work));
    EXPECT_NEAR(r[0], expected[k - 1], 0.2 * error) << k;
    error = expected[k - 1] - 1;
  }
}

// FS:B.11 on FS:V6: W = I does not couple, so that the frictionless problem, the first from r = 0,
// has the normal force of the solution, and the second the friction.
TEST(TrescaStep, SolvesAContactWithoutCouplingInTwo) {
  Workspace work;
  const friction_cases::OneContact slide = friction_cases::slide();
  Vector first = Vector::Zero(3), second = first;
  TrescaFixedPoint loop{.tolerance = 1e-15, .max_iterations = 1, .inner = Nsgs{.local = LocalVi{}}};
  static_cast<void>(solve(slide.problem, first, loop, work));
  EXPECT_LE((first - Vector(Values{1, 0, 0})).norm(),
            0.1 * residual(slide.problem, Vector::Zero(3)));
  loop.max_iterations = 2;
  static_cast<void>(solve(slide.problem, second, loop, work));
  EXPECT_LE((second - slide.r).norm(), 2 * 0.1 * residual(slide.problem, first));
}

}  // namespace
}  // namespace saltus
