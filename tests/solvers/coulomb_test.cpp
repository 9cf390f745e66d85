// The default for contact with Coulomb friction: cells, sweeps, interior point, proximal Newton.
#include "problem_library.hpp"

#include "saltus/problems/certificates.hpp"
#include "saltus/problems/friction_measures.hpp"
#include "saltus/solvers/coulomb_cascade.hpp"
#include "saltus/solvers/coulomb_path.hpp"
#include "saltus/solvers/coulomb_sweeps.hpp"
#include "saltus/solvers/proximal_newton.hpp"

#include "support/tower.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

using Sparse = Eigen::SparseMatrix<double>;

struct Solved {
  Vector r;
  SolveReport report;
};

Solved solve_reduced(const Matrix& W, const Vector& q, const Vector& mu, double tolerance = 1e-12) {
  const FrictionContact problem{W.rows() / mu.size(), BlockSparse::dense(W, W.rows() / mu.size()),
                                q, mu};
  Workspace work;
  Solved solved{Vector::Zero(q.size()), {}};
  solved.report = solve(problem, solved.r, CoulombCascade{.tolerance = tolerance}, work);
  return solved;
}

/// `bodies` spheres of six degrees of freedom on a plane and on each other: H has a plane contact
/// for each, and one between neighbours. Random frames and arms.
GlobalFrictionContact pile(int bodies, double mu, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  GlobalFrictionContact problem;
  const Index n = 6 * bodies;
  std::vector<Eigen::Triplet<double>> mass, columns;
  problem.f = Vector::Zero(n);
  for (Index b = 0; b < bodies; ++b) {
    const double m = 1 + 0.5 * uniform(random);
    for (Index k = 0; k < 6; ++k) mass.emplace_back(6 * b + k, 6 * b + k, k < 3 ? m : 0.4 * m);
    problem.f[6 * b + 2] = -m;
    problem.f[6 * b] = m * uniform(random);
  }
  Index contacts = 0;
  const auto contact = [&](Index body, const Eigen::Vector3d& normal, double sign, Index column) {
    const Eigen::Vector3d t1 = normal.unitOrthogonal(), t2 = normal.cross(t1);
    const Eigen::Vector3d arm = -sign * normal;
    Index a = 0;
    for (const Eigen::Vector3d& direction : {normal, t1, t2}) {
      const Eigen::Vector3d moment = arm.cross(direction);
      for (Index k = 0; k < 3; ++k) {
        columns.emplace_back(6 * body + k, column + a, sign * direction[k]);
        columns.emplace_back(6 * body + 3 + k, column + a, sign * moment[k]);
      }
      ++a;
    }
  };
  for (Index b = 0; b < bodies; ++b) {
    contact(b, Eigen::Vector3d::UnitZ(), 1, 3 * contacts++);
    if (b == 0) continue;
    const Eigen::Vector3d normal = Eigen::Vector3d(1, 0.3 * uniform(random), 0.5).normalized();
    contact(b - 1, normal, -1, 3 * contacts);
    contact(b, normal, 1, 3 * contacts++);
  }
  problem.M = Sparse(n, n);
  problem.M.setFromTriplets(mass.begin(), mass.end());
  problem.H = Sparse(n, 3 * contacts);
  problem.H.setFromTriplets(columns.begin(), columns.end());
  problem.w = Vector::Zero(3 * contacts);
  problem.mu = Vector::Constant(contacts, mu);
  return problem;
}

TEST(CoulombCell, SolvesTheUnitCases) {  // FS:V4, FS:V5, FS:V6
  const double I[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  double y[3] = {0, 0, 0};
  const double opens[3] = {1, -0.5, 0.3}, sticks[3] = {-1, 0.2, -0.3}, slides[3] = {-1, 2, 0};
  ASSERT_TRUE(solve_coulomb_cell(I, opens, y));
  EXPECT_EQ(y[0], 0);
  ASSERT_TRUE(solve_coulomb_cell(I, sticks, y));
  EXPECT_NEAR(y[0], 1, 1e-15);
  EXPECT_NEAR(y[1], -0.2, 1e-15);
  ASSERT_TRUE(solve_coulomb_cell(I, slides, y));
  EXPECT_NEAR(y[0], 1, 1e-14);
  EXPECT_NEAR(y[1], -1, 1e-14);
}

TEST(CoulombCell, SolvesRandomContactsExactlyInSpaceAndInThePlane) {  // FS:B.7
  std::mt19937 random(17);
  std::normal_distribution<double> normal;
  int sticking = 0, sliding = 0;
  for (int k = 0; k < 4000; ++k) {
    const bool plane = k % 2 == 1;
    Matrix A = Matrix::NullaryExpr(3, 3, [&] { return normal(random); });
    for (Index i = 0; i < 3; ++i)
      A.row(i) *= std::pow(10.0, normal(random));  // very different rows
    Matrix W = A * A.transpose();
    if (plane) W.row(2).setZero(), W.col(2).setZero();
    Vector q = Vector::NullaryExpr(3, [&] { return normal(random); });
    for (Index i = 0; i < 3; ++i) q[i] *= A.row(i).norm();
    if (plane) q[2] = 0;
    // strong friction with strong coupling of the rows may have no solution, or several
    W(0, 1) *= 0.3, W(1, 0) *= 0.3, W(0, 2) *= 0.3, W(2, 0) *= 0.3;
    const Matrix rows = W.transpose();  // by rows
    double y[3] = {0, 0, 0};
    if (!solve_coulomb_cell(rows.data(), q.data(), y)) {
      ADD_FAILURE() << "contact " << k << ":\n" << W << "\n" << q.transpose();
      continue;
    }
    const Vector r = Eigen::Map<Vector>(y, 3), u = W * r + q;
    const double slip = u.tail(2).norm(), load = r.tail(2).norm();
    // u is a difference of numbers of this size
    const double size = 1e-13 * (q.norm() + (W.cwiseAbs() * r.cwiseAbs()).norm());
    EXPECT_GE(r[0], 0);
    EXPECT_LE(load, r[0] * (1 + 1e-12));
    EXPECT_GE(u[0], -size);
    EXPECT_LE(r[0] * u[0], size * r[0] + 1e-300);
    if (r[0] == 0) continue;
    ++(load < r[0] * (1 - 1e-9) ? sticking : sliding);
    if (load < r[0] * (1 - 1e-9))
      EXPECT_LE(slip, 10 * size) << "contact " << k;
    else  // −u_T along r_T
      EXPECT_LE((u.tail(2) * load + slip * r.tail(2)).norm(),
                100 * size * load + 1e-9 * slip * load)
          << "contact " << k;
  }
  EXPECT_GT(sticking, 200);
  EXPECT_GT(sliding, 1000);
}

TEST(CoulombCascade, OneContactTakesOneRoundOfSweeps) {
  // a published contact whose tangents differ by a factor of seventy, and one in the plane that
  // sticks: exact in the first sweep, looked at after five
  const Solved space = solve_reduced(Rows{{0.01344, -9.421e-07, 0.001486},
                                          {-9.421e-07, 0.1061, 0.0001733},
                                          {0.001486, 0.0001733, 0.001442}},
                                     Values{-0.1458, -0.2484, -0.1515}, Values{0.6});
  EXPECT_TRUE(space.report.converged());
  EXPECT_EQ(space.report.factorisations, 0);
  EXPECT_LE(space.report.iterations, 5);
  const Solved plane = solve_reduced(Rows{{0.44, 0}, {0, 1.33}}, Values{-1, 0.2}, Values{0.6});
  EXPECT_TRUE(plane.report.converged());
  EXPECT_EQ(plane.report.factorisations, 0);
  EXPECT_LE(plane.report.iterations, 5);
}

TEST(CoulombCascade, SolvesTheCoupledAndTheUnsymmetricContact) {  // FS:V7, FS:V8
  const Solved coupled = solve_reduced(Rows{{1, 0.2, -0.1}, {0.2, 1.5, 0.3}, {-0.1, 0.3, 0.8}},
                                       Values{-1, 0.6, -0.4}, Values{0.3});
  EXPECT_TRUE(coupled.report.converged());
  EXPECT_LE((coupled.r - Values({1.0699203022, -0.2472815867, 0.2046398486})).norm(), 1e-9);
  const Matrix W = Rows{{1, 0.5, 0}, {-0.5, 1, 0.8}, {0, -0.8, 1}};
  const Solved slide = solve_reduced(W, Values{-1, 1, 0.5}, Values{0.3});
  EXPECT_TRUE(slide.report.converged());
  EXPECT_LE((slide.r - Values({1.0583683313, -0.1167366627, -0.2952718558})).norm(), 1e-9);
  const Solved stick = solve_reduced(W, Values{-1, 1, 0.5}, Values{0.7});
  EXPECT_LE((stick.r - Values({1.0264550265, -0.0529100529, -0.5423280423})).norm(), 1e-9);
}

TEST(CoulombCascade, SolvesZeroAndFrictionlessProblems) {  // FS:V13
  const Solved zero = solve_reduced(Matrix::Identity(3, 3), Vector::Zero(3), Values{0.5});
  EXPECT_TRUE(zero.report.converged());
  EXPECT_EQ(zero.r.norm(), 0);
  const Solved smooth = solve_reduced(Matrix::Identity(3, 3), Values{-1, 1, 0}, Values{0});
  EXPECT_TRUE(smooth.report.converged());
  EXPECT_LE((smooth.r - Values({1, 0, 0})).norm(), 1e-12);
}

TEST(CoulombCascade, NeverAcceptsAProblemWithoutSolution) {  // FS:V11
  GlobalFrictionContact problem;
  problem.M = Sparse(3, 3);
  problem.M.setIdentity();
  Matrix H = Matrix::Zero(3, 6);
  H(0, 0) = H(1, 1) = H(2, 2) = 1;
  H(0, 3) = -1;
  H(1, 4) = H(2, 5) = 1;
  problem.H = H.sparseView();
  problem.f = Vector::Zero(3);
  problem.w = Values{-1, 0, 0, -1, 0, 0};
  problem.mu = Values{0.5, 0.5};
  Workspace work;
  Vector v = Vector::Zero(3), r = Vector::Zero(6);
  EXPECT_EQ(solve(problem, v, r, CoulombCascade{}, work).status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(to_global_block_form(problem), work.certificate));
}

TEST(CoulombCascade, AgreesOnTheGlobalAndTheReducedForm) {
  for (unsigned seed = 1; seed <= 6; ++seed) {
    const GlobalFrictionContact global = pile(12, 0.1 * seed, seed);
    const FrictionContact reduced = reduce(global);
    Workspace work;
    Vector v = Vector::Zero(global.M.rows()), r = Vector::Zero(global.H.cols()), s = r;
    const CoulombCascade cascade{.tolerance = 1e-12};
    const SolveReport report = solve(global, v, r, cascade, work);
    EXPECT_TRUE(report.converged()) << seed;
    EXPECT_TRUE(solve(reduced, s, cascade, work).converged()) << seed;
    // the velocities are equal as far as both errors let them be; r need not be unique
    EXPECT_LE((v - velocity(global, s)).norm(), 1e-9 * v.norm()) << seed;
    EXPECT_LE(residual(global, v, r), 1e-11 * global.f.norm()) << seed;
  }
}

// The errors of problems/ decide, not those of the system of scaled cells, which round otherwise.
TEST(CoulombCascade, LeavesAStartThatMissesTheToleranceByARounding) {
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const GlobalFrictionContact global = pile(12, 0.02 * seed, seed);
    const FrictionContact reduced = reduce(global);
    Workspace work;
    Vector v(global.M.rows()), r = Vector::Zero(global.H.cols()), s = r;
    ASSERT_TRUE(solve(global, v, r, CoulombCascade{.tolerance = 1e-5}, work).converged()) << seed;
    ASSERT_TRUE(solve(reduced, s, CoulombCascade{.tolerance = 1e-5}, work).converged()) << seed;
    const double e = friction_errors(to_global_block_form(global), r).worst();
    const double f = friction_errors(to_block_form(reduced), s).worst();
    const CoulombCascade below_e{.tolerance = std::nextafter(e, 0)};
    const CoulombCascade below_f{.tolerance = std::nextafter(f, 0)};
    EXPECT_TRUE(solve(global, v, r, below_e, work).converged()) << seed;
    EXPECT_TRUE(solve(reduced, s, below_f, work).converged()) << seed;
  }
}

TEST(CoulombCascade, DoesNotDependOnTheUnits) {
  const GlobalFrictionContact problem = pile(10, 0.4, 5);
  GlobalFrictionContact larger = problem;
  larger.f *= 1024;
  Workspace work;
  Vector v = Vector::Zero(problem.M.rows()), r = Vector::Zero(problem.H.cols()), V = v, R = r;
  const CoulombCascade cascade{.tolerance = 1e-10};
  const SolveReport one = solve(problem, v, r, cascade, work);
  const SolveReport other = solve(larger, V, R, cascade, work);
  EXPECT_EQ(one.iterations, other.iterations);
  EXPECT_EQ((1024 * r - R).norm(), 0);  // a power of two: bitwise
}

TEST(CoulombCascade, TreatsRollingFrictionAsTheProjectionSaysItIs) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix A(5, 5);
    for (Index i = 0; i < 25; ++i) A.data()[i] = uniform(random);
    FrictionContact problem{5,
                            BlockSparse::dense(A * A.transpose() + Matrix::Identity(5, 5)),
                            {},
                            Values{0.5},
                            Values{0.2}};
    problem.q = Vector(5);
    for (Index i = 0; i < 5; ++i) problem.q[i] = uniform(random) - (i == 0 ? 1.5 : 0);
    Workspace work;
    Vector r = Vector::Zero(5);
    EXPECT_TRUE(solve(problem, r, CoulombCascade{.tolerance = 1e-10}, work).converged()) << trial;
    EXPECT_LE(residual(problem, r), 1e-10 * problem.q.norm()) << trial;
  }
}

TEST(CoulombCascade, MixesBilateralFrictionlessAndEllipticBlocks) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Matrix A(9, 9);
    for (Index i = 0; i < 81; ++i) A.data()[i] = uniform(random);
    const std::array<Index, 4> sizes = {2, 1, 3, 3};
    const Matrix W = A * A.transpose() + 0.5 * Matrix::Identity(9, 9);
    const BlockForm form{BlockSparse::sparse(W.sparseView(), sizes, sizes),
                         Vector::NullaryExpr(9, [&](Index) { return uniform(random); }),
                         {Reals{}, NonNegative{}, EllipticCone{0.3, 0.8}, FrictionCone{0.4}}};
    Workspace work;
    Vector r = Vector::Zero(9);
    EXPECT_TRUE(solve(form, r, CoulombCascade{.tolerance = 1e-10}, work).converged()) << trial;
    EXPECT_LE(residual(form, r), 1e-10 * form.q.norm()) << trial;
  }
}

TEST(CoulombStages, InteriorPointAndProximalNewtonSolveOnTheirOwn) {  // FS:FS-106d, FS:FS-22
  CoulombSystem system;
  ASSERT_TRUE(system.load(to_global_block_form(pile(15, 0.5, 8))));
  CoulombBest best;
  best.y = Vector::Zero(3 * system.cells());
  coulomb_interior_point(system, 80, 1e-6, best);
  EXPECT_LE(best.error, 1e-4);
  proximal_newton(system, {1e-12, 40, 100}, best);
  EXPECT_LE(best.error, 1e-12);
}

/// Much friction, and half as many velocities as reactions. W is positive definite, so that there
/// is a solution.
FrictionContact hard_contacts(unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Index contacts = 20, n = 3 * contacts;
  const Matrix A = Matrix::NullaryExpr(n, n / 2, [&](Index, Index) { return uniform(random); });
  return {3, BlockSparse::dense(A * A.transpose() + 1e-2 * Matrix::Identity(n, n), 3),
          Vector::NullaryExpr(n, [&](Index) { return uniform(random); }),
          Vector::Constant(contacts, 1.5)};
}

TEST(CoulombStages, InteriorPointStartsNearAGivenPoint) {
  int near = 0, far = 0;
  for (unsigned seed = 1; seed <= 8; ++seed) {
    GlobalFrictionContact problem = pile(20, 0.1, seed);  // no folds
    Workspace work;
    Vector v(problem.f.size()), r = Vector::Zero(problem.w.size());
    ASSERT_TRUE(solve(problem, v, r, CoulombCascade{}, work).converged());
    problem.f *= 1.01;
    CoulombSystem system;
    ASSERT_TRUE(system.load(to_global_block_form(problem)));
    for (const bool warm : {false, true}) {
      CoulombBest best;
      best.y = system.to_scaled(r);
      const double error = system.error(best.y);
      ASSERT_GT(error, 1e-4);
      const int before = system.factorisations();
      coulomb_interior_point(system, 60, 1e-6, best, inf, warm ? error : 0);
      EXPECT_LE(best.error, 1e-6) << "seed " << seed;
      (warm ? near : far) += system.factorisations() - before;
    }
  }
  EXPECT_LT(near, far);
}

TEST(CoulombPath, GoesThroughFoldsWhereTheInteriorPointStops) {  // FS:FS-106d
  int folded = 0, stopped = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    const BlockForm form = to_block_form(hard_contacts(seed));
    CoulombSystem system;
    ASSERT_TRUE(system.load(form));
    CoulombBest interior;
    interior.y = Vector::Zero(3 * system.cells());
    coulomb_interior_point(system, 60, 1e-6, interior);
    CoulombPath path(system);
    CoulombBest best;
    best.y = Vector::Zero(3 * system.cells());
    EXPECT_TRUE(path.run(1000, 1e-6, best)) << seed;
    EXPECT_LE(best.error, 1e-6) << seed;
    folded += path.folds() > 0;
    stopped += interior.error > 1e-6;
  }
  EXPECT_GT(folded, 20);
  EXPECT_GT(stopped, 3);
}

TEST(CoulombPath, JumpsOverFolds) {  // FS:FS-106d
  int jumped = 0;
  for (unsigned seed = 0; seed < 300; ++seed) {
    CoulombSystem system;
    ASSERT_TRUE(system.load(to_block_form(hard_contacts(seed))));
    CoulombPath path(system, Slip::kinked, Fold::jump);
    CoulombBest best;
    best.y = Vector::Zero(3 * system.cells());
    EXPECT_TRUE(path.run(1000, 1e-6, best)) << seed;
    EXPECT_LE(best.error, 1e-6) << seed;
    jumped += path.folds() > 0;
  }
  EXPECT_GT(jumped, 20);
}

/// r inside the cones holds the contacts at rest: q = −W r + `push`.
FrictionContact resting_contacts(unsigned seed, double push) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Index contacts = 60, n = 3 * contacts;
  const Matrix A = Matrix::NullaryExpr(n, n / 2, [&](Index, Index) { return uniform(random); });
  const Matrix W = A * A.transpose() / double(n) + 1e-3 * Matrix::Identity(n, n);
  Vector r(n);
  for (Index c = 0; c < contacts; ++c)
    r.segment<3>(3 * c) << 1, 0.5 * uniform(random), 0.5 * uniform(random);
  const Vector pushed = Vector::NullaryExpr(n, [&](Index) { return push * uniform(random); });
  return {3, BlockSparse::dense(W, 3), pushed - W * r, Vector::Constant(contacts, 0.8)};
}

TEST(SlipFixedPoint, FindsRestAtOnce) {  // FS:FS-29
  for (unsigned seed = 0; seed < 20; ++seed) {
    CoulombSystem system;
    ASSERT_TRUE(system.load(to_block_form(resting_contacts(seed, 0))));
    SlipFixedPoint slips(system);
    CoulombBest best;
    best.y = Vector::Zero(3 * system.cells());
    EXPECT_LE(slips.step(60, best), 1e-3) << seed;
    EXPECT_LE(best.error, 1e-3) << seed;
    proximal_newton(system, {1e-12, 40, 10}, best);
    EXPECT_LE(best.error, 1e-12) << seed;
  }
}

TEST(SlipFixedPoint, ConvergesWhereLittleSlides) {  // FS:FS-29
  for (unsigned seed = 0; seed < 20; ++seed) {
    CoulombSystem system;
    ASSERT_TRUE(system.load(to_block_form(resting_contacts(seed, 0.3))));
    SlipFixedPoint slips(system);
    std::vector<double> change, error;
    for (int k = 0; k < 12; ++k) {
      CoulombBest own;
      change.push_back(slips.step(60, own));
      error.push_back(own.error);
    }
    EXPECT_GT(change.front(), 1e-3) << seed;
    EXPECT_LE(change.back(), 0.1 * change.front()) << seed;
    EXPECT_LE(error.back(), 0.1 * error.front()) << seed;
  }
}

TEST(SlipFixedPoint, SaysThatItsBudgetWasTooSmall) {
  CoulombSystem system;
  ASSERT_TRUE(system.load(to_block_form(resting_contacts(0, 0.3))));
  CoulombBest best;
  EXPECT_EQ(SlipFixedPoint(system).step(3, best), inf);
  EXPECT_EQ(best.error, inf);
}

TEST(CoulombStages, GiveTheSameBitsWhateverTheNumberOfThreads) {
  std::mt19937 random(4);
  std::uniform_real_distribution<double> uniform(-1, 1);
  const Index contacts = 120, n = 3 * contacts;  // enough work for threads to start
  const Matrix A = Matrix::NullaryExpr(n, n / 2, [&](Index, Index) { return uniform(random); });
  const FrictionContact problem{
      3, BlockSparse::dense(A * A.transpose() / double(n) + 0.01 * Matrix::Identity(n, n), 3),
      Vector::NullaryExpr(n, [&](Index) { return uniform(random); }),
      Vector::Constant(contacts, 0.6)};
  Vector first;
  for (const int threads : {1, 2, 3}) {
    CoulombSystem system(threads);
    ASSERT_TRUE(system.load(to_block_form(problem)));
    CoulombBest best;
    best.y = Vector::Zero(3 * system.cells());
    coulomb_interior_point(system, 60, 1e-6, best);
    proximal_newton(system, {1e-12, 40, 100}, best);
    EXPECT_GT(system.factorisations(), 5);
    EXPECT_LE(best.error, 1e-12);
    if (first.size() == 0) first = best.y;
    EXPECT_EQ(first, best.y) << threads << " threads";
  }
}

TEST(CoulombStages, SweepsStopWhereTheirRateDoesNotPay) {
  CoulombSystem system;
  ASSERT_TRUE(system.load(to_global_block_form(pile(30, 0.6, 2))));
  CoulombSweeps sweeps;
  ASSERT_TRUE(sweeps.prepare(system));
  CoulombBest best;
  best.y = Vector::Zero(3 * system.cells());
  EXPECT_EQ(sweeps.run(
                {1e-14, 20, 20}, [] { return 0.0; }, best),
            20);
  EXPECT_LT(best.error, 1);
}

// A tower at rest on ground that rises: each level passes on a part of what it is given.
TEST(CoulombStages, SweepsPassOnNoDenormalNumbers) {
  GlobalBlockForm problem = testing::tower(3000);
  problem.f.setZero();
  problem.w.head<2>().setConstant(-1);
  CoulombSystem system;
  ASSERT_TRUE(system.load(problem));
  CoulombSweeps sweeps;
  ASSERT_TRUE(sweeps.prepare(system));
  CoulombBest best;
  best.y = Vector::Zero(3 * system.cells());
  static_cast<void>(sweeps.run(
      {1e-8, 20, 10}, [] { return 0.0; }, best));
  EXPECT_FALSE(best.y.isZero());
  for (Index c = 0; c < system.cells(); ++c)
    EXPECT_TRUE(best.y[3 * c] == 0 || best.y[3 * c] > 1e-31) << c << ": " << best.y[3 * c];
}

// H Hᵀ + ε M is singular but for ε M: a residual of 2⁻⁵³ times the norms of H Hᵀ and x.
TEST(CoulombSystem, HoldsBodiesWithoutLosingItsFactors) {
  const GlobalBlockForm problem = to_global_block_form(pile(15, 0.5, 8));
  CoulombSystem system;
  ASSERT_TRUE(system.load(problem));
  std::vector<double> A(9 * static_cast<std::size_t>(system.cells()), 0.0);
  for (std::size_t k = 0; k < A.size(); k += 4) A[k] = 1.0 + 0.01 * static_cast<double>(k);
  ASSERT_TRUE(system.factorise(A));
  Vector before, after;
  system.solve(problem.f, before);
  constexpr double epsilon = 1e-3;
  const LinearSolve held = system.hold(epsilon);
  ASSERT_TRUE(held);
  const Vector x = held(problem.f);
  const Sparse& H = problem.H;
  EXPECT_LE((H * (H.transpose() * x) + epsilon * (problem.M * x) - problem.f).norm(),
            1e-12 * x.norm());
  system.solve(problem.f, after);
  EXPECT_EQ(before, after);
  EXPECT_EQ(system.factorisations(), 3);
  CoulombSystem reduced;
  ASSERT_TRUE(reduced.load(reduce(problem)));
  EXPECT_FALSE(reduced.hold(epsilon));
}

/// A tower of boxes on a slope, three by three contacts to a face; w = 0 but for `noise` ‖f‖.
GlobalFrictionContact redundant_tower(Index levels, double noise, unsigned seed) {
  const Index n = 6 * levels;
  Matrix H = Matrix::Zero(n, 27 * levels);
  Vector mass(n), f = Vector::Zero(n);
  for (Index b = 0; b < levels; ++b) {
    mass.segment<6>(6 * b) << 1, 1, 1, 0.1, 0.1, 0.17;
    f[6 * b] = 0.04, f[6 * b + 2] = -0.09;
    for (Index c = 0; c < 27; ++c) {
      const double x = 0.5 * static_cast<double>(c / 9 - 1);
      const double y = 0.5 * static_cast<double>(c / 3 % 3 - 1);
      const Eigen::Vector3d direction = Eigen::Matrix3d::Identity().col((c + 2) % 3);
      const auto act = [&](Index body, double sign, double height) {
        H.block<3, 1>(6 * body, 27 * b + c) = sign * direction;
        H.block<3, 1>(6 * body + 3, 27 * b + c) =
            sign * Eigen::Vector3d(x, y, height).cross(direction);
      };
      act(b, 1, -0.25);
      if (b > 0) act(b - 1, -1, 0.25);
    }
  }
  std::mt19937 random(seed);
  std::normal_distribution<double> normal;
  Vector w(H.cols());
  for (double& value : w) value = noise * f.norm() * normal(random);
  return {3, Matrix(mass.asDiagonal()).sparseView(), H.sparseView(), f,
          w, Vector::Constant(9 * levels, 1.5)};
}

// The contacts of a face cannot all have the velocities that noise asks for: reactions drift along
// null(H), by ρ noise in a proximal step, until enough of them slide or open.
TEST(CoulombCascade, FollowsReactionsThatDrift) {
  Workspace work;
  for (const Index levels : {1, 2, 3})
    for (const double noise : {1e-9, 1e-10, 1e-11})
      for (const unsigned seed : {1U, 2U, 3U}) {
        const GlobalFrictionContact problem = redundant_tower(levels, noise, seed);
        Vector v(6 * levels), r = Vector::Zero(27 * levels);
        const SolveReport report = solve(problem, v, r, CoulombCascade{.tolerance = 1e-12}, work);
        EXPECT_TRUE(report.converged()) << levels << " " << noise << " " << seed;
      }
}

// Its reactions exceed 1e4 ρ₀‖q‖. An error of 1e-8 ‖q‖ in the velocities is one of up to
// 1e-8 ‖q‖/λ in r, the least eigenvalue λ of W being 4 sin²(π/(4n + 2)) twice, about 5/n².
TEST(CoulombCascade, BearsATallTower) {
  constexpr Index n = 2000;
  const GlobalBlockForm problem = testing::tower(n);
  Vector v(n), r = Vector::Zero(2 * n);
  Workspace work;
  const SolveReport report = solve(problem, v, r, CoulombCascade{}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_GT(friction_errors(problem, r).self_stress, 1e4);
  EXPECT_NEAR(r[0] + r[1], n, 1e-8 * std::sqrt(2.0) * n * n / 5);
  r.setZero();
  const BlockForm reduced = reduce(problem);
  EXPECT_TRUE(solve(reduced, r, CoulombCascade{}, work).converged());
  EXPECT_GT(friction_errors(reduced, r).self_stress, 1e4);
  EXPECT_NEAR(r[0] + r[1], n, 1e-8 * std::sqrt(2.0) * n * n / 5);
}

}  // namespace
}  // namespace saltus
