// Plane friction with a piecewise linear graph of the slip speed (S:FC-09b).
#include "solvers/problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/nsgs.hpp"
#include "saltus/solvers/slip_friction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

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

TEST(SlipFriction, SolvesWhereTheGraphFallsAsFastAsTheForceRises) {  // S:FC-09b
  Workspace work;
  // slope −1 and W = 1, so that the hinges of the falling piece are singular: none of it solves
  // q = 1.3, where u = q − 1/2 beyond it, and all of it q = 1, 0 ≤ u ≤ 1/2
  for (const double q : {1.3, 1.0, -1.3}) {
    Vector r = Vector::Zero(1);
    ASSERT_TRUE(solve(falling(q, 0.5, 0.5), r, SlipFriction{}, work).converged()) << q;
    if (q == 1.0)
      EXPECT_LE(std::abs(r[0] + 0.75), 0.25 + 1e-8);
    else
      EXPECT_NEAR(r[0], std::copysign(0.5, -q), 1e-8);
  }
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

/// The law of each contact, read off directly.
void expect_law(const PiecewiseFriction& problem, const Vector& r, double tolerance) {
  const Vector u = problem.form.W.to_dense() * r + problem.form.q;
  for (std::size_t b = 0; b < problem.graphs.size(); ++b) {
    const auto i = static_cast<Index>(b);
    const double mu = std::get<FrictionCone>(problem.form.K[b]).mu, slip = u[2 * i + 1];
    EXPECT_GE(r[2 * i], -tolerance);
    EXPECT_GE(u[2 * i], -tolerance);
    EXPECT_LE(std::min(r[2 * i], u[2 * i]), tolerance);
    const double bound = (mu + slip_change(problem.graphs[b], std::abs(slip))) * r[2 * i];
    if (std::abs(slip) > 1e-6)
      EXPECT_NEAR(r[2 * i + 1], -std::copysign(bound, slip), 10 * tolerance) << b;
    else
      EXPECT_LE(std::abs(r[2 * i + 1]), mu * r[2 * i] + 10 * tolerance) << b;
  }
}

PiecewiseFriction contacts_with(const SlipGraph& graph, double mu, Index count,
                                library::Random& random) {
  PiecewiseFriction problem{to_block_form(library::random_contacts(2, count, random)), {}};
  for (Index i = 0; i < count; ++i) {
    std::get<FrictionCone>(problem.form.K[i]).mu = mu + 0.02 * static_cast<double>(i);
    problem.graphs.push_back(graph);
  }
  return problem;
}

TEST(SlipFriction, SolvesManyContactsWithStribeckFriction) {  // S:FC-09b
  library::Random random(4);
  Workspace work;
  for (int trial = 0; trial < 10; ++trial) {
    // slopes down to −0.1, r_N up to 3 and W_TT about 1: the pieces fall less than W r rises
    const PiecewiseFriction problem =
        contacts_with({{0.2, 1}, {-0.02, -0.06}, 0.01}, 0.3, 8, random);
    Vector r = Vector::Zero(16);
    const SolveReport report = solve(problem, r, SlipFriction{.tolerance = 1e-10}, work);
    EXPECT_TRUE(report.converged()) << trial << " " << name(report.status) << report.residual;
    expect_law(problem, r, 1e-9);
  }
}

// The friction falls by half or more within speeds of 0.2 down to 0.01: far steeper than W r rises,
// the fixed point on the normal impulses does not converge, and there are several solutions.
TEST(SlipFriction, SolvesSteepGraphs) {  // S:FC-09b
  Workspace work;
  for (const double speed : {0.2, 0.04, 0.01}) {
    library::Random random(5);
    for (int trial = 0; trial < 25; ++trial) {
      const PiecewiseFriction problem =
          contacts_with({{speed, 1}, {-0.3, -0.4}, 0.01}, 0.5, 8, random);
      Vector r = Vector::Zero(16);
      const SolveReport report = solve(problem, r, SlipFriction{.tolerance = 1e-10}, work);
      EXPECT_TRUE(report.converged())
          << speed << " " << trial << " " << name(report.status) << " " << report.residual;
      // the residual multiplied by the slope of the graph, up to 0.3/speed
      expect_law(problem, r, 1e-8);
    }
  }
}

// Beside a joint, a stop, a relay and a drive with a steep graph of its own.
TEST(SlipFriction, SolvesSteepGraphsBesideOtherSets) {  // S:FC-09b
  Workspace work;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    library::Random random(seed);
    const Index contacts = 4, n = 2 * contacts + 4;
    const Matrix H = random.matrix(2 * n, n);
    std::vector<Index> sizes(static_cast<std::size_t>(contacts), 2);
    sizes.resize(static_cast<std::size_t>(contacts) + 4, 1);
    const Matrix W = H.transpose() * H / static_cast<double>(2 * n);
    PiecewiseFriction problem;
    problem.form = {BlockSparse::sparse(Eigen::SparseMatrix<double>(W.sparseView()), sizes, sizes),
                    random.vector(n), std::vector<BlockSet>(4, FrictionCone{0.6})};
    problem.form.K.insert(problem.form.K.end(),
                          {Reals{}, NonNegative{}, Interval{-0.3, 0.8}, Interval{-0.5, 0.5}});
    problem.graphs.assign(8, {});
    for (const std::size_t b : {0u, 1u, 2u, 7u}) problem.graphs[b] = {{0.05}, {-0.35}, 0.02};
    Vector r = Vector::Zero(n);
    const SolveReport report = solve(problem, r, SlipFriction{.tolerance = 1e-10}, work);
    EXPECT_TRUE(report.converged()) << seed << " " << report.residual;
    const Vector u = W * r + problem.form.q;  // the last four rows are the other sets
    EXPECT_NEAR(u[n - 4], 0, 1e-8);
    EXPECT_LE(std::abs(std::min(r[n - 3], u[n - 3])), 1e-8);
    EXPECT_NEAR(r[n - 2], std::clamp(r[n - 2] - u[n - 2], -0.3, 0.8), 1e-8);
    const double slip = u[n - 1], force = 0.5 + slip_change(problem.graphs[7], std::abs(slip));
    if (std::abs(slip) > 1e-6)
      EXPECT_NEAR(r[n - 1], -std::copysign(force, slip), 1e-7);
    else
      EXPECT_LE(std::abs(r[n - 1]), 0.5 + 1e-7);
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
