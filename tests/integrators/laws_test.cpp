// Laws of contact and friction through the integrator, each against a closed form.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>
#include <Eigen/Eigenvalues>

#include <cmath>
#include <complex>

namespace saltus {
namespace {

constexpr double g = 9.81;

void advance(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done()) << "step " << k << ": " << name(report.status);
  }
}

/// Masses m under constant forces F, q = (normal, tangents), touching at q_N = 0.
Simulation touching(const Values& m, const Values& F, const Values& v, const Law& law, double h) {
  Model model;
  const Index n = m.size();
  const auto body = model.add(LinearLagrangian{.M = Matrix(m.asDiagonal()), .F = F},
                              {.q = Vector::Zero(n), .v = v}, "body");
  model.link(body, LinearRelation{.H = Matrix(Matrix::Identity(n, n))}, law);
  return {model, MoreauJean{.solver = Automatic{.tolerance = 1e-12}}, {.step = h}};
}

TEST(Laws, TangentialRestitutionGivesBackTheSlip) {  // F:V44, TI:TI-121, F:F161, F:B21
  struct Case {
    double mu, e_t, p_n, p_t, u_t;
  };
  for (const Case& c :
       {Case{0.2, 0, 3, -0.6, 1.2}, Case{0.5, 0, 3, -1, 0}, Case{0.6, 0.5, 3, -1.5, -1.5}}) {
    Simulation sim =
        touching({1, 1.0 / 3}, {0, 0}, {-2, 3}, Coulomb{.mu = c.mu, .e = 0.5, .e_t = c.e_t}, 1e-3);
    advance(sim, 1);
    EXPECT_NEAR(sim.multipliers()[0], c.p_n, 1e-10);
    EXPECT_NEAR(sim.multipliers()[1], c.p_t, 1e-10);
    EXPECT_NEAR(sim.state().v[0], 1, 1e-10);
    EXPECT_NEAR(sim.state().v[1], c.u_t, 1e-10);
  }
}

TEST(Laws, CohesionHoldsUpToItsForce) {  // TI:TI-122
  const double h = 1e-2;
  const Coulomb law{.mu = 0.5, .cohesion = 2};
  Simulation held = touching({1, 1}, {1.5, 0}, {0, 0}, law, h);
  advance(held, 10);
  EXPECT_NEAR(held.state().v[0], 0, 1e-12);
  EXPECT_NEAR(held.multipliers()[0], -1.5 * h, 1e-12);  // tension
  Simulation torn = touching({1, 1}, {3, 0}, {0, 0}, law, h);
  advance(torn, 1);
  EXPECT_NEAR(torn.state().v[0], (3 - 2) * h, 1e-12);
  advance(torn, 1);  // open: no cohesion any more
  EXPECT_NEAR(torn.state().v[0], (3 - 2) * h + 3 * h, 1e-12);
}

TEST(Laws, CohesionCarriesFriction) {  // TI:TI-122
  const double h = 1e-2;
  const Coulomb law{.mu = 0.5, .cohesion = 2};  // no load: friction up to 1 N
  Simulation sticks = touching({1, 1}, {0, 0.8}, {0, 0}, law, h);
  advance(sticks, 10);
  EXPECT_NEAR(sticks.state().v[1], 0, 1e-11);
  Simulation slides = touching({1, 1}, {0, 1.2}, {0, 0}, law, h);
  advance(slides, 10);
  EXPECT_NEAR(slides.state().v[1], 0.2 * 10 * h, 1e-10);
}

TEST(Laws, OrthotropicFrictionActsAlongTheNormalOfItsEllipse) {  // F:F151
  // −u ∈ N_D(r) with D the ellipse of half axes μᵢ N: r = −N (μ₁² u₁, μ₂² u₂)/‖(μ₁u₁, μ₂u₂)‖
  const double h = 1e-2, N = 2, mu_1 = 0.6, mu_2 = 0.2;
  Simulation sim =
      touching({1, 1, 1}, {-N, 0, 0}, {0, 1, 1}, EllipticCoulomb{.mu_1 = mu_1, .mu_2 = mu_2}, h);
  for (int k = 0; k < 20; ++k) {
    advance(sim, 1);
    const Vector& u = sim.state().v;
    const double size = std::hypot(mu_1 * u[1], mu_2 * u[2]);
    EXPECT_NEAR(sim.multipliers()[1], -h * N * mu_1 * mu_1 * u[1] / size, 1e-10);
    EXPECT_NEAR(sim.multipliers()[2], -h * N * mu_2 * mu_2 * u[2] / size, 1e-10);
  }
}

TEST(Laws, TrescaFrictionKnowsNoNormalForce) {  // FS:FS-28
  for (const double load : {1.0, 50.0}) {
    Simulation sim = touching({1, 2}, {-load, 0}, {0, 1}, Tresca{.bound = 0.5}, 1e-2);
    advance(sim, 100);
    EXPECT_NEAR(sim.state().v[1], 1 - 0.5 / 2 * 1.0, 1e-10);
    EXPECT_NEAR(sim.multipliers()[0], load * 1e-2, 1e-10);
  }
}

TEST(Laws, RollingFrictionBrakesARollingBall) {  // TI:TI-122
  // (m + I/R²) a = −μ_R m g/R, I = 2/5 m R²: a = −5/7 μ_R g/R
  using mechanics::RigidScene;
  const double R = 0.2, mu_rolling = 0.01, v0 = 1, h = 1e-3;
  RigidScene scene;
  scene.fix(mechanics::Plane{});
  scene.add(mechanics::Sphere{.radius = R}, 1000,
            {.x = {0, 0, R}, .v = {v0, 0, 0}, .omega = {0, v0 / R, 0}});
  scene.law(0, 0, RollingCoulomb{.mu = 0.5, .mu_rolling = mu_rolling});
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{.solver = CoulombCascade{.tolerance = 1e-10}},
                 {.step = h});
  const double a = 5.0 / 7 * mu_rolling * g / R;  // 0.35: stops after 2.85 s
  advance(sim, 1000);
  EXPECT_NEAR(sim.state().v[0], v0 - a, 1e-6);
  EXPECT_NEAR(sim.state().v[4] * R, v0 - a, 1e-6);
  advance(sim, 2000);
  EXPECT_NEAR(sim.state().v[0], 0, 1e-8);
}

/// Three balls in a row, the first with speed 1: y = (q₂ − q₁, q₃ − q₂).
Vector cradle(const std::array<Law, 2>& laws) {
  Model model;
  const auto balls = model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(3, 3))},
                               {.q = {0, 0, 0}, .v = {1, 0, 0}});
  model.link(balls, LinearRelation{.H = {{-1, 1, 0}}}, laws[0]);
  model.link(balls, LinearRelation{.H = {{0, -1, 1}}}, laws[1]);
  Simulation sim(model, MoreauJean{.gap_tolerance = 1e-3}, {.step = 1e-4});
  EXPECT_TRUE(sim.advance().done());
  return sim.state().v;
}

TEST(Laws, PoissonAndNewtonPartTheCradleDifferently) {  // AI:V15, F:F145, F:B19
  const Vector newton = cradle({NewtonImpact{.e = 0.5}, NewtonImpact{.e = 1}});
  EXPECT_LT((newton - Values{0, 0.5, 0.5}).norm(), 1e-10);
  const Vector poisson = cradle({PoissonCoulomb{.e = 0.5}, PoissonCoulomb{.e = 1}});
  EXPECT_LT((poisson - Values{0, 1.0 / 3, 2.0 / 3}).norm(), 1e-10);
  EXPECT_LT((cradle({NewtonImpact{}, NewtonImpact{.e = 1}}) - Vector::Constant(3, 1.0 / 3)).norm(),
            1e-10);
  EXPECT_LT((cradle({PoissonCoulomb{}, PoissonCoulomb{.e = 1}}) - Values{1.0 / 6, 1.0 / 6, 2.0 / 3})
                .norm(),
            1e-10);
  const Vector mixed = cradle({PoissonCoulomb{.e = 0.3}, PoissonCoulomb{.e = 0.9}});
  EXPECT_LT((mixed - Values{2.0 / 15, 7.0 / 30, 19.0 / 30}).norm(), 1e-10);
}

TEST(Laws, SpringIsTheStiffnessAndDampingOfASystem) {  // PL:RE-07, F:F109
  // The same oscillator with K and C in the system, and with a law: the same θ-rule.
  for (const double theta : {0.5, 0.7, 1.0})
    for (const double damping : {0.0, 0.8}) {
      const double k = 40, h = 0.01;
      Model inside, outside;
      inside.add(LinearLagrangian{.M = {{2}}, .C = {{damping}}, .K = {{k}}},
                 {.q = {0.3}, .v = {1}});
      const auto mass = outside.add(LinearLagrangian{.M = {{2}}}, {.q = {0.3}, .v = {1}});
      outside.link(mass, LinearRelation{.H = {{1}}}, Spring{.k = k, .c = damping});
      Simulation a(inside, MoreauJean{.theta = theta}, {.step = h});
      Simulation b(outside, MoreauJean{.theta = theta}, {.step = h});
      advance(a, 500);
      advance(b, 500);
      EXPECT_NEAR(b.state().q[0], a.state().q[0], 1e-12);
      EXPECT_NEAR(b.state().v[0], a.state().v[0], 1e-12);
    }
}

/// (q, v) ↦ (q⁺, v⁺) of a unit mass on a spring k = 1e4 with damping d, h = 1e-3.
Eigen::Matrix2d amplification(double theta, double d) {
  Eigen::Matrix2d A;
  for (Index j = 0; j < 2; ++j) {
    Model model;
    model.add(LinearLagrangian{.M = {{1}}, .C = {{d}}, .K = {{1e4}}},
              {.q = {j == 0 ? 1.0 : 0.0}, .v = {j == 1 ? 1.0 : 0.0}});
    Simulation sim(model, MoreauJean{.theta = theta}, {.step = 1e-3});
    advance(sim, 1);
    A.col(j) << sim.state().q[0], sim.state().v[0];
  }
  return A;
}

TEST(Laws, PenaltiesAmplifyExplicitStepsAndNotImplicitOnes) {  // F:V14, F:C0-10
  // Complex eigenvalues: their modulus is √det A. Stable if h < d/k, as far as the printed digits.
  const double digits = 5e-9;
  EXPECT_NEAR(std::sqrt(amplification(0, 1).determinant()), 1.00448992, digits);
  EXPECT_NEAR(std::sqrt(amplification(0, 20).determinant()), 0.99498744, digits);
  const Eigen::Matrix2d implicit = amplification(1, 0);
  EXPECT_NEAR(std::sqrt(implicit.determinant()), 0.99503719, digits);
  const std::complex<double> e = implicit.eigenvalues()[0];
  EXPECT_NEAR(std::abs(e.imag() / e.real()), 0.1, 1e-12);  // h √k
}

TEST(Laws, PenalisedContactIsTheImplicitStep) {  // F:V15, F:B8, PL:RE-06
  // k = 1e4, h = 1e-3, depth 1e-3 growing with speed 1: λ = k (q + h v)/(1 + h² k) = 20/1.01
  Model model;
  const auto mass = model.add(PointMass{}, {.q = {-1e-3}, .v = {-1}});
  model.link(mass, LinearRelation{.H = {{1}}}, CompliantContact{.k = 1e4});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  advance(sim, 1);
  EXPECT_NEAR(sim.multipliers()[0] / 1e-3, 20 / 1.01, 1e-10);
}

TEST(Laws, StiffCompliantContactIsTheRigidOne) {  // PL:RE-06, F:C0-09
  const double h = 1e-2;
  Simulation soft = touching({1, 1}, {-5, 0}, {-1, 2}, CompliantContact{.k = 1e16, .mu = 0.3}, h);
  Simulation rigid = touching({1, 1}, {-5, 0}, {-1, 2}, Coulomb{.mu = 0.3}, h);
  advance(soft, 1);
  advance(rigid, 1);
  EXPECT_LT((soft.state().v - rigid.state().v).norm(), 1e-11);
}

TEST(Laws, BoxSinksIntoCompliantGroundByItsWeight) {  // PL:RE-06, PL:RE-07
  using mechanics::RigidScene;
  const double k = 1e5, c = 2e3, m = 1000 * 0.4 * 0.4 * 0.2;
  RigidScene scene;
  scene.fix(mechanics::Plane{}, {.kind = 1});
  scene.add(mechanics::Box{.half = {0.2, 0.2, 0.1}}, 1000, {.x = {0, 0, 0.1}}, {.kind = 2});
  scene.law(2, 1, CompliantContact{.k = k, .c = c, .mu = 0.5});
  Simulation sim(scene.model({0, 0, -g}), MoreauJean{.solver = CoulombCascade{.tolerance = 1e-10}},
                 {.step = 2e-3});
  advance(sim, 500);
  ASSERT_EQ(sim.contacts().size(), 4U);
  EXPECT_NEAR(sim.state().q[2], 0.1 - m * g / (4 * k), 1e-7);
  EXPECT_NEAR(sim.state().v.norm(), 0, 1e-6);
}

TEST(Laws, ElasticPlasticElementSlipsAndReversesElastically) {  // F:V46, F:F168, F:B27
  // Drawn with speed 1, then −1: w = min(t, 0.2) with k = 10 and bound 2.
  const double h = 1e-2;
  Model model;
  const auto mass = model.add(PointMass{.m = 1e12}, {.q = {0}, .v = {1}});
  model.link(mass, LinearRelation{.H = {{1}}}, ElasticPlastic{.k = 10, .bound = 2});
  Simulation sim(model, MoreauJean{}, {.step = h});
  for (int step = 1; step <= 40; ++step) {
    advance(sim, 1);
    EXPECT_NEAR(sim.multipliers()[0] / h, -10 * std::min(step * h, 0.2), 1e-9) << step;
  }
  State turned = sim.state();
  turned.v[0] = -1;
  sim.set_state(turned);
  for (int step = 1; step <= 60; ++step) {
    advance(sim, 1);
    EXPECT_NEAR(sim.multipliers()[0] / h, -10 * std::max(0.2 - step * h, -0.2), 1e-9) << step;
  }
}

TEST(Laws, RefuseRelationsThatDoNotSuit) {
  Model model;
  const auto body = model.add(LinearLagrangian{.M = Matrix(Matrix::Identity(2, 2))}, {.q = {0, 0}});
  const LinearRelation two{.H = Matrix(Matrix::Identity(2, 2))};
  EXPECT_ERROR(model.link(body, two, EllipticCoulomb{}), "EllipticCoulomb needs");
  EXPECT_ERROR(model.link(body, two, RollingCoulomb{}), "RollingCoulomb needs");
  EXPECT_ERROR(model.link(body, two, Spring{.k = 0}), "Spring");
  EXPECT_ERROR(model.link(body, two, CompliantContact{.k = 0}), "k");
  EXPECT_ERROR(model.link(body, two, Coulomb{.mu = 0.5, .cohesion = -1}), "cohesion");
  mechanics::ContactScene scene;
  EXPECT_ERROR(scene.law(0, 0, Spring{.k = 1}), "Spring is no law of contact");
}

}  // namespace
}  // namespace saltus
