// Quadratic programs: the cards' cases, the statuses with their proofs, and random problems on
// which all methods must agree.
#include "problem_library.hpp"

#include "saltus/problems/qp_conversions.hpp"
#include "saltus/solvers/active_set.hpp"
#include "saltus/solvers/dual_active_set.hpp"
#include "saltus/solvers/equality_qp.hpp"
#include "saltus/solvers/equality_qp_ldlt.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/mehrotra.hpp"
#include "saltus/solvers/qp_automatic.hpp"
#include "saltus/solvers/qp_interior_point.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

constexpr double digits = 1e-8;  // of the printed values

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

struct Solved {
  QpPoint point;
  SolveReport report;
  Vector certificate;
};

template <class Options>
Solved run(const Qp& problem, const Options& options, QpPoint guess = {}) {
  Workspace work;
  Solved solved{std::move(guess), {}, {}};
  solved.report = solve(problem, solved.point, options, work);
  solved.certificate = work.certificate;
  if (solved.report.converged()) {
    EXPECT_EQ(solved.report.residual, residual(problem, solved.point));
  }
  return solved;
}

Qp equality_case() {  // S:V-03
  Qp qp;
  qp.Q = Rows{{6, 2, 1}, {2, 5, 2}, {1, 2, 4}}.sparseView();
  qp.p = Values{-8, -3, -3};
  qp.C = Rows{{1, 0, 1}, {0, 1, 1}}.sparseView();
  qp.d = Values{3, 0};
  return qp;
}
Qp inequality_case() {  // S:V-04
  Qp qp;
  qp.Q = Rows{{2, 0}, {0, 2}}.sparseView();
  qp.p = Values{-2, -5};
  qp.A = Rows{{1, -2}, {-1, -2}, {-1, 2}, {1, 0}, {0, 1}}.sparseView();
  qp.b = Values{-2, -6, -2, 0, 0};
  return qp;
}
Qp bound_case(const Vector& p, double upper) {  // S:V-05
  Qp qp;
  Matrix Q = 2 * Matrix::Identity(5, 5);
  for (Index i = 0; i < 4; ++i) Q(i, i + 1) = Q(i + 1, i) = -1;
  qp.Q = Q.sparseView();
  qp.p = p;
  qp.lower = Vector::Zero(5);
  qp.upper = Vector::Constant(5, upper);
  return qp;
}
Qp unbounded_case() {  // S:V-02
  Qp qp;
  qp.Q = Rows{{0, 0}, {0, 2}}.sparseView();
  qp.p = Values{1, 0};
  qp.A = Rows{{-1, 0}}.sparseView();
  qp.b = Values{0};
  return qp;
}
/// Rows that contradict each other: z₁ + z₂ ≥ 3 in [0, 1]².
Qp infeasible_case() {
  Qp qp;
  qp.Q = Matrix::Identity(2, 2).sparseView();
  qp.p = Values{1, -1};
  qp.A = Rows{{1, 1}}.sparseView();
  qp.b = Values{3};
  qp.lower = Values{0, 0};
  qp.upper = Values{1, 1};
  return qp;
}

/// Feasible, with rows active at the known point z₀ or not, and rank(Q) = `rank`.
Qp random_qp(Index n, Index rank, library::Random& random) {
  Qp qp;
  const Matrix B = random.matrix(n, rank);
  qp.Q = Matrix(B * B.transpose()).sparseView();
  const Vector z0 = random.vector(n);
  const Matrix A = random.matrix(n, n), C = random.matrix(n / 4, n);
  qp.A = A.sparseView();
  qp.b = A * z0;
  for (Index i = 0; i < n; i += 2) qp.b[i] -= random.uniform(0, 2);
  qp.C = C.sparseView();
  qp.d = C * z0;
  qp.lower = z0.array() - 1;
  qp.upper = z0.array() + 2;
  for (Index i = 0; i < n; i += 3) qp.upper[i] = inf;
  // bounded below: the gradient at z₀ is one of multipliers
  qp.p = A.transpose() * random.vector(n).cwiseAbs() - qp.Q * z0;
  return qp;
}

template <class Options>
class EveryQpMethod : public ::testing::Test {};
using Methods = ::testing::Types<ActiveSet, DualActiveSet, QpInteriorPoint, QpAutomatic>;
TYPED_TEST_SUITE(EveryQpMethod, Methods);

// S:QP-13, S:QP-21b, S:QP-25, S:QP-03, S:QP-23
TYPED_TEST(EveryQpMethod, SolvesTheInequalityCaseAndItsDuals) {  // S:V-04
  const Qp qp = inequality_case();
  const Solved s = run(qp, TypeParam{}, QpPoint{Values{2, 0}, {}, {}, {}});
  ASSERT_TRUE(s.report.converged());
  EXPECT_VECTOR(s.point.z, (Values{1.4, 1.7}), digits);
  EXPECT_VECTOR(s.point.lambda, (Values{0.8, 0, 0, 0, 0}), digits);
  EXPECT_NEAR(objective(qp, s.point.z), -6.45, digits);
  EXPECT_NEAR(dual_objective(qp, s.point), -6.45, digits);
  const DualQp dual = to_dual(qp);
  const Solved d = run(dual.dual, TypeParam{});
  EXPECT_TRUE(d.report.converged());
  EXPECT_NEAR(objective(dual.dual, d.point.z) + dual.constant, 6.45, digits);
  EXPECT_VECTOR(dual.primal(d.point.z), s.point.z, 1e-7);  // the dual Hessian is singular
  const Qp dorn = to_dorn_dual(qp);
  const Solved dorn_solved = run(dorn, TypeParam{});
  EXPECT_TRUE(dorn_solved.report.converged());
  EXPECT_NEAR(objective(dorn, dorn_solved.point.z), 6.45, 1e-7);
}

TYPED_TEST(EveryQpMethod, SolvesTheBoundCases) {  // S:V-05
  const Qp a = bound_case(Vector::Constant(5, -1), 2);
  const Solved first = run(a, TypeParam{});
  EXPECT_VECTOR(first.point.z, (Values{1.5, 2, 2, 2, 1.5}), digits);
  EXPECT_VECTOR(first.point.bounds, (Values{0, -0.5, -1, -0.5, 0}), digits);
  const Qp b = bound_case(Values{-1, -1, 3, -1, -1}, 0.9);
  const Solved second = run(b, TypeParam{});
  EXPECT_VECTOR(second.point.z, (Values{0.9, 0.9, 0, 0.9, 0.9}), digits);
  EXPECT_VECTOR(second.point.bounds, (Values{-0.1, -0.1, 1.2, -0.1, -0.1}), digits);
  EXPECT_NEAR(objective(b, second.point.z), -1.98, digits);
}

TYPED_TEST(EveryQpMethod, SolvesEqualityProblemsToo) {  // S:V-03, S:V-06
  const Solved s = run(equality_case(), TypeParam{});
  EXPECT_VECTOR(s.point.z, (Values{2, -1, 1}), digits);
  EXPECT_VECTOR(s.point.mu, (Values{3, -2}), digits);
  Qp qp;
  qp.Q = Matrix::Identity(2, 2).sparseView();
  qp.p = Values{-1, -3};
  qp.C = Rows{{1, 1}}.sparseView();
  qp.d = Values{1};
  qp.lower = Values{0, 0};
  const Solved v6 = run(qp, TypeParam{});
  EXPECT_VECTOR(v6.point.z, (Values{0, 1}), digits);
  EXPECT_VECTOR(v6.point.bounds, (Values{1, 0}), digits);
  EXPECT_VECTOR(v6.point.mu, (Values{-2}), digits);
}

TYPED_TEST(EveryQpMethod, ProvesThatThereIsNoMinimum) {  // S:V-02, S:QP-05
  const Solved s = run(unbounded_case(), TypeParam{});
  EXPECT_EQ(s.report.status, SolveStatus::unbounded);
  EXPECT_TRUE(proves_unbounded(unbounded_case(), s.certificate));
  EXPECT_EQ(curvature(unbounded_case().Q), Curvature::positive_semidefinite);
}

TYPED_TEST(EveryQpMethod, ProvesThatNoPointIsFeasible) {
  const Solved s = run(infeasible_case(), TypeParam{});
  EXPECT_EQ(s.report.status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(infeasible_case(), s.certificate));
  Qp equalities = equality_case();  // the same row twice, with different right-hand sides
  equalities.C = Rows{{1, 0, 1}, {1, 0, 1}}.sparseView();
  const Solved e = run(equalities, TypeParam{});
  EXPECT_NE(e.report.status, SolveStatus::converged);
  if (e.report.status == SolveStatus::infeasible) {
    EXPECT_TRUE(proves_infeasible(equalities, e.certificate));
  }
}

TYPED_TEST(EveryQpMethod, AnswersNonconvexInsteadOfAStationaryPoint) {  // S:V-01, S:LCP-14
  const Solved s = run(to_gap_qp(library::seed()), TypeParam{});
  EXPECT_EQ(s.report.status, SolveStatus::nonconvex);
  EXPECT_FALSE(s.report.converged());
}

TYPED_TEST(EveryQpMethod, AgreesWithTheOthersOnRandomProblems) {
  library::Random random(11);
  for (Index n : {2, 5, 12, 30}) {
    for (int k = 0; k < 10; ++k) {
      const Qp qp = random_qp(n, k % 2 == 0 ? n : (n + 1) / 2, random);
      const Solved reference = run(qp, ActiveSet{}), s = run(qp, TypeParam{});
      ASSERT_TRUE(s.report.converged())
          << n << " " << k << " " << name(s.report.status) << " " << s.report.residual;
      const double value = objective(qp, reference.point.z);
      // a residual of 1e-8 scale changes the objective by at most that times ‖z‖₁ + ‖λ‖₁
      EXPECT_NEAR(objective(qp, s.point.z), value, 1e-6 * (1 + std::abs(value)));
    }
  }
}

TYPED_TEST(EveryQpMethod, RefusesWhatIsNoQuadraticProgram) {
  Qp qp = inequality_case();
  qp.b = Values{1};
  EXPECT_ERROR(run(qp, TypeParam{}), "b has size 1");
  qp = inequality_case();
  qp.Q = Rows{{1, 2}, {0, 1}}.sparseView();
  EXPECT_ERROR(run(qp, TypeParam{}), "symmetric");
  qp = inequality_case();
  qp.lower = Values{1, 1};
  qp.upper = Values{0, 2};
  EXPECT_ERROR(run(qp, TypeParam{}), "lower <= upper");
  EXPECT_ERROR(run(inequality_case(), TypeParam{.tolerance = 0}), "tolerance");
}

TEST(ActiveSet, SolvesLinearProgramsAndDegenerateVertices) {  // S:QP-24b
  Qp lp;  // Beale's cycling example: −3/4, 20, −1/2, 6 over three rows through the origin
  lp.p = Values{-0.75, 20, -0.5, 6};
  lp.A = Rows{{-0.25, 8, 1, -9}, {-0.5, 12, 0.5, -3}, {0, 0, -1, 0}}.sparseView();
  lp.b = Values{0, 0, -1};
  lp.lower = Vector::Zero(4);
  for (const Solved& s : {run(lp, ActiveSet{}), run(lp, DualActiveSet{}), run(lp, QpAutomatic{})}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_NEAR(lp.p.dot(s.point.z), -1.25, digits);
  }
}

TEST(ActiveSet, NeedsOneCheckFromItsOwnSolution) {  // S:GEN-01
  library::Random random(2);
  const Qp qp = random_qp(20, 20, random);
  const Solved cold = run(qp, ActiveSet{}), warm = run(qp, ActiveSet{}, cold.point);
  EXPECT_TRUE(warm.report.converged());
  EXPECT_LE(warm.report.iterations, 2);
  EXPECT_GT(cold.report.iterations, 5);
}

TEST(DualActiveSet, TakesOneStepPerViolatedRow) {
  // (1, 2.5) violates the first row only: one change
  EXPECT_EQ(run(inequality_case(), DualActiveSet{}).report.iterations, 1);
  EXPECT_LE(run(inequality_case(), DualActiveSet{}).report.residual, 1e-14);
}

TEST(QpInteriorPoint, SolvesLargeSparseProblems) {
  const Index n = 5000;
  Qp qp;
  std::vector<Eigen::Triplet<double>> entries, rows;
  for (int i = 0; i < n; ++i) {
    entries.emplace_back(i, i, 2);
    if (i + 1 < n) {
      entries.emplace_back(i, i + 1, -1);
      entries.emplace_back(i + 1, i, -1);
    }
    rows.emplace_back(i / 10, i, 1);
  }
  qp.Q.resize(n, n);
  qp.Q.setFromTriplets(entries.begin(), entries.end());
  qp.p = Vector::Constant(n, -0.01);
  qp.A.resize(n / 10, n);
  qp.A.setFromTriplets(rows.begin(), rows.end());
  qp.A *= -1;
  qp.b = Vector::Constant(n / 10, -3);
  qp.lower = Vector::Zero(n);
  qp.upper = Vector::Constant(n, 0.5);
  const Solved s = run(qp, QpInteriorPoint{});
  EXPECT_TRUE(s.report.converged()) << name(s.report.status) << " " << s.report.residual;
  EXPECT_LE(s.report.iterations, 60);
}

// S:QP-06, S:QP-07, S:QP-09, S:QP-10
TEST(EqualityQp, GivesTheSamePointByEveryMethod) {  // S:V-03
  const Qp qp = equality_case();
  for (const Solved& s :
       {run(qp, KktLdlt{}), run(qp, KktLu{}), run(qp, RangeSpace{}), run(qp, NullSpace{})}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_VECTOR(s.point.z, (Values{2, -1, 1}), 1e-12);
    EXPECT_VECTOR(s.point.mu, (Values{3, -2}), 1e-12);
    EXPECT_NEAR(objective(qp, s.point.z), -3.5, 1e-12);
  }
}

TEST(EqualityQp, SolvesDegenerateProblemsWithAShiftOrTheNullSpace) {  // S:QP-12
  Qp qp = equality_case();
  qp.C = Rows{{1, 0, 1}, {0, 1, 1}, {1, 1, 2}}.sparseView();  // the third is the sum
  qp.d = Values{3, 0, 3};
  for (const Solved& s : {run(qp, KktLdlt{.regularisation = 1e-8}),
                          run(qp, KktLu{.regularisation = 1e-8}), run(qp, NullSpace{})}) {
    EXPECT_TRUE(s.report.converged());
    EXPECT_VECTOR(s.point.z, (Values{2, -1, 1}), digits);
  }
  EXPECT_TRUE(run(qp, RangeSpace{.regularisation = 1e-8}).report.converged());
  EXPECT_EQ(run(qp, RangeSpace{}).report.status, SolveStatus::numerical_error);
  qp.d[2] = 4;
  const Solved contradiction = run(qp, NullSpace{});
  EXPECT_EQ(contradiction.report.status, SolveStatus::infeasible);
  EXPECT_TRUE(proves_infeasible(qp, contradiction.certificate));
}

TEST(EqualityQp, SeesTheCurvatureOnTheConstraintsOnly) {  // S:QP-05
  Qp qp;                                                  // indefinite, but positive on z₁ = z₂
  qp.Q = Rows{{0, 1}, {1, 0}}.sparseView();
  qp.p = Values{-1, -1};
  qp.C = Rows{{1, -1}}.sparseView();
  qp.d = Values{0};
  EXPECT_VECTOR(run(qp, KktLdlt{}).point.z, (Values{1, 1}), 1e-14);
  qp.C = Rows{{1, 1}}.sparseView();  // negative on z₁ = −z₂
  for (const Solved& s : {run(qp, KktLdlt{}), run(qp, KktLu{}), run(qp, NullSpace{})})
    EXPECT_EQ(s.report.status, SolveStatus::nonconvex);
  qp.Q = Rows{{1, 1}, {1, 1}}.sparseView();  // flat along z₁ = −z₂, where p descends
  qp.p = Values{-1, 0};
  const Solved flat = run(qp, KktLdlt{});
  EXPECT_EQ(flat.report.status, SolveStatus::unbounded);
  EXPECT_TRUE(proves_unbounded(qp, flat.certificate));
  EXPECT_ERROR(run(inequality_case(), KktLdlt{}), "equality constraints only");
}

TEST(EqualityQp, KeepsLargeProblemsSparse) {
  const Index n = 3000;
  Qp qp;
  qp.Q.resize(n, n);
  qp.Q.setIdentity();
  qp.p = Vector::LinSpaced(n, -1, 1);
  std::vector<Eigen::Triplet<double>> rows;
  for (int i = 0; i < n; ++i) rows.emplace_back(i / 3, i, 1);
  qp.C.resize(n / 3, n);
  qp.C.setFromTriplets(rows.begin(), rows.end());
  qp.d = Vector::Ones(n / 3);
  const Solved ldlt = run(qp, KktLdlt{}), lu = run(qp, KktLu{});
  EXPECT_TRUE(ldlt.report.converged());
  EXPECT_TRUE(lu.report.converged());
  EXPECT_VECTOR(ldlt.point.z, lu.point.z, 1e-10);
}

TEST(SymmetricIndefinite, SolvesAndCountsTheSigns) {  // S:QP-06
  library::Random random(4);
  for (Index n : {1, 2, 7, 25}) {
    const Matrix B = random.matrix(n, n), K = B + B.transpose();
    const SymmetricIndefinite factor(K);
    const Vector x = random.vector(n);
    EXPECT_VECTOR(factor.solve(K * x), x, 1e-9);  // condition of a random matrix up to 1e5
    const Vector values = Eigen::SelfAdjointEigenSolver<Matrix>(K).eigenvalues();
    EXPECT_EQ(factor.positive(), (values.array() > 0).count());
    EXPECT_EQ(factor.negative(), (values.array() < 0).count());
  }
  EXPECT_TRUE(SymmetricIndefinite(Matrix::Ones(2, 2)).singular());
}

TEST(QpAsComplementarity, HasTheSolutionOfTheQp) {  // S:LCP-12, S:LCP-13, S:LCP-14
  Workspace work;
  library::Random random(6);
  const Qp qp = random_qp(6, 6, random);
  const QpAsMlcp mixed = to_mlcp(qp);
  Vector z = Vector::Zero(mixed.mlcp.q.size());
  EXPECT_TRUE(solve(mixed.mlcp, z, Mehrotra{}, work).converged());
  EXPECT_LE(residual(qp, mixed.expand(z)), 1e-6);
  EXPECT_VECTOR(mixed.expand(z).z, run(qp, ActiveSet{}).point.z, 1e-5);
  const Lcp lcp = library::spd();
  EXPECT_VECTOR(run(to_symmetric_qp(lcp), ActiveSet{}).point.z, (Values{4.0 / 3, 7.0 / 3}), digits);
  const Solved bridge = run(to_gap_qp(library::diode_bridge(10)), ActiveSet{});  // semi-definite
  EXPECT_TRUE(bridge.report.converged());
  EXPECT_TRUE(closes_gap(library::diode_bridge(10), bridge.point.z, digits));
}

}  // namespace
}  // namespace saltus
