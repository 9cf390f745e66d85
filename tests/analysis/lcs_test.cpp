// Relative degree, Markov parameters, transfer function and the form with zero dynamics.

#include "saltus/systems/lcs.hpp"

#include "analysis/circuits.hpp"
#include "saltus/systems/zero_dynamics.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <random>

namespace saltus {
namespace {

using testing::diode_circuit;

/// Example 5.1 of the monograph.
Lcs fourth_order(double alpha, double beta) {
  return {.A = {{2, 7, 3 - 2 * alpha, -2 * beta + 2},
                {-1, -3, -1 + alpha, beta - 1},
                {0, 0, 0, 1},
                {1, 2, 1, 0}},
          .B = {{-2}, {1}, {0}, {0}},
          .C = {{1, 2, 0, 0}}};
}

TEST(RelativeDegree, OfKnownSystems) {  // F:V50, F:F193, F:F194, F:F195, TI:TI-140
  EXPECT_EQ(relative_degree(diode_circuit('a', 10)).uniform(), 0);
  EXPECT_EQ(relative_degree(diode_circuit('b', 10)).uniform(), 0);
  EXPECT_EQ(relative_degree(diode_circuit('c', 0.1)).uniform(), 1);
  EXPECT_EQ(relative_degree(diode_circuit('d', 10)).uniform(), 1);
  const Lcs ball{.A = {{0, 1}, {0, 0}}, .B = {{0}, {1}}, .C = {{1, 0}}, .a = {0, -9.81}};
  EXPECT_EQ(relative_degree(ball).uniform(), 2);
  const Lcs triple{.A = {{0, 1, 0}, {0, 0, 1}, {0, 0, 0}}, .B = {{0}, {0}, {1}}, .C = {{1, 0, 0}}};
  EXPECT_EQ(relative_degree(triple).uniform(), 3);
  // Linear gradient system ẋ + Ax = Gᵀλ, w = Gx: degree 1 if G has full rank.
  const Rows G{{1, 2, 0}, {0, 1, -1}};
  Lcs gradient{.A = {{-1, 2, 0}, {0, -3, 1}, {1, 0, -1}}, .B = G.transpose(), .C = G};
  EXPECT_EQ(relative_degree(gradient).uniform(), 1);
  EXPECT_LE((relative_degree(gradient).decoupling - G * G.transpose()).norm(), 1e-15);
  gradient.C.row(1) = 2 * gradient.C.row(0);
  gradient.B = gradient.C.transpose();
  EXPECT_FALSE(relative_degree(gradient).exists) << "dependent rows";
}

TEST(RelativeDegree, IsAVectorWhereOutputsDiffer) {  // F:F194
  const Lcs s{.A = {{0, 1, 0}, {0, 0, 0}, {0, 0, -1}},
              .B = {{0, 0}, {1, 0}, {0, 1}},
              .C = {{1, 0, 0}, {0, 0, 1}}};
  const RelativeDegree degree = relative_degree(s);
  EXPECT_TRUE(degree.exists);
  EXPECT_EQ(degree.degrees, (std::vector<Index>{2, 1}));
  EXPECT_EQ(degree.uniform(), -1);
  EXPECT_EQ(degree.sum(), 3);
  EXPECT_EQ(degree.largest(), 2);
  EXPECT_TRUE(degree.decoupling.isIdentity(0));
  Lcs none = s;
  none.B.col(1).setZero();
  EXPECT_EQ(relative_degree(none).degrees, (std::vector<Index>{2, -1}));
  EXPECT_FALSE(relative_degree(none).exists);
}

TEST(RelativeDegree, IsUniformIfMarkovParametersUpToRMinusTwoAreZero) {  // F:C0-29, F:F194
  // CAⁱB = 0 for i = 0 … r − 2 and CA^(r−1)B regular: two chains of r = 3
  Lcs s{.A = Matrix::Zero(6, 6), .B = Matrix::Zero(6, 2), .C = Matrix::Zero(2, 6)};
  s.A.topRightCorner(4, 4).setIdentity();
  s.B.bottomRows(2) << 2, 1, 0, 1;
  s.C.leftCols(2).setIdentity();
  const std::vector<Matrix> markov = markov_parameters(s, 4);  // D, CB, CAB, CA²B
  EXPECT_TRUE(markov[1].isZero(0));
  EXPECT_TRUE(markov[2].isZero(0));
  EXPECT_EQ(relative_degree(s).uniform(), 3);
  EXPECT_EQ(relative_degree(s).decoupling, markov[3]);
  s.B(3, 1) = 1;  // CAB ≠ 0, though CA²B is regular as before
  EXPECT_EQ(markov_parameters(s, 4)[3], markov[3]);
  EXPECT_EQ(relative_degree(s).degrees, (std::vector<Index>{3, 2}));
  EXPECT_EQ(relative_degree(s).uniform(), -1);
}

TEST(RelativeDegree, IgnoresRoundingInTheMarkovParameters) {  // F:B13
  // A random change of coordinates leaves CB, CAB at rounding size and CA²B = 1.
  std::mt19937 random(4);
  std::normal_distribution<double> normal;
  const Matrix T = Matrix::NullaryExpr(5, 5, [&] { return normal(random); });
  Lcs s{.A = Matrix::Zero(5, 5), .B = Matrix::Zero(5, 1), .C = Matrix::Zero(1, 5)};
  s.A.topRightCorner(4, 4).setIdentity();
  s.A.row(4) << 1, -2, 0.5, 3, -1;
  s.B(2, 0) = 1;
  s.B(4, 0) = -2;
  s.C(0, 0) = 1;
  EXPECT_EQ(relative_degree(transformed(s, T)).uniform(), 3);
}

TEST(TransferFunction, HasTheDegreesOfTheMarkovParameters) {  // F:F193, F:V52, F:C0-31
  const double alpha = 0.3, beta = -0.7;
  const TransferFunction H = transfer_function(fourth_order(alpha, beta));
  EXPECT_LE((H.numerator - Values{-1, 0, 1, 0, 0}).norm(), 1e-14);
  EXPECT_LE((H.denominator - Values{-1 - alpha, -(1 + beta), 0, 1, 1}).norm(), 1e-14);
  const TransferFunction direct = transfer_function(diode_circuit('b', 10));
  EXPECT_NEAR(direct.numerator[2], 10, 1e-14);  // degree 0: both polynomials have degree n
}

TEST(ZeroDynamics, FourthOrderExampleHasThePrintedForm) {  // F:V52, F:F199, F:B13, TI:TI-141
  const double alpha = 0.3, beta = -0.7;
  const Lcs s = fourth_order(alpha, beta);
  const auto markov = markov_parameters(s, 3);
  EXPECT_EQ(markov[0](0, 0), 0);
  EXPECT_EQ(markov[1](0, 0), 0);
  EXPECT_EQ(markov[2](0, 0), 1);
  const Rows W{{1, 2, 0, 0}, {0, 1, 1, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  const Rows canonical{{0, 1, 0, 0}, {-1, -1, alpha, beta}, {0, 0, 0, 1}, {1, 0, 1, 0}};
  const Lcs given = transformed(s, W);
  EXPECT_LE((given.A - canonical).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((given.B - Values{0, 1, 0, 0}).norm(), 1e-15);
  EXPECT_LE((given.C - Eigen::RowVector4d(1, 0, 0, 0)).norm(), 1e-15);
  const ZeroDynamicsForm form = zero_dynamics_form(s);  // finds the same coordinates
  EXPECT_LE((form.W - W).cwiseAbs().maxCoeff(), 1e-14);
  EXPECT_LE((form.A - canonical).cwiseAbs().maxCoeff(), 1e-13);
  Vector zeros = form.A_xi.eigenvalues().real();
  std::sort(zeros.begin(), zeros.end());
  EXPECT_LE((zeros - Values{-1, 1}).norm(), 1e-13);
}

/// What the form promises, for any system.
void expect_canonical(const Lcs& given, double tolerance) {
  const Lcs s = completed(given);
  const ZeroDynamicsForm form = zero_dynamics_form(s);
  const Index n = s.states(), m = s.pairs(), rho = form.chains;
  EXPECT_LE((form.W * form.inverse - Matrix::Identity(n, n)).norm(), tolerance);
  EXPECT_LE((form.W * s.A * form.inverse - form.A).norm(), tolerance * (1 + s.A.norm()));
  const Matrix WB = form.W * s.B;
  EXPECT_LE(WB.bottomRows(n - rho).norm(), tolerance);
  for (Index j = 0; j < m; ++j) {
    EXPECT_LE((form.W.row(j) - s.C.row(j)).norm(), tolerance);
    for (Index i = 0; i + 1 < form.degrees[j]; ++i) {
      EXPECT_LE(WB.row(form.row(j, i)).norm(), tolerance);
      EXPECT_EQ(form.A(form.row(j, i), form.row(j, i + 1)), 1);
    }
    EXPECT_LE((WB.row(form.row(j, form.degrees[j] - 1)) - form.decoupling.row(j)).norm(),
              tolerance);
  }
  // ẋ = Ax + a in both coordinates: W(Ax + a) = Ãz + c, with ξ̇ a function of ξ and w alone.
  const Vector x = Vector::LinSpaced(n, -1, 2);
  const Vector z = form.to_canonical(x);
  EXPECT_LE((form.from_canonical(z) - x).norm(), tolerance);
  EXPECT_LE((z.head(m) - s.C * x - s.b).norm(), tolerance);
  EXPECT_LE((form.W * (s.A * x + s.a) - form.A * z - form.c).norm(), tolerance * (1 + s.A.norm()));
}

TEST(ZeroDynamics, DecouplesRandomSystemsOfEveryDegree) {  // F:F199, TI:TI-141
  std::mt19937 random(11);
  std::normal_distribution<double> normal;
  const auto matrix = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  for (Index n = 2; n <= 6; ++n)
    for (Index r = 1; r <= n; ++r) {
      Lcs s{.A = matrix(n, n), .B = Matrix::Zero(n, 1), .C = Matrix::Zero(1, n)};
      s.A.topRows(r - 1).setZero();  // a chain of r, a full zero dynamics that feels all of it
      for (Index i = 0; i + 1 < r; ++i) s.A(i, i + 1) = 1;
      s.B(r - 1, 0) = 1.5;
      s.C(0, 0) = 1;
      s.a = matrix(n, 1);
      s.b = Values{0.7};
      const Lcs mixed = transformed(s, matrix(n, n));
      ASSERT_EQ(relative_degree(mixed).uniform(), r);
      expect_canonical(s, 1e-10);
      expect_canonical(mixed, 1e-8);  // n ≤ 6 random matrices: condition numbers up to 1e4 or so
    }
}

TEST(ZeroDynamics, TakesSeveralOutputsOfDifferentDegree) {  // F:F194, F:F199
  Lcs s{.A = {{0, 1, 0, 0, 0},
              {1, 2, 0.5, 1, -1},
              {2, -1, 0, 3, 1},
              {1, 1, 1, -1, 0},
              {0, 2, 1, 1, 1}},
        .B = {{0, 0}, {2, 1}, {-1, 1}, {0, 0}, {0, 0}},
        .C = {{1, 0, 0, 0, 0}, {0, 0, 1, 0, 0}}};
  expect_canonical(s, 1e-12);
  const ZeroDynamicsForm form = zero_dynamics_form(s);
  EXPECT_EQ(form.degrees, (std::vector<Index>{2, 1}));
  EXPECT_EQ(form.row(0, 0), 0);
  EXPECT_EQ(form.row(1, 0), 1);
  EXPECT_EQ(form.row(0, 1), 2);
  EXPECT_EQ(form.A_xi.rows(), 2);
}

TEST(Lcs, RefusesDataThatDoNotFit) {
  EXPECT_ERROR(completed(Lcs{}), "A is empty");
  EXPECT_ERROR((Lcs{.A = {{1, 2}}, .B = {{1}}, .C = {{1}}}.check()), "A is 1×2, expected 1×1");
  EXPECT_ERROR((Lcs{.A = {{1}}, .B = {{1, 2}}, .C = {{1}}}.check()), "B is 1×2, expected 1×1");
  EXPECT_ERROR((Lcs{.A = {{1}}, .B = {{1}}, .C = {{1}}, .b = {1, 2}}.check()), "b is 2×1");
  EXPECT_ERROR((Lcs{.A = {{NAN}}, .B = {{1}}, .C = {{1}}}.check()), "NaN");
  EXPECT_ERROR(transfer_function(Lcs{.A = {{1}}, .B = {{1, 1}}, .C = {{1}, {1}}}), "has 2 pairs");
  EXPECT_ERROR(transformed(diode_circuit('a', 1), Matrix::Zero(2, 2)), "singular");
}

}  // namespace
}  // namespace saltus
