// Equations of one contact, their derivatives, and Newton's method on them (FS:B.3, FS:FS-58c).
#include "friction_cases.hpp"
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"
#include "saltus/solvers/poisson_impact.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

const std::vector<ContactEquation> equations{NaturalMap{},
                                             AlartCurnier{},
                                             JeanMoreau{},
                                             ConeFischerBurmeister{},
                                             HueberStadlerWohlmuth{},
                                             XuewenSohWanji{},
                                             SlidingAngle{}};

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

TEST(ContactEquations, OfSmoothedLawsHaveTheirDerivativesEverywhere) {  // S:FC-22, FS:FS-106c
  const FrictionContact problem = friction_cases::coupled_slide().problem;
  library::Random random(6);
  for (const ContactEquation& equation :
       {ContactEquation(SlidingAngle{0.1}), ContactEquation(RegularisedCoulomb{0.3})})
    for (int trial = 0; trial < 100; ++trial) {
      Vector r = random.vector(3);
      r[0] += std::copysign(0.1, r[0]);  // off the kink of (r_N)₊
      const Vector u = problem.W.to_dense() * r + problem.q;
      if (std::abs(r[0] - 0.7 * u[0]) < 1e-3) continue;  // and of (x_N)₊
      Matrix slope, differences(3, 3);
      value(equation, problem, r, {0.7, 0.6}, &slope);
      for (Index j = 0; j < 3; ++j) {
        const Vector e = 1e-6 * Vector::Unit(3, j);
        differences.col(j) = (value(equation, problem, r + e, {0.7, 0.6}) -
                              value(equation, problem, r - e, {0.7, 0.6})) /
                             2e-6;
      }
      EXPECT_LE((slope - differences).norm(), 1e-6) << describe(equation) << r.transpose();
    }
}

TEST(SlidingAngle, SolvesContactsInSpaceAndInThePlane) {  // S:FC-22
  Workspace work;
  const NonsmoothNewton newton{.tolerance = 1e-12, .equation = SlidingAngle{}};
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    Vector r = Vector::Zero(3);
    EXPECT_TRUE(solve(c.problem, r, newton, work).converged()) << c.name;
    EXPECT_LE((r - c.r).norm(), 1e-9) << c.name;
  }
  const FrictionContact plane =
      friction_cases::one_contact(Rows{{2, .5}, {.5, 1}}, Values{-1, 1}, 0.3);
  Vector r = Vector::Zero(2);
  EXPECT_TRUE(solve(plane, r, newton, work).converged());
  EXPECT_LE((r - Values({0.540540540541, -0.162162162162})).norm(), 1e-11);  // S:V-24
  // smoothed: as far from the solution as ε says, and said to be
  const friction_cases::OneContact slide = friction_cases::coupled_slide();
  r = Vector::Zero(3);
  const SolveReport report =
      solve(slide.problem, r, NonsmoothNewton{.equation = SlidingAngle{1e-4}}, work);
  EXPECT_EQ(report.status, SolveStatus::stalled);
  EXPECT_LE((r - slide.r).norm(), 1e-3);
}

TEST(RegularisedFriction, CreepsWhereItShouldStick) {            // FS:FS-106c
  const friction_cases::OneContact c = friction_cases::stick();  // W = I, r = (1, −0.2, 0.3)
  Workspace work;
  for (const double epsilon : {1e-1, 1e-2, 1e-3}) {
    Vector r = Vector::Zero(3);
    const NonsmoothNewton newton{.equation = RegularisedCoulomb{epsilon}, .line_search = Armijo{}};
    const SolveReport report = solve(c.problem, r, newton, work);
    EXPECT_EQ(report.status, SolveStatus::stalled) << epsilon;
    const Vector u = r + c.problem.q;
    const double slip = u.tail<2>().norm();
    // ‖r_T‖ = μ r_N s/(s² + ε²)^½
    EXPECT_NEAR(r.tail<2>().norm(), 0.5 * slip / std::hypot(slip, epsilon), 1e-8) << epsilon;
    EXPECT_GT(slip, 0.1 * epsilon);
    EXPECT_LT(slip, 2 * epsilon);
  }
}

TEST(AdaptiveScalings, ConvergeWhereTheFirstOnesAreWrong) {  // FS:FS-58f
  library::Random random(21);
  Workspace work;
  for (int trial = 0; trial < 10; ++trial) {
    const FrictionContact problem = library::random_contacts(3, 8, random);
    Vector r = Vector::Zero(problem.q.size());
    const NonsmoothNewton newton{.rho = AdaptiveRho{}, .line_search = GoldsteinPrice{}};
    const SolveReport report = solve(problem, r, newton, work);
    EXPECT_TRUE(report.converged()) << trial << ": " << name(report.status);
  }
}

TEST(GlobalNewton, HasTheSolutionOfTheReducedProblem) {  // S:FC-19a
  library::Random random(31);
  Workspace work;
  for (int trial = 0; trial < 5; ++trial) {
    const Index n = 40, contacts = 6, m = 3 * contacts;  // fewer rows than velocities: full rank
    Matrix A = random.matrix(n, n);
    GlobalFrictionContact problem;
    problem.M = Matrix(A * A.transpose() / n + Matrix::Identity(n, n)).sparseView();
    problem.H = random.matrix(n, m).sparseView();
    problem.f = random.vector(n);
    problem.w = random.vector(m);
    problem.mu = Vector::Constant(contacts, 0.4);
    Vector reference = Vector::Zero(m);
    ASSERT_TRUE(
        solve(reduce(problem), reference, CoulombCascade{.tolerance = 1e-12}, work).converged());
    for (const ContactEquation& equation :
         {ContactEquation(AlartCurnier{}), ContactEquation(JeanMoreau{}),
          ContactEquation(NaturalMap{}), ContactEquation(ConeFischerBurmeister{})}) {
      Vector v = Vector::Zero(n), r = Vector::Zero(m);
      const NonsmoothNewton newton{
          .tolerance = 1e-10, .equation = equation, .line_search = GoldsteinPrice{}};
      const SolveReport report = solve(problem, v, r, newton, work);
      EXPECT_TRUE(report.converged()) << describe(equation) << ": " << name(report.status);
      EXPECT_LE(residual(problem, v, r), 1e-10 * std::max(1.0, problem.w.norm() * 100));
      EXPECT_LE((v - velocity(problem, reference)).norm(), 1e-7) << describe(equation);
    }
  }
}

TEST(GlobalNewton, MixesJointsAndContactsAndIsHonestOnSingularMatrices) {  // S:FC-19a, FS:V10
  // S:V-18: a joint and a frictionless contact
  const Matrix H = Rows{{1, 1}, {-1, 0}};
  GlobalBlockForm joint{Matrix(Matrix::Identity(2, 2)).sparseView(),
                        H.sparseView(),
                        Values{-1, -3},
                        Values{0, 0},
                        {Reals{}, NonNegative{}},
                        {1, 1}};
  Workspace work;
  Vector v = Vector::Zero(2), r = Vector::Zero(2);
  ASSERT_TRUE(solve(joint, v, r, NonsmoothNewton{}, work).converged());
  EXPECT_LE((r - Values({-3, 4})).norm(), 1e-8);
  EXPECT_LE(v.norm(), 1e-8);
  const GlobalFrictionContact box = friction_cases::incline(0.8);
  Vector speed = Vector::Zero(6), force = Vector::Zero(12);
  // H of rank 6: the matrix is singular up to rounding; refused, or a solution all the same
  const SolveReport report = solve(box, speed, force, NonsmoothNewton{}, work);
  EXPECT_TRUE(report.converged() || report.status == SolveStatus::numerical_error);
  EXPECT_EQ(report.converged(), residual(box, speed, force) <= 1e-8);
  EXPECT_THROW(static_cast<void>(solve(box, speed, r, NonsmoothNewton{}, work)), Error);
}

TEST(PoissonImpact, GivesBackTheImpulseOfTheCompression) {  // S:FC-13
  Workspace work;
  // one frictionless contact: Newton's and Poisson's laws agree, u⁺ = −e u⁻
  const BlockForm one{BlockSparse::dense(Rows{{2}}), Values{-1}, {NonNegative{}}};
  Vector r = Vector::Zero(1);
  PoissonReport report = solve(one, Values{0.5}, r, PoissonImpact{}, work);
  EXPECT_EQ(report.status, SolveStatus::converged);
  EXPECT_NEAR(report.velocity[0], 0.5, 1e-12);
  EXPECT_NEAR(r[0], 0.75, 1e-12);
  // two coupled contacts, the second at rest: it is pulled open in the expansion, r₂ = 0
  const BlockForm two{BlockSparse::dense(Rows{{1, 0.5}, {0.5, 1}}, 1),
                      Values{-1, 0},
                      {NonNegative{}, NonNegative{}}};
  Vector both = Vector::Zero(2);
  report = solve(two, Values{0.5, 0.5}, both, PoissonImpact{}, work);
  EXPECT_LE((both - Values({1.5, 0})).norm(), 1e-12);
  EXPECT_LE((report.velocity - Values({0.5, 0.75})).norm(), 1e-12);
}

TEST(PoissonImpact, SlidesInThePlaneByCoulombsLawInBothPhases) {  // S:FC-13
  const FrictionContact contact =
      friction_cases::one_contact(Matrix::Identity(2, 2), Values{-1, 2}, 0.3);
  Workspace work;
  Vector r = Vector::Zero(2);
  const PoissonReport report = solve(to_block_form(contact), Values{0.5}, r, PoissonImpact{}, work);
  // r_cN = 1, r_eN = 0.5, sliding throughout: r_T = −μ · 1.5, u = (0.5, 2 − 0.45)
  EXPECT_LE((r - Values({1.5, -0.45})).norm(), 1e-12);
  EXPECT_LE((report.velocity - Values({0.5, 1.55})).norm(), 1e-12);
  EXPECT_LE((report.compression - Values({1, -0.3})).norm(), 1e-12);
}

TEST(PoissonImpact, NeverGainsEnergyWithoutFrictionAndRefusesWrongArguments) {  // S:FC-13
  library::Random random(5);
  Workspace work;
  for (int trial = 0; trial < 50; ++trial) {
    const Matrix A = random.matrix(4, 6);
    const Matrix W = A * A.transpose();
    const BlockForm problem{BlockSparse::dense(W, 1), random.vector(4),
                            std::vector<BlockSet>(4, NonNegative{})};
    Vector r = Vector::Zero(4);
    const PoissonReport report = solve(problem, Vector::Constant(4, 0.7), r, PoissonImpact{}, work);
    ASSERT_EQ(report.status, SolveStatus::converged) << trial;
    EXPECT_GE(report.velocity.minCoeff(), -1e-9);
    // change of the kinetic energy r·(u⁺ + u⁻)/2
    EXPECT_LE(r.dot(report.velocity + problem.q), 1e-9) << trial;
  }
  const BlockForm one{BlockSparse::dense(Rows{{2}}), Values{-1}, {NonNegative{}}};
  Vector r = Vector::Zero(1);
  EXPECT_THROW(static_cast<void>(solve(one, Values{1.5}, r, PoissonImpact{}, work)), Error);
  EXPECT_THROW(static_cast<void>(solve(one, Values{1, 1}, r, PoissonImpact{}, work)), Error);
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
