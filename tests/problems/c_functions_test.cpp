// C-functions: zero sets, signs, slopes, and their nesting for two bounds.
#include "saltus/problems/c_functions.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace saltus {
namespace {

std::vector<CFunction> functions() {
  return {Minimum{},
          Maximum{},
          Maximum{.rho = 3},
          FischerBurmeister{},
          PenalisedFischerBurmeister{},
          PenalisedFischerBurmeister{.share = 0.3},
          EvtushenkoPurtov{}};
}

double value(const CFunction& f, double w, double z) {
  return std::visit([&](const auto& phi) { return phi.value(w, z); }, f);
}
CSlope slope(const CFunction& f, double w, double z, double dw = 0, double dz = 0) {
  return std::visit([&](const auto& phi) { return phi.slope(w, z, dw, dz); }, f);
}
BoxFunction nested(const CFunction& f, double lower, double upper, double w, double z) {
  return std::visit(
      [&](const auto& phi) { return box_function(phi, lower, upper, w, z, 1.0, 1.0); }, f);
}

/// Multiples of 1/16 in [−2, 2]: exact in binary, so that zeros are hit exactly.
std::vector<double> grid() {
  std::vector<double> points;
  for (int i = -32; i <= 32; ++i) points.push_back(i / 16.0);
  return points;
}

TEST(CFunctions, VanishExactlyOnTheComplementaritySet) {
  // S:V-21, S:NCP-10a, S:NCP-10b, S:NCP-10c, S:NCP-10d, S:NCP-10e
  for (const CFunction& f : functions())
    for (double w : grid())
      for (double z : grid()) {
        const bool complementary = w >= 0 && z >= 0 && w * z == 0;
        EXPECT_EQ(value(f, w, z) == 0, complementary) << describe(f) << " at " << w << ", " << z;
      }
}

TEST(CFunctions, ArePositiveInsideAndNegativeOutsideTheQuadrant) {
  for (const CFunction& f : functions())
    for (double w : grid())
      for (double z : grid()) {
        if (w > 0 && z > 0) {
          EXPECT_GT(value(f, w, z), 0) << describe(f);
        }
        if (w < 0 || z < 0) {
          EXPECT_LT(value(f, w, z), 0) << describe(f);
        }
      }
}

TEST(EvtushenkoPurtov, HasNotTheSpuriousZeroOfTheOtherSign) {  // S:V-21, S:NCP-10e
  const double w = -(2 + std::sqrt(3.0)), z = 1, s = std::min(0.0, w + z);
  EXPECT_NEAR(w * z + s * s / 2, 0, 4e-15);  // a few roundings of terms of size 4
  EXPECT_NEAR(EvtushenkoPurtov{}.value(w, z), 2 * w * z, 4e-15);
}

TEST(Maximum, HasBothFormsOfTheLiterature) {  // S:NCP-10b
  const double rho = 4;                       // a power of two: no rounding
  for (double w : grid())
    for (double z : grid())
      EXPECT_EQ(w - std::max(0.0, w - rho * z), rho * Maximum{.rho = 1 / rho}.value(w, z));
}

TEST(FischerBurmeister, KeepsItsDigitsNextToTheAxes) {  // S:NCP-10c
  // φ(w, 1) = w − w²/2 + O(w⁴): the naive formula has an error of 1e-16 / 1e-12
  const double w = 1e-12;
  EXPECT_NEAR(FischerBurmeister{}.value(w, 1) / w, 1, 1e-11);
  EXPECT_NEAR(FischerBurmeister{}.value(1, w) / w, 1, 1e-11);
}

TEST(CFunctions, HaveTheSlopesOfTheirDifferences) {  // S:NCP-11
  const double h = 1e-6;  // central differences: h² from the third derivative, 1e-16 / h rounding
  for (const CFunction& f : functions())
    for (double w : {-1.3, -0.4, 0.7, 1.9})
      for (double z : {-1.1, -0.2, 0.5, 1.6}) {
        const CSlope s = slope(f, w, z);
        EXPECT_NEAR(s.by_w, (value(f, w + h, z) - value(f, w - h, z)) / (2 * h), 1e-9);
        EXPECT_NEAR(s.by_z, (value(f, w, z + h) - value(f, w, z - h)) / (2 * h), 1e-9);
      }
}

TEST(CFunctions, HaveTheSlopeOfTheDirectionAtTheKink) {  // S:NCP-11
  const double t = 1e-9;
  for (const CFunction& f : functions())
    for (double dw : {-1.0, 0.3, 2.0})
      for (double dz : {0.75, 1.0}) {
        const CSlope kink = slope(f, 0, 0, dw, dz), near = slope(f, t * dw, t * dz);
        EXPECT_NEAR(kink.by_w, near.by_w, 4 * t) << describe(f);
        EXPECT_NEAR(kink.by_z, near.by_z, 4 * t) << describe(f);
      }
}

TEST(BoxFunction, VanishesExactlyOnTheGraphOfTheNormalCone) {
  const double lower = -0.5, upper = 1.25;
  for (const CFunction& f : functions())
    for (double w : grid())
      for (double z : grid()) {
        const auto in_graph = [&](double l, double u) {
          return z == std::min(std::max(z - w, l), u);
        };
        const auto zero = [&](double l, double u) { return nested(f, l, u, w, z).value == 0; };
        EXPECT_EQ(zero(lower, upper), in_graph(lower, upper)) << describe(f) << w << ' ' << z;
        EXPECT_EQ(zero(lower, inf), in_graph(lower, inf)) << describe(f);
        EXPECT_EQ(zero(-inf, upper), in_graph(-inf, upper)) << describe(f);
        EXPECT_EQ(zero(-inf, inf), in_graph(-inf, inf)) << describe(f);
        EXPECT_EQ(zero(lower, lower), in_graph(lower, lower)) << describe(f);
      }
}

TEST(BoxFunction, HasTheSlopesOfItsDifferences) {
  const double h = 1e-6;
  for (const CFunction& f : functions())
    for (double w : {-1.3, -0.4, 0.7, 1.9})
      for (double z : {-1.1, -0.2, 0.45, 1.6}) {
        const auto at = [&](double dw, double dz) {
          return nested(f, -0.5, 1.25, w + dw, z + dz).value;
        };
        const CSlope s = nested(f, -0.5, 1.25, w, z).slope;
        EXPECT_NEAR(s.by_w, (at(h, 0) - at(-h, 0)) / (2 * h), 1e-8) << describe(f);
        EXPECT_NEAR(s.by_z, (at(0, h) - at(0, -h)) / (2 * h), 1e-8) << describe(f);
      }
}

TEST(BoxFunction, OfTheMinimumIsTheNaturalMap) {
  for (double w : grid())
    for (double z : grid()) {
      const double map = z - std::min(std::max(z - w, -0.5), 1.25);
      EXPECT_EQ(nested(Minimum{}, -0.5, 1.25, w, z).value, map);
    }
}

}  // namespace
}  // namespace saltus
