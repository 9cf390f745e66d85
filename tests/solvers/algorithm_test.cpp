#include "saltus/solvers/algorithm.hpp"

#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(AlgorithmByName, IgnoresCaseAndKnowsAll) {
  EXPECT_TRUE(std::holds_alternative<Lemke>(algorithm_by_name("lemke")));
  EXPECT_TRUE(std::holds_alternative<BlockPivoting>(algorithm_by_name("BLOCKPIVOTING")));
  EXPECT_TRUE(std::holds_alternative<Automatic>(algorithm_by_name("Automatic")));
  EXPECT_TRUE(std::holds_alternative<Murty>(algorithm_by_name("Murty")));
  EXPECT_TRUE(std::holds_alternative<Psor>(algorithm_by_name("pSOR")));
  EXPECT_TRUE(std::holds_alternative<Nsgs>(algorithm_by_name("nsgs")));
}

TEST(AlgorithmByName, ListsTheKnownOnesOnAnUnknownName) {
  EXPECT_ERROR(algorithm_by_name("simplex"),
               "'simplex' is unknown, expected one of Automatic, Lemke, Murty, ");
  EXPECT_ERROR(algorithm_by_name("simplex"), ", Mehrotra, CoulombCascade, Nsgs");
}

TEST(AlgorithmCheck, RefusesFrictionForComplementaritySolvers) {
  const std::vector<BlockSet> K{Reals{}, NonNegative{}, Interval{0, 1}, FrictionCone{0.3}};
  EXPECT_ERROR(check(Lemke{}, K),
               "Lemke solves complementarity problems; block 3 is a friction cone: use Nsgs or "
               "Automatic");
  EXPECT_ERROR(check(Murty{}, K), "Murty solves complementarity problems");
  EXPECT_ERROR(check(BlockPivoting{}, K), "BlockPivoting solves complementarity problems");
  EXPECT_ERROR(check(Psor{}, K), "Psor solves complementarity problems");
  EXPECT_NO_THROW(check(Nsgs{}, K));
  EXPECT_NO_THROW(check(Automatic{}, K));
  EXPECT_NO_THROW(check(Lemke{}, std::span(K).first(3)));
}

TEST(AlgorithmCheck, RefusesOptionsAndSetsOutOfRange) {
  EXPECT_ERROR(check(Psor{.omega = 2.5}, {}), "Psor: omega is 2.5");
  EXPECT_ERROR(check(Lemke{.tolerance = 0}, {}), "Lemke: tolerance is 0");
  EXPECT_ERROR(check(Nsgs{.omega = -1}, {}), "Nsgs: omega is -1");
  const std::vector<BlockSet> K{FrictionCone{-1}};
  EXPECT_ERROR(check(Nsgs{}, K), "mu of block 0 is -1");
}

TEST(Algorithm, RefusesFrictionAndWrongSizesWhenCalled) {
  const BlockForm form = to_block_form(reduce(library::plane_block(Vector::Zero(3))));
  Workspace work;
  Vector r = Vector::Zero(4), shorter = Vector::Zero(3);
  EXPECT_ERROR(solve(form, r, Algorithm(Lemke{}), work), "block 0 is a friction cone");
  EXPECT_ERROR(solve(form, shorter, Algorithm(Nsgs{}), work), "the initial guess 3");
  EXPECT_ERROR(solve(library::spd(), shorter, Lemke{}, work), "the initial guess 3");
  EXPECT_ERROR(solve(library::spd(), shorter, Psor{.omega = 0}, work), "omega is 0");
}

TEST(Algorithm, DescribesItself) {
  EXPECT_EQ(describe(Algorithm(Lemke{})), "Lemke(tolerance=1e-08, max_iterations=0)");
  EXPECT_NE(describe(Algorithm(Nsgs{})).find("local=LocalNewton(tolerance=1e-14"),
            std::string::npos);
}

TEST(Automatic, ReturnsTheBestPointWithAnHonestStatus) {
  // infeasible without a certifying row, too large for the semi-definiteness test of Lemke
  const Index n = 70;
  Matrix M = Matrix::Identity(n, n);
  M(0, 1) = M(1, 0) = -1;
  Vector q = Vector::Ones(n);
  q[0] = q[1] = -1;
  const Lcp problem = library::dense(M, q);
  Workspace work;
  Vector z = Vector::Zero(n);
  const SolveReport report = solve(problem, z, Automatic{}, work);
  EXPECT_FALSE(report.converged());
  EXPECT_EQ(report.residual, residual(problem, z));
  EXPECT_LE(report.residual, 1 + 1e-6);  // no worse than the guess z = 0
}

}  // namespace
}  // namespace saltus
