// Lagrangian systems by automatic differentiation: against formulas and against differences.

#include "saltus/systems/autodiff_lagrangian.hpp"

#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/gyroscopic.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

TEST(Dual, CarriesTheDerivativesOfFunctions) {
  using D = Dual<double>;
  const D x(0.7, 1.0);
  // each against its own formula; a few roundings
  EXPECT_NEAR((x * x / (x + 1.0)).slope, (0.49 + 2 * 0.7) / (1.7 * 1.7), 1e-15);
  EXPECT_NEAR(sin(x).slope, std::cos(0.7), 1e-16);
  EXPECT_NEAR(cos(x).slope, -std::sin(0.7), 1e-16);
  EXPECT_NEAR(tan(x).slope, 1 / std::pow(std::cos(0.7), 2), 1e-15);
  EXPECT_NEAR(exp(2.0 * x).slope, 2 * std::exp(1.4), 1e-14);
  EXPECT_NEAR(log(x).slope, 1 / 0.7, 1e-15);
  EXPECT_NEAR(sqrt(x).slope, 0.5 / std::sqrt(0.7), 1e-15);
  EXPECT_NEAR(pow(x, 3.5).slope, 3.5 * std::pow(0.7, 2.5), 1e-15);
  EXPECT_NEAR(atan2(x, D(2.0)).slope, 2 / (4 + 0.49), 1e-15);
  EXPECT_EQ(abs(-x).slope, 1);
  const Dual<D> twice(D(0.7, 1.0), D(1.0));
  EXPECT_NEAR(sin(twice * twice).slope.slope, 2 * std::cos(0.49) - 4 * 0.49 * std::sin(0.49),
              1e-15);
}

/// Two masses on rods: M(q) full, N and gravity.
struct DoublePendulum {
  static constexpr int n = 2;
  double m1 = 1, m2 = 0.5, l1 = 1, l2 = 0.7, g = 9.81;
  template <class S>
  void mass(const Coordinates<S, 2>& q, Inertia<S, 2>& M) const {
    using std::cos;
    M(0, 0) = (m1 + m2) * l1 * l1;
    M(0, 1) = M(1, 0) = m2 * l1 * l2 * cos(q[0] - q[1]);
    M(1, 1) = m2 * l2 * l2;
  }
  template <class S>
  S potential(const Coordinates<S, 2>& q) const {
    using std::cos;
    return -(m1 + m2) * g * l1 * cos(q[0]) - m2 * g * l2 * cos(q[1]);
  }
};

struct At {
  Vector q, v;
  [[nodiscard]] StateView view() const {
    return {.t = 0, .q = view_of(q.data(), q.size()), .v = view_of(v.data(), v.size())};
  }
};

TEST(AutodiffLagrangian, DoublePendulumHasTheForcesAndJacobiansOfTheFormula) {  // PL:DS-06
  const DoublePendulum p;
  const System system = AutodiffLagrangian<DoublePendulum>{p};
  const At at{Vector{{0.4, -1.1}}, Vector{{1.3, -2.0}}};
  Vector F(2);
  system.force(at.view(), F);
  const double a = p.m2 * p.l1 * p.l2, s = std::sin(1.5), c = std::cos(1.5);
  const double v1 = 1.3, v2 = -2.0, G1 = (p.m1 + p.m2) * p.g * p.l1, G2 = p.m2 * p.g * p.l2;
  EXPECT_NEAR(F[0], -a * s * v2 * v2 - G1 * std::sin(0.4), 1e-14);
  EXPECT_NEAR(F[1], a * s * v1 * v1 - G2 * std::sin(-1.1), 1e-14);
  Matrix K(2, 2), C(2, 2);
  system.stiffness(at.view(), 0, K);
  system.damping(at.view(), 0, C);
  const Matrix K_exact{{a * c * v2 * v2 + G1 * std::cos(0.4), -a * c * v2 * v2},
                       {-a * c * v1 * v1, a * c * v1 * v1 + G2 * std::cos(-1.1)}};
  const Matrix C_exact{{0.0, 2 * a * s * v2}, {-2 * a * s * v1, 0.0}};
  EXPECT_LT((K - K_exact).cwiseAbs().maxCoeff(), 1e-14) << K;
  EXPECT_LT((C - C_exact).cwiseAbs().maxCoeff(), 1e-14) << C;
}

TEST(AutodiffLagrangian, GyroscopicTermIsThatOfChristoffel) {  // F:F107, F:C0-14
  struct Free : DoublePendulum {
    Free() { g = 0; }
  };
  const System system = AutodiffLagrangian<Free>{};
  const At at{Vector{{0.9, 2.1}}, Vector{{-0.7, 1.6}}};
  Vector F(2);
  system.force(at.view(), F);
  const Vector N = gyroscopic_term(
      [](ConstVectorRef q, MatrixRef M) {
        Inertia<double, 2> value;
        DoublePendulum().mass(Coordinates<double, 2>(q), value);
        M = value;
      },
      at.q, at.v);
  EXPECT_LT((F + N).lpNorm<Eigen::Infinity>(), 1e-11);  // of the differences of fourth order
}

/// A force that depends on time and velocity, with a spring: nothing else.
struct Driven {
  static constexpr int n = 1;
  template <class S>
  void mass(const Coordinates<S, 1>&, Inertia<S, 1>& M) const {
    M(0, 0) = S(2.0);
  }
  template <class S>
  void force(const S& t, const Coordinates<S, 1>& q, const Coordinates<S, 1>& v,
             Coordinates<S, 1>& F) const {
    using std::cos, std::pow, std::abs;
    F[0] = cos(t) - pow(q[0], 3) - 0.3 * v[0] * abs(v[0]);
  }
};

TEST(AutodiffLagrangian, ForcesOfTimeAndVelocityAreDifferentiated) {
  const System system = AutodiffLagrangian<Driven>{};
  EXPECT_FALSE(system.conservative());
  const At at{Vector{{0.5}}, Vector{{-0.4}}};
  Matrix J(1, 1);
  system.stiffness(at.view(), 0, J);
  EXPECT_NEAR(J(0, 0), 0.75, 1e-15);
  system.damping(at.view(), 0, J);
  EXPECT_NEAR(J(0, 0), 0.6 * 0.4, 1e-15);
}

TEST(AutodiffLagrangian, NewtonNeedsNoMoreIterationsThanWithDifferences) {
  // the same pendulum with F by automatic differentiation, K and C by central differences
  const AutodiffLagrangian<DoublePendulum> exact;
  const Lagrangian differences{
      .n = 2,
      .M = [exact](const StateView& x, MatrixRef M) { exact.mass(x, M); },
      .F = [exact](const StateView& x, VectorRef F) { exact.force(x, F); }};
  const auto run = [](const System& system) {
    Model model;
    model.add(system, {.q = {2.0, 1.0}, .v = {0.0, 0.0}});
    Simulation sim(model, MoreauJean{}, {.step = 1e-3});
    return sim.run(2.0);
  };
  const Trajectory a = run(exact), b = run(differences);
  EXPECT_LE(a.report.newton_iterations, b.report.newton_iterations);
  EXPECT_LT((a.q.matrix() - b.q.matrix()).cwiseAbs().maxCoeff(), 1e-8);  // both solved to 1e-12
  // θ = ½: the energy of a smooth nonlinear motion to O(h²)
  EXPECT_TRUE(a.report.energy.known);
  EXPECT_NEAR(a.report.energy.total(), a.report.energy.start, 1e-4);
}

}  // namespace
}  // namespace saltus
