// Plane friction with a piecewise linear graph of the slip speed (S:FC-09b).
#include "solvers/problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/slip_friction.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

/// u = r + q under a known load: friction 1 at rest, falling to `last` at the speed s, then
/// constant.
PiecewiseFriction falling(double q, double s, double last) {
  return {{BlockSparse::dense(Rows{{1}}), Values{q}, {Interval{-1, 1}}}, {{{s}, {last - 1}, 0}}};
}

TEST(SlipGraphs, AreBrokenLines) {  // S:FC-09b
  const SlipGraph graph{{0.5, 2}, {-0.3, -0.1}, 0.4};
  EXPECT_EQ(slip_change(graph, 0), 0);
  EXPECT_NEAR(slip_change(graph, 0.25), -0.15, 1e-15);
  EXPECT_NEAR(slip_change(graph, 0.5), -0.3, 1e-15);
  EXPECT_NEAR(slip_change(graph, 1.25), -0.2, 1e-15);
  EXPECT_NEAR(slip_change(graph, 2), -0.1, 1e-15);
  EXPECT_NEAR(slip_change(graph, 3), 0.3, 1e-15);
  EXPECT_NEAR(slip_change(graph, -3), -0.3, 1e-15);
  EXPECT_EQ(slip_change({}, 7), 0);
  EXPECT_EQ(slip_change({{}, {}, 0.5}, -2), -1);
}

TEST(SlipFriction, FollowsAGentlyFallingGraph) {  // S:FC-09b: 1 − s/2 for s ≤ 1, then 1/2
  Workspace work;
  struct Case {
    double q, r;
  };
  // stick; on the falling piece u/2 = q − 1; beyond u = q − 1/2
  for (const Case& c :
       {Case{0.7, -0.7}, Case{1.2, -0.8}, Case{2, -0.5}, Case{-1.4, 0.6}, Case{0, 0}}) {
    Vector r = Vector::Zero(1);
    const SolveReport report = solve(falling(c.q, 1, 0.5), r, SlipFriction{}, work);
    EXPECT_TRUE(report.converged()) << c.q;
    EXPECT_LE(report.iterations, 1);  // one linear complementarity problem
    EXPECT_NEAR(r[0], c.r, 1e-12) << c.q;
  }
}

TEST(SlipFriction, FindsOneOfTheSolutionsOfASteepGraph) {  // S:FC-09b: three of them for q = 0.8
  Workspace work;
  const PiecewiseFriction problem = falling(0.8, 0.4, 0.2);
  for (const double solution : {-0.8, -0.6, -0.2})
    EXPECT_LE(residual(problem, Values{solution}), 1e-15) << solution;
  Vector r = Vector::Zero(1);
  EXPECT_TRUE(solve(problem, r, SlipFriction{}, work).converged());
  const double nearest =
      std::min({std::abs(r[0] + 0.8), std::abs(r[0] + 0.6), std::abs(r[0] + 0.2)});
  EXPECT_LE(nearest, 1e-12);
  EXPECT_GE(residual(problem, Values{-0.5}), 0.05);
}

TEST(SlipFriction, IsHonestWhereTheGraphFallsAsFastAsTheForceRises) {  // S:FC-09b
  Workspace work;
  Vector r = Vector::Zero(1);  // slope −1 and W = 1: all u in (0, 0.5) or none
  EXPECT_EQ(solve(falling(1.3, 0.5, 0.5), r, SlipFriction{}, work).status,
            SolveStatus::numerical_error);
}

/// One block that slides under gravity: (u_N, u_T) = r + q with unit mass.
TEST(SlipFriction, MultipliesTheNormalImpulseOfAContact) {  // S:FC-09b
  Workspace work;
  // μ(s) = 0.6 − 0.4 s up to s = 1, then 0.2 + 0.05 (s − 1); W = I, r_N = 0.5
  const SlipGraph stribeck{{1}, {-0.4}, 0.05};
  const auto run = [&](double speed) {
    const PiecewiseFriction problem{
        {BlockSparse::dense(Matrix::Identity(2, 2)), Values{-0.5, speed}, {FrictionCone{0.6}}},
        {stribeck}};
    Vector r = Vector::Zero(2);
    const SolveReport report = solve(problem, r, SlipFriction{}, work);
    EXPECT_TRUE(report.converged()) << speed;
    EXPECT_LE(report.iterations, 3);
    EXPECT_NEAR(r[0], 0.5, 1e-12);
    return r[1];
  };
  EXPECT_NEAR(run(0.2), -0.2, 1e-12);                       // sticks
  const double slow = (0.6 - 0.5 * 0.6) / (1 - 0.5 * 0.4);  // u = q − r_N (0.6 − 0.4 u)
  EXPECT_NEAR(run(0.6), slow - 0.6, 1e-12);
  const double fast = (3 - 0.5 * 0.15) / (1 + 0.5 * 0.05);  // u = q − r_N (0.15 + 0.05 u)
  EXPECT_NEAR(run(3), fast - 3, 1e-12);
  EXPECT_NEAR(run(-3), 3 - fast, 1e-12);
}

TEST(SlipFriction, IsCoulombsLawWithoutAGraph) {  // S:FC-09a, S:FC-09b
  library::Random random(3);
  Workspace work;
  for (int trial = 0; trial < 5; ++trial) {
    const FrictionContact contacts = library::random_contacts(2, 6, random);
    PiecewiseFriction problem{to_block_form(contacts), std::vector<SlipGraph>(6)};
    problem.form.K[4] = Reals{};
    Vector r = Vector::Zero(12), s = Vector::Zero(12);
    const SolveReport report = solve(problem, r, SlipFriction{}, work);
    EXPECT_TRUE(report.converged());
    EXPECT_LE(report.iterations, 1);
    ASSERT_TRUE(solve(problem.form, s, Nsgs{.tolerance = 1e-12}, work).converged());
    EXPECT_LE((r - s).norm(), 1e-7);
  }
}

TEST(SlipFriction, SolvesManyContactsWithStribeckFriction) {  // S:FC-09b
  library::Random random(4);
  Workspace work;
  for (int trial = 0; trial < 10; ++trial) {
    const FrictionContact contacts = library::random_contacts(2, 8, random);
    PiecewiseFriction problem{to_block_form(contacts), {}};
    for (Index i = 0; i < 8; ++i) {
      auto& cone = std::get<FrictionCone>(problem.form.K[i]);
      cone.mu = 0.3 + 0.02 * static_cast<double>(i);
      // slopes down to −0.1, r_N up to 3 and W_TT about 1: the pieces fall less than W r rises
      problem.graphs.push_back({{0.2, 1}, {-0.02, -0.06}, 0.01});
    }
    Vector r = Vector::Zero(16);
    const SolveReport report = solve(problem, r, SlipFriction{.tolerance = 1e-10}, work);
    EXPECT_TRUE(report.converged()) << trial << " " << name(report.status) << report.residual;
    // the law of each contact, read off directly
    const Vector u = problem.form.W.to_dense() * r + problem.form.q;
    for (Index i = 0; i < 8; ++i) {
      const double mu = std::get<FrictionCone>(problem.form.K[i]).mu, slip = u[2 * i + 1];
      EXPECT_GE(r[2 * i], -1e-9);
      EXPECT_GE(u[2 * i], -1e-9);
      EXPECT_LE(std::min(r[2 * i], u[2 * i]), 1e-9);
      const double bound =
          (mu + std::abs(slip_change(problem.graphs[i], slip)) *
                    (slip_change(problem.graphs[i], std::abs(slip)) < 0 ? -1 : 1)) *
          r[2 * i];
      if (std::abs(slip) > 1e-6)
        EXPECT_NEAR(r[2 * i + 1], -std::copysign(bound, slip), 1e-8) << trial << " " << i;
      else
        EXPECT_LE(std::abs(r[2 * i + 1]), mu * r[2 * i] + 1e-8);
    }
  }
}

TEST(SlipFriction, RefusesGraphsThatAreNone) {  // S:FC-09b
  PiecewiseFriction problem = falling(1, 1, 0.5);
  EXPECT_NO_THROW(validate(problem));
  problem.graphs[0].speeds[0] = 0;
  EXPECT_ERROR(validate(problem), "point 0 of the graph of block 0 is (0, -0.5)");
  problem.graphs[0].values.push_back(1);
  EXPECT_ERROR(validate(problem), "1 speeds and 2 values");
  problem.graphs = {};
  EXPECT_ERROR(validate(problem), "0 graphs for 1 blocks");
  problem = falling(1, 1, 0.5);
  problem.form.K[0] = NonNegative{};
  EXPECT_ERROR(validate(problem), "block 0 has a graph");
  problem.form = {BlockSparse::dense(Matrix::Identity(3, 3)), Values{1, 1, 1}, {FrictionCone{0.5}}};
  EXPECT_ERROR(validate(problem), "of 3 rows, expected friction cones of 2 rows");
}

}  // namespace
}  // namespace saltus
