// Equations of one contact, their derivatives, and Newton's method on them (FS:B.3, FS:FS-58c).
#include "friction_cases.hpp"
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

const std::vector<ContactEquation> equations{
    NaturalMap{},    AlartCurnier{}, JeanMoreau{}, ConeFischerBurmeister{}, HueberStadlerWohlmuth{},
    XuewenSohWanji{}};

Vector value(const ContactEquation& equation, const FrictionContact& problem, const Vector& r,
             const ContactScaling& rho, Matrix* slope = nullptr) {
  const Matrix W = problem.W.to_dense();
  const Vector u = W * r + problem.q;
  Vector G(3);
  Matrix A(3, 3), B(3, 3);
  contact_function(equation, FrictionCone{problem.mu[0]}, 3, u.data(), r.data(), rho, G.data(),
                   slope != nullptr ? A.data() : nullptr, slope != nullptr ? B.data() : nullptr);
  if (slope != nullptr) *slope = A * W + B;
  return G;
}

TEST(ContactEquations, VanishAtTheSolutions) {  // FS:V15, FS:FS-15, FS:FS-18, FS:FS-19, FS:FS-24
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    Workspace work;
    Vector r = c.r;  // ten digits; the exact one by Newton's method
    ASSERT_TRUE(solve(c.problem, r, NonsmoothNewton{.tolerance = 1e-14}, work).converged())
        << c.name;
    for (const ContactEquation& equation : equations)
      EXPECT_LE(value(equation, c.problem, r, {0.7, 0.6}).norm(), 1e-10)
          << c.name << " " << describe(equation);
  }
}

TEST(ContactEquations, HaveTheDerivativesOfCentralDifferences) {  // FS:V16, FS:FS-61
  const FrictionContact problem = friction_cases::coupled_slide().problem;
  library::Random random(3);
  const double h = 1e-6;
  for (const ContactEquation& equation : equations)
    for (int trial = 0; trial < 200; ++trial) {
      const Vector r = random.vector(3);
      Matrix slope, differences(3, 3), coarse(3, 3);
      value(equation, problem, r, {0.7, 0.6}, &slope);
      for (Index j = 0; j < 3; ++j) {
        const Vector e = Vector::Unit(3, j);
        const auto difference = [&](double step) {
          return Vector((value(equation, problem, r + step * e, {0.7, 0.6}) -
                         value(equation, problem, r - step * e, {0.7, 0.6})) /
                        (2 * step));
        };
        differences.col(j) = difference(h);
        coarse.col(j) = difference(100 * h);
      }
      if ((differences - coarse).norm() > 1e-4) continue;  // a kink within 1e-4 of r
      // the modified matrix of Hüeber, Stadler and Wohlmuth differs outside the disk on purpose
      const bool modified =
          std::holds_alternative<HueberStadlerWohlmuth>(equation) && r.tail<2>().norm() > 0;
      if (modified) continue;
      EXPECT_LE((slope - differences).norm(), 1e-4)
          << describe(equation) << " at " << r.transpose();
    }
}

TEST(ContactEquations, OfHueberHaveTheDerivativesWhereTheForceLiesInTheDisk) {  // FS:FS-21
  const FrictionContact problem = friction_cases::coupled_slide().problem;
  library::Random random(4);
  int compared = 0;
  for (int trial = 0; trial < 400; ++trial) {
    Vector r = random.vector(3);
    r[0] = 3 + std::abs(r[0]);
    r.tail<2>() *= 0.01;
    const ContactScaling rho{0.1, 5};
    const Vector u = problem.W.to_dense() * r + problem.q;
    const double radius = 0.3 * (r[0] - rho.normal * u[0]);
    if (radius < r.tail<2>().norm() + 1e-3) continue;
    ++compared;
    Matrix slope, differences(3, 3);
    value(HueberStadlerWohlmuth{}, problem, r, rho, &slope);
    for (Index j = 0; j < 3; ++j) {
      const Vector e = 1e-6 * Vector::Unit(3, j);
      differences.col(j) = (value(HueberStadlerWohlmuth{}, problem, r + e, rho) -
                            value(HueberStadlerWohlmuth{}, problem, r - e, rho)) /
                           2e-6;
    }
    EXPECT_LE((slope - differences).norm(), 1e-4) << r.transpose();
  }
  EXPECT_GT(compared, 100);
}

TEST(NonsmoothNewton, NeedsTheStatedIterations) {  // FS:V5, FS:V7
  Workspace work;
  for (const ContactEquation& equation :
       {ContactEquation(AlartCurnier{}), ContactEquation(NaturalMap{})}) {
    Vector r = Vector::Zero(3);
    const NonsmoothNewton newton{.equation = equation};
    EXPECT_EQ(solve(friction_cases::stick().problem, r, newton, work).iterations, 1);
  }
  Vector r = Vector::Zero(3);
  EXPECT_LE(solve(friction_cases::coupled_slide().problem, r, NonsmoothNewton{}, work).iterations,
            5);
}

TEST(NonsmoothNewton,
     SolvesDeformableContactsWithEveryEquationRuleAndSearch) {  // FS:FS-58b, FS:FS-58d, FS:FS-58e
  library::Random random(11);
  for (const Index contacts : {5, 60}) {  // dense and block-dense matrices
    const FrictionContact problem = library::random_contacts(3, contacts, random);
    Workspace work;
    for (const ContactEquation& equation : equations) {
      if (std::holds_alternative<XuewenSohWanji>(equation)) continue;
      for (const RhoRule& rho : {RhoRule(DefaultRho{}), RhoRule(NormRho{}), RhoRule(SpectralRho{}),
                                 RhoRule(PerContactRho{true})}) {
        Vector r = Vector::Zero(problem.q.size());
        const NonsmoothNewton newton{.equation = equation,
                                     .rho = rho,
                                     .line_search = GoldsteinPrice{},
                                     .start_projections = 20};
        const SolveReport report = solve(problem, r, newton, work);
        EXPECT_TRUE(report.converged()) << describe(newton) << ": " << name(report.status) << " "
                                        << report.residual << " after " << report.iterations;
      }
    }
  }
}

TEST(NonsmoothNewton, FactorisesSparseMatrices) {
  // a chain of 150 contacts: each body meets its two neighbours
  const Index contacts = 150, n = 3 * contacts;
  library::Random random(12);
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) entries.emplace_back(i, i, 3);
  for (Index c = 0; c + 1 < contacts; ++c)
    for (Index i = 0; i < 3; ++i)
      for (Index j = 0; j < 3; ++j) {
        const double x = 0.3 * random.uniform(-1, 1);
        entries.emplace_back(3 * c + i, 3 * c + 3 + j, x);
        entries.emplace_back(3 * c + 3 + j, 3 * c + i, x);
      }
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  const FrictionContact problem{3, BlockSparse::sparse(W, 3), random.vector(n),
                                Vector::Constant(contacts, 0.4)};
  Workspace work;
  Vector r = Vector::Zero(n), reference = Vector::Zero(n);
  const SolveReport report = solve(problem, r, NonsmoothNewton{.tolerance = 1e-12}, work);
  EXPECT_TRUE(report.converged()) << name(report.status);
  EXPECT_LE(report.iterations, 20);
  ASSERT_TRUE(solve(problem, reference, Nsgs{.tolerance = 1e-12}, work).converged());
  EXPECT_LE((r - reference).norm(), 1e-10);
}

TEST(NonsmoothNewton, OfXuewenConvergesFromNearby) {  // S:FC-23, FS:FS-20
  const friction_cases::OneContact c = friction_cases::coupled_slide();
  Workspace work;
  Vector r = 1.02 * c.r;
  const SolveReport report =
      solve(c.problem, r, NonsmoothNewton{.equation = XuewenSohWanji{}}, work);
  EXPECT_TRUE(report.converged()) << name(report.status);
}

TEST(ExactLocalSolver, HasARoundingErrorOnly) {  // FS:V7, FS:B.7, FS:FS-76
  Workspace work;
  const FrictionContact problem = friction_cases::coupled_slide().problem;
  Vector r = Vector::Zero(3);
  const SolveReport report =
      solve(problem, r, Nsgs{.tolerance = 1e-14, .local = LocalExact{}}, work);
  EXPECT_EQ(report.iterations, 1);
  EXPECT_LE(report.residual, 1e-14);
}

TEST(ProximalPoint, SolvesTheInclineFromSmallAndLargeParameters) {  // FS:V10, FS:FS-83, FS:FS-84
  const FrictionContact problem = reduce(friction_cases::incline(0.8));
  Workspace work;
  for (const double alpha : {1.0, 1e3})
    for (const AlphaRule& rule : {AlphaRule(SuccessDriven{}), AlphaRule(ErrorDriven{})}) {
      Vector r = Vector::Zero(12);
      const FrictionProximalPoint options{.alpha = alpha, .rule = rule};
      EXPECT_TRUE(solve(problem, r, options, work).converged()) << describe(options);
    }
  Vector r = Vector::Zero(12);
  EXPECT_TRUE(
      solve(problem, r, FrictionProximalPoint{.omega = 1.2}, work).converged());  // FS:FS-82
}

}  // namespace
}  // namespace saltus
