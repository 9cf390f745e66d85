// The last digits of a solution by bodies, and the factorisation that gives them.

#include "saltus/solvers/contact_polish.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/body_lu.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

/// Bodies in a row, and ties between random pairs of them.
struct RandomBodies {
  Index count;
  std::mt19937 random;
  std::normal_distribution<double> normal = {};

  RandomBodies(Index bodies, unsigned seed) : count(bodies), random(seed) {}
  Matrix matrix(Index rows, Index cols) {
    return Matrix::NullaryExpr(rows, cols, [&] { return normal(random); });
  }
  Matrix mass() {
    const Matrix A = matrix(6, 6);
    return Matrix::Identity(6, 6) + 0.1 * A * A.transpose();
  }
  int body() { return std::uniform_int_distribution<int>(0, static_cast<int>(count) - 1)(random); }
};

class RandomGraphs : public testing::TestWithParam<unsigned> {};

TEST_P(RandomGraphs, TheFactorisationByBodiesSolvesAsTheDenseOneDoes) {  // FS:FS-117
  RandomBodies bodies(12, GetParam());
  std::vector<std::vector<int>> ties;
  for (int k = 0; k < 20; ++k) ties.push_back({bodies.body(), bodies.body(), bodies.body()});
  BodyLu lu;
  lu.analyse(bodies.count, ties);
  lu.clear();
  Matrix K = Matrix::Zero(72, 72);
  const auto add = [&](int i, int j, const Matrix& block) {
    lu(i, j) += block;
    K.block<6, 6>(6 * i, 6 * j) += block;
  };
  for (int b = 0; b < 12; ++b) add(b, b, 20 * bodies.mass());
  for (const std::vector<int>& tie : ties)
    for (const int i : tie)
      for (const int j : tie) add(i, j, 0.3 * bodies.matrix(6, 6));
  ASSERT_TRUE(lu.factorise());
  const Vector b = bodies.matrix(72, 1);
  Vector x = b;
  lu.solve(x);
  // backward stable up to the growth of factors without pivoting, small on diagonal dominance
  EXPECT_LT((K * x - b).norm(), 1e-13 * K.norm() * x.norm());
}

TEST(BodyLu, ASingularDiagonalBlockIsRefused) {
  BodyLu lu;
  lu.analyse(1, {});
  EXPECT_FALSE(lu.factorise());
}

/// Bodies pressed onto the ground and against each other; `copies` of each contact, nothing but
/// their sum is determined then.
GlobalBlockForm pressed(RandomBodies& bodies, int contacts, int joints, int copies) {
  const Index n = 6 * bodies.count;
  std::vector<Eigen::Triplet<double>> mass, input;
  for (Index b = 0; b < bodies.count; ++b) {
    const Matrix M = bodies.mass();
    for (Index i = 0; i < 6; ++i)
      for (Index j = 0; j < 6; ++j)
        mass.emplace_back(static_cast<int>(6 * b + i), static_cast<int>(6 * b + j), M(i, j));
  }
  GlobalBlockForm problem;
  int column = 0;
  const auto tie = [&](const Matrix& first, const Matrix& second, int a, int b) {
    for (int c = 0; c < first.cols(); ++c, ++column)
      for (int i = 0; i < 6; ++i) {
        input.emplace_back(6 * a + i, column, first(i, c));
        if (b != a) input.emplace_back(6 * b + i, column, second(i, c));
      }
    problem.sizes.push_back(first.cols());
  };
  for (int k = 0; k < contacts; ++k) {
    const int a = bodies.body(), b = bodies.body();
    const Matrix first = bodies.matrix(6, 3), second = bodies.matrix(6, 3);
    for (int copy = 0; copy < copies; ++copy) {
      tie(first, second, a, b);
      problem.K.emplace_back(FrictionCone{.mu = 0.2 + 0.1 * (k % 5)});
    }
  }
  for (int k = 0; k < joints; ++k) {
    tie(bodies.matrix(6, 5), bodies.matrix(6, 5), bodies.body(), bodies.body());
    problem.K.emplace_back(Reals{});
  }
  problem.M.resize(n, n);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H.resize(n, column);
  problem.H.setFromTriplets(input.begin(), input.end());
  problem.f = bodies.matrix(n, 1);
  problem.w = Vector::Zero(column);
  return problem;
}

struct Solved {
  Vector v, r;
  explicit Solved(const GlobalBlockForm& problem, double tolerance)
      : v(problem.f.size()), r(Vector::Zero(problem.w.size())) {
    Workspace work;
    const SolveReport report =
        solve(problem, v, r, CoulombCascade{.tolerance = tolerance, .threads = 1}, work);
    EXPECT_TRUE(report.converged());
  }
};

TEST_P(RandomGraphs, ASolutionOfLooseToleranceIsPolishedToRounding) {  // FS:FS-08, FS:B.8
  RandomBodies bodies(10, 100 + GetParam());
  const GlobalBlockForm problem = pressed(bodies, 16, 3, 1);
  Solved loose(problem, 1e-5), strict(problem, 1e-11);
  const double before = friction_errors(problem, loose.r).worst();
  EXPECT_LT(polish(problem, loose.v, loose.r), 1e-13);
  const FrictionErrors after = friction_errors(problem, loose.r);
  EXPECT_LT(after.worst(), 1e-12);  // in the units of r and u, a few tens of those of polish()
  EXPECT_LE(after.worst(), before);
  EXPECT_LT((loose.v - velocity(problem, loose.r)).norm(), 1e-13 * loose.v.norm());
  // the same solution as that of a strict tolerance, to the digits which that one has
  EXPECT_LT((loose.v - strict.v).norm(), 1e-8 * strict.v.norm());
}

TEST_P(RandomGraphs, RedundantContactsKeepTheirShares) {  // FS:FS-08
  RandomBodies bodies(10, 200 + GetParam());
  const GlobalBlockForm problem = pressed(bodies, 12, 2, 3);
  Solved solved(problem, 1e-6);
  const Vector before = solved.r;
  EXPECT_LT(polish(problem, solved.v, solved.r), 1e-13);
  // a step of least change is of the size of the error, times the condition of the rows
  EXPECT_LT((solved.r - before).norm(), 1e-2 * before.norm());
}

INSTANTIATE_TEST_SUITE_P(Seeds, RandomGraphs, testing::Range(0u, 6u));

TEST(ContactPolish, RowsWithBoundsArePolishedAtTheBoundsAndBetween) {  // FS:FS-08
  RandomBodies bodies(4, 7);
  GlobalBlockForm problem = pressed(bodies, 0, 4, 1);
  problem.K = {Interval{-0.1, 0.1}, NonNegative{}, Interval{-5, 5}, Reals{}};
  Solved solved(problem, 1e-6);
  EXPECT_LT(polish(problem, solved.v, solved.r), 1e-13);
  EXPECT_LE(solved.r.head(5).cwiseAbs().maxCoeff(), 0.1);
  EXPECT_GE(solved.r.segment(5, 5).minCoeff(), 0);
}

TEST(ContactPolish, OtherSetsAndDearFactorsAreLeftAlone) {
  RandomBodies bodies(5, 3);
  GlobalBlockForm problem = pressed(bodies, 6, 0, 1);
  const Solved solved(problem, 1e-6);
  Vector v = solved.v, r = solved.r;
  EXPECT_EQ(polish(problem, v, r, {.flops_per_row = 1}), inf);
  EXPECT_EQ(r, solved.r);
  problem.K[0] = EllipticCone{.mu_1 = 0.3, .mu_2 = 0.4};
  EXPECT_EQ(polish(problem, v, r), inf);
  EXPECT_EQ(r, solved.r);
  EXPECT_EQ(v, solved.v);
}

TEST(ContactPolish, AWrongPointIsNotMadeWorse) {
  RandomBodies bodies(5, 4);
  const GlobalBlockForm problem = pressed(bodies, 8, 1, 1);
  Vector r = bodies.matrix(problem.w.size(), 1), v = velocity(problem, r);
  const double before = polish(problem, v, r, {.factorisations = 0});
  EXPECT_LE(polish(problem, v, r), before);
}

}  // namespace
}  // namespace saltus
