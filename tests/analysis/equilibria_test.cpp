// States of rest, piecewise linear forms and complementarity problems with no or several solutions.

#include "saltus/analysis/equilibria.hpp"

#include "analysis/circuits.hpp"
#include "saltus/inclusions/piecewise.hpp"
#include "saltus/problems/matrix_classes.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "saltus/solvers/lemke.hpp"
#include "saltus/solvers/workspace.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

using testing::diode_circuit;

TEST(Equilibria, OfTheFourCircuits) {  // F:V06, F:F192, F:B10, F:C0-03
  for (double R : {0.1, 1.0, 10.0}) {
    for (char which : {'a', 'c'}) {  // {x1 ≤ 0, x2 = 0}
      const Lcs s = diode_circuit(which, R);
      EXPECT_NEAR(equilibrium_lcp(s).M.to_dense()(0, 0), 0, 1e-13);
      const auto rests = equilibria(s);
      ASSERT_EQ(rests.size(), 2u) << which;  // the origin, and the ray that begins there
      const Equilibrium& ray = rests[1];
      EXPECT_TRUE(ray.family && ray.directions.cols() == 1);
      const Vector d = ray.directions.col(0) / ray.directions(2, 0);  // λ grows
      EXPECT_LT(d[0], 0);
      EXPECT_NEAR(d[1], 0, 1e-12);
      for (double length : {0.0, 1.0, 40.0}) {
        const Vector point = length * d;
        EXPECT_LE(equilibrium_residual(s, point.head(2), point.tail(1)), 1e-11 * (1 + length));
      }
      EXPECT_GT(equilibrium_residual(s, -d.head(2), -d.tail(1)), 0.5) << "not the other way";
    }
    EXPECT_NEAR(equilibrium_lcp(diode_circuit('b', R)).M.to_dense()(0, 0), R, 1e-12 * R);
    EXPECT_NEAR(equilibrium_lcp(diode_circuit('d', R)).M.to_dense()(0, 0), 1 / R, 1e-12 / R);
    for (char which : {'b', 'd'}) {
      const auto rests = equilibria(diode_circuit(which, R));
      ASSERT_EQ(rests.size(), 1u);
      EXPECT_FALSE(rests[0].family);
      EXPECT_LE(rests[0].x.norm() + rests[0].lambda.norm(), 1e-12);
    }
  }
}

TEST(Equilibria, AreTheSolutionsOfTheirLcp) {  // F:F192, F:B10
  std::mt19937 random(3);
  std::normal_distribution<double> normal;
  const auto matrix = [&](Index rows, Index columns) {
    return Matrix(Matrix::NullaryExpr(rows, columns, [&] { return normal(random); }));
  };
  for (int trial = 0; trial < 10; ++trial) {
    const Lcs s{.A = matrix(3, 3),
                .B = matrix(3, 2),
                .C = matrix(2, 3),
                .D = matrix(2, 2),
                .a = matrix(3, 1),
                .b = matrix(2, 1)};
    const auto rests = equilibria(s);
    const auto solutions = enumerate_solutions(equilibrium_lcp(s));
    ASSERT_EQ(rests.size(), solutions.size());
    for (std::size_t i = 0; i < rests.size(); ++i) {
      EXPECT_LE((rests[i].lambda - solutions[i].z).norm(), 1e-6);
      EXPECT_LE(equilibrium_residual(s, rests[i].x, rests[i].lambda), 1e-8);
    }
    SolveReport report;
    const Equilibrium one = equilibrium(s, report);
    EXPECT_EQ(report.converged(), !solutions.empty());
    if (report.converged()) {
      EXPECT_LE(equilibrium_residual(s, one.x, one.lambda), 1e-8);
    }
  }
}

TEST(Equilibria, OfASingularSystem) {  // F:B10
  // A ball on the floor: A is singular, it rests with λ = g; without weight it may rest anywhere.
  Lcs ball{.A = {{0, 1}, {0, 0}}, .B = {{0}, {1}}, .C = {{1, 0}}, .a = {0, -9.81}};
  const auto resting = equilibria(ball);
  ASSERT_EQ(resting.size(), 1u);
  EXPECT_NEAR(resting[0].lambda[0], 9.81, 1e-9);
  EXPECT_LE(resting[0].x.norm(), 1e-9);
  EXPECT_FALSE(resting[0].family);
  ball.a = Values{0, 0};
  const auto floating = equilibria(ball);
  ASSERT_FALSE(floating.empty());
  EXPECT_TRUE(floating[0].family);
  ball.a = Values{0, 9.81};
  EXPECT_TRUE(equilibria(ball).empty()) << "it flies away";
  EXPECT_ERROR(equilibrium_lcp(ball), "A is singular, its rank is 1 of 2");
}

/// λ of the complementarity problem at x; the report says whether there is one.
SolveReport multiplier(const Lcs& s, ConstVectorRef x, Vector& lambda) {
  const Lcp problem{BlockSparse::dense(s.D), s.C * x + completed(s).b};
  lambda = Vector::Zero(s.pairs());
  Workspace work;
  return solve(problem, lambda, Lemke{}, work);
}

Vector rk4(auto&& field, Vector x, double h, int steps) {
  for (int k = 0; k < steps; ++k) {
    const Vector k1 = field(x), k2 = field(x + h / 2 * k1), k3 = field(x + h / 2 * k2),
                 k4 = field(x + h * k3);
    x += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return x;
}

TEST(PiecewiseLinear, FormReproducesCircuitA) {  // F:V28, F:F198, F:B12, F:B1, F:V01
  const Lcs s = diode_circuit('a', 10);
  const PiecewiseAffineSystem pwa = to_piecewise(s);
  ASSERT_EQ(pwa.cells.size(), 2u);
  const auto by_cells = [&](ConstVectorRef x) { return pwa.rate(x); };
  const auto by_lcp = [&](ConstVectorRef x) {
    Vector lambda;
    EXPECT_TRUE(multiplier(s, x, lambda).converged());
    return Vector(s.A * x + s.B * lambda);
  };
  const Vector start = Values{1, -1};
  const Vector a = rk4(by_cells, start, 1e-3, 1000), b = rk4(by_lcp, start, 1e-3, 1000);
  EXPECT_LE((a - b).norm(), 1e-12);
  // One step of RK4 crosses the switch, where the field has a kink: an error of O(h²).
  EXPECT_LE((a - Values{-0.485895555496, -0.004548243574}).norm(), 1e-5);
}

TEST(PiecewiseLinear, ScalarSystemFollowsItsExponential) {  // F:V25, F:F196, F:B1
  // ẋ = −x + λ, w = x + λ − 1: λ = 1 − x, x = (1 − e^(−2t))/2.
  const Lcs s{.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{1}}, .b = {-1}};
  const PiecewiseAffineSystem pwa = to_piecewise(s);
  const Vector x = rk4([&](ConstVectorRef y) { return pwa.rate(y); }, Values{0}, 1e-2, 100);
  EXPECT_NEAR(x[0], (1 - std::exp(-2.0)) / 2, 1e-9);  // RK4: (2h)⁴ t /120
  Vector lambda;
  ASSERT_TRUE(multiplier(s, x, lambda).converged());
  EXPECT_NEAR(lambda[0], 1 - x[0], 1e-15);
}

TEST(PiecewiseLinear, LexicographicFormReproducesCircuitC) {  // F:V28, F:F198, F:B12, F:V03, F:F019
  const double R = 0.1, C = 1 / (4 * M_PI * M_PI), omega = std::sqrt(1 / C - R * R / 4);
  const Lcs s = diode_circuit('c', R);
  const auto field = [&](ConstVectorRef x) { return lexicographic_rate(s, x); };
  // Free: x1 = e^(−Rt/2) (cos ωt + R/2ω sin ωt), w = −x2 > 0 until t = π/ω.
  const double stop = M_PI / omega;
  EXPECT_NEAR(stop, 0.5000158, 1e-7);
  const Vector half = rk4(field, Values{1, 0}, stop / 2000, 1000);
  const double decay = std::exp(-R * stop / 4);  // sin = 1, cos = 0 at half time
  EXPECT_NEAR(half[0], decay * R / (2 * omega), 1e-9);
  EXPECT_NEAR(half[1], -decay * (omega + R * R / (4 * omega)), 1e-9);
  // At the stop the field is zero, with the multiplier that the card gives.
  const Vector rest = Values{-std::exp(-R * stop / 2), 0};
  EXPECT_NEAR(rest[0], -0.9753091, 1e-7);
  EXPECT_LE(field(rest).norm(), 1e-12);
  EXPECT_NEAR(-(s.A * rest)[1] / s.B(1, 0), 38.503662, 1e-5);
  EXPECT_ERROR(lexicographic_rate(diode_circuit('a', R), rest), "expected one pair and D = 0");
}

TEST(Degenerate, ScalarSystemHasNoSolutionOrTwo) {  // F:V49, F:C0-28
  const Lcs s{.A = {{-1}}, .B = {{1}}, .C = {{1}}, .D = {{-1}}};
  Vector lambda;
  EXPECT_FALSE(multiplier(s, Values{-1}, lambda).converged());
  EXPECT_EQ(multiplier(s, Values{-1}, lambda).status, SolveStatus::infeasible);
  const Lcp two{BlockSparse::dense(s.D), Values{1}};
  const auto solutions = enumerate_solutions(two);
  ASSERT_EQ(solutions.size(), 2u);
  EXPECT_EQ(solutions[0].z[0], 0);
  EXPECT_NEAR(solutions[1].z[0], 1, 1e-15);
  EXPECT_TRUE(classify(two.M).p.no());
}

TEST(Degenerate, ResettingSystemWithPersistentContactHasNoSolution) {  // F:V31
  // ẋ = sin(x + 5π/4) + cos(x + 3π/4) λ at x = 0: 0 ≤ λ ⟂ q + Mλ ≥ 0 with q = M = −√½.
  const double q = std::sin(5 * M_PI / 4), M = std::cos(3 * M_PI / 4);
  EXPECT_NEAR(q, -0.7071068, 1e-7);
  EXPECT_NEAR(M, -0.7071068, 1e-7);
  const Lcp problem{BlockSparse::dense(Rows{{M}}), Values{q}};
  EXPECT_TRUE(enumerate_solutions(problem).empty());
  Vector z = Vector::Zero(1);
  Workspace work;
  EXPECT_EQ(solve(problem, z, Lemke{}, work).status, SolveStatus::infeasible);
}

TEST(Degenerate, PivotingFindsTheModeThatEnumerationFinds) {  // F:V60
  std::mt19937 random(60);
  std::normal_distribution<double> normal;
  Workspace work;
  for (Index n = 1; n <= 12; ++n) {
    const Matrix G = Matrix::NullaryExpr(n, n, [&] { return normal(random); });
    const Matrix M = G * G.transpose() + 0.1 * Matrix::Identity(n, n) + G - G.transpose();
    const Lcp problem{BlockSparse::dense(M),
                      Vector::NullaryExpr(n, [&] { return normal(random); })};
    const auto all = enumerate_solutions(problem);
    ASSERT_EQ(all.size(), 1u);  // positive definite, hence P
    Vector z = Vector::Zero(n);
    ASSERT_TRUE(solve(problem, z, Lemke{}, work).converged());
    EXPECT_LE((z - all[0].z).norm(), 1e-9);
  }
}

}  // namespace
}  // namespace saltus
