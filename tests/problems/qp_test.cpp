// Quadratic programs: residual, proofs, diagnosis and the conversions to and from complementarity.
#include "saltus/problems/qp.hpp"

#include "saltus/base/report.hpp"
#include "saltus/problems/qp_conversions.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

#define EXPECT_VECTOR(actual, expected, tolerance) \
  EXPECT_LE((actual - expected).template lpNorm<Eigen::Infinity>(), tolerance) << actual.transpose()

/// S:V-04
Qp inequality_case() {
  Qp qp;
  qp.Q = Rows{{2, 0}, {0, 2}}.sparseView();
  qp.p = Values{-2, -5};
  qp.A = Rows{{1, -2}, {-1, -2}, {-1, 2}, {1, 0}, {0, 1}}.sparseView();
  qp.b = Values{-2, -6, -2, 0, 0};
  return qp;
}
/// S:V-06
Qp simplex_case() {
  Qp qp;
  qp.Q = Matrix::Identity(2, 2).sparseView();
  qp.p = Values{-1, -3};
  qp.C = Rows{{1, 1}}.sparseView();
  qp.d = Values{1};
  qp.lower = Values{0, 0};
  return qp;
}

TEST(QpResidual, VanishesExactlyAtTheStatedSolution) {  // S:QP-01, S:QP-02, S:V-04
  const Qp qp = inequality_case();
  const QpPoint solution{Values{1.4, 1.7}, Values{0.8, 0, 0, 0, 0}, Vector(0), Vector::Zero(2)};
  EXPECT_LE(residual(qp, solution), 1e-15);
  EXPECT_NEAR(objective(qp, solution.z), -6.45, 1e-14);
  QpPoint wrong = solution;
  wrong.lambda[1] = 0.25;  // gradient off by 0.5, slack positive
  EXPECT_NEAR(residual(qp, wrong), 0.5, 1e-15);
  wrong = solution;
  wrong.bounds[0] = 0.125;  // a multiplier without a bound
  EXPECT_NEAR(residual(qp, wrong), 0.125, 1e-15);
  wrong.z[0] = std::nan("");
  EXPECT_EQ(residual(qp, wrong), inf);
  wrong.mu = Values{1};
  EXPECT_ERROR(residual(qp, wrong), "mu");
}

TEST(QpResidual, SeesBoundsOnBothSides) {  // S:QP-02, S:V-05
  Qp qp;
  Matrix Q = 2 * Matrix::Identity(5, 5);
  for (Index i = 0; i < 4; ++i) Q(i, i + 1) = Q(i + 1, i) = -1;
  qp.Q = Q.sparseView();
  qp.p = Values{-1, -1, 3, -1, -1};
  qp.lower = Vector::Zero(5);
  qp.upper = Vector::Constant(5, 0.9);
  QpPoint point{Values{0.9, 0.9, 0, 0.9, 0.9}, Vector(0), Vector(0),
                Values{-0.1, -0.1, 1.2, -0.1, -0.1}};
  EXPECT_LE(residual(qp, point), 1e-15);
  EXPECT_NEAR(objective(qp, point.z), -1.98, 1e-14);
  EXPECT_NEAR(dual_objective(qp, point), -1.98, 1e-14);
  point.bounds[2] = -1.2;  // would pull below the lower bound
  EXPECT_GT(residual(qp, point), 0.5);
}

TEST(QpParts, MayBeEmpty) {
  Qp lp;
  lp.p = Values{1, 1};
  validate(lp);
  const Qp full = completed(lp);
  EXPECT_EQ(full.Q.rows(), 2);
  EXPECT_EQ(full.A.cols(), 2);
  EXPECT_EQ(full.lower[0], -inf);
  lp.lower = Values{0, -1};
  lp.upper = Values{inf, 1};
  const Qp rows = bounds_as_rows(lp);
  EXPECT_VECTOR(Matrix(rows.A), (Rows{{1, 0}, {0, 1}, {0, -1}}), 0);
  EXPECT_VECTOR(rows.b, (Values{0, -1, -1}), 0);
  lp.p = Values{std::nan(""), 0};
  EXPECT_ERROR(validate(lp), "p has a NaN");
}

TEST(Curvature, IsToldFromTheMatrix) {  // S:QP-05
  const auto sign = [](const Matrix& Q) { return curvature(Q.sparseView()); };
  EXPECT_EQ(sign(Rows{{2, 1}, {1, 2}}), Curvature::positive_definite);
  EXPECT_EQ(sign(Rows{{1, 1}, {1, 1}}), Curvature::positive_semidefinite);
  EXPECT_EQ(sign(Rows{{0, 0}, {0, 2}}), Curvature::positive_semidefinite);  // S:V-02
  EXPECT_EQ(sign(Rows{{2, -3}, {-3, 2}}), Curvature::indefinite);           // S:V-01
  EXPECT_EQ(sign(Rows{{1, 0}, {0, -1e-6}}), Curvature::indefinite);
  EXPECT_EQ(sign(Rows{{0, 1}, {1, 0}}), Curvature::indefinite);
  EXPECT_EQ(sign(Matrix::Zero(2, 2)), Curvature::positive_semidefinite);
}

TEST(QpDiagnosis, CountsDependentAndWeaklyActiveRows) {  // S:QP-05
  const Qp qp = inequality_case();
  const QpPoint solution{Values{1.4, 1.7}, Values{0.8, 0, 0, 0, 0}, Vector(0), Vector::Zero(2)};
  const QpDiagnosis regular = diagnose(qp, solution);
  EXPECT_EQ(regular.active, 1);
  EXPECT_EQ(regular.rank, 1);
  EXPECT_FALSE(regular.degenerate());
  Qp twice;  // z ≥ 0 as a row and as a bound, minimum exactly there
  twice.Q = Matrix::Identity(1, 1).sparseView();
  twice.p = Values{0};
  twice.A = Matrix::Identity(1, 1).sparseView();
  twice.b = Values{0};
  twice.lower = Values{0};
  const QpDiagnosis d = diagnose(twice, {Values{0}, Values{0}, Vector(0), Values{0}});
  EXPECT_EQ(d.active, 2);
  EXPECT_EQ(d.rank, 1);
  EXPECT_EQ(d.weakly_active, 2);
  EXPECT_TRUE(d.degenerate());
}

TEST(Proofs, AreAcceptedOnlyIfTheyProve) {  // S:V-02
  Qp qp;
  qp.Q = Rows{{0, 0}, {0, 2}}.sparseView();
  qp.p = Values{1, 0};
  qp.A = Rows{{-1, 0}}.sparseView();
  qp.b = Values{0};
  EXPECT_TRUE(proves_unbounded(qp, Values{-1, 0}));
  EXPECT_FALSE(proves_unbounded(qp, Values{1, 0}));     // uphill
  EXPECT_FALSE(proves_unbounded(qp, Values{-1, 0.1}));  // curved
  qp.lower = Values{-5, -inf};
  EXPECT_FALSE(proves_unbounded(qp, Values{-1, 0}));  // runs into the bound
  qp.b = Values{6};                                   // −z₁ ≥ 6 against z₁ ≥ −5
  EXPECT_TRUE(proves_infeasible(qp, Values{1, 1, 0}));
  EXPECT_FALSE(proves_infeasible(qp, Values{1, 0, 0}));    // the sum is not zero
  EXPECT_FALSE(proves_infeasible(qp, Values{-1, -1, 0}));  // sign
  qp.b = Values{4};
  EXPECT_FALSE(proves_infeasible(qp, Values{1, 1, 0}));  // no gain
}

TEST(HorizontalForm, HoldsExactlyAtTheSolution) {  // S:V-06, S:LCP-12
  const HorizontalLcp form = to_horizontal_lcp(simplex_case(), Rows{{1}, {-1}});
  EXPECT_VECTOR(Matrix(form.Q), (Rows{{1, -1}, {1, 1}}), 0);
  EXPECT_VECTOR(Matrix(form.R), (Rows{{-1, 1}, {0, 0}}), 0);
  EXPECT_EQ(residual(form, Values{0, 1}, Values{1, 0}), 0);
  const QpPoint point{Values{0, 1}, Vector(0), Values{-2}, Values{1, 0}};
  EXPECT_EQ(residual(simplex_case(), point), 0);
  EXPECT_LE(residual(to_horizontal_lcp(simplex_case()), Values{0, 1}, Values{1, 0}), 1e-15);
  EXPECT_ERROR(to_horizontal_lcp(simplex_case(), Rows{{1}, {1}}), "C Z is not zero");
  EXPECT_ERROR(to_horizontal_lcp(inequality_case()), "to_mlcp");
}

TEST(MixedForm, HoldsExactlyAtTheSolution) {  // S:LCP-12
  const QpAsMlcp form = to_mlcp(simplex_case());
  const Vector solution = Values{0, 1, -2, 1, 0};  // z, μ, λ_L
  EXPECT_EQ(residual(form.mlcp, solution), 0);
  const QpPoint back = form.expand(solution);
  EXPECT_VECTOR(back.z, (Values{0, 1}), 0);
  EXPECT_VECTOR(back.mu, (Values{-2}), 0);
  EXPECT_VECTOR(back.bounds, (Values{1, 0}), 0);
}

TEST(LcpForms, KeepTheSolution) {  // S:LCP-12, S:LCP-13, S:LCP-14, S:V-01, S:V-16
  const Lcp spd{BlockSparse::dense(Rows{{2, 1}, {1, 2}}), Values{-5, -6}};
  const Lcp again = to_lcp(to_symmetric_qp(spd));
  EXPECT_VECTOR(again.M.to_dense(), spd.M.to_dense(), 0);
  EXPECT_VECTOR(again.q, spd.q, 0);
  const Lcp seed{BlockSparse::dense(Rows{{1, -3}, {0, 1}}), Values{-1, -1}};
  EXPECT_ERROR(to_symmetric_qp(seed), "not symmetric");
  const Qp gap = to_gap_qp(seed);
  EXPECT_VECTOR(Matrix(gap.Q), (Rows{{2, -3}, {-3, 2}}), 0);
  EXPECT_EQ(objective(gap, Values{4, 1}), 0);
  EXPECT_TRUE(closes_gap(seed, Values{4, 1}, 1e-12));
  EXPECT_FALSE(closes_gap(seed, Values{5, 1}, 1e-12));  // feasible, value 5
  EXPECT_FALSE(closes_gap(seed, Values{0, 0}, 1e-12));  // value 0 but w < 0
  const Lcp redundant{BlockSparse::dense(Matrix::Ones(2, 2)), Values{-1, -1}};
  const Qp flat = to_symmetric_qp(redundant);
  for (double part : {0.0, 0.3, 0.5, 1.0})  // every split of the sum solves it
    EXPECT_LE(residual(flat, {Values{part, 1 - part}, Vector(0), Vector(0), Vector::Zero(2)}),
              1e-15);
}

TEST(Duals, HaveTheOppositeExtremum) {  // S:QP-03, S:QP-23, S:V-04
  const Qp qp = inequality_case();
  const QpPoint solution{Values{1.4, 1.7}, Values{0.8, 0, 0, 0, 0}, Vector(0), Vector::Zero(2)};
  EXPECT_NEAR(dual_objective(qp, solution), -6.45, 1e-14);
  QpPoint other = solution;
  other.lambda = Values{0.5, 0.1, 0, 0, 0};
  EXPECT_LT(dual_objective(qp, other), -6.45);  // weak duality
  other.lambda[0] = -1;
  EXPECT_EQ(dual_objective(qp, other), -inf);
  const DualQp dual = to_dual(qp);
  EXPECT_NEAR(objective(dual.dual, solution.lambda) + dual.constant, 6.45, 1e-14);
  EXPECT_VECTOR(dual.primal(solution.lambda), solution.z, 1e-14);
  const Qp dorn = to_dorn_dual(qp);
  Vector y(7);
  y << solution.z, solution.lambda;
  EXPECT_NEAR(objective(dorn, y), 6.45, 1e-14);
  EXPECT_LE((dorn.C * y - dorn.d).lpNorm<Eigen::Infinity>(), 1e-14);
  Qp flat = qp;
  flat.Q = Rows{{2, 0}, {0, 0}}.sparseView();
  EXPECT_ERROR(to_dual(flat), "positive definite");
}

}  // namespace
}  // namespace saltus
