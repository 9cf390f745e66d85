// Contact with Coulomb friction by nonsmooth Gauss–Seidel.
#include "problem_library.hpp"

#include "saltus/solvers/algorithm.hpp"

#include <gtest/gtest.h>

#include <array>

namespace saltus {
namespace {

constexpr double digits = 5e-12;  // half a unit of the last printed digit, and rounding

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

struct Contact {
  Vector P, U;
  SolveReport report;
};

Contact solve_one(const Matrix& W, const Vector& q, double mu, const LocalSolver& local) {
  const FrictionContact problem{W.rows(), BlockSparse::dense(W), q, Values{mu}};
  Workspace work;
  Contact contact{Vector::Zero(W.rows()), {}, {}};
  contact.report = solve(problem, contact.P, Nsgs{.tolerance = 1e-13, .local = local}, work);
  contact.U = W * contact.P + q;
  return contact;
}

TEST(ContactInThePlane, HasTheFourModesInClosedForm) {  // S:V-24, S:FC-32
  const Matrix W = Rows{{2, 0.5}, {0.5, 1}};
  for (const LocalSolver& local : {LocalSolver(LocalNewton{}), LocalSolver(LocalProjection{})}) {
    const auto contact = [&](double n, double t) { return solve_one(W, Values{n, t}, 0.3, local); };
    EXPECT_VECTOR(contact(0.1, 1).P, Values({0, 0}), 0);
    EXPECT_VECTOR(contact(-1, -0.2).P, Values({0.514285714286, -0.057142857143}), digits);
    EXPECT_VECTOR(contact(-1, 1).P, Values({0.540540540541, -0.162162162162}), digits);
    EXPECT_NEAR(contact(-1, 1).U[1], 1.108108108108, digits);
    EXPECT_VECTOR(contact(-1, -2).P, Values({0.465116279070, 0.139534883721}), digits);
    EXPECT_NEAR(contact(-1, -2).U[1], -1.627906976744, digits);
  }
  EXPECT_EQ(solve_one(W, Values{-1, 1}, 0.3, LocalNewton{}).report.iterations, 1);
}

TEST(ContactInSpace, OpensSticksAndSlips) {  // S:V-23, S:FC-35, S:FC-34b
  const Matrix W = Rows{{2, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1}};
  for (const LocalSolver& local : {LocalSolver(LocalNewton{}), LocalSolver(LocalProjection{})}) {
    const auto contact = [&](const Vector& q) { return solve_one(W, q, 0.4, local); };
    EXPECT_VECTOR(contact(Values{0.5, 1, 1}).P, Vector::Zero(3), 0);
    const Contact stick = contact(Values{-1, -0.1, 0.05});
    EXPECT_VECTOR(stick.P, Values({0.511533002129, -0.039389638041, 0.056245564230}), digits);
    EXPECT_LE(stick.U.norm(), 1e-12);
    const Contact slip = contact(Values{-1, 1, 0.5});
    EXPECT_VECTOR(slip.P, Values({0.522484458630, -0.196797150921, -0.070351140083}), digits);
    EXPECT_VECTOR(slip.U, Values({0, 0.854514497199, 0.305472253099}), digits);
    EXPECT_NEAR(slip.P.tail(2).norm(), 0.4 * slip.P[0], 1e-12);
    EXPECT_NEAR(slip.U[1] * slip.P[2], slip.U[2] * slip.P[1], 1e-12);
  }
}

TEST(ContactInSpace, TakesRestitutionThroughTheConstantTerm) {  // S:V-23 (d)
  const Matrix W = Rows{{2, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1}};
  const Vector free = Values{-1, 1, 0.5};
  const Contact impact = solve_one(W, free + Values{0.5 * -1.2, 0, 0}, 0.4, LocalNewton{});
  EXPECT_VECTOR(impact.P, Values({0.839571040962, -0.323621326877, -0.089721580693}), digits);
  const Vector U = W * impact.P + free;
  EXPECT_VECTOR(U, Values({0.6, 0.757467163904, 0.210002078427}), digits);
}

TEST(ContactInSpace, IsSolvedBySingleProjectionsPerSweep) {  // S:FC-34a
  const Matrix W = Rows{{2, 0.3, -0.2}, {0.3, 1.5, 0.1}, {-0.2, 0.1, 1}};
  const Contact slip = solve_one(W, Values{-1, 1, 0.5}, 0.4, LocalProjection{.max_iterations = 1});
  EXPECT_TRUE(slip.report.converged());
  EXPECT_GT(slip.report.iterations, 10);
  EXPECT_VECTOR(slip.P, Values({0.522484458630, -0.196797150921, -0.070351140083}), digits);
}

TEST(PlaneBlock, SlidesInAFewSweeps) {  // S:V-27
  const GlobalFrictionContact global = library::plane_block(Values{1, -0.0981, 0});
  const FrictionContact problem = reduce(global);
  Workspace work;
  Vector r = Vector::Zero(4);
  const SolveReport report = solve(problem, r, Nsgs{.tolerance = 1e-10}, work);
  EXPECT_TRUE(report.converged());
  EXPECT_LE(report.iterations, 7);  // the card: about 5
  EXPECT_VECTOR(r, Values({0.034335, -0.0103005, 0.063765, -0.0191295}), 1e-9);
  EXPECT_VECTOR(velocity(global, r), Values({0.97057, 0, 0}), 1e-9);
}

TEST(PlaneBlock, SticksWithANonuniqueTangentialSplit) {  // S:V-27
  const GlobalFrictionContact global = library::plane_block(Values{0.01, -0.0981, 0});
  const FrictionContact problem = reduce(global);
  Workspace work;
  Vector r = Vector::Zero(4);
  ASSERT_TRUE(solve(problem, r, Nsgs{.tolerance = 1e-10}, work).converged());
  EXPECT_LE(velocity(global, r).norm(), 1e-8);
  EXPECT_NEAR(r[0], 0.04405, 1e-8);
  EXPECT_NEAR(r[2], 0.05405, 1e-8);
  EXPECT_NEAR(r[1] + r[3], -0.01, 1e-8);
}

TEST(HyperstaticCube, HasTheStatedSpectrum) {  // S:V-28
  const Matrix W = reduce(library::cube(Vector::Zero(6))).W.to_dense();
  const Vector spectrum = Eigen::SelfAdjointEigenSolver<Matrix>(W).eigenvalues();
  EXPECT_NEAR(spectrum[11], 14.3245553, 5e-8);
  EXPECT_LE(spectrum[5], 1e-13);
  EXPECT_GE(spectrum[6], 0.1);
}

TEST(HyperstaticCube, SlidesSticksOrSpinsWithTheResidualBelowTolerance) {  // S:V-28
  Workspace work;
  const auto run = [&](const Vector& v_free, Vector& r) {
    const GlobalFrictionContact global = library::cube(v_free);
    r = Vector::Zero(12);
    const SolveReport report = solve(reduce(global), r, Nsgs{.tolerance = 1e-9}, work);
    EXPECT_TRUE(report.converged());
    EXPECT_EQ(report.residual, residual(reduce(global), r));
    return std::pair(report.iterations, velocity(global, r));
  };
  Vector r;
  Vector v_free = Vector::Zero(6);
  v_free.head<3>() << 1, 0.5, -0.0981;
  const auto [sweeps, sliding] = run(v_free, r);
  EXPECT_LE(sweeps, 12);  // the card: 8
  Vector expected = Vector::Zero(6);
  expected.head<2>() << 0.9736770078, 0.4868385039;
  EXPECT_VECTOR(sliding, expected, 1e-8);
  EXPECT_NEAR(r[0] + r[3] + r[6] + r[9], 0.0981, 1e-8);
  v_free.head<3>() << 0.01, 0.005, -0.0981;
  EXPECT_LE(run(v_free, r).second.norm(), 1e-7);
  v_free.head<3>() << 1, 0.5, -0.0981;
  v_free[5] = 0.3;
  run(v_free, r);  // the solution is not unique: only the residual counts
}

TEST(RandomContacts, AreSolvedInPlaneAndSpaceWhenTheOperatorIsDefinite) {  // S:FC-30
  library::Random random(17);
  Workspace work;
  for (Index dimension : {2, 3})
    for (int trial = 0; trial < 30; ++trial) {
      const FrictionContact problem = library::random_contacts(dimension, 2 + trial, random);
      Vector r = random.vector(problem.q.size());
      const SolveReport report = solve(problem, r, Nsgs{}, work);
      EXPECT_TRUE(report.converged()) << dimension << "D, trial " << trial;
      EXPECT_LE(residual(problem, r), 1e-8 * std::max(1.0, problem.q.lpNorm<Eigen::Infinity>()));
      Vector damped = Vector::Zero(problem.q.size());
      EXPECT_TRUE(solve(problem, damped, Nsgs{.omega = 0.8}, work).converged());
      Vector automatic = Vector::Zero(problem.q.size());
      EXPECT_TRUE(solve(problem, automatic, FrictionAlgorithm(Automatic{}), work).converged());
    }
}

TEST(MixedContacts, JointsAndContactsSolveTogether) {  // any mix of sets
  library::Random random(23);
  const std::array<Index, 4> sizes{3, 5, 2, 4};
  const Index n = 14;
  const Matrix H = random.matrix(3 * n, n);
  BlockForm form{
      BlockSparse::sparse(Matrix(H.transpose() * H / (3.0 * n)).sparseView(), sizes, sizes),
      random.vector(n),
      {FrictionCone{0.5}, Reals{}, FrictionCone{0.3}, Interval{-0.2, 0.2}}};
  validate(form);
  Workspace work;
  Vector r = Vector::Zero(n);
  ASSERT_TRUE(solve(form, r, Nsgs{.tolerance = 1e-11}, work).converged());
  const Vector u = form.W.to_dense() * r + form.q;
  EXPECT_LE(u.segment(3, 5).norm(), 1e-10);
  EXPECT_LE(r.segment(10, 4).lpNorm<Eigen::Infinity>(), 0.2 + 1e-12);
}

TEST(Nsgs, RefusesABlockItCannotDivideBy) {
  BlockForm form{
      BlockSparse::dense(Rows{{0, 1}, {1, 0}}, 1), Values{-1, 1}, {Reals{}, NonNegative{}}};
  Workspace work;
  Vector r = Vector::Zero(2);
  EXPECT_EQ(solve(form, r, Nsgs{}, work).status, SolveStatus::numerical_error);
}

}  // namespace
}  // namespace saltus
