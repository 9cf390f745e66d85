// Kinematics and laws of the card on formulations: rotating frames, singular masses, screws,
// polygons, the bipotential, the sliding rod.

#include "saltus/mechanics/collision/polygon.hpp"
#include "saltus/mechanics/planar_contacts.hpp"
#include "saltus/mechanics/planar_joints.hpp"
#include "saltus/mechanics/screws.hpp"
#include "saltus/problems/friction_formulations.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/solvers/enumeration.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/expect_error.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>
#include <numbers>
#include <random>

namespace saltus::mechanics {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

TEST(Formulation, PointOfARotatingFrameMovesAcrossItsArm) {  // F:V33, F:F114
  const double alpha = 0.7, beta = -0.4, theta = 1.1, rate = 2.5;
  const PlanarJoint joint{.b = {.p = {alpha, beta}}, .sides = {-1, 0}};
  const Vector q = Values{0, 0, theta}, v = Values{0, 0, rate};
  Matrix H(2, 3);
  joint.jacobian({0, view_of(q.data(), 3)}, H);
  const Vector2 i1(std::cos(theta), std::sin(theta)), j1(-std::sin(theta), std::cos(theta));
  EXPECT_LT((H * v - rate * (alpha * j1 - beta * i1)).norm(), 1e-15);
}

TEST(Formulation, RodHoldsItsMassByTheCentripetalForce) {  // F:V33, F:F120
  // T = −m l θ̇², and u stays across the rod: the step turns by θ̇ h, which is the relative error
  const double m = 3, l = 0.5, rate = 2, h = 1e-5;
  Model model;
  const auto mass =
      model.add(PlanarBodies{.m = {m}, .inertia = {1}}, {.q = {l, 0, 0}, .v = {0, l * rate, 0}});
  model.link(mass, PlanarJoint{.kind = PlanarJointKind::distance, .length = l, .sides = {-1, 0}},
             Equality{});
  Simulation sim(model, MoreauJean{}, {.step = h});
  for (int k = 0; k < 100; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_NEAR(sim.multipliers()[0] / h, -m * l * rate * rate, 2 * rate * h * m * l * rate * rate);
}

/// The pendulum in (x, y, θ), x downwards, its mass in one point: M = diag(m, m, 0), tied by x = l
/// cos θ, y = l sin θ (m = l = 1). With `share` > 0 the constraints carry mass as well,
///     M + share GᵀG,   N = share Gᵀ Ġ v,
/// which changes neither motion nor multipliers, because d/dt (G v) = 0, but is regular.
Model singular_pendulum(double theta, double rate, double share) {
  const auto constraints = [](double angle) -> Matrix {
    return Matrix{{1, 0, std::sin(angle)}, {0, 1, -std::cos(angle)}};
  };
  const Lagrangian pendulum{
      .n = 3,
      .M =
          [=](const StateView& x, MatrixRef M) {
            const Matrix G = constraints(x.q[2]);
            M = Vector(Values{1, 1, 0}).asDiagonal();
            M += share * G.transpose() * G;
          },
      .F =
          [=](const StateView& x, VectorRef F) {
            const double w = x.v[2];
            const Vector curved = Values{w * w * std::cos(x.q[2]), w * w * std::sin(x.q[2])};
            F = Values{g, 0, 0};
            F -= share * constraints(x.q[2]).transpose() * curved;
          },
  };
  struct Tie {
    [[nodiscard]] static constexpr Index rows() { return 2; }
    [[nodiscard]] static constexpr Index dof() { return 3; }
    static void output(const StateView& x, VectorRef y) {
      y << x.q[0] - std::cos(x.q[2]), x.q[1] - std::sin(x.q[2]);
    }
  };
  Model model;
  const auto body =
      model.add(pendulum, {.q = {std::cos(theta), std::sin(theta), theta},
                           .v = {-rate * std::sin(theta), rate * std::cos(theta), rate}});
  model.link(body, Tie{}, Equality{});
  return model;
}

TEST(Formulation, PendulumWithASingularMassIsSolvable) {  // F:V34, F:C0-21, F:F122
  const double h = 1e-5;
  EXPECT_ERROR(singular_pendulum(0, 2, 0), "must be positive definite");
  const auto forces = [&](double theta, double rate) -> Vector {
    Simulation sim(singular_pendulum(theta, rate, 1), MoreauJean{}, {.step = h});
    for (int k = 0; k < 2; ++k) EXPECT_TRUE(sim.advance().done());
    return sim.multipliers() / h;
  };
  // G is that of the middle of the step, so that the first one turns it by half a step only; in the
  // second, errors are of a few h
  EXPECT_LT((forces(pi / 2, 0) - Values{0, 0}).norm(), 20 * h);
  EXPECT_LT((forces(0, 2) - Values{-13.81, 0}).norm(), 100 * h);
  const auto angle = [&](double share) {
    Simulation sim(singular_pendulum(1, 0, share), MoreauJean{}, {.step = 1e-3});
    EXPECT_TRUE(sim.run(0.5).report.ok());
    return sim.state().q[2];
  };
  EXPECT_NEAR(angle(1), angle(3), 2e-3);  // the share of the constraints is at will
}

TEST(Formulation, EulerAnglesAreSingularWhereTheAxesCoincide) {  // F:V35, F:F115
  for (const double theta : {0.3, 1.2, 2.9, 0.0}) {
    const EulerAngles angles{.psi = 0.8, .theta = theta, .phi = -0.5};
    EXPECT_NEAR(angles.rates().determinant(), -std::sin(theta), 1e-15);
  }
  // Ω̂ = Rᵀ Ṙ by central differences: error ε² and rounding over ε
  const EulerAngles at{.psi = 0.8, .theta = 1.2, .phi = -0.5};
  const Vector3 rate(0.7, -1.1, 0.4);
  const double step = 1e-6;
  const auto moved = [&](double t) {
    return EulerAngles{at.psi + t * rate[0], at.theta + t * rate[1], at.phi + t * rate[2]}
        .rotation();
  };
  const Matrix3 spin = at.rotation().transpose() * (moved(step) - moved(-step)) / (2 * step);
  const Vector3 omega = at.rates() * rate;
  EXPECT_LT((Vector3(spin(2, 1), spin(0, 2), spin(1, 0)) - omega).norm(), 1e-9);
  const Matrix3 inertia = Vector3(2, 3, 4).asDiagonal();  // F:F121
  EXPECT_NEAR(rate.dot(at.mass(inertia) * rate), omega.dot(inertia * omega), 1e-14);
}

TEST(Formulation, ScrewsChangePointAndFrameAndComeBack) {  // F:V35, F:F114, F:F118
  const Pose frame{{0.4, -1.3, 2.2}, EulerAngles{0.3, 1.7, -2.1}.rotation()};
  const Screw here{{1, -2, 0.5}, {0.3, 0.7, -1.1}}, wrench{{0.2, 0.9, -3}, {1, 1, -0.5}};
  const Screw there = here.in_world(frame);
  const Vector3 r = frame.R * here.resultant;
  EXPECT_LT((there.resultant - r).norm(), 1e-14);
  EXPECT_LT((there.moment - frame.x.cross(r) - frame.R * here.moment).norm(), 1e-14);
  const Screw back = there.in_frame(frame);
  EXPECT_LT((back.resultant - here.resultant).norm() + (back.moment - here.moment).norm(), 1e-14);
  const Vector3 away(3, -1, 2);  // Varignon, there and back
  const Screw round = here.at(away).at(-away);
  EXPECT_LT((round.moment - here.moment).norm(), 1e-14);
  EXPECT_NEAR(here.at(away).product(wrench.at(away)), here.product(wrench), 1e-13);
}

TEST(Formulation, MomentumAndTwistGiveTheKineticEnergyAtAnyPoint) {  // F:F117, F:F114, F:C0-19
  const Matrix3 inertia = Vector3(0.2, 0.5, 0.4).asDiagonal();
  const double m = 3;
  const Vector q = positions_of({1, 2, -1}, {0.4, 0.8, -0.3});
  const Vector v = Values{0.3, -2, 1, 4, -1, 2};
  const Screw twist = twist_of(q.data(), v.data());
  const Screw momentum = momentum_of(q.data(), v.data(), m, inertia);
  const double energy =
      0.5 * m * v.head<3>().squaredNorm() + 0.5 * v.tail<3>().dot(inertia * v.tail<3>());
  EXPECT_NEAR(0.5 * twist.product(momentum), energy, 1e-13);
  const Vector3 away(-2, 0.5, 1);
  EXPECT_NEAR(0.5 * twist.at(away).product(momentum.at(away)), energy, 1e-12);
  // σ(A) = σ(G) + AG × m V_G
  EXPECT_LT((momentum.at(away).moment - momentum.moment + away.cross(m * v.head<3>())).norm(),
            1e-13);
  // the twist at another point has the velocity of that point of the body as its moment
  const Vector3 arm(0.5, -0.2, 0.7);
  EXPECT_LT((twist.at(arm).moment - v.head<3>() - twist.resultant.cross(arm)).norm(), 1e-14);
}

TEST(Formulation, NodesAreFoundInAndOutOfPolygons) {  // F:V39, F:F130, F:F131
  const std::vector<Vector2> square = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  EXPECT_NEAR(angle_sum(square, {0.5, 0.5}), 2 * pi, 1e-14);
  EXPECT_NEAR(angle_sum(square, {1.5, 0.5}), 0, 1e-14);
  EXPECT_EQ(ray_crossings(square, {0.5, 0.5}), 1);
  EXPECT_EQ(ray_crossings(square, {1.5, 0.5}), 0);
  EXPECT_EQ(ray_crossings(square, {-0.5, 0.5}), 2);
  EXPECT_FALSE(contains(square, {-0.5, 0}));  // the ray runs along an edge,
  EXPECT_FALSE(contains(square, {-0.5, 1}));  // or along the other
  // a horseshoe, clockwise: the two tests agree everywhere
  const std::vector<Vector2> horseshoe = {{0, 0}, {0, 3}, {1, 3}, {1, 1},
                                          {2, 1}, {2, 3}, {3, 3}, {3, 0}};
  EXPECT_NEAR(angle_sum(horseshoe, {0.5, 2}), -2 * pi, 1e-14);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> uniform(-1, 4);
  int in = 0;
  for (int k = 0; k < 2000; ++k) {
    const Vector2 point(uniform(random), uniform(random));
    EXPECT_EQ(contains(horseshoe, point), std::abs(angle_sum(horseshoe, point)) > pi);
    in += contains(horseshoe, point) ? 1 : 0;
  }
  EXPECT_NEAR(in / 2000.0, 7.0 / 25, 0.04);  // its area in the square, 4 standard deviations
  EXPECT_ERROR(static_cast<void>(contains({}, {0, 0})), "0 corners");
}

TEST(Formulation, BipotentialIsNotNegativeAndZeroAtSolutions) {  // F:V43, F:F158
  const double mu = 0.5;
  FrictionContact contact{.q = Vector(3), .mu = Values{mu}};  // W = 0: u is q
  contact.W = BlockSparse::dense(Matrix::Zero(3, 3));
  const auto value = [&](const Vector3& u, const Vector3& r) {
    contact.q = u;
    return bipotential(contact, r);
  };
  std::mt19937 random(11);
  std::uniform_real_distribution<double> uniform(0, 1);
  double least = inf;
  for (int k = 0; k < 100000; ++k) {
    const double a = 2 * pi * uniform(random), b = 2 * pi * uniform(random);
    const double normal = uniform(random), slip = uniform(random);
    const double friction = mu * normal * uniform(random);
    const Vector3 u(uniform(random), slip * std::cos(a), slip * std::sin(a));
    const Vector3 r(normal, friction * std::cos(b), friction * std::sin(b));
    least = std::min(least, value(u, r));
  }
  EXPECT_GE(least, -1e-15);
  EXPECT_LT(least, 1e-3);                                        // and comes close to it
  EXPECT_EQ(value({1, 0.3, 0.4}, {0, 0, 0}), 0);                 // the solutions of F:V42: open,
  EXPECT_EQ(value({0, 0, 0}, {1, -0.3, 0}), 0);                  // stuck,
  EXPECT_NEAR(value({0, 2.7, 3.6}, {1, -0.3, -0.4}), 0, 1e-15);  // sliding: 2.25 = 2.25
}

TEST(Formulation, SlidingRodHasNoSolutionOrTwo) {  // F:V56, F:F210
  // Rod of length 2 l, I = m l²/3, at the angle θ, whose lower end slides away from its centre:
  // normal acceleration W N + b of that end under friction, m W = 1 + 3 cos θ (cos θ − μ sin θ).
  const double l = 0.7, m = 2, theta = std::atan(2.0);
  const DiskOnLine end{.point = {-l, 0}};
  const Vector q = Values{0, l * std::sin(theta), theta};
  Matrix H(2, 3);
  end.jacobian({0, view_of(q.data(), 3)}, H);
  const Vector inverse = Values{1 / m, 1 / m, 3 / (m * l * l)};
  // the tangent of the relation is n turned by +90°: the end slides with u_T > 0, friction is −μ N
  const auto W = [&](double mu) {
    return H.row(0).dot(inverse.asDiagonal() * (H.row(0) - mu * H.row(1)).transpose());
  };
  EXPECT_NEAR(m * W(1), 0.4, 1e-14);
  EXPECT_NEAR(m * W(4.0 / 3), 0, 1e-14);
  EXPECT_NEAR(m * W(2), -0.8, 1e-14);
  const auto solutions = [&](double mu, double b) {
    const Lcp lcp{BlockSparse::dense(Matrix::Constant(1, 1, W(mu))), Vector::Constant(1, b)};
    return enumerate_solutions(lcp).size();
  };
  EXPECT_EQ(solutions(2, -1), 0U);  // inconsistent: the end would have to stop at once
  EXPECT_EQ(solutions(2, 1), 2U);   // it may lift off or jam
  EXPECT_EQ(solutions(1, -1), 1U);
  EXPECT_EQ(solutions(1, 1), 1U);
}

}  // namespace
}  // namespace saltus::mechanics
