// Filippov systems with two surfaces as nonlinear complementarity systems.

#include "saltus/integrators/two_surfaces.hpp"

#include "saltus/inclusions/filippov.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

constexpr std::array<std::array<double, 2>, 4> signs{{{1, -1}, {-1, -1}, {-1, 1}, {1, 1}}};

/// ẋ = F(x, s₁, s₂), at most linear in each of the signs: its values in the corners of the square.
template <class Bilinear>
TwoSurfaceSystem of_signs(const Values& x0, const Bilinear& F) {
  TwoSurfaceSystem system{.x0 = x0};
  for (std::size_t i = 0; i < 4; ++i)
    system.fields[i] = [F, s = signs[i]](double, ConstVectorRef x, VectorRef f) {
      F(x, s[0], s[1], f);
    };
  return system;
}

/// ċ₁ = d₁ − s₁ + κ s₁s₂, ċ₂ = d₂ − s₂, ż = s₁s₂ in x = (c₁, c₂, z).
constexpr double d1 = 0.4, d2 = -0.5, kappa = 0.5;
TwoSurfaceSystem corner(const Values& x0) {
  TwoSurfaceSystem system = of_signs(x0, [](ConstVectorRef, double s1, double s2, VectorRef f) {
    f << d1 - s1 + kappa * s1 * s2, d2 - s2, s1 * s2;
  });
  system.surfaces = [](ConstVectorRef x, VectorRef c) { c = x.head(2); };
  return system;
}

TEST(TwoSurfaces, AreReachedOneAfterTheOtherAndKept) {  // TI:TI-080, TI:TI-002, TI:E1, F:F095
  // Both signs 1 until c₂ = 0; then s₂ = d₂, s₁ = 1 until c₁ = 0; then s₁ = d₁/(1 − κd₂).
  const double first = 0.2 / 1.5, c1 = 0.3 - 0.1 * first;
  const double second = c1 / 0.85;
  const double s1 = d1 / (1 - kappa * d2);
  EXPECT_NEAR(s1, 0.32, 1e-15);
  const double z = first - 0.5 * second + s1 * d2 * (1 - first - second);
  EXPECT_NEAR(z, -0.12, 1e-12);
  const auto error = [&](double h) {
    const TwoSurfaceRun run = simulate(corner({0.3, 0.2, 0.0}), h, 1);
    EXPECT_TRUE(run.done());
    const Index last = run.t.size() - 1;
    const auto reached = static_cast<Index>(std::ceil((first + second) / h)) + 1;
    for (Index k = reached; k <= last; ++k) {  // no chattering: exactly on both, the same signs
      EXPECT_LE(run.x.col(k).head(2).norm(), 1e-10);
      if (k == reached) continue;
      EXPECT_NEAR(run.s(0, k), s1, 1e-8);  // rounding of 1e-10 in c over h
      EXPECT_NEAR(run.s(1, k), d2, 1e-8);
      EXPECT_NEAR((run.x(2, k) - run.x(2, k - 1)) / h, s1 * d2, 1e-7);
    }
    return std::abs(run.x(2, last) - z);
  };
  EXPECT_LT(error(0.01), 0.02);  // at most 1.5 h per surface
  EXPECT_LT(error(0.002), 0.004);
}

TEST(TwoSurfaces, TheProductFormFixesWhatTheHullLeavesOpen) {  // TI:TI-080, TI:E2, TI:V-05, TI:V-06
  const TwoSurfaceSystem system = corner({0.0, 0.0, 0.0});
  Matrix fields(3, 4), normals = Matrix::Zero(4, 3);
  Vector f(3);
  for (Index i = 0; i < 4; ++i) {
    system.fields[static_cast<std::size_t>(i)](0, system.x0, f);
    fields.col(i) = f;
    normals(i, 0) = -signs[static_cast<std::size_t>(i)][0];  // h_i = −s_i1 c₁ − s_i2 c₂
    normals(i, 1) = -signs[static_cast<std::size_t>(i)][1];
  }
  const ActiveRegions regions(normals, fields);
  EXPECT_FALSE(regions.regular());
  EXPECT_ERROR((void)regions.shares(regions.shift()), "not unique");
  Vector s = Vector::Zero(2);
  ASSERT_TRUE(system.sliding(0, system.x0, s, NcpAutomatic{.tolerance = 1e-12}).converged());
  EXPECT_NEAR(s[0], d1 / (1 - kappa * d2), 1e-10);
  EXPECT_NEAR(s[1], d2, 1e-10);
  const Vector rate = system.rate(0, system.x0, s[0], s[1]);
  EXPECT_LE(rate.head(2).norm(), 1e-10);
  EXPECT_NEAR(rate[2], s[0] * s[1], 1e-12);
  const auto alpha = product_shares(s[0], s[1]);
  EXPECT_LE((fields * Eigen::Map<const Eigen::Vector4d>(alpha.data()) - rate).norm(), 1e-14);
}

TEST(TwoSurfaces, CurvedOnesMeetInACircle) {  // TI:TI-080
  // The sphere ‖x‖² = 1 and the plane x₃ = 0; ẋ = Ω(1 + k s₂) e₃×x − a s₁ x + b(d − s₂) e₃. On the
  // circle s₁ = 0 (backward Euler: O(h)), s₂ = d: rotation at Ω(1 + kd).
  const double Omega = 2, k = 0.5, a = 3, b = 1, d = 0.4, h = 0.01;
  TwoSurfaceSystem system =
      of_signs({1.3, 0.0, 0.2}, [=](ConstVectorRef x, double s1, double s2, VectorRef f) {
        const double w = Omega * (1 + k * s2);
        f << -w * x[1] - a * s1 * x[0], w * x[0] - a * s1 * x[1], -a * s1 * x[2] + b * (d - s2);
      });
  system.surfaces = [](ConstVectorRef x, VectorRef c) { c << x.squaredNorm() - 1, x[2]; };
  const TwoSurfaceRun run = simulate(system, h, 2);
  ASSERT_TRUE(run.done());
  // ‖x⁺‖ = ‖x‖ and (1 + a h s₁)x⁺ − hω e₃×x⁺ = x turn x by asin(hω) in every step.
  const double turn = std::asin(h * Omega * (1 + k * d));
  for (Index i = 101; i < run.t.size(); ++i) {
    EXPECT_NEAR(run.x.col(i).norm(), 1, 1e-10);
    EXPECT_NEAR(run.x(2, i), 0, 1e-10);
    EXPECT_NEAR(run.s(1, i), d, 1e-7);
    const double angle = std::atan2(run.x(0, i - 1) * run.x(1, i) - run.x(1, i - 1) * run.x(0, i),
                                    run.x(0, i - 1) * run.x(0, i) + run.x(1, i - 1) * run.x(1, i));
    EXPECT_NEAR(angle, turn, 1e-8);
  }
}

TEST(TwoSurfaces, SayWhatIsMissing) {
  TwoSurfaceSystem system = corner({0.0, 0.0, 0.0});
  EXPECT_ERROR((void)simulate(system, 0, 1), "expected 0 < step");
  system.fields[2] = {};
  EXPECT_ERROR((void)simulate(system, 0.1, 1), "field 2 of 4 is missing");
  system = corner({0.0, 0.0, 0.0});
  system.surfaces = {};
  EXPECT_ERROR((void)simulate(system, 0.1, 1), "surfaces are missing");
}

}  // namespace
}  // namespace saltus
