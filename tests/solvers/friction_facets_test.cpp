// Friction as linear and nonlinear complementarity problems: facets, Glocker's formulation, MCP.
#include "friction_cases.hpp"
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace saltus {
namespace {

constexpr double degrees = 180 / std::numbers::pi;

Vector slip(const FrictionContact& problem, const FacetedFriction& options) {
  Workspace work;
  Vector r = Vector::Zero(3);
  static_cast<void>(solve(problem, r, options, work));
  return (r + problem.q).tail(2);  // W = I
}

double direction(const Vector& u) { return std::atan2(u[1], u[0]) * degrees; }

TEST(InnerFacets, TurnTheSlidingDirection) {  // S:V-25, S:FC-12
  const FrictionContact problem =
      friction_cases::one_contact(Matrix::Identity(3, 3), Values{-1, 0.8, 0.6}, 0.5);
  const double exact = std::atan2(0.3, 0.4) * degrees;
  const Vector four = slip(problem, {.facets = 4}), six = slip(problem, {.facets = 6});
  EXPECT_LE((four - Values{0.45, 0.45}).norm(), 1e-10);
  EXPECT_LE((six - Values{0.4848076211, 0.2799038106}).norm(), 1e-9);
  EXPECT_NEAR(direction(four) - exact, 8.1301, 1e-4);
  EXPECT_NEAR(direction(six) - exact, -6.870, 1e-3);
  EXPECT_NEAR(direction(slip(problem, {.facets = 8})) - exact, -7.970, 1e-3);
  EXPECT_NEAR(direction(slip(problem, {.facets = 12})) - exact, 6.773, 1e-3);
  EXPECT_NEAR(direction(slip(problem, {.facets = 16})) - exact, -3.120, 1e-3);
}

TEST(InnerFacets, PullTheCyclicLoadOffItsDirection) {  // S:V-26
  const double a = std::numbers::pi / 3;
  const FrictionContact problem = friction_cases::one_contact(
      Matrix::Identity(3, 3), Values{-1, 1.5 * std::cos(a), 1.5 * std::sin(a)}, 1);
  EXPECT_LE((slip(problem, {.facets = 4}) - Values{0.5245190528, 0.5245190528}).norm(), 1e-9);
  for (const int facets : {6, 12})
    EXPECT_LE((slip(problem, {.facets = facets}) - Values{0.25, 0.4330127019}).norm(), 1e-9);
  EXPECT_NEAR(direction(slip(problem, {.facets = 8})), 67.5, 1e-8);
  EXPECT_NEAR(direction(slip(problem, {.facets = 16})), 56.25, 1e-8);
}

TEST(OuterFacets, GiveTheStatedUnknowns) {  // S:V-25, S:FC-10, S:FC-11
  const FrictionContact problem =
      friction_cases::one_contact(Matrix::Identity(3, 3), Values{-1, 0.8, 0.6}, 0.5);
  const FacetedProblem faceted = outer_facets(to_block_form(problem), 4);
  Workspace work;
  Vector z = Vector::Zero(5);
  ASSERT_TRUE(solve(faceted.form, z, Lemke{}, work).converged());
  EXPECT_LE((z - Values{1, 1, 1, 0.3, 0.1}).norm(), 1e-12);
  const Vector r = faceted.expand * z;
  EXPECT_LE((r - Values{1, -0.5, -0.5}).norm(), 1e-12);
  EXPECT_LE((slip(problem, {.facets = 4, .outer = true}) - Values{0.3, 0.1}).norm(), 1e-12);
}

TEST(Facets, AreReportedByTheResidualOfTheTrueLaw) {
  const FrictionContact problem =
      friction_cases::one_contact(Matrix::Identity(3, 3), Values{-1, 0.8, 0.6}, 0.5);
  Workspace work;
  for (const bool outer : {false, true}) {
    Vector r = Vector::Zero(3);
    const SolveReport report = solve(problem, r, FacetedFriction{.outer = outer}, work);
    EXPECT_EQ(report.status, SolveStatus::stalled);
    EXPECT_EQ(report.residual, residual(problem, r));
    EXPECT_GT(report.residual, 1e-3);
  }
}

TEST(Facets, AreExactInThePlane) {  // S:FC-09a, S:FC-14, FS:FS-106a, S:V-24, S:V-27
  Workspace work;
  for (const bool outer : {false, true}) {
    for (const Vector& q : {Vector(Values{0.1, 1}), Vector(Values{-1, -0.2}), Vector(Values{-1, 1}),
                            Vector(Values{-1, -2})}) {
      const FrictionContact problem = friction_cases::one_contact(Rows{{2, 0.5}, {0.5, 1}}, q, 0.3);
      Vector r = Vector::Zero(2);
      EXPECT_TRUE(solve(problem, r, FacetedFriction{.outer = outer}, work).converged());
    }
    const GlobalFrictionContact block = library::plane_block(Values{1, -0.0981, 0});
    Vector r = Vector::Zero(4);
    EXPECT_TRUE(solve(reduce(block), r, FacetedFriction{.outer = outer}, work).converged());
    EXPECT_LE((velocity(block, r) - Values{0.97057, 0, 0}).norm(), 1e-8);
  }
}

TEST(InnerFacets, HaveACopositiveMatrix) {  // S:V-29
  library::Random random(8);
  const FrictionContact problem = library::random_contacts(3, 3, random);
  const Matrix M = inner_facets(to_block_form(problem), 6).form.W.to_dense();
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector z = random.vector(M.rows()).cwiseAbs();
    EXPECT_GE(z.dot(M * z), 0);
  }
  const Matrix S = M + M.transpose();
  EXPECT_LT(Eigen::SelfAdjointEigenSolver<Matrix>(S).eigenvalues()[0], -1e-3);
}

TEST(GlockersProblem, HasTheStatedSolution) {  // S:V-23, S:FC-17
  const FrictionContact problem = friction_cases::one_contact(
      Rows{{2, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1}}, Values{-1, 1, 0.5}, 0.4);
  const FrictionMcp formulation = glocker_ncp(to_block_form(problem));
  const Vector z = Values{0.522484458630, 0.414600685583, 0.073738021403, 0, 2.171054035082};
  const Vector F = evaluate(formulation.mcp.F, z);
  EXPECT_LE((F - Values{0, 0, 0, 0.138642643369, 0}).norm(), 1e-11);
  Workspace work;
  Vector r = Vector::Zero(3);
  EXPECT_TRUE(solve(problem, r, GlockerNcp{}, work).converged());
  EXPECT_LE((r - Values{0.522484458630, -0.196797150921, -0.070351140083}).norm(), 1e-8);
}

TEST(ComplementarityFormulations, HaveTheDerivativesOfCentralDifferences) {
  library::Random random(9);
  const BlockForm form = to_block_form(library::random_contacts(3, 2, random));
  for (const FrictionMcp& formulation : {glocker_ncp(form), direct_mcp(form)}) {
    const Vector z = random.vector(formulation.mcp.n);
    Matrix J(z.size(), z.size()), differences(z.size(), z.size());
    formulation.mcp.jacobian(z, J);
    central_differences(formulation.mcp.F, z, differences);
    EXPECT_LE((J - differences).norm(), 1e-6);
  }
}

TEST(DirectMcp, SolvesOneContactOrReportsAFalseSolution) {  // S:FC-16
  Workspace work;
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    Vector r = Vector::Zero(3);
    const SolveReport report = solve(c.problem, r, DirectMcp{}, work);
    if (report.converged()) {
      EXPECT_LE((r - c.r).norm(), 1e-6) << c.name;
    } else {
      EXPECT_GT(residual(c.problem, r), 1e-3) << c.name;
    }
  }
}

}  // namespace
}  // namespace saltus
