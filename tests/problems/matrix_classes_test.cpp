#include "saltus/problems/matrix_classes.hpp"

#include "solvers/problem_library.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

namespace saltus {
namespace {

MatrixClass of(const Matrix& M, Index limit = 12) { return classify(BlockSparse::dense(M), limit); }

Index least_index(const Vector& x) {
  Index i = 0;
  x.minCoeff(&i);
  return i;
}

TEST(MatrixClasses, OfTheSeedProblem) {  // S:V-01, S:LCP-02, S:LCP-03a
  const MatrixClass c = of(Rows{{1, -3}, {0, 1}});
  EXPECT_TRUE(c.symmetric.no());
  EXPECT_TRUE(c.positive_definite.no());
  EXPECT_TRUE(c.p.yes());
  EXPECT_TRUE(c.p0.yes());
  EXPECT_TRUE(c.q.yes());
  EXPECT_TRUE(c.z.yes());
  EXPECT_TRUE(c.m.yes());
  EXPECT_TRUE(c.copositive.no());
  const Vector x = c.copositive.witness;
  EXPECT_GE(x.minCoeff(), 0);
  EXPECT_LT(x.dot(Matrix(Rows{{1, -3}, {0, 1}}) * x), 0);
}

TEST(MatrixClasses, OfADefiniteMatrixFollowAtAnySize) {  // S:LCP-02
  library::Random random(1);
  for (const Index n : {2, 30, 400}) {
    const MatrixClass c = of(library::random_spd(n, random), 0);
    EXPECT_TRUE(c.symmetric.yes() && c.positive_definite.yes() && c.p.yes() &&
                c.copositive_plus.yes());
    EXPECT_TRUE(c.column_sufficient.yes() && c.row_sufficient.yes() && c.column_adequate.yes());
    EXPECT_TRUE(c.q.yes() && c.q0.yes());
  }
  const MatrixClass indefinite = of(Matrix(-Matrix::Identity(400, 400)), 0);
  EXPECT_TRUE(indefinite.positive_semidefinite.no() && indefinite.p0.no());
  const MatrixClass column = classify(library::column(1000).M);
  EXPECT_TRUE(column.positive_definite.yes() && column.m.yes());
}

TEST(MatrixClasses, OfTheDiodeBridge) {  // S:V-13, S:LCP-03b
  const MatrixClass c = classify(library::diode_bridge(1).M);
  EXPECT_TRUE(c.positive_semidefinite.yes());
  EXPECT_TRUE(c.positive_definite.no());
  EXPECT_TRUE(c.p.no());
  EXPECT_TRUE(c.p0.yes());
  EXPECT_TRUE(c.q0.yes());
  // the columns of M_·α with α = {3} are independent although m_33 = 0: w is not unique for all q
  EXPECT_TRUE(c.column_adequate.no());
}

TEST(MatrixClasses, WitnessesDisproveWhatTheyShould) {
  library::Random random(2);
  int p = 0, copositive = 0, semidefinite = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const Matrix M = random.matrix(4, 4) + 1.5 * Matrix::Identity(4, 4);
    const MatrixClass c = of(M);
    if (c.p.no()) {
      std::vector<Index> set;
      for (Index i = 0; i < 4; ++i)
        if (c.p.witness[i] > 0) set.push_back(i);
      EXPECT_LE(M(set, set).determinant(), 1e-12);
      ++p;
    }
    if (c.copositive.no()) {
      const Vector& x = c.copositive.witness;
      EXPECT_GE(x.minCoeff(), 0);
      EXPECT_LT(x.dot(M * x), 0);
      ++copositive;
    } else {
      for (int k = 0; k < 50; ++k) {
        const Vector x = random.vector(4).cwiseAbs();
        EXPECT_GE(x.dot(M * x), 0);
      }
    }
    if (c.positive_semidefinite.no()) {
      const Vector& x = c.positive_semidefinite.witness;
      EXPECT_LT(x.dot(M * x), 0);
      ++semidefinite;
    }
  }
  EXPECT_GT(p, 20);
  EXPECT_GT(copositive, 20);
  EXPECT_GT(semidefinite, 20);
}

TEST(MatrixClasses, TellCopositiveFromCopositivePlus) {  // S:LCP-03e
  const MatrixClass exchange = of(Rows{{0, 1}, {1, 0}});
  EXPECT_TRUE(exchange.copositive.yes());
  EXPECT_TRUE(exchange.copositive_plus.no());
  const Vector x = exchange.copositive_plus.witness;
  const Matrix S = Rows{{0, 2}, {2, 0}};
  EXPECT_NEAR(x.dot(S * x), 0, 1e-12);
  EXPECT_GT((S * x).norm(), 0.1);
  EXPECT_TRUE(of(Matrix::Ones(3, 3)).copositive_plus.yes());
  // Horn's matrix: copositive, neither semi-definite nor the sum of such a one and a nonnegative
  // one
  const MatrixClass horn = of(Rows{{1, -1, 1, 1, -1},
                                   {-1, 1, -1, 1, 1},
                                   {1, -1, 1, -1, 1},
                                   {1, 1, -1, 1, -1},
                                   {-1, 1, 1, -1, 1}});
  EXPECT_TRUE(horn.copositive.yes());
  EXPECT_TRUE(horn.positive_semidefinite.no());
  EXPECT_TRUE(horn.copositive_plus.no());
}

TEST(MatrixClasses, TellSufficientFromP0) {  // S:LCP-03d
  // P₀, but x = (1, −1) has x∘Mx = (−1, 0)
  const MatrixClass c = of(Rows{{0, 1}, {0, 0}});
  EXPECT_TRUE(c.p0.yes());
  EXPECT_TRUE(c.column_sufficient.no());
  const Vector x = c.column_sufficient.witness;
  const Vector product = x.cwiseProduct(Matrix(Rows{{0, 1}, {0, 0}}) * x);
  EXPECT_LE(product.maxCoeff(), 1e-12);
  EXPECT_LT(product[least_index(product)], -1e-6);
  // neither P nor semi-definite, but x∘Mx = x₁x₂ (−1, 4) never has one sign
  const MatrixClass s = of(Rows{{0, -1}, {4, 0}});
  EXPECT_TRUE(s.column_sufficient.yes());
  EXPECT_TRUE(s.row_sufficient.yes());
  EXPECT_TRUE(s.positive_semidefinite.no());
  EXPECT_TRUE(s.q0.yes());
}

TEST(MatrixClasses, ARowWithoutPositiveEntriesIsNotQ) {  // S:LCP-03c, S:LCP-26
  const MatrixClass c = of(Rows{{-1, 0}, {0, 1}});
  EXPECT_TRUE(c.q.no());
  EXPECT_EQ(c.q.witness, Vector(-Vector::Unit(2, 0)));
}

TEST(MatrixClasses, BeyondTheLimitAreUnknownUnlessImplied) {
  library::Random random(4);
  const MatrixClass c = of(random.matrix(20, 20) + 2 * Matrix::Identity(20, 20));
  EXPECT_EQ(c.p.answer, Answer::unknown);
  EXPECT_EQ(c.copositive.answer, Answer::unknown);
  EXPECT_NE(c.positive_definite.answer, Answer::unknown);
}

TEST(MatrixClasses, RefuseMatricesThatAreNotSquareOrNotFinite) {
  EXPECT_ERROR(of(Matrix::Zero(2, 3)), "2x3");
  EXPECT_ERROR(of(Matrix::Constant(2, 2, inf)), "infinite");
}

TEST(Explanation, NamesTheStatusTheClassAndTheRemedy) {
  const SolveReport stalled{SolveStatus::stalled, 3, 1.0, 0.0};
  const std::string text = explain(stalled, of(Rows{{0, 1}, {1, 0}}));
  EXPECT_NE(text.find("copositive but not copositive-plus"), std::string::npos) << text;
  EXPECT_NE(text.find("Keller"), std::string::npos) << text;
  const std::string p = explain(stalled, of(Rows{{1, -3}, {0, 1}}));
  EXPECT_NE(p.find("exactly one solution"), std::string::npos) << p;
  const SolveReport infeasible{SolveStatus::infeasible, 0, 1.0, 0.0};
  EXPECT_NE(explain(infeasible, of(Rows{{1.0}})).find("certificate"), std::string::npos);
}

}  // namespace
}  // namespace saltus
