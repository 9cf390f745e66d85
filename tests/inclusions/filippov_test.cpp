// Filippov systems: sliding, regions that meet, the set of fields at a point.

#include "saltus/inclusions/filippov.hpp"
#include "saltus/inclusions/piecewise.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>

namespace saltus {
namespace {

TEST(FilippovSystem, SlidesWithTheConvexCombination) {  // TI:TI-001, F:F055, F:V17
  // f⁺ = (1, −1), f⁻ = (3, 2) at c = x₂ − sin x₁: slides along the curve
  const FilippovSystem system{
      .x0 = {0.0, 1.0},
      .above = [](double, ConstVectorRef, VectorRef f) { f << 0.5, -1; },
      .below = [](double, ConstVectorRef, VectorRef f) { f << 0.5, 2; },
      .surface = [](ConstVectorRef x) { return x[1] - std::sin(x[0]); },
      .normal = [](ConstVectorRef x, VectorRef n) { n << -std::cos(x[0]), 1; }};
  Simulation sim(system.model(), MoreauJean{.theta = 1}, {.step = 0.01});
  const Trajectory r = sim.run(6.0);
  ASSERT_TRUE(r.report.ok()) << r.report.message();
  for (Index k = 200; k < r.size(); ++k) EXPECT_NEAR(r.x(k, 1), std::sin(r.x(k, 0)), 1e-12);
  EXPECT_NEAR(r.x(600, 0), 3, 1e-12);
  EXPECT_EQ(classify(-1, 2), Surface::sliding);
  EXPECT_NEAR(sliding_share(-1, 2), 2.0 / 3, 1e-15);
  EXPECT_EQ(classify(1, 2), Surface::crossing_up);
  EXPECT_EQ(classify(-1, -2), Surface::crossing_down);
  EXPECT_EQ(classify(1, -2), Surface::repulsive);
}

TEST(ActiveRegions, GiveTheSlidingFieldOfOneSurface) {  // TI:V-01, TI:TI-006, TI:E3
  for (const double g : {0.0, 0.5, -0.5}) {
    const Matrix normals = (Matrix(2, 2) << -1, 0, 1, 0).finished();
    const Matrix fields = (Matrix(2, 2) << g - 1, g + 1, 1, 1).finished();
    const ActiveRegions active(normals, fields);
    EXPECT_EQ(active.reduced()(0, 0), 4);
    EXPECT_TRUE(active.regular());
    EXPECT_LT(
        (active.lcp_matrix(3) - (Matrix(2, 2) << 4 - g, 2 - g, 2 + g, 4 + g).finished()).norm(),
        1e-15);
    for (const double alpha : {3.0, 5.0, active.shift()}) {
      const Vector z = active.shares(alpha);
      EXPECT_NEAR(z[0], (1 + g) / 2, 1e-14);
      EXPECT_NEAR((fields * z)[0], 0, 1e-14);
    }
    Lcp lcp{BlockSparse::dense(active.lcp_matrix(3)), -Vector::Ones(2)};
    EXPECT_EQ(enumerate_solutions(lcp).size(), 1);
  }
}

TEST(ActiveRegions, RepulsiveSurfacesHaveThreeFutures) {  // TI:V-03, TI:TI-008
  const ActiveRegions active((Matrix(2, 1) << -1, 1).finished(),
                             (Matrix(1, 2) << 1, -1).finished());
  Lcp lcp{BlockSparse::dense(active.lcp_matrix(3)), -Vector::Ones(2)};
  EXPECT_LT((lcp.M.to_dense() - (Matrix(2, 2) << 2, 4, 4, 2).finished()).norm(), 1e-15);
  const auto all = enumerate_solutions(lcp);
  ASSERT_EQ(all.size(), 3);
  for (const auto& s : all) {
    const Vector w = lcp.M.to_dense() * s.z + lcp.q;
    EXPECT_TRUE((s.z - Vector::Constant(2, 1.0 / 6)).norm() < 1e-14 ||
                std::abs(s.z.maxCoeff() - 0.5) < 1e-14);
    EXPECT_NEAR(w.dot(s.z), 0, 1e-14);
  }
}

TEST(Regions, FourMeetAtAPointWithDependentGradients) {  // TI:V-05, TI:E2, TI:TI-003, TI:TI-007
  const Regions regions{.signs = {{1, -1}, {-1, -1}, {-1, 1}, {1, 1}}};
  const double c[4][2] = {{1, -1}, {-1, -1}, {-1, 1}, {1, 1}};
  for (Index i = 0; i < 4; ++i)
    EXPECT_EQ(regions.region((Vector(2) << c[i][0], c[i][1]).finished()), i);
  const Matrix normals = -regions.signs, fields = -regions.signs.transpose();  // f_i = −s_i
  const ActiveRegions active(normals, fields);
  EXPECT_FALSE(active.regular());
  Lcp lcp{BlockSparse::dense(active.lcp_matrix(active.shift())), -Vector::Ones(4)};
  for (const auto& s : enumerate_solutions(lcp)) EXPECT_LT((fields * s.z).norm(), 1e-12);
}

TEST(ProductShares, AreConvexAndOnTheirSurface) {  // TI:V-06, TI:TI-002, TI:E1
  std::mt19937 random(2);
  std::uniform_real_distribution<double> sign(-1, 1);
  for (int k = 0; k < 100; ++k) {
    const auto a = product_shares(sign(random), sign(random));
    EXPECT_NEAR(a[0] + a[1] + a[2] + a[3], 1, 1e-15);
    EXPECT_NEAR(a[0] * a[2], a[1] * a[3], 1e-16);
  }
}

TEST(FilippovSet, IsTheHullOfTheFieldsAroundWithoutNullSets) {  // F:V17, F:V18, F:F051, F:F052
  const auto cell = [](double rate, int side) {
    AffineCell out{.A = {{0.0}}, .a = {rate}};
    if (side != 0) out.G = Matrix::Constant(1, 1, side);
    if (side == 0) out.G = {{1.0}, {-1.0}};  // x = 0 alone
    return out;
  };
  const auto range = [](const std::vector<Vector>& fields) {
    double lower = inf, upper = -inf;
    for (const Vector& f : fields) lower = std::min(lower, f[0]), upper = std::max(upper, f[0]);
    return std::array{lower, upper};
  };
  const Vector zero = Vector::Zero(1);
  const PiecewiseAffineSystem sign{.cells = {cell(-1, 1), cell(1, -1)}};
  EXPECT_EQ(range(sign.filippov_fields(zero)), (std::array{-1.0, 1.0}));
  EXPECT_EQ(range(sign.filippov_fields(Vector::Ones(1))), (std::array{-1.0, -1.0}));
  EXPECT_ERROR(sign.require_continuous(Matrix::Zero(1, 1)), "differ by 2");
  const PiecewiseAffineSystem one{.cells = {cell(1, 1), cell(1, -1), cell(0, 0)}};
  EXPECT_EQ(range(one.filippov_fields(zero)), (std::array{1.0, 1.0}));
  const PiecewiseAffineSystem stiction{
      .cells = {cell(1, 1), cell(-1, -1), cell(-2, 0), cell(0, 0), cell(2, 0)}};
  EXPECT_EQ(range(stiction.filippov_fields(zero)), (std::array{-1.0, 1.0}));
  EXPECT_EQ(range(stiction.filippov_fields(zero, true)), (std::array{-2.0, 2.0}));
}

}  // namespace
}  // namespace saltus
