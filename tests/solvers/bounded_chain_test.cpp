// Dry friction in the hinges of a long chain, no contacts: equalities and bounded forces only. The
// effort per link must not depend on the length.

#include "saltus/solvers/automatic.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

constexpr double step = 1e-3, length = 0.2;

/// A chain of links of 1 kg that hangs from its first hinge, bent at random: two rows for each pin,
/// one for the friction moment in it, |r| ≤ moment · step. Links move at random and are pulled by
/// gravity.
BlockForm chain(Index links, double moment, double speed) {
  using Triplet = Eigen::Triplet<double>;
  std::mt19937 random(1);
  std::normal_distribution<double> normal;
  std::vector<Triplet> entries;
  Vector mass(3 * links), v(3 * links), arm(2 * links);
  double angle = 0;
  for (Index i = 0; i < links; ++i) {
    angle += 0.3 * normal(random);
    arm.segment<2>(2 * i) << 0.5 * length * std::cos(angle), 0.5 * length * std::sin(angle);
    mass.segment<3>(3 * i) << 1, 1, length * length / 12;
    for (Index k = 0; k < 3; ++k) v[3 * i + k] = speed * normal(random);
    v[3 * i + 1] -= 9.81 * step;
  }
  const auto end = [&](Index hinge, Index link, double sign, double side) {
    const int row = static_cast<int>(3 * hinge), column = static_cast<int>(3 * link);
    const double x = side * arm[2 * link], y = side * arm[2 * link + 1];
    entries.insert(entries.end(),
                   {Triplet(row, column, sign), Triplet(row, column + 2, -sign * y),
                    Triplet(row + 1, column + 1, sign), Triplet(row + 1, column + 2, sign * x),
                    Triplet(row + 2, column + 2, sign)});
  };
  for (Index i = 0; i < links; ++i) {
    end(i, i, 1, -1);
    if (i > 0) end(i, i - 1, -1, 1);
  }
  Eigen::SparseMatrix<double> H(3 * links, 3 * links);
  H.setFromTriplets(entries.begin(), entries.end());
  const Eigen::SparseMatrix<double> transposed = H.transpose();
  BlockForm problem{
      BlockSparse::sparse(H * mass.cwiseInverse().asDiagonal() * transposed), H * v, {}};
  for (Index i = 0; i < links; ++i)
    problem.K.insert(problem.K.end(), {Reals{}, Reals{}, Interval{-moment * step, moment * step}});
  return problem;
}

class BoundedChain : public testing::TestWithParam<std::tuple<double, double>> {};

TEST_P(BoundedChain, TakesAsManyIterationsForTenThousandLinksAsForAThousand) {
  const auto [moment, speed] = GetParam();
  // 15 exchanges at most, then an interior point, whose iterations grow as the logarithm of the
  // size at worst: 60 are allowed. Pivoting row by row would take thousands.
  for (const Index links : {100, 1000, 10000}) {
    const BlockForm problem = chain(links, moment, speed);
    Workspace work;
    Vector r = Vector::Zero(problem.q.size());
    const SolveReport report = solve(problem, r, Automatic{.tolerance = 1e-10}, work);
    ASSERT_TRUE(report.converged()) << links << " links, residual " << report.residual;
    EXPECT_LE(residual(problem, r), 1e-10 * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>()));
    EXPECT_LE(report.iterations, links > 100 ? 15 + 60 : 1000) << links;
  }
}

TEST_P(BoundedChain, StartsFromTheSolutionOfTheStepBefore) {
  const auto [moment, speed] = GetParam();
  const BlockForm problem = chain(2000, moment, speed);
  Workspace work;
  Vector r = Vector::Zero(problem.q.size());
  ASSERT_TRUE(solve(problem, r, Automatic{.tolerance = 1e-10}, work).converged());
  const SolveReport again = solve(problem, r, Automatic{.tolerance = 1e-10}, work);
  ASSERT_TRUE(again.converged());
  EXPECT_LE(again.iterations, 15);
}

// From a moment that gravity overcomes everywhere to one that holds nearly every hinge.
INSTANTIATE_TEST_SUITE_P(Friction, BoundedChain,
                         testing::Combine(testing::Values(0.05, 5.0, 500.0),
                                          testing::Values(0.01, 1.0)));

}  // namespace
}  // namespace saltus
