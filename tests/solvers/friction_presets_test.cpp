// Every solver of the literature by its acronym, on the unit cases of the theory (FS:V4, FS:V5,
// FS:V6, FS:V7, FS:V8, FS:V9, FS:V10, FS:V11, FS:V13):
// projections (FS:FS-13, FS:FS-40, FS:FS-41, FS:FS-42, FS:FS-43, FS:FS-44, FS:FS-45, FS:FS-46),
// Newton (FS:FS-50a, FS:FS-50b, FS:FS-50c, FS:FS-51, FS:FS-52, FS:FS-53, FS:FS-54a, FS:FS-54b,
// FS:FS-54c, FS:FS-55a, FS:FS-55b, FS:FS-55c, FS:FS-56, FS:FS-57, FS:FS-58a, FS:FS-59, FS:FS-60),
// sweeps and over-relaxation (FS:FS-70, FS:FS-71, FS:FS-72, FS:FS-73, FS:FS-74, FS:FS-75, FS:FS-76,
// FS:FS-77a, FS:FS-77b, FS:FS-79a), proximal points (FS:FS-80a, FS:FS-80b, FS:FS-81), convex loops
// (FS:FS-27, FS:FS-28, FS:FS-29, FS:FS-90, FS:FS-91, FS:FS-92, FS:FS-93, FS:FS-94, FS:FS-95,
// FS:FS-96, FS:FS-97, FS:FS-98, FS:FS-99, FS:FS-100, FS:FS-101, FS:FS-104), and where they stop
// being exact the relaxations (FS:FS-102, FS:FS-103, FS:FS-106b). In the numbers of the other card:
// S:FC-03a, S:FC-18, S:FC-20, S:FC-21, S:FC-24, S:FC-27b, S:FC-28, S:FC-29a, S:FC-29b, S:FC-29c,
// S:FC-36. Beyond the literature's acronyms: FS:FS-16, FS:FS-17, FS:FS-25, FS:FS-106e, FS:FS-106h,
// FS:FS-106i, S:FC-19c, S:FC-37.
#include "friction_cases.hpp"
#include "problem_library.hpp"
#include "support/expect_error.hpp"

#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/friction_presets.hpp"

#include <gtest/gtest.h>

#include <set>

namespace saltus {
namespace {

using Names = std::set<std::string, std::less<>>;

/// They solve another law, associated friction: exact only where nothing slides.
const Names relaxations{"SOCLCP-NSGS-PLI", "CONVEXQP-PG", "CONVEXQP-MPRGP"};
/// They need a symmetric W.
const Names symmetric{"PANA-PGS-CONVEXQP-PG", "PANA-CONVEXQP-PG",   "PANA-MPRGP",
                      "PANA-GPCG-MPRGP",      "TRESCA-CONVEXQP-PG", "TRESCA-MPRGP",
                      "ACLM-CONVEXQP-PG",     "ACLM-MPRGP",         "CONVEXQP-PG",
                      "CONVEXQP-MPRGP"};
/// Approximations, and methods that the theory calls research: nothing is promised but honesty.
const Names unreliable{"FP-HP",   "NSGS-DISK",  "LCP-INNER",      "LCP-OUTER",
                       "NSN-XSW", "MCP-DIRECT", "NSN-REGULARISED"};
/// Their linear solvers take singular systems that are consistent: they may go on where the others
/// stop.
bool krylov(std::string_view name) {
  return name.ends_with("-GMRES") || name.ends_with("-BICGSTAB");
}
/// Newton's method without regularisation: singular matrices on rank-deficient W.
bool plain_newton(std::string_view name) {
  return name.starts_with("NSN-") && !name.starts_with("NSN-FB") && name != "NSN-REGULARISED" &&
         !name.starts_with("NSN-SMOOTH") && !krylov(name);
}

class FrictionPreset : public ::testing::TestWithParam<std::string_view> {
 protected:
  std::string_view name() const { return GetParam(); }
  bool in(const Names& names) const { return names.contains(name()); }
  SolveReport run(const FrictionContact& problem, Vector& r) {
    r = Vector::Zero(problem.q.size());
    const SolveReport report = solve(problem, r, *friction_preset(name()), work);
    EXPECT_EQ(report.residual, residual(problem, r)) << name();
    const double limit = 1e-8 * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
    EXPECT_EQ(report.converged(), report.residual <= limit) << name();
    return report;
  }
  Workspace work;
};

TEST_P(FrictionPreset, SolvesOneContactInEveryMode) {
  for (const friction_cases::OneContact& c : friction_cases::single_contacts()) {
    Vector r;
    const SolveReport report = run(c.problem, r);
    const bool slides = c.name == "V6" || c.name == "V7" || c.name == "V8-slide";
    const bool skew = c.name.starts_with("V8");
    if (in(unreliable) || (slides && in(relaxations)) || (skew && in(symmetric))) continue;
    EXPECT_TRUE(report.converged())
        << c.name << ": " << saltus::name(report.status) << ", residual " << report.residual
        << " after " << report.iterations;
    EXPECT_LE((r - c.r).lpNorm<Eigen::Infinity>(), 1e-7) << c.name;  // 10 × tolerance, as the card
  }
}

TEST_P(FrictionPreset, SlidesWithIdentityUnlessItSolvesAnotherLaw) {  // FS:V6
  Vector r;
  const SolveReport report = run(friction_cases::slide().problem, r);
  // the sliding direction is a vertex of the facets, and the disk is exact for W = I
  if (name() == "FP-HP" || name() == "NSN-XSW") return;
  if (name() == "NSN-REGULARISED") {  // FS:FS-106c: r_T short of μ r_N by (ε/‖u_T‖)²/2
    EXPECT_EQ(report.status, SolveStatus::stalled);
    EXPECT_NEAR(r[1], -0.5 * (1 - 0.5 * 4e-6), 1e-9);
    return;
  }
  EXPECT_EQ(report.converged(), !in(relaxations)) << saltus::name(report.status);
  if (in(relaxations)) {
    EXPECT_EQ(report.status, SolveStatus::stalled);
    EXPECT_LE((r - Values{1.2, -0.6, 0}).lpNorm<Eigen::Infinity>(), 1e-7);  // u_N = μ‖u_T‖ > 0
  }
}

TEST_P(FrictionPreset, FindsTheVelocityOfTheBoxOnTheInclineOrSaysWhyNot) {  // FS:V10
  for (const double mu : {0.3, 0.8}) {
    const GlobalFrictionContact global = friction_cases::incline(mu);
    Vector r;
    const SolveReport report = run(reduce(global), r);
    if (plain_newton(name())) {
      EXPECT_TRUE(report.converged() || report.status == SolveStatus::numerical_error)
          << mu << ": " << saltus::name(report.status);
      EXPECT_LE(report.iterations, 2) << mu;
    }
    const bool expected = !plain_newton(name()) && !krylov(name()) && !in(unreliable) &&
                          name() != "FP-DS" && name() != "NCP-GLOCKER" &&
                          !(mu == 0.3 && in(relaxations));
    if (expected) {
      EXPECT_TRUE(report.converged()) << mu << ": " << saltus::name(report.status);
    }
    if (name() == "FP-DS") {
      EXPECT_FALSE(report.converged()) << mu;
    }
    if (!report.converged()) continue;
    Vector v = Vector::Zero(6);
    if (mu == 0.3) v[0] = 0.0175486615;  // hg (sin θ − μ cos θ)
    EXPECT_LE((velocity(global, r) - v).lpNorm<Eigen::Infinity>(), 1e-7) << mu;
    EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 0.0877433074, 1e-7) << mu;
  }
}

TEST_P(FrictionPreset, NeverClaimsToSolveAProblemWithoutSolution) {  // FS:V11
  Vector r;
  EXPECT_FALSE(run(reduce(friction_cases::squeezed()), r).converged());
}

TEST_P(FrictionPreset, AnswersZeroToAZeroConstantTerm) {  // FS:V13
  FrictionContact problem = friction_cases::coupled_slide().problem;
  problem.q.setZero();
  Vector r;
  EXPECT_TRUE(run(problem, r).converged());
  EXPECT_EQ(r, Vector::Zero(3));
}

TEST_P(FrictionPreset, AgreesOnTheHyperstaticCube) {  // S:V-28 (a), (b)
  for (const double speed : {1.0, 0.01}) {
    Vector v_free = Vector::Zero(6);
    v_free.head<3>() << speed, speed / 2, -0.0981;
    const GlobalFrictionContact global = library::cube(v_free);
    Vector r;
    const SolveReport report = run(reduce(global), r);
    if (name().starts_with("PPA-") || name().starts_with("NSGS-AC")) {
      EXPECT_TRUE(report.converged()) << saltus::name(report.status);
    }
    if (!report.converged()) continue;
    Vector v = Vector::Zero(6);
    if (speed == 1) v.head<2>() << 0.9736770078, 0.4868385039;
    // λ_max(W) = 14.3 turns the error of r into one of v
    EXPECT_LE((velocity(global, r) - v).lpNorm<Eigen::Infinity>(), 1e-6);
  }
}

std::string test_name(const ::testing::TestParamInfo<std::string_view>& param) {
  std::string text(param.param);
  std::replace(text.begin(), text.end(), '-', '_');
  return text;
}
INSTANTIATE_TEST_SUITE_P(Literature, FrictionPreset,
                         ::testing::ValuesIn(friction_preset_names().begin(),
                                             friction_preset_names().end()),
                         test_name);

TEST(FrictionPresets, AreFoundByNameWithoutRegardToCase) {
  const Algorithm algorithm = algorithm_by_name("nsn-fb-gp");
  const auto& newton = std::get<NonsmoothNewton>(algorithm);
  EXPECT_TRUE(std::holds_alternative<ConeFischerBurmeister>(newton.equation));
  EXPECT_TRUE(std::holds_alternative<GoldsteinPrice>(newton.line_search));
  EXPECT_FALSE(friction_preset("NSN-QQ").has_value());
  EXPECT_ERROR(algorithm_by_name("NSN-QQ"), "'NSN-QQ' is unknown");
}

TEST(FixedStepProjection, ConvergesOnlyBelowTheInverseScaleOfTheMatrix) {  // FS:V9
  Workspace work;
  const auto run = [&](double s, const StepRule& step) {
    const FrictionContact problem =
        friction_cases::one_contact(s * Matrix::Identity(3, 3), Values{-1, 1, 0}, 0.5);
    Vector r = Vector::Zero(3);
    return solve(problem, r, FixedPointProjection{.step = step}, work);
  };
  for (const double s : {0.5, 1.0, 1.9, 2.1}) {
    const SolveReport report = run(s, FixedStep{});
    EXPECT_TRUE(report.converged()) << s;
    EXPECT_LE(report.iterations, 50) << s;
  }
  for (const double s : {3.0, 10.0, 100.0}) {
    const SolveReport report = run(s, FixedStep{});
    EXPECT_FALSE(report.converged()) << s;
    EXPECT_GE(report.residual, 0.1) << s;  // it cycles
  }
  for (const double s : {0.5, 1.0, 1.9, 2.1, 3.0, 10.0, 100.0}) {
    const SolveReport report = run(s, AdaptiveStep{});
    EXPECT_TRUE(report.converged()) << s;
    EXPECT_LE(report.iterations, 40) << s;
  }
}

TEST(Projections, NeedTheStatedIterationsOnTheCoupledContact) {  // S:V-23 (c), S:FC-25, S:FC-26
  const FrictionContact problem = friction_cases::one_contact(
      Rows{{2, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1}}, Values{-1, 1, 0.5}, 0.4);
  Workspace work;
  const auto iterations = [&](const FrictionAlgorithm& algorithm) {
    Vector r = Vector::Zero(3);
    const SolveReport report = solve(problem, r, algorithm, work);
    EXPECT_TRUE(report.converged());
    EXPECT_LE((r - Values{0.522484458630, -0.196797150921, -0.070351140083}).norm(), 1e-7);
    return report.iterations;
  };
  const double tolerance = 1e-10;  // that of the card's counts
  EXPECT_NEAR(
      iterations(FixedPointProjection{.tolerance = tolerance, .step = FixedStep{.rho = 0.4}}), 23,
      5);
  EXPECT_LE(iterations(NonsmoothNewton{.tolerance = tolerance, .rho = FixedRho{}}), 4);
  EXPECT_LE(iterations(NonsmoothNewton{
                .tolerance = tolerance, .equation = JeanMoreau{}, .rho = FixedRho{}}),
            5);
  EXPECT_LE(iterations(NonsmoothNewton{
                .tolerance = tolerance, .equation = NaturalMap{}, .rho = FixedRho{.rho = 0.4}}),
            4);
  EXPECT_LE(iterations(TrescaFixedPoint{.tolerance = tolerance}), 12);
}

TEST(LocalDiskProjection, IsFlaggedInexactOnACoupledContact) {  // S:V-23, S:FC-33
  const FrictionContact problem = friction_cases::one_contact(
      Rows{{2, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1}}, Values{-1, 1, 0.5}, 0.4);
  Workspace work;
  Vector r = Vector::Zero(3);
  const SolveReport report = solve(problem, r, Nsgs{.local = LocalDisk{}}, work);
  EXPECT_FALSE(report.converged());
  EXPECT_LE((r - Values{0.5837473385, -0.2166241676, -0.0871534442}).norm(), 1e-9);
  EXPECT_NEAR(report.residual, 0.112, 5e-4);
}

TEST(ConvexSubproblems, ConvergeAtTheStatedRate) {  // FS:V6, FS:V7
  Workspace work;
  const FrictionContact problem = friction_cases::slide().problem;
  Vector r = Vector::Zero(3);
  EXPECT_EQ(solve(problem, r, SoclcpRelaxation{}, work).status, SolveStatus::stalled);
  EXPECT_NEAR(r[0], 1.2, 1e-12);
  for (const double expected : {1.04, 1.008, 1.0016, 1.00032, 1.000064}) {
    static_cast<void>(solve(problem, r, Aclm{.max_iterations = 1}, work));
    EXPECT_NEAR(r[0], expected, 1e-12);
  }
  r.setZero();
  static_cast<void>(solve(friction_cases::coupled_slide().problem, r, SoclcpRelaxation{}, work));
  EXPECT_LE((r - Values{1.2765847598, -0.2920359374, 0.2477603473}).norm(), 1e-9);
}

TEST(SweepOrders, AreReproducibleAndDifferent) {  // FS:FS-78a, FS:FS-78b
  library::Random random(5);
  const FrictionContact problem = library::random_contacts(3, 12, random);
  const auto solved = [&](const SweepOrder& order) {
    Workspace work;
    Vector r = Vector::Zero(36);
    EXPECT_TRUE(solve(problem, r, Nsgs{.order = order}, work).converged());
    return r;
  };
  for (const SweepOrder& order : {SweepOrder(ShuffledOnce{}), SweepOrder(ShuffledEverySweep{})}) {
    EXPECT_EQ(solved(order), solved(order));
    EXPECT_NE(solved(order), solved(NaturalOrder{}));
  }
}

TEST(GaussSeidel, TakesAdaptiveLocalTolerancesAndOverRelaxation) {  // FS:FS-79b, FS:FS-77a
  library::Random random(6);
  Workspace work;
  for (const Index dimension : {2, 3})
    for (const double factor : {0.7, 1.0, 1.3}) {
      const FrictionContact problem = library::random_contacts(dimension, 15, random);
      Vector r = Vector::Zero(problem.q.size());
      const Nsgs options{.local = LocalVi{}, .over_relaxation = factor, .adaptive_local = true};
      EXPECT_TRUE(solve(problem, r, options, work).converged()) << dimension << " " << factor;
    }
}

/// Sweeps of B.14 as it is written, one call each; 0: the sweeps did not suffice.
int sweeps_until_the_error_is_small(const BlockForm& problem, const Nsgs& options) {
  Workspace work;
  Vector r = Vector::Zero(problem.q.size());
  const Nsgs one_sweep{.tolerance = 1e-300, .max_iterations = 1, .omega = options.omega};
  const double limit = options.tolerance * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>());
  double step = options.tolerance;
  for (int sweep = 1; sweep <= options.max_iterations; ++sweep) {
    const Vector old = r;
    static_cast<void>(solve(problem, r, one_sweep, work));
    if (cheap_error(r, old) > step) continue;
    const double error = residual(problem, r);
    if (error <= limit) return sweep;
    step *= std::min(0.5, std::max(0.1, limit / error));
  }
  return 0;
}

TEST(GaussSeidel, ComputesTheErrorWhereTheStepIsSmall) {  // FS:B.14, FS:FS-111
  library::Random random(8);
  for (const Index dimension : {2, 3})
    for (const double omega : {1.0, 0.05}) {  // 0.05: small steps long before the error is small
      const BlockForm problem = to_block_form(library::random_contacts(dimension, 15, random));
      const Nsgs options{.max_iterations = 5000, .omega = omega, .cheap_test = true};
      Workspace work;
      Vector r = Vector::Zero(problem.q.size());
      const SolveReport report = solve(problem, r, options, work);
      EXPECT_TRUE(report.converged()) << dimension << " " << omega;
      EXPECT_EQ(report.residual, residual(problem, r));
      EXPECT_EQ(report.iterations, sweeps_until_the_error_is_small(problem, options));
    }
  const FrictionContact squeezed = reduce(friction_cases::squeezed());
  Vector r = Vector::Zero(6);  // FS:V11: no solution, small steps or not
  Workspace work;
  EXPECT_FALSE(solve(squeezed, r, Nsgs{.cheap_test = true}, work).converged());
}

TEST(OtherCones, AreSolvedByTheMethodsWrittenForAnySet) {  // rolling, elliptic, Tresca, associated
  library::Random random(7);
  Workspace work;
  const std::vector<Index> sizes{5, 3, 3, 4, 2, 3};
  const Index n = 20;
  const Matrix H = random.matrix(3 * n, n);
  BlockForm form{
      BlockSparse::sparse(Matrix(H.transpose() * H / (3.0 * n)).sparseView(), sizes, sizes),
      random.vector(n) - Vector::Constant(n, 0.5),
      {RollingCone{0.5, 0.1}, EllipticCone{0.3, 0.6}, FrictionCylinder{0.2}, SecondOrderCone{0.5},
       FrictionCone{0.4}, Interval{-0.1, 0.1}}};
  validate(form);
  Vector reference = Vector::Zero(n);
  ASSERT_TRUE(solve(form, reference, Nsgs{.tolerance = 1e-11}, work).converged());
  for (const Algorithm& algorithm :
       {Algorithm(FixedPointProjection{}), Algorithm(FixedPointProjection{.extragradient = true}),
        Algorithm(NonsmoothNewton{}), Algorithm(NonsmoothNewton{.equation = NaturalMap{}}),
        Algorithm(NonsmoothNewton{.equation = ConeFischerBurmeister{}}),
        Algorithm(FrictionProximalPoint{}), Algorithm(Admm{}),
        Algorithm(Nsgs{.local = LocalNonsmoothNewton{}}), Algorithm(Nsgs{.local = LocalExact{}})}) {
    Vector r = Vector::Zero(n);
    const SolveReport report = solve(form, r, algorithm, work);
    EXPECT_TRUE(report.converged()) << describe(algorithm) << ": " << name(report.status);
    // smallest eigenvalue of W about 0.1: an error of 1e-8 in the natural map, ten times that in r
    EXPECT_LE((r - reference).norm(), 1e-6) << describe(algorithm);
  }
  EXPECT_ERROR(check(Aclm{}, form.K), "there is no associated law");
  EXPECT_ERROR(check(Panagiotopoulos{}, form.K), "expected friction cones");
}

}  // namespace
}  // namespace saltus
