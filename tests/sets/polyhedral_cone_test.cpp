// Nonnegative least squares and the cones built on it. Covers F:F010.
#include "cases.hpp"
#include "saltus/sets/nonnegative_least_squares.hpp"

#include <gtest/gtest.h>
#include <Eigen/QR>

namespace saltus {
namespace {

using namespace cases;

// Smallest ‖x − G c‖, c ≥ 0, by trying every set of columns (the reference, 2^m least squares).
double enumerated_distance(const Matrix& G, const Vector& x) {
  double best = x.norm();
  for (unsigned subset = 1; subset < (1u << G.cols()); ++subset) {
    std::vector<Index> columns;
    for (Index j = 0; j < G.cols(); ++j)
      if (subset & (1u << j)) columns.push_back(j);
    const Matrix part = G(Eigen::all, columns);
    const Vector c = part.colPivHouseholderQr().solve(x);
    if (c.minCoeff() >= 0) best = std::min(best, (x - part * c).norm());
  }
  return best;
}

// Optimality: c ≥ 0, Gᵀr ≤ 0 within the documented 16 n ε ‖x‖‖g‖ (twice, for its own rounding),
// r ⟂ G c.
void expect_optimal(const Matrix& G, const Vector& x, const NonnegativeFit& fit) {
  const double tolerance = 2 * 16 * static_cast<double>(x.size()) * 2.2e-16 * x.norm();
  EXPECT_TRUE((fit.coefficients.array() >= 0).all());
  EXPECT_LE((x - G * fit.coefficients - fit.residual).norm(), rounding);
  for (Index j = 0; j < G.cols(); ++j)
    EXPECT_LE(G.col(j).dot(fit.residual), tolerance * G.col(j).norm());
  EXPECT_NEAR(fit.residual.dot(G * fit.coefficients), 0, rounding_of_products);
}

TEST(NonnegativeLeastSquares, EqualsEnumerationOfAllActiveSets) {
  Random random(41);
  for (int k = 0; k < 200; ++k) {
    const Index n = 2 + k % 4, m = 1 + k % 8;
    const Matrix G = gaussian_matrix(n, m, random);
    const Vector x = gaussian(n, random, 2);
    const NonnegativeFit fit = nonnegative_least_squares(G, x);
    // Two random columns can be nearly parallel: condition up to about 1e4 over the samples.
    EXPECT_NEAR(fit.residual.norm(), enumerated_distance(G, x), 1e-10);
    EXPECT_GE(fit.coefficients.minCoeff(), 0);
  }
}

TEST(NonnegativeLeastSquares, IsOptimalOnRandomData) {
  Random random(43);
  for (int k = 0; k < 300; ++k) {
    const Index n = 1 + k % 12, m = 1 + k % 30;
    const Matrix G = gaussian_matrix(n, m, random);
    const Vector x = gaussian(n, random, 2);
    expect_optimal(G, x, nonnegative_least_squares(G, x));
  }
}

TEST(NonnegativeLeastSquares, EndsOnRepeatedDependentAndZeroColumns) {
  Random random(47);
  for (int k = 0; k < 300; ++k) {
    const Matrix basis = gaussian_matrix(5, 2, random);
    Matrix G(5, 9);
    G << basis, basis, basis * gaussian_matrix(2, 3, random), 1e-8 * basis.col(0), Vector::Zero(5);
    const Vector x = gaussian(5, random, 2);
    const NonnegativeFit fit = nonnegative_least_squares(G, x);
    expect_optimal(G, x, fit);
    EXPECT_EQ(fit.coefficients[8], 0);
    EXPECT_LE(fit.iterations, 60);
  }
}

TEST(NonnegativeLeastSquares, EndsOnColumnsEqualUpToRounding) {
  Random random(53);
  for (int k = 0; k < 300; ++k) {
    const Vector g = gaussian(4, random);
    Matrix G(4, 8);
    for (Index j = 0; j < 8; ++j) G.col(j) = g + 1e-15 * gaussian(4, random);
    const Vector x = gaussian(4, random, 2);
    const double exact = g.dot(x) > 0 ? (x - g * (g.dot(x) / g.squaredNorm())).norm() : x.norm();
    // The fan has width 1e-15 ‖g‖: its distance differs from that of g by some roundings of ‖x‖.
    EXPECT_NEAR(nonnegative_least_squares(G, x).residual.norm(), exact, 1e-13);
  }
}

TEST(NonnegativeLeastSquares, WithoutColumnsOrDataIsZero) {
  EXPECT_EQ(nonnegative_least_squares(Matrix(3, 0), Values{1, 2, 3}).residual, Values({1, 2, 3}));
  EXPECT_EQ(nonnegative_least_squares(simplicial(), Vector::Zero(3)).coefficients, Vector::Zero(3));
}

TEST(PolyhedralCone, ByGeneratorsAndByInequalitiesAgreeOnSimplicialCones) {
  Random random(59);
  for (int k = 0; k < 300; ++k) {
    const Matrix G = Matrix::Identity(3, 3) + 0.25 * gaussian_matrix(3, 3, random);
    // The error grows with the square of the condition number: leave out the few flat cones.
    if (std::abs(G.determinant()) < 0.1) continue;
    const auto by_generators = PolyhedralCone::from_generators(G);
    const auto by_inequalities = PolyhedralCone::from_inequalities(G.inverse());
    const PolyhedralCone both{G, G.inverse()};
    validate(both);
    const Vector x = gaussian(3, random, 2), p = projection(by_generators, x);
    EXPECT_LE((p - projection(by_inequalities, x)).norm(), rounding);
    EXPECT_EQ(p, projection(both, x));
    EXPECT_NEAR(distance(by_generators, x), distance(by_inequalities, x), rounding);
    EXPECT_EQ(support(by_generators, x), support(by_inequalities, x));
  }
}

TEST(PolyhedralCone, OfTheUnitVectorsIsTheOrthant) {
  Random random(61);
  const auto K = PolyhedralCone::from_generators(Matrix::Identity(4, 4));
  for (int k = 0; k < 200; ++k) {
    const Vector x = gaussian(4, random, 2);
    EXPECT_LE((projection(K, x) - projection(NonNegative{}, x)).norm(), 1e-15);
    EXPECT_EQ(support(K, x), support(NonNegative{}, x));
    EXPECT_EQ(jacobian(K, x), jacobian(NonNegative{}, x));
  }
}

TEST(PolyhedralCone, InThePlaneIsTheFrictionConeInTwoDimensions) {
  Random random(67);
  const double mu = 0.4;
  const auto K = PolyhedralCone::from_generators(Rows{{1, 1}, {mu, -mu}});
  const auto facets = PolyhedralCone::from_inequalities(Rows{{mu, 1}, {mu, -1}});
  for (int k = 0; k < 300; ++k) {
    const Vector x = gaussian(2, random, 2), p = projection(FrictionCone{mu}, x);
    EXPECT_LE((projection(K, x) - p).norm(), 1e-13);
    EXPECT_LE((projection(facets, x) - p).norm(), 1e-13);
  }
}

// K_ω ⊂ K is inscribed: a point p of K is at most μ p_N (1 − cos(π/ω)) from K_ω, so with p = P_K(x)
//     0 ≤ d_ω − d ≤ μ p_N (1 − cos(π/ω)),   ‖p_ω − p‖² ≤ d_ω² − d²   (p_ω ∈ K, x − p normal at p).
TEST(PolyhedralCone, WithManyFacetsConvergesToTheFrictionCone) {
  Random random(71);
  const double mu = 0.7;
  double last = inf;
  for (const Index facets : {4, 8, 16, 32, 64, 128, 256}) {
    const auto K = PolyhedralCone::from_generators(faceted_generators(mu, facets));
    const double sagitta = 1 - std::cos(std::numbers::pi / static_cast<double>(facets));
    double worst = 0;
    for (int k = 0; k < 60; ++k) {
      const Vector x = gaussian(3, random, 2), p = projection(FrictionCone{mu}, x);
      const double d = distance(FrictionCone{mu}, x), d_facets = distance(K, x);
      EXPECT_GE(d_facets, d - rounding);
      EXPECT_LE(d_facets - d, mu * p[0] * sagitta + rounding);
      EXPECT_LE((projection(K, x) - p).squaredNorm(),
                d_facets * d_facets - d * d + rounding_of_products);
      worst = std::max(worst, d_facets - d);
    }
    EXPECT_LT(worst, last);
    last = worst;
  }
  EXPECT_LE(last, 10 * mu * std::pow(std::numbers::pi / 256, 2) / 2);
}

TEST(PolyhedralCone, WithoutGeneratorsIsTheOriginAndWithoutInequalitiesTheSpace) {
  const auto origin = PolyhedralCone::from_generators(Matrix(3, 0));
  const auto space = PolyhedralCone::from_inequalities(Matrix(0, 3));
  const Values x{1, -2, 3};
  EXPECT_EQ(projection(origin, x), Vector::Zero(3));
  EXPECT_EQ(projection(space, x), x);
  EXPECT_EQ(projection(dual(origin), x), x);
  EXPECT_EQ(projection(dual(space), x), Vector::Zero(3));
  EXPECT_EQ(jacobian(origin, x), Matrix::Zero(3, 3));
  EXPECT_EQ(jacobian(space, x), Matrix::Identity(3, 3));
  EXPECT_EQ(support(origin, x), 0);
  EXPECT_EQ(support(space, x), inf);
  EXPECT_TRUE(contains(space, x));
  EXPECT_FALSE(contains(origin, x));
}

TEST(PolyhedralCone, ByInequalitiesContainsItsBoundaryWithoutTolerance) {
  const auto K = PolyhedralCone::from_inequalities(Rows{{1, 1, 0}, {1, -1, 0}});
  EXPECT_TRUE(contains(K, Values{1, 1, 5}));
  EXPECT_FALSE(contains(K, Values{1, 1.0001, 5}));
}

}  // namespace
}  // namespace saltus
