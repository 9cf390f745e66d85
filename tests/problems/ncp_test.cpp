// NCP and MCP: residuals, merit functions, conversions.
#include "support/expect_error.hpp"

#include "saltus/problems/mcp_merit.hpp"
#include "saltus/problems/nlp.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

Vector random_vector(Index n, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(engine); });
}

/// F(z) = w, whatever z: the pair (z, w) can be chosen freely.
Ncp constant(const Vector& w) {
  return {w.size(), [w](ConstVectorRef, VectorRef F) { F = w; }, {}};
}

TEST(Ncp, ResidualAndMeritsVanishExactlyOnTheComplementaritySet) {  // S:NCP-01, S:NCP-04, S:NCP-05
  for (double a = -2; a <= 2; a += 0.25)
    for (double b = -2; b <= 2; b += 0.25) {
      const Ncp problem = constant(Values{b});
      const Vector z = Values{a};
      const bool solution = a >= 0 && b >= 0 && a * b == 0;
      EXPECT_EQ(residual(problem, z) == 0, solution) << a << ' ' << b;
      // grid values are exact; the smallest non-zero value of either merit on the grid is > 1e-3
      EXPECT_EQ(fischer_burmeister_merit(problem, z) < 1e-12, solution) << a << ' ' << b;
      EXPECT_EQ(std::abs(implicit_lagrangian(problem, z, 2)) < 1e-12, solution) << a << ' ' << b;
      EXPECT_GE(implicit_lagrangian(problem, z, 2), -1e-14);
    }
}

TEST(Ncp, ImplicitLagrangianNeedsAlphaAboveOne) {  // S:NCP-04
  EXPECT_ERROR(implicit_lagrangian(constant(Values{1}), Vector(Values{1}), 1),
               "alpha is 1, expected > 1");
}

TEST(Ncp, LinearisationOfAnAffineMapIsTheMapItself) {
  std::mt19937 engine(1);
  const Matrix M = Matrix::NullaryExpr(4, 4, [&] { return random_vector(1, engine)[0]; });
  const Lcp lcp{BlockSparse::dense(M), random_vector(4, engine)};
  const Ncp problem = to_ncp(lcp);
  const Vector z = random_vector(4, engine);
  EXPECT_NEAR(residual(problem, z), residual(lcp, z), 1e-14);
  const Lcp again = linearise(problem, z);
  EXPECT_LE((again.M.to_dense() - M).norm(), 1e-15);
  EXPECT_LE((again.q - lcp.q).norm(), 1e-14);
}

TEST(Ncp, CentralDifferencesAreExactToTheStatedOrder) {
  const VectorFunction F = [](ConstVectorRef z, VectorRef f) {
    f[0] = std::sin(z[0]) * z[1];
    f[1] = z[0] * z[0] * z[0];
    f[2] = z[1];
  };
  const Vector z = Values{0.7, -1.3};
  Matrix J(3, 2);
  central_differences(F, z, J);
  const Matrix expected = Rows{{std::cos(0.7) * -1.3, std::sin(0.7)}, {3 * 0.49, 0}, {0, 1}};
  EXPECT_LE((J - expected).cwiseAbs().maxCoeff(), 1e-9);  // some ε^⅔ F'''
}

TEST(Ncp, ResidualIsInfiniteOnNan) {
  const Ncp problem = constant(Values{std::numeric_limits<double>::quiet_NaN()});
  EXPECT_EQ(residual(problem, Vector(Values{1})), inf);
  EXPECT_ERROR(residual(problem, Vector::Zero(2)), "z has size 2, the problem 1");
}

/// Row by row: free, lower, upper, both.
Mcp four_rows(const Vector& F) {
  return {4,
          [F](ConstVectorRef, VectorRef f) { f = F; },
          {},
          Values{-inf, 1, -inf, -1},
          Values{inf, inf, 2, 1}};
}

bool satisfies(double l, double u, double z, double F) {
  const bool inside = l <= z && z <= u;
  return inside && (F == 0 || (F > 0 && z == l) || (F < 0 && z == u));
}

TEST(Mcp, ResidualAndFischerMapVanishExactlyAtSolutions) {  // S:NCP-07, S:NCP-10c, S:NCP-10d
  for (double z = -2; z <= 3; z += 0.5)
    for (double F = -2; F <= 2; F += 0.5) {
      const Mcp problem = four_rows(Vector::Constant(4, F));
      const Vector point = Vector::Constant(4, z);
      Vector plain(4), penalised(4);
      fischer_map(problem, point, Vector::Constant(4, F), 1, plain);
      fischer_map(problem, point, Vector::Constant(4, F), 0.8, penalised);
      const Vector projected =
          point - (point.array() - F).matrix().cwiseMax(problem.lower).cwiseMin(problem.upper);
      for (Index i = 0; i < 4; ++i) {
        const bool solution = satisfies(problem.lower[i], problem.upper[i], z, F);
        EXPECT_EQ(std::abs(plain[i]) < 1e-12, solution) << "row " << i << ": " << z << ' ' << F;
        EXPECT_EQ(std::abs(penalised[i]) < 1e-12, solution) << "row " << i << ": " << z << ' ' << F;
        EXPECT_EQ(projected[i] == 0, solution);
      }
      EXPECT_EQ(residual(problem, point), projected.lpNorm<Eigen::Infinity>());
    }
}

TEST(Mcp, FischerJacobianIsTheDerivativeAwayFromKinks) {  // S:NCP-11
  std::mt19937 engine(2);
  const Matrix M = Matrix::NullaryExpr(4, 4, [&] { return random_vector(1, engine)[0]; });
  const Vector q = random_vector(4, engine);
  Mcp problem = four_rows(q);
  problem.F = [=](ConstVectorRef z, VectorRef F) { F = M * z + q; };
  for (const double lambda : {1.0, 0.8})
    for (int k = 0; k < 20; ++k) {
      const Vector z = random_vector(4, engine);
      Matrix H(4, 4), differences(4, 4);
      fischer_jacobian(problem, z, evaluate(problem.F, z), M, lambda, H);
      central_differences(
          [&](ConstVectorRef x, VectorRef phi) {
            fischer_map(problem, x, evaluate(problem.F, x), lambda, phi);
          },
          z, differences);
      EXPECT_LE((H - differences).cwiseAbs().maxCoeff(), 1e-6);
    }
}

TEST(Mcp, FischerJacobianIsFiniteAtADegeneratePoint) {  // S:NCP-11
  const Mcp problem = to_mcp(constant(Values{0, 0}));
  const Matrix J = Rows{{2, 1}, {0, 0}};
  Matrix H(2, 2);
  fischer_jacobian(problem, Vector::Zero(2), Vector::Zero(2), J, 1, H);
  // row 0: limit along (1, 1): (1, 3)/√10; row 1: (1, 0)
  const double a = 1 - 1 / std::sqrt(10.0), b = 1 - 3 / std::sqrt(10.0);
  EXPECT_NEAR(H(0, 0), a + 2 * b, 1e-15);
  EXPECT_NEAR(H(0, 1), b, 1e-15);
  EXPECT_NEAR(H(1, 1), 0, 1e-15);
}

TEST(Mcp, MultipliersSplitF) {  // S:NCP-07
  const Mcp problem = four_rows(Values{0, 2, -3, 0});
  const BoxMultipliers m = multipliers(problem, Vector::Zero(4));
  EXPECT_EQ(m.w, Vector(Values{0, 2, 0, 0}));
  EXPECT_EQ(m.v, Vector(Values{0, 0, 3, 0}));
}

TEST(Mcp, FromAPartitionHasFreeAndComplementarityRows) {  // S:NCP-06
  const Mcp problem = make_mcp(
      1, 2, [](ConstVectorRef z, VectorRef G) { G[0] = z[0] - z[1]; },
      [](ConstVectorRef z, VectorRef H) {
        H = z.tail(2) - Vector(Values{1, -1});
      });
  EXPECT_EQ(residual(problem, Vector(Values{1, 1, 0})), 0);
  EXPECT_EQ(residual(problem, Vector(Values{3, 1, 0})), 2);
  EXPECT_EQ(residual(problem, Vector(Values{1, 1, 0.5})), 0.5);
}

TEST(Mcp, OfAnMlcpHasTheSameResidual) {
  const Mlcp mlcp{BlockSparse::dense(Rows{{1, 2}, {0, 1}}), Values{1, -1}, {0}};
  for (const Vector& z : {Vector(Values{1, 1}), Vector(Values{-3, 1}), Vector(Values{0, -2})})
    EXPECT_NEAR(residual(to_mcp(mlcp), z), residual(mlcp, z), 1e-15);
}

TEST(Mcp, AsAnNcpKeepsItsSolutions) {
  // rows: lower bound 1; upper bound 2; −1 ≤ z ≤ 1. F = z − target
  for (const double t : {-3.0, 0.0, 0.5, 1.5, 4.0}) {
    const Mcp problem{3,
                      [t](ConstVectorRef z, VectorRef F) { F = z.array() - t; },
                      {},
                      Values{1, -inf, -1},
                      Values{inf, 2, 1}};
    const Ncp ncp = to_ncp(problem);
    ASSERT_EQ(ncp.n, 4);
    const Vector z = Vector::Constant(3, t).cwiseMax(problem.lower).cwiseMin(problem.upper);
    EXPECT_EQ(residual(problem, z), 0);
    Vector x(4);
    // z₀ = 1 + x₀, z₁ = 2 − x₁, z₂ = −1 + x₂, v = max(−F₂, 0)
    x << z[0] - 1, 2 - z[1], z[2] + 1, std::max(t - z[2], 0.0);
    EXPECT_EQ(residual(ncp, x), 0) << t;
    EXPECT_LE((from_ncp(problem, x) - z).norm(), 1e-15);
    Matrix given(4, 4), differences(4, 4);
    ncp.jacobian(x, given);
    central_differences(ncp.F, x, differences);
    EXPECT_LE((given - differences).cwiseAbs().maxCoeff(), 1e-8);
  }
  EXPECT_ERROR(to_ncp(four_rows(Vector::Zero(4))), "row 0 has no bound");
}

TEST(Mcp, OfAPolyhedronCarriesTheMultipliers) {  // S:VI-01b
  // project (2, 1) on {x + y ≤ 2}: z = (1.5, 0.5), λ = 0.5
  const Mcp problem = linearly_constrained(
      2,
      [](ConstVectorRef z, VectorRef F) {
        F = z - Vector(Values{2, 1});
      },
      {}, Matrix(Rows{{-1, -1}}), Vector(Values{-2}));
  EXPECT_EQ(residual(problem, Vector(Values{1.5, 0.5, 0.5})), 0);
  EXPECT_GT(residual(problem, Vector(Values{2, 1, 0})), 0.5);
}

TEST(Nlp, ResidualMeasuresTheKktConditions) {  // S:NLP-01
  Nlp problem;
  problem.n = problem.m = problem.p = 1;
  problem.f = [](ConstVectorRef z) { return z[0] * z[0]; };
  problem.g = [](ConstVectorRef z, VectorRef g) { g[0] = z[0] - 1; };
  problem.h = [](ConstVectorRef, VectorRef h) { h[0] = 0; };
  EXPECT_LE(residual(problem, {Values{1}, Values{2}, {}}), 1e-9);
  EXPECT_NEAR(residual(problem, {Values{1}, Values{0}, {}}), 2, 1e-9);
  EXPECT_NEAR(residual(problem, {Values{0}, Values{0}, {}}), 1, 1e-9);
  EXPECT_NEAR(residual(problem, {Values{3}, Values{6}, {}}), 2, 1e-9);
  EXPECT_EQ(licq(problem, Vector(Values{1})), 0);  // two gradients in one dimension
  problem.p = 0;
  EXPECT_NEAR(licq(problem, Vector(Values{1})), 1, 1e-9);
  EXPECT_EQ(licq(problem, Vector(Values{2})), inf);
}

TEST(Nlp, KktProblemHasTheJacobianOfItsMap) {  // S:NLP-01
  Nlp problem;
  problem.n = 2;
  problem.m = problem.p = 1;
  problem.f = [](ConstVectorRef z) { return z[0] * z[0] * z[1] + std::exp(z[1]); };
  problem.gradient = [](ConstVectorRef z, VectorRef d) {
    d << 2 * z[0] * z[1], z[0] * z[0] + std::exp(z[1]);
  };
  problem.g = [](ConstVectorRef z, VectorRef g) { g[0] = z[0] * z[1]; };
  problem.g_jacobian = [](ConstVectorRef z, MatrixRef J) { J << z[1], z[0]; };
  problem.h = [](ConstVectorRef z, VectorRef h) { h[0] = z.squaredNorm() - 1; };
  problem.h_jacobian = [](ConstVectorRef z, MatrixRef J) { J = 2 * z.transpose(); };
  const Mcp kkt = to_mcp(problem);
  const Vector x = Values{0.3, 0.8, -0.4, 0.7};
  Matrix given(4, 4), differences(4, 4);
  kkt.jacobian(x, given);
  central_differences(kkt.F, x, differences);
  EXPECT_LE((given - differences).cwiseAbs().maxCoeff(), 1e-8);
  EXPECT_EQ(kkt.lower, Vector(Values{-inf, -inf, -inf, 0}));
}

}  // namespace
}  // namespace saltus
