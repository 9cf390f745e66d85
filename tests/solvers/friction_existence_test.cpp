// Does a contact problem have a solution: the sufficient test, and proofs that it has none.
#include "saltus/solvers/friction_existence.hpp"

#include "friction_cases.hpp"

#include "saltus/problems/certificates.hpp"
#include "saltus/solvers/cone_program.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

using friction_cases::squeezed;

GlobalBlockForm form(const GlobalFrictionContact& problem) { return to_global_block_form(problem); }

/// One degree of freedom, one contact in the plane: u = (v + w_N, a v + w_T).
GlobalBlockForm wedge(double a, double w_N, double w_T, double f, double mu) {
  const Matrix H = Rows{{1, a}};
  return {Matrix(Matrix::Identity(1, 1)).sparseView(),
          H.sparseView(),
          Values{f},
          Values{w_N, w_T},
          {FrictionCone{mu}},
          {2}};
}

TEST(ConeProgram, IsSolvedOverADiskAndAHalfPlane) {
  // max x₁ with ‖(x₁, x₂)‖ ≤ 2 and x₁ + x₂ ≤ 1: x = (1 + √7, 1 − √7)/2
  const Matrix B = Rows{{0, 0}, {1, 0}, {0, 1}, {-1, -1}};
  const ConeProgram program{B.sparseView(),
                            Values{2, 0, 0, 1},
                            Values{-1, 0},
                            {SecondOrderCone{}, NonNegative{}},
                            {3, 1}};
  const ConeAnswer answer = solve_cone_program(program);
  EXPECT_LE(std::max(answer.primal, answer.dual), 1e-12);
  EXPECT_NEAR(answer.x[0], (1 + std::sqrt(7.0)) / 2, 1e-10);
  EXPECT_NEAR(answer.x[1], (1 - std::sqrt(7.0)) / 2, 1e-10);
  EXPECT_NEAR(-program.b.dot(answer.y), -answer.x[0], 1e-10);  // no gap to the dual
}

TEST(ConeProgram, LeastChangeIsTheProjectionOnTheSeparatingDirections) {
  std::mt19937 random(5);
  std::normal_distribution<double> normal;
  for (int trial = 0; trial < 20; ++trial) {
    Matrix B(9, 4);
    for (double& value : B.reshaped()) value = 0.3 * normal(random);
    const Vector b = Vector::NullaryExpr(9, [&](Index) { return normal(random) - 0.5; });
    const ConeProgram program{B.sparseView(),
                              b,
                              Vector::Zero(4),
                              {SecondOrderCone{0.7}, FrictionCone{0.4}, NonNegative{}},
                              {3, 3, 3}};
    const ConeAnswer answer = least_change(program);
    // y ∈ K, Bᵀy = 0, and b + y + B x ∈ K* orthogonal to y: the conditions of the projection
    EXPECT_LE((B.transpose() * answer.y).norm(), 1e-11);
    EXPECT_NEAR(b.dot(answer.y), -answer.y.squaredNorm(), 1e-10);
  }
}

TEST(FrictionExistence, OfThePointBetweenClosingWallsIsImpossible) {  // FS:V11, FS:B.13, FS:FS-11
  const FrictionExistence answer = friction_existence(form(squeezed()));
  EXPECT_EQ(answer.verdict, Existence::impossible);
  EXPECT_NEAR(answer.margin, -1, 1e-9);
  ASSERT_EQ(answer.direction.size(), 6);
  EXPECT_LE((answer.direction - Values({1, 0, 0, 1, 0, 0})).norm(), 1e-12);
  EXPECT_TRUE(proves_infeasible(form(squeezed()), answer.direction));
  const BlockForm reduced = reduce(form(squeezed()));
  const FrictionExistence other = friction_existence(reduced);
  EXPECT_EQ(other.verdict, Existence::impossible);
  EXPECT_NEAR(other.margin, -1, 1e-9);
  EXPECT_TRUE(proves_infeasible(reduced, other.direction));
}

TEST(FrictionExistence, IsGuaranteedForRestingAndForLeavingObstacles) {  // FS:FS-11
  GlobalFrictionContact resting = squeezed();
  resting.w.setZero();  // no v is inside K*, but w = 0
  EXPECT_EQ(friction_existence(form(resting)).verdict, Existence::guaranteed);
  resting.H = resting.H.leftCols(3).eval();  // one wall only: v may leave it at any speed
  resting.w = Vector::Zero(3);
  resting.mu = Values{0.5};
  EXPECT_NEAR(friction_existence(form(resting)).margin, 1, 1e-12);
  GlobalFrictionContact carried = squeezed();
  carried.w = carried.H.transpose() * Values({0.3, -2, 0.7});  // both walls move alike
  const FrictionExistence moved = friction_existence(form(carried));
  EXPECT_EQ(moved.verdict, Existence::guaranteed);
  EXPECT_NEAR(moved.margin, 0, 1e-9);
  GlobalFrictionContact leaving = squeezed();
  leaving.w[0] = leaving.w[3] = 0.25;
  const FrictionExistence open = friction_existence(form(leaving));
  EXPECT_EQ(open.verdict, Existence::guaranteed);
  EXPECT_NEAR(open.margin, 0.25, 1e-9);
  // H of full column rank: any w, and t* is cut at 1
  const FrictionExistence full = friction_existence(wedge(0, -3, 0, 0, 0.5));
  EXPECT_EQ(full.verdict, Existence::guaranteed);
  EXPECT_NEAR(full.margin, 1, 1e-9);
}

TEST(FrictionExistence, IsUndecidedBetweenTheTwoConditions) {  // FS:FS-11
  // aμ = 2 > 1: no v is in K*, but u_N ≥ 0 is possible. Pushed away (f = 1) it opens, which is a
  // solution; pressed on (f = −2) it neither sticks nor slides: r_N (1 − aμ) = 1.5 has no r_N ≥ 0.
  for (const double f : {1.0, -2.0}) {
    const GlobalBlockForm problem = wedge(4, 0.5, 4, f, 0.5);
    const FrictionExistence answer = friction_existence(problem);
    EXPECT_EQ(answer.verdict, Existence::undecided);
    EXPECT_NEAR(answer.margin, -0.5, 1e-9);  // at v = −1: u = (−0.5, 0)
    EXPECT_FALSE(friction_infeasibility(problem, Values{4, -1}));
  }
  EXPECT_EQ(residual(wedge(4, 0.5, 4, 1, 0.5), Values{1}, Values{0, 0}), 0);
}

TEST(InfeasibilityProof, NeedsANormalDirection) {
  // d = (a, −1) ∈ K has H d = 0 and wᵀd < 0 and yet f = 1 has a solution: the slip pays for it
  const GlobalBlockForm problem = wedge(4, 0.5, 4, 1, 0.5);
  const Vector d = Values{4, -1};
  EXPECT_EQ((problem.H * d).norm(), 0);
  EXPECT_LT(problem.w.dot(d), 0);
  EXPECT_FALSE(proves_infeasible(problem, d));
  EXPECT_FALSE(proves_infeasible(reduce(problem), d));
  GlobalBlockForm associated = problem;  // without the shift it is a proof
  associated.K = {SecondOrderCone{0.5}};
  EXPECT_TRUE(proves_infeasible(associated, d));
  EXPECT_TRUE(proves_infeasible(reduce(associated), d));
  EXPECT_EQ(friction_existence(associated).verdict, Existence::impossible);
}

TEST(InfeasibilityProof, RefusesWhatIsNone) {
  const GlobalBlockForm problem = form(squeezed());
  const BlockForm reduced = reduce(problem);
  EXPECT_TRUE(proves_infeasible(problem, Values{2, 0, 0, 2, 0, 0}));
  for (const Vector& d :
       {Values{1, 0, 0, 0.9, 0, 0}, Values{-1, 0, 0, -1, 0, 0}, Values{1, 0.1, 0, 1, -0.1, 0},
        Values{0, 0, 0, 0, 0, 0}, Values{1, 0, 0}, Values{1, 0, 0, std::nan(""), 0, 0}}) {
    EXPECT_FALSE(proves_infeasible(problem, d)) << d.transpose();
    EXPECT_FALSE(proves_infeasible(reduced, d)) << d.transpose();
  }
}

TEST(FrictionInfeasibility, IsReadOffTheReactionsOfASolverThatFailed) {  // FS:V11
  const GlobalBlockForm problem = form(squeezed());
  const auto direction = friction_infeasibility(problem, Values{3e7, 1, 2, 3.0000001e7, -4, 5});
  ASSERT_TRUE(direction.has_value());
  EXPECT_TRUE(proves_infeasible(problem, *direction));
  EXPECT_TRUE(friction_infeasibility(problem, Vector::Zero(6)).has_value());
  EXPECT_TRUE(friction_infeasibility(reduce(problem), Vector::Zero(6)).has_value());
}

TEST(FrictionInfeasibility, CoversBilateralRowsAndTresca) {
  // v is prescribed twice, or prescribed against a contact
  const Matrix H = Rows{{1, 1, 0}, {0, 0, 1}};
  GlobalBlockForm problem{Matrix(Matrix::Identity(2, 2)).sparseView(),
                          H.sparseView(),
                          Values{0, 0},
                          Values{1, -1, 0},
                          {Reals{}, FrictionCone{0.5}},
                          {1, 2}};
  const auto against = friction_infeasibility(problem, Vector::Zero(3));
  ASSERT_TRUE(against.has_value());
  EXPECT_NEAR((*against)[0], -1, 1e-12);
  EXPECT_NEAR(friction_existence(problem).margin, -2, 1e-9);
  problem.K[1] = FrictionCylinder{3};
  EXPECT_TRUE(friction_infeasibility(problem, Vector::Zero(3)).has_value());
  problem.w[0] = -1;  // v = 1, u_N = 0
  EXPECT_FALSE(friction_infeasibility(problem, Vector::Zero(3)).has_value());
  problem.K = {Reals{}, Reals{}};
  problem.w[0] = 1;
  const FrictionExistence twice = friction_existence(problem);
  EXPECT_EQ(twice.verdict, Existence::impossible);
  EXPECT_EQ(twice.margin, -inf);
}

/// Bodies in a row between two walls that close with speed `closing`, all contacts inclined.
GlobalFrictionContact chain(Index bodies, double closing, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Index n = 3 * bodies, m = 3 * (bodies + 1);
  Matrix H = Matrix::Zero(n, m);
  for (Index c = 0; c <= bodies; ++c)
    for (Index k = 0; k < 3; ++k) {
      if (c > 0) H(3 * (c - 1) + k, 3 * c + k) = -1;
      if (c < bodies) H(3 * c + k, 3 * c + k) = 1;
    }
  GlobalFrictionContact problem{3,
                                Matrix(Matrix::Identity(n, n)).sparseView(),
                                H.sparseView(),
                                Vector(n),
                                Vector::Zero(m),
                                Vector::Constant(bodies + 1, 0.3)};
  for (double& value : problem.f) value = uniform(random);
  problem.w[0] = problem.w[m - 3] = -closing;
  return problem;
}

TEST(FrictionInfeasibility, IsFoundInLongChainsAndOnlyIfTheWallsClose) {
  for (const Index bodies : {2, 20, 200}) {
    const GlobalBlockForm closing = form(chain(bodies, 0.01, 3));
    const auto direction = friction_infeasibility(closing, Vector::Zero(closing.w.size()));
    ASSERT_TRUE(direction.has_value()) << bodies;
    EXPECT_TRUE(proves_infeasible(closing, *direction)) << bodies;
    const GlobalBlockForm opening = form(chain(bodies, -0.01, 3));
    EXPECT_FALSE(friction_infeasibility(opening, Vector::Zero(opening.w.size()))) << bodies;
    if (bodies <= 20) {
      EXPECT_EQ(friction_existence(opening).verdict, Existence::guaranteed) << bodies;
    }
  }
}

TEST(FrictionExistence, SaysWhatIsWrongWithTheArguments) {
  EXPECT_THROW(static_cast<void>(friction_infeasibility(form(squeezed()), Values{1})), Error);
  GlobalBlockForm broken = form(squeezed());
  broken.w[0] = std::nan("");
  EXPECT_THROW(static_cast<void>(friction_existence(broken)), Error);
}

}  // namespace
}  // namespace saltus
