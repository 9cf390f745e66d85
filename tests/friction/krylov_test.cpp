// Krylov methods with incomplete factorisations for the systems of Newton's method (S:FC-19c,
// FS:FS-106e).
#include "friction/mixed_sets.hpp"
#include "solvers/friction_cases.hpp"

#include "saltus/solvers/nonsmooth_newton.hpp"
#include "saltus/solvers/nsgs.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

const std::vector<NewtonLinearSolver> methods{GmresIlu{}, BicgstabIlu{}};

/// Sparse, not symmetric, diagonally dominant by a little, rows of very different sizes.
Eigen::SparseMatrix<double> unsymmetric(Index n, library::Random& random) {
  std::vector<Eigen::Triplet<double>> entries;
  for (int i = 0; i < n; ++i) {
    const double size = std::pow(10.0, random.uniform(-3, 3));
    entries.emplace_back(i, i, 3 * size);
    for (int k = 0; k < 4; ++k)
      entries.emplace_back(i, static_cast<int>(random.uniform(0, static_cast<double>(n) - 1e-9)),
                           0.6 * size * random());
  }
  Eigen::SparseMatrix<double> A(n, n);
  A.setFromTriplets(entries.begin(), entries.end());
  return A;
}

TEST(KrylovSystems, AreSolvedToTheirTolerance) {  // S:FC-19c, FS:FS-106e
  library::Random random(3);
  for (const Index n : {1, 5, 200}) {
    const Eigen::SparseMatrix<double> A = unsymmetric(n, random);
    const Vector x = random.vector(n);
    for (const NewtonLinearSolver& method : methods) {
      NewtonLinear linear;
      ASSERT_TRUE(linear.factorise(BlockSparse::sparse(A), method)) << describe(method);
      Vector y = A * x;
      EXPECT_TRUE(linear.solve(y)) << describe(method);
      // condition of the row-scaled matrix: a few tens
      EXPECT_LE((y - x).norm(), 1e-8 * x.norm()) << n << " " << describe(method);
    }
  }
}

TEST(KrylovSystems, RestartsReachTheToleranceToo) {  // S:FC-19c
  library::Random random(4);
  const Eigen::SparseMatrix<double> A = unsymmetric(300, random);
  NewtonLinear linear;
  // hardly any preconditioner, and a space much smaller than what is needed
  ASSERT_TRUE(linear.factorise(BlockSparse::sparse(A), GmresIlu{.restart = 5, .drop = 0.9}));
  const Vector x = random.vector(300);
  Vector y = A * x;
  EXPECT_TRUE(linear.solve(y));
  EXPECT_LE((y - x).norm(), 1e-7 * x.norm());
}

TEST(KrylovSystems, SaySoWhenTheyFail) {  // S:FC-19c
  for (const NewtonLinearSolver& method : methods) {
    NewtonLinear linear;
    EXPECT_FALSE(linear.factorise(BlockSparse::dense(Rows{{1, 2}, {0, 0}}), method));
    EXPECT_FALSE(linear.factorise(BlockSparse::dense(Rows{{1, 2}, {0, std::nan("")}}), method));
    // singular, and the right-hand side is not in its range
    if (!linear.factorise(BlockSparse::dense(Rows{{1, 1}, {1, 1}}), method)) continue;
    Vector b = Values{1, -1};
    EXPECT_FALSE(linear.solve(b)) << describe(method);
  }
}

TEST(KrylovNewton, SolvesTheUnitCases) {  // S:FC-19c, FS:V4, FS:V5, FS:V6, FS:V7, FS:V8
  Workspace work;
  for (const NewtonLinearSolver& method : methods)
    for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
      Vector r = Vector::Zero(3);
      const SolveReport report =
          solve(c.problem, r, NonsmoothNewton{.tolerance = 1e-12, .linear = method}, work);
      EXPECT_TRUE(report.converged()) << c.name << " " << name(report.status);
      EXPECT_LE((r - c.r).norm(), 1e-9) << c.name;
    }
}

TEST(KrylovNewton, TakesTheStepsOfTheDirectOne) {  // S:FC-19c
  library::Random random(5);
  Workspace work;
  for (const Index dimension : {2, 3}) {
    const FrictionContact problem = library::random_contacts(dimension, 60, random);
    Vector reference = Vector::Zero(problem.q.size());
    const SolveReport direct = solve(problem, reference, NonsmoothNewton{}, work);
    ASSERT_TRUE(direct.converged());
    for (const NewtonLinearSolver& method : methods) {
      Vector r = Vector::Zero(problem.q.size());
      const SolveReport report = solve(problem, r, NonsmoothNewton{.linear = method}, work);
      EXPECT_TRUE(report.converged()) << describe(method);
      EXPECT_EQ(report.iterations, direct.iterations) << describe(method);
      // λ_min(W) about 0.1, the tolerance 1e-8
      EXPECT_LE((r - reference).norm(), 1e-6) << describe(method);
    }
  }
}

TEST(KrylovNewton, TreatsEverySetAndTheGlobalForm) {  // S:FC-19c, S:FC-19a
  Workspace work;
  const BlockForm form = mixed_sets::every_set(7);
  Vector reference = Vector::Zero(form.q.size());
  ASSERT_TRUE(solve(form, reference, Nsgs{.tolerance = 1e-11}, work).converged());
  library::Random random(31);
  const Index n = 40, contacts = 6, m = 3 * contacts;
  const Matrix A = random.matrix(n, n);
  const GlobalFrictionContact global{
      3,
      Matrix(A * A.transpose() / n + Matrix::Identity(n, n)).sparseView(),
      random.matrix(n, m).sparseView(),
      random.vector(n),
      random.vector(m),
      Vector::Constant(contacts, 0.4)};
  for (const NewtonLinearSolver& method : methods) {
    Vector r = Vector::Zero(form.q.size());
    EXPECT_TRUE(solve(form, r, NonsmoothNewton{.linear = method}, work).converged());
    EXPECT_LE((r - reference).norm(), 1e-6) << describe(method);
    Vector v = Vector::Zero(n), force = Vector::Zero(m);
    const NonsmoothNewton newton{.line_search = GoldsteinPrice{}, .linear = method};
    EXPECT_TRUE(solve(global, v, force, newton, work).converged()) << describe(method);
    EXPECT_LE((velocity(global, force) - v).norm(), 1e-6);
  }
}

TEST(KrylovNewton, IsHonestOnSingularMatrices) {  // S:FC-19c, FS:V10, FS:V11
  Workspace work;
  for (const NewtonLinearSolver& method : methods) {
    for (const FrictionContact& problem :
         {reduce(friction_cases::incline(0.3)), reduce(friction_cases::incline(0.8)),
          reduce(friction_cases::squeezed())}) {
      Vector r = Vector::Zero(problem.q.size());
      const SolveReport report = solve(problem, r, NonsmoothNewton{.linear = method}, work);
      EXPECT_EQ(report.converged(), residual(problem, r) <= 1e-8) << name(report.status);
      EXPECT_TRUE(r.allFinite());
    }
  }
}

}  // namespace
}  // namespace saltus
