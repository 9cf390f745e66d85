// Other ways to write a contact problem have the same solutions.
#include "saltus/problems/friction_formulations.hpp"

#include "friction_cases.hpp"
#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/qp_automatic.hpp"
#include "saltus/solvers/vi_automatic.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

TEST(NormalProblem, IsAnLcpAndAQuadraticProgramWithOneSolution) {  // S:FC-06, S:FC-07, S:V-19
  library::Random random(3);
  Workspace work;
  for (int trial = 0; trial < 20; ++trial) {
    FrictionContact problem = library::random_contacts(3, 6, random);
    problem.mu.setZero();
    const Lcp lcp = normal_lcp(problem);
    const Qp qp = normal_qp(problem);
    Vector z = Vector::Zero(6);
    ASSERT_TRUE(solve(lcp, z, Lemke{.tolerance = 1e-12}, work).converged());
    QpPoint point;
    ASSERT_TRUE(solve(qp, point, QpAutomatic{}, work).converged());
    EXPECT_LE((point.z - z).norm(), 1e-7) << trial;
    // without friction the tangential reactions vanish
    Vector r = Vector::Zero(18);
    ASSERT_TRUE(solve(problem, r, CoulombCascade{.tolerance = 1e-10}, work).converged());
    for (Index i = 0; i < 6; ++i) EXPECT_NEAR(r[3 * i], z[i], 1e-7) << trial;
  }
  const FrictionContact one =
      friction_cases::one_contact(Matrix::Identity(3, 3), Values{-3, 0, 0}, 0);
  Vector P = Vector::Zero(1);  // U_free + e U_N = −2 − 0.5 · 2: P = 3
  ASSERT_TRUE(solve(normal_lcp(one), P, Lemke{}, work).converged());
  EXPECT_NEAR(P[0], 3, 1e-12);
}

TEST(NormalProblem, OfAnAsymmetricMatrixIsNoQuadraticProgram) {  // S:FC-07
  Matrix W = Matrix::Identity(4, 4);
  W(0, 2) = 0.5;
  const FrictionContact problem{2, BlockSparse::dense(W, 2), Values{-1, 0, -1, 0},
                                Values{0.1, 0.1}};
  EXPECT_ERROR(normal_qp(problem), "expected a symmetric matrix");
  EXPECT_NO_THROW(static_cast<void>(normal_lcp(problem)));
  FrictionContact rolling{5, BlockSparse::dense(Matrix::Identity(5, 5)), Vector::Zero(5),
                          Values{0.1}, Values{0.1}};
  EXPECT_ERROR(normal_lcp(rolling), "the problem has rolling friction");
}

TEST(QuasiVariationalInequality, HasTheSolutionsOfTheContacts) {  // FS:FS-14
  Workspace work;
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    const Qvi qvi = to_qvi(c.problem);
    EXPECT_LE(residual(qvi, c.r), 1e-9) << c.name;  // ten digits
    Vector r = Vector::Zero(3);
    EXPECT_TRUE(solve(qvi, r, QviSuccessive{.tolerance = 1e-9}, work).converged()) << c.name;
    EXPECT_LE((r - c.r).norm(), 1e-7) << c.name;
  }
}

TEST(Bipotential, IsThePowerThatIsMissing) {  // FS:FS-26, FS:FS-09
  library::Random random(8);
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    EXPECT_NEAR(bipotential(c.problem, c.r), 0, 1e-9) << c.name;
    const Matrix W = c.problem.W.to_dense();
    const double mu = c.problem.mu[0];
    int admissible = 0;
    for (int trial = 0; trial < 2000; ++trial) {
      Vector r = random.vector(3);
      r[0] = 2 * std::abs(r[0]);
      if (r.tail<2>().norm() > mu * r[0] || (W * r + c.problem.q)[0] < 0) continue;
      ++admissible;
      EXPECT_GE(bipotential(c.problem, r), -1e-15) << c.name;
    }
    EXPECT_GT(admissible, 20) << c.name;
  }
  EXPECT_ERROR(bipotential(friction_cases::slide().problem, Values{1}), "r has size 1");
}

TEST(Uniqueness, IsToldByStrongMonotonicity) {  // FS:FS-12
  // W = I: 1 − μ
  FrictionContact problem = friction_cases::slide().problem;
  EXPECT_NEAR(uniqueness_margin(problem), 0.5, 1e-14);
  problem.mu[0] = 1.5;
  EXPECT_LT(uniqueness_margin(problem), 0);
  // F is as strongly monotone as the margin says
  const FrictionContact coupled = friction_cases::coupled_slide().problem;
  const double margin = uniqueness_margin(coupled);
  ASSERT_GT(margin, 0);
  const Matrix W = coupled.W.to_dense();
  const auto F = [&](const Vector& r) {
    Vector u = W * r + coupled.q;
    u[0] += coupled.mu[0] * u.tail<2>().norm();
    return u;
  };
  library::Random random(9);
  for (int trial = 0; trial < 1000; ++trial) {
    const Vector r = random.vector(3), s = random.vector(3);
    EXPECT_GE((F(r) - F(s)).dot(r - s), (margin - 1e-12) * (r - s).squaredNorm());
  }
  // the box on four corners: W of rank 6
  EXPECT_LE(uniqueness_margin(reduce(friction_cases::incline(0.3))), 0);
}

}  // namespace
}  // namespace saltus
