// VI, AVI, SOCLCP, QVI: residuals, natural and normal map, gap functions, diagnostics, conversions.
#include "support/expect_error.hpp"

#include "saltus/problems/gap_functions.hpp"
#include "saltus/problems/qvi.hpp"
#include "saltus/problems/soclcp.hpp"
#include "saltus/problems/vi_diagnostics.hpp"

#include <gtest/gtest.h>

#include <random>

namespace saltus {
namespace {

Vector random_vector(Index n, std::mt19937& engine) {
  std::normal_distribution<double> normal;
  return Vector::NullaryExpr(n, [&] { return normal(engine); });
}

/// F(z) = z − 1 on [0, ∞).
Vi half_line() {
  return {1, NonNegative{}, [](ConstVectorRef z, VectorRef F) { F[0] = z[0] - 1; }, {}};
}

/// A smooth map on R³ over a ball, with its Jacobian.
Vi ball_problem() {
  return {3, Ball{Values{0.2, 0, -0.1}, 0.8},
          [](ConstVectorRef z, VectorRef F) {
            F << 2 * z[0] + z[1] - 1, z[1] * z[1] * z[1] + z[1] - z[0], z[2] + 0.5 * std::sin(z[0]);
          },
          [](ConstVectorRef z, MatrixRef J) {
            J << 2, 1, 0, -1, 3 * z[1] * z[1] + 1, 0, 0.5 * std::cos(z[0]), 0, 1;
          }};
}

TEST(Vi, NaturalAndNormalMapVanishTogether) {  // S:VI-10, S:VI-11
  // F = z − c: the solution is P_X(c)
  std::mt19937 engine(3);
  for (int k = 0; k < 20; ++k) {
    const Vector c = 2 * random_vector(3, engine);
    const Vi problem{3, FrictionCone{0.7}, [c](ConstVectorRef z, VectorRef F) { F = z - c; }, {}};
    Vector z(3), map(3);
    project(problem.X, c, z);
    EXPECT_LE(residual(problem, z), 1e-14);
    natural_map(problem, z, map, 0.3);
    EXPECT_LE(map.norm(), 1e-14);
    normal_map(problem, z - evaluate(problem.F, z), map);
    EXPECT_LE(map.norm(), 1e-14);
    EXPECT_GT(residual(problem, z + Vector::Ones(3)), 0.1);
  }
}

TEST(Vi, OfAnMcpHasTheSameSolutionsAndBounds) {  // S:VI-01c
  const Mcp mcp{3,
                [](ConstVectorRef z, VectorRef F) {
                  F = z - Vector(Values{-1, 0.5, 3});
                },
                {},
                Values{0, -inf, -1},
                Values{inf, inf, 2}};
  const Vi vi = to_vi(mcp);
  EXPECT_EQ(residual(vi, Vector(Values{0, 0.5, 2})), 0);
  const Mcp back = to_mcp(vi);
  EXPECT_EQ(back.lower, mcp.lower);
  EXPECT_EQ(back.upper, mcp.upper);
}

TEST(Vi, BoundsOfAProductAreFoundAndOtherSetsRefused) {
  Vector lower(5), upper(5);
  const Set box = Product{{{NonNegative{}, 1}, {Zero{}, 1}, {Reals{}, 1}, {Interval{-1, 2}, 2}}};
  EXPECT_TRUE(box_bounds(box, lower, upper));
  EXPECT_EQ(lower, Vector(Values{0, 0, -inf, -1, -1}));
  EXPECT_EQ(upper, Vector(Values{inf, 0, inf, 2, 2}));
  EXPECT_FALSE(box_bounds(Product{{{NonNegative{}, 2}, {FrictionCone{1}, 3}}}, lower, upper));
  EXPECT_ERROR(to_mcp(ball_problem()), "Ball is not a box");
}

TEST(Vi, OverAConeIsAComplementarityProblem) {  // S:VI-03
  const VectorFunction F = [](ConstVectorRef z, VectorRef f) { f = z - Vector(Values{1, 2, 0}); };
  const Vi problem = cone_problem(3, FrictionCone{1}, F);
  const Vector z = Values{1.5, 1.5, 0};
  EXPECT_LE(residual(problem, z), 1e-15);
  const Vector w = evaluate(F, z);
  EXPECT_NEAR(z.dot(w), 0, 1e-15);
  EXPECT_LE(distance(dual(problem.X), w), 1e-15);
  EXPECT_ERROR(cone_problem(2, Disk{1}, F), "Disk is not a cone");
}

TEST(DGap, HasTheStatedValues) {  // S:V-22, S:VI-08
  const Vi problem = half_line();
  const auto value = [&](double z) { return d_gap(problem, Vector(Values{z}), 1, 2); };
  EXPECT_NEAR(value(0), 0.25, 1e-15);
  EXPECT_NEAR(value(0.5), 0.0625, 1e-15);
  EXPECT_NEAR(value(2), 0.25, 1e-15);
  EXPECT_NEAR(value(-1), 1, 1e-15);
  EXPECT_NEAR(value(1), 0, 1e-15);
  EXPECT_ERROR(d_gap(problem, Vector(Values{0}), 2, 1), "expected 0 < alpha < beta");
}

TEST(GapFunctions, AreNonnegativeAndOrdered) {  // S:VI-05, S:VI-07, S:VI-08
  std::mt19937 engine(5);
  const Vi problem = ball_problem();
  for (int k = 0; k < 50; ++k) {
    Vector z = random_vector(3, engine);
    EXPECT_GE(d_gap(problem, z, 0.5, 2), -1e-14);  // everywhere
    project(problem.X, z, z);
    const double plain = gap(problem, z), regular = regularised_gap(problem, z, 1);
    EXPECT_GE(regular, -1e-14);  // on X
    EXPECT_GE(plain, regular - 1e-14);
    EXPECT_GE(regularised_gap(problem, z, 0.5), regular - 1e-14);
    EXPECT_LE(regularised_gap(problem, z, 1e-9), plain + 1e-14);
  }
}

TEST(GapFunctions, GapOfAConeIsFiniteOnTheDualOnly) {  // S:VI-05
  const Vi problem = half_line();
  EXPECT_EQ(gap(problem, Vector(Values{3})), 6);    // F = 2, F·z
  EXPECT_EQ(gap(problem, Vector(Values{0})), inf);  // F = −1
}

TEST(GapFunctions, RegularisedGapIsTheMaximumOverTheSet) {  // S:VI-07, S:VI-06
  std::mt19937 engine(7);
  const Vi problem = ball_problem();
  const double alpha = 0.7;
  const auto f = [&](ConstVectorRef z) { return alpha / 2 * z.squaredNorm(); };
  const VectorFunction gradient = [&](ConstVectorRef z, VectorRef d) { d = alpha * z; };
  const auto zero = [](ConstVectorRef) { return 0.0; };
  const VectorFunction zero_gradient = [](ConstVectorRef, VectorRef d) { d.setZero(); };
  Vector z = random_vector(3, engine);
  project(problem.X, z, z);
  const double value = regularised_gap(problem, z, alpha);
  const Vector best = regularised_gap_point(problem, z, alpha);
  EXPECT_NEAR(auchmuty_lagrangian(problem, f, gradient, z, best), value, 1e-14);
  for (int k = 0; k < 200; ++k) {
    Vector y = 3 * random_vector(3, engine);
    project(problem.X, y, y);
    EXPECT_LE(auchmuty_lagrangian(problem, f, gradient, z, y), value + 1e-14);
    EXPECT_LE(auchmuty_lagrangian(problem, zero, zero_gradient, z, y), gap(problem, z) + 1e-14);
  }
}

TEST(GapFunctions, GradientsAreThoseOfTheValues) {  // S:VI-07, S:VI-08
  std::mt19937 engine(9);
  const Vi problem = ball_problem();
  for (int k = 0; k < 10; ++k) {
    const Vector z = random_vector(3, engine);
    Matrix row(1, 3);
    central_differences(
        [&](ConstVectorRef x, VectorRef v) { v[0] = regularised_gap(problem, x, 0.6); }, z, row);
    EXPECT_LE((row.transpose() - regularised_gap_gradient(problem, z, 0.6)).norm(), 1e-7);
    central_differences([&](ConstVectorRef x, VectorRef v) { v[0] = d_gap(problem, x, 0.6, 1.7); },
                        z, row);
    EXPECT_LE((row.transpose() - d_gap_gradient(problem, z, 0.6, 1.7)).norm(), 1e-7);
  }
}

TEST(Potential, OfAGradientMapIsTheFunction) {  // S:VI-04
  // G = z₀³ z₁ + z₁², of degree 4
  const VectorFunction F = [](ConstVectorRef z, VectorRef f) {
    f << 3 * z[0] * z[0] * z[1], z[0] * z[0] * z[0] + 2 * z[1];
  };
  const Vector z = Values{1.3, -0.7};
  EXPECT_NEAR(potential(F, z), 1.3 * 1.3 * 1.3 * -0.7 + 0.49, 1e-13);
}

TEST(Diagnostics, RecogniseTheClassesOfAffineMaps) {  // S:NCP-02, S:VI-04
  const Vector lower = Vector::Constant(2, -1), upper = Vector::Ones(2);
  const auto affine = [&](const Matrix& M) {
    return diagnose([M](ConstVectorRef z, VectorRef F) { F = M * z; },
                    [M](ConstVectorRef, MatrixRef J) { J = M; }, lower, upper);
  };
  const MapDiagnostics spd = affine(Rows{{2, 1}, {1, 2}});
  EXPECT_TRUE(spd.may_be_monotone() && spd.may_be_p_function() && spd.may_be_gradient());
  EXPECT_NEAR(spd.eigenvalue, 1, 1e-12);
  EXPECT_GE(spd.strong, 1 - 1e-12);
  EXPECT_LE(spd.lipschitz, 3 + 1e-12);
  EXPECT_GE(spd.cocoercive, 1.0 / 3 - 1e-12);

  const MapDiagnostics rotation = affine(Rows{{0, 1}, {-1, 0}});
  EXPECT_TRUE(rotation.may_be_monotone());
  EXPECT_FALSE(rotation.may_be_gradient());
  EXPECT_NEAR(rotation.strong, 0, 1e-15);
  EXPECT_TRUE(rotation.pseudo_monotone);

  const MapDiagnostics seed = affine(Rows{{1, -3}, {0, 1}});  // S:V-01: P, not monotone
  EXPECT_FALSE(seed.may_be_monotone());
  EXPECT_TRUE(seed.may_be_p_function());

  const MapDiagnostics negative = affine(Rows{{-1, 0}, {0, 1}});
  EXPECT_FALSE(negative.may_be_p_function());
  EXPECT_FALSE(negative.pseudo_monotone);
}

TEST(Avi, HasTheResidualOfItsVi) {  // S:VI-01b
  std::mt19937 engine(11);
  const Matrix M = Matrix::NullaryExpr(4, 4, [&] { return random_vector(1, engine)[0]; });
  const Avi problem{BlockSparse::dense(M), random_vector(4, engine), Ball{Vector::Zero(4), 1}};
  const Vector z = random_vector(4, engine);
  EXPECT_NEAR(residual(problem, z), residual(to_vi(problem), z), 1e-14);
  const Lcp lcp{problem.M, problem.q};
  const double largest = residual(lcp, z), euclidean = residual(to_avi(lcp), z);
  EXPECT_GE(euclidean, largest - 1e-14);
  EXPECT_LE(euclidean, 2 * largest + 1e-14);  // √4
  EXPECT_ERROR(validate(Avi{problem.M, problem.q, Disk{1}}), "expected 2");
}

TEST(Soclcp, ChecksItsCones) {  // S:VI-03
  Soclcp problem{BlockSparse::dense(Matrix::Identity(4, 4)), Vector::Zero(4), {3, 1}, {}};
  EXPECT_NO_THROW(validate(problem));
  EXPECT_EQ(cone(problem).factors.size(), 2u);
  problem.sizes = {3, 2};
  EXPECT_ERROR(validate(problem), "the cones have 5 rows, q has 4");
  problem.sizes = {3, 1};
  problem.mu = Values{1, -1};
  EXPECT_ERROR(validate(problem), "mu of cone 1 is -1");
}

TEST(Qvi, WithAFixedSetIsTheVi) {  // S:VI-02
  const Vi vi = ball_problem();
  const Vector z = Values{0.3, -0.2, 0.5};
  EXPECT_EQ(residual(to_qvi(vi), z), residual(vi, z));
}

TEST(Qvi, ProjectsOnTheSetOfThePoint) {  // S:VI-02
  const Qvi problem{1,
                    [](ConstVectorRef z) {
                      return Set(Interval{0, 1 + z[0] / 2});
                    },
                    [](ConstVectorRef z, VectorRef F) { F[0] = z[0] - 3; },
                    {}};
  EXPECT_EQ(residual(problem, Vector(Values{2})), 0);
  EXPECT_EQ(residual(problem, Vector(Values{1})), 0.5);
}

}  // namespace
}  // namespace saltus
