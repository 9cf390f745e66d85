// Misprints of the books that the cards correct, on bodies and their contacts: what is tested
// differs from what is printed.

#include "saltus/mechanics/cohesive_zone.hpp"
#include "saltus/mechanics/screws.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/gyroscopic.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/fitted_order.hpp"
#include "support/random_matrix.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {
namespace {

TEST(Corrections, ReactionBalancesInertiaAndForcesWithOneSign) {  // F:C0-18, F:F107
  // −(M v̇ + N + F_int − F_ext) ∈ N_C(q) (printed: −M v̇ + N + …): a mass in polar coordinates
  // (r, φ) on a spring k runs along the ring r ≤ R: λ = m R φ̇² − k R + f
  const double m = 2, R = 1.5, k = 3, f = 0.7, rate = 4, h = 1e-3;
  const auto mass = [=](ConstVectorRef q, MatrixRef M) { M << m, 0, 0, m * q[0] * q[0]; };
  Model model;
  const auto point =
      model.add(Lagrangian{.n = 2,
                           .M = [=](const StateView& x, MatrixRef M) { mass(x.q, M); },
                           .F =
                               [=](const StateView& x, VectorRef F) {
                                 F = -gyroscopic_term(mass, x.q, x.v);
                                 F[0] += f - k * x.q[0];
                               }},
                {.q = {R, 0}, .v = {0, rate}});
  model.link(point, LinearRelation{.H = {{-1, 0}}, .b = {R}}, NewtonImpact{});
  Simulation sim(model, MoreauJean{}, {.step = h});
  for (int i = 0; i < 100; ++i) {
    ASSERT_TRUE(sim.advance().done());
    // N by differences of relative error 1e-12, a Newton tolerance of 1e-12 over h
    EXPECT_NEAR(sim.multipliers()[0] / h, m * R * rate * rate - k * R + f, 1e-7);
  }
  EXPECT_NEAR(sim.state().q[1], rate * 100 * h, 1e-9);
}

TEST(Corrections, GyroscopicTermOfEulersAngles) {  // F:C0-20, F:F121, F:F119
  // Eᵀ I E χ̈ + Eᵀ I Ė χ̇ + Eᵀ[(E χ̇) × (I E χ̇)] = 0; printed third term: (Eᵀ E χ̇) × (Eᵀ I E χ̇)
  const Eigen::Matrix3d inertia = Eigen::Vector3d(2, 3, 4.5).asDiagonal();
  const auto angles = [](ConstVectorRef q) { return EulerAngles{q[0], q[1], q[2]}; };
  const auto mass = [&](ConstVectorRef q, MatrixRef M) { M = angles(q).mass(inertia); };
  const Vector chi = Values{0.4, 1.2, -0.7}, rate = Values{0.9, -0.4, 1.6};
  const double step = 1e-5;  // central differences: error step², rounding over step
  const Eigen::Matrix3d E = angles(chi).rates();
  const Eigen::Matrix3d E_rate =
      (angles(chi + step * rate).rates() - angles(chi - step * rate).rates()) / (2 * step);
  const Eigen::Vector3d omega = E * rate;
  const Vector N =
      E.transpose() * (inertia * E_rate * rate + omega.cross(Eigen::Vector3d(inertia * omega)));
  EXPECT_LT((gyroscopic_term(mass, chi, rate) - N).norm(), 1e-8);
  // the same motion as that of the body with a quaternion
  Model lagrange, euler;
  lagrange.add(Lagrangian{.n = 3,
                          .M = [&](const StateView& x, MatrixRef M) { mass(x.q, M); },
                          .F = [&](const StateView& x,
                                   VectorRef F) { F = -gyroscopic_term(mass, x.q, x.v); }},
               {.q = chi, .v = rate});
  const Eigen::AngleAxisd turn(angles(chi).rotation());
  euler.add(RigidBodies{.inertia = {{2, 3, 4.5}}},
            {.q = positions_of({0, 0, 0}, turn.angle() * turn.axis()),
             .v = {0, 0, 0, omega[0], omega[1], omega[2]}});
  const double h = 1e-3;
  Simulation a(lagrange, MoreauJean{}, {.step = h}), b(euler, MoreauJean{}, {.step = h});
  ASSERT_TRUE(a.run(1.0).report.ok());
  ASSERT_TRUE(b.run(1.0).report.ok());
  const Eigen::Matrix3d difference = angles(a.state().q).rotation() - pose_of(b.state().q.data()).R;
  EXPECT_LT(difference.norm(), 1e-5);  // both of order 2: h² times rates³ of 10
  EXPECT_LT((angles(a.state().q).rates() * a.state().v - b.state().v.tail(3)).norm(), 1e-5);
}

TEST(Corrections, FrictionDissipatesTheMostOfWhatItsSetAllows) {  // F:C0-23
  // −U·R ≥ −U·z for all z ∈ D (printed: ≥ U·z); the two differ where D ≠ −D
  const Set D = Ball{.center = {0.3, -0.2}, .radius = 0.5};
  const double m = 2, h = 0.01;
  int printed = 0;
  for (int i = 0; i < 16; ++i) {
    const double angle = i * M_PI / 8;
    Model model;
    const auto block = model.add(
        FirstOrderLinear{.A = Matrix::Zero(2, 2), .E = Matrix(m * Matrix::Identity(2, 2))},
        {.x = {std::cos(angle), std::sin(angle)}});
    model.link(block,
               FirstOrderLinearRelation{.C = Matrix::Identity(2, 2), .B = Matrix::Identity(2, 2)},
               NormalCone{.set = D});
    Simulation sim(model, MoreauJean{.theta = 1}, {.step = h});
    ASSERT_TRUE(sim.advance().done());
    const Vector U = sim.state().x, R = sim.multipliers();
    EXPECT_NEAR(distance(D, R), 0, 1e-9);
    EXPECT_NEAR(-U.dot(R), support(D, -U), 1e-8);  // the supremum of −U·z
    printed += -U.dot(R) < support(D, U) - 0.1 ? 1 : 0;
  }
  EXPECT_GT(printed, 4);  // directions in which the printed inequality fails
  // dry friction that is rougher one way: 3 against negative, 1 against positive velocities
  for (const double direction : {1.0, -1.0}) {
    Model model;
    const auto block = model.add(PointMass{.m = m}, {.q = {0}, .v = {direction}});
    model.link(block, LinearRelation{.H = {{1}}}, Relay{.lower = -1, .upper = 3});
    Simulation sim(model, MoreauJean{}, {.step = h});
    ASSERT_TRUE(sim.advance().done());
    EXPECT_NEAR(sim.state().v[0], direction + (direction > 0 ? -1 : 3) * h / m, 1e-14);
  }
}

TEST(Corrections, EnergiesOfSpringsAndDampersArePositive) {  // F:C0-24, F:F162, F:F164
  // V = +½ q·Kq with F = −∂V/∂q; R_T ∈ −μ R_N ∂|U_T| − C U_T − K g_T stores +½ K g_T² and loses
  // C U_T² besides μ R_N |U_T| (all printed with a minus)
  const LinearLagrangian spring{.M = {{1, 0}, {0, 1}}, .K = {{3, -1}, {-1, 2}}};
  const System system = spring;
  const Vector q = Values{0.4, -0.7}, v = Vector::Zero(2);
  const StateView at{.t = 0, .q = view_of(q.data(), 2), .v = view_of(v.data(), 2)};
  EXPECT_NEAR(system.potential(at), 0.5 * q.dot(spring.K * q), 1e-15);
  Vector force(2);
  Matrix stiffness(2, 2);
  system.force(at, force);
  system.stiffness(at, 0, stiffness);
  EXPECT_LT((force + spring.K * q).norm(), 1e-15);
  EXPECT_LT((stiffness - spring.K).norm(), 1e-15);
  const double m = 2, mu = 0.3, g = 10, k = 40, c = 1.5, h = 1e-3;
  Model model;
  const auto block = model.add(PointMass{.m = m, .gravity = {-g, 0}}, {.q = {0, 0}, .v = {0, 3}});
  model.link(block, LinearRelation{.H = Matrix(Matrix::Identity(2, 2))}, Coulomb{.mu = mu});
  model.link(block, LinearRelation{.H = {{0, 1}}}, Spring{.k = k, .c = c});
  Simulation sim(model, MoreauJean{.solver = Automatic{.tolerance = 1e-12}}, {.step = h});
  const Trajectory run = sim.run(0.2);
  ASSERT_TRUE(run.report.ok());
  double damped = 0, rubbed = 0;
  for (Index i = 1; i < run.size(); ++i) {
    const double u = 0.5 * (run.v(i - 1, 1) + run.v(i, 1));
    damped += h * c * u * u;
    rubbed += h * mu * m * g * u;  // it does not turn back: a quarter of its period is 0.35
  }
  const EnergyBalance& energy = run.report.energy;
  const double stored = 0.5 * k * std::pow(run.q(run.size() - 1, 1), 2);
  EXPECT_GT(run.v(run.size() - 1, 1), 0);
  EXPECT_GT(stored, 1);
  EXPECT_NEAR(energy.laws, stored + damped, 1e-8);
  EXPECT_NEAR(energy.friction, rubbed, 1e-8);
  EXPECT_NEAR(energy.kinetic, energy.start - stored - damped - rubbed, 1e-8);
}

TEST(Corrections, DamageOfAGluedContactDissipates) {  // F:C0-25, F:F171
  // W_S = ½β²(c_N g² + c_T g_T²) − wβ; −R ∈ ∂W_S, −X_β ∈ ∂_β W_S, and X_β ∈ ∂Φ(β̇), Φ = ½bβ̇² +
  // ψ_{R₋}: b β̇ = min(X_β, 0), X_β β̇ ≥ 0 (printed: −X_β ∈ ∂Φ, by which damage would heal)
  const CohesiveZone zone{.c_N = 50, .c_T = 20, .w = 2, .b = 4};
  const auto W = [&](double beta, double g, double g_T) {
    return zone.energy(beta, g, g_T) - zone.w * beta;
  };
  RandomMatrix random(2);
  const double h = 1e-3, d = 1e-3;  // W is quadratic: central differences are exact
  int torn = 0;
  for (int i = 0; i < 200; ++i) {
    const double beta = 0.5 + 0.4 * random.number(), g = 0.3 + 0.25 * random.number();
    const double g_T = 0.5 * random.number();
    EXPECT_NEAR(zone.normal_force(beta, g), -(W(beta, g + d, g_T) - W(beta, g - d, g_T)) / (2 * d),
                1e-10);
    EXPECT_NEAR(zone.tangential_force(beta, g_T),
                -(W(beta, g, g_T + d) - W(beta, g, g_T - d)) / (2 * d), 1e-10);
    const double after = zone.adhesion(beta, g, g_T, h), rate = (after - beta) / h;
    const double X = -(W(after + d, g, g_T) - W(after - d, g, g_T)) / (2 * d);
    EXPECT_NEAR(zone.b * rate, std::min(X, 0.0), 1e-10);
    EXPECT_GE(X * rate, 0);
    torn += rate < 0 ? 1 : 0;
  }
  EXPECT_GT(torn, 20);
  EXPECT_LT(torn, 180);
}

TEST(Corrections, GluedContactSticksUpToAndAtItsBound) {  // F:C0-26, F:C0-25
  // R_T = R^r + R^ir, R^r = −β²c_T g_T; ‖R^ir‖ ≤ μ(R_N + β²c_N g) in stick (printed: <), and
  // −R^ir·U ≥ 0
  const CohesiveZone zone{.c_N = 50, .c_T = 50, .w = 2};
  const double N = 4, mu = 0.5, h = 1e-3;
  for (const double load : {2.0, 3.0}) {
    Model model;
    const auto block =
        model.add(Lagrangian{.n = 2,
                             .M = [](const StateView&, MatrixRef M) { M.setIdentity(); },
                             .F =
                                 [=](const StateView& x, VectorRef F) {
                                   F[0] = -N + zone.normal_force(x.z[0], x.q[0]);
                                   F[1] = load + zone.tangential_force(x.z[0], x.q[1]);
                                 }},
                  {.q = {0, 0}, .z = {1}});
    model.link(block, LinearRelation{.H = Matrix(Matrix::Identity(2, 2))}, Coulomb{.mu = mu});
    Simulation sim(model, MoreauJean{.solver = Automatic{.tolerance = 1e-12}}, {.step = h});
    for (int k = 0; k < 1000; ++k) {
      ASSERT_TRUE(sim.advance().done());
      const double friction = sim.multipliers()[1] / h, u = sim.state().v[1];
      EXPECT_LE(std::abs(friction), mu * N + 1e-8);
      EXPECT_LE(friction * u, 1e-8);
      EXPECT_EQ(zone.adhesion(1, sim.state().q[0], sim.state().q[1], h), 1);
    }
    EXPECT_NEAR(sim.state().v[1], 0, 1e-9);
    if (load == 2) {  // as much as friction bears: it does not move
      EXPECT_NEAR(sim.state().q[1], 0, 1e-9);
      EXPECT_NEAR(sim.multipliers()[1] / h, -mu * N, 1e-8);
    } else {  // swings about (3 − 2)/50 once, up to 0.04, where the zone bears 2 and friction 1
      EXPECT_NEAR(sim.state().q[1], 0.04, 1e-4);
      EXPECT_NEAR(sim.multipliers()[1] / h, -1, 50 * 1e-4);
    }
  }
}

TEST(Corrections, DamageRateHasTheViscosityInsideItsPower) {  // F:C0-26: β̇ = −[(βG − w)/b]^(1/p)
  // p = 2, G constant: √z falls at the rate G/(2√b), z = βG − w; printed with b outside the power,
  // the rate would be G/(2b)
  const CohesiveZone zone{.c_N = 40, .w = 2, .b = 9, .p = 2};
  const double g = 0.5, G = 40 * g * g, end = 0.8;
  const double root = std::sqrt(G - zone.w) - G * end / (2 * std::sqrt(zone.b));
  ASSERT_GT(root, 1);
  const auto error = [&](double h) {
    double beta = 1;
    for (int k = 0; k < std::lround(end / h); ++k) beta = zone.adhesion(beta, g, 0, h);
    return std::abs(beta - (zone.w + root * root) / G);
  };
  EXPECT_LT(error(1e-3), 1e-3);
  EXPECT_NEAR(testing::fitted_order({0.04, 0.02, 0.01, 0.005, 0.0025}, error), 1, 0.05);
}

TEST(Corrections, GradientOfAdhesionSmoothsIt) {  // F:C0-26: +kΔβ (without b: βG = w + kΔβ)
  // two halves with G = 10 and 40: β decays to w/G from the border, over √(k/G); continuous with β'
  const CohesiveZone zone{.c_N = 10, .w = 2, .k = 0.1};
  const double left = std::sqrt(zone.k / 10), right = std::sqrt(zone.k / 40);
  const double jump = zone.w / 10 - zone.w / 40;
  const auto error = [&](double spacing) {
    const Index half = std::lround(2 / spacing);
    Vector g = Vector::Constant(2 * half, 1.0);
    g.tail(half).setConstant(2);
    const Vector beta =
        zone.adhesion_along(Vector::Ones(2 * half), g, Vector::Zero(2 * half), spacing, 1e-3);
    double worst = 0;
    for (Index i = 0; i < 2 * half; ++i) {
      const double x = (static_cast<double>(i - half) + 0.5) * spacing;
      const double exact = x < 0
                               ? zone.w / 10 - jump * left / (left + right) * std::exp(x / left)
                               : zone.w / 40 + jump * right / (left + right) * std::exp(-x / right);
      worst = std::max(worst, std::abs(beta[i] - exact));
    }
    return worst;
  };
  EXPECT_NEAR(testing::fitted_order({0.02, 0.01, 0.005}, error), 2, 0.1);
  EXPECT_LT(error(0.005), 1e-4);
}

TEST(Corrections, DamageAlongAnInterfaceObeysItsInclusion) {  // F:C0-26, F:B26
  RandomMatrix random(5);
  for (const double p : {0.5, 1.0, 2.0, 3.0}) {
    const CohesiveZone zone{.c_N = 30, .c_T = 10, .w = 1, .b = 0.2, .p = p, .k = 0.02};
    const Index n = 12;
    const double h = 0.05, spacing = 0.1;
    Vector beta(n), g(n), g_T(n);
    for (Index i = 0; i < n; ++i) {
      beta[i] = 0.6 + 0.4 * random.number();
      g[i] = 0.3 * random.number();
      g_T[i] = 0.3 * random.number();
    }
    const Vector next = zone.adhesion_along(beta, g, g_T, spacing, h);
    int torn = 0;
    for (Index i = 0; i < n; ++i) {
      const double before = i > 0 ? next[i - 1] : next[i],
                   after = i + 1 < n ? next[i + 1] : next[i];
      const double laplacian = (before + after - 2 * next[i]) / (spacing * spacing);
      const double G = 2 * zone.energy(1, g[i], g_T[i]);
      const double drive = next[i] * G - zone.w - zone.k * laplacian;
      EXPECT_LE(next[i], beta[i]);
      EXPECT_GE(next[i], 0);
      EXPECT_NEAR(zone.b * std::pow((beta[i] - next[i]) / h, p), std::max(drive, 0.0), 1e-10) << p;
      torn += next[i] < beta[i] ? 1 : 0;
    }
    EXPECT_GT(torn, 1);
    EXPECT_LT(torn, n);
  }
}

}  // namespace
}  // namespace saltus::mechanics
