// Several integrators in one simulation (PL:OI-04): each system its own, one one-step problem.

#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

/// A mass on a spring to the ground.
struct Oscillator {
  double m, k, q, v, theta;
};

/// v⁺ without contact and M̂, from m(v⁺ − v) = −h k [θ q⁺ + (1−θ) q], q⁺ = q + h(θ v⁺ + (1−θ) v).
struct Free {
  double v, mass;
};
Free free_motion(const Oscillator& o, double h) {
  const double mass = o.m + h * h * o.theta * o.theta * o.k;
  return {(o.m * o.v - h * o.k * (o.q + h * o.theta * (1 - o.theta) * o.v)) / mass, mass};
}

void move(Oscillator& o, double v, double h) {
  o.q += h * (o.theta * v + (1 - o.theta) * o.v);
  o.v = v;
}

LinearLagrangian system_of(const Oscillator& o) { return {.M = {{o.m}}, .K = {{o.k}}, .F = {0.0}}; }

/// a pushes b: y = q_b − q_a ≥ 0.
Model pair(const Oscillator& a, const Oscillator& b, double e) {
  Model model;
  const auto first = model.add(system_of(a), {.q = {a.q}, .v = {a.v}}, "a");
  const auto second = model.add(system_of(b), {.q = {b.q}, .v = {b.v}}, "b");
  model.link({first, second}, LinearRelation{.H = {{-1, 1}}}, NewtonImpact{.e = e});
  return model;
}

TEST(SystemIntegrators, TwoBodiesWithTheirOwnThetaMeetInOneProblem) {  // PL:OI-04, PL:OI-02
  Oscillator a{2, 50, 0, 1, 0.5}, b{1, 300, 0.02, -0.5, 1};
  const double h = 5e-3, e = 0.4;
  Simulation sim(pair(a, b, e), MoreauJean{.theta = 0.5, .systems = {{"b", Theta{1}}}},
                 {.step = h});
  int contacts = 0;
  for (int n = 0; n < 400; ++n) {
    const bool closed = b.q - a.q + 0.5 * h * (b.v - a.v) <= 1e-12;  // the forecast
    const Free fa = free_motion(a, h), fb = free_motion(b, h);
    const double push = fb.v - fa.v + e * (b.v - a.v);
    const double r = closed && push < 0 ? -push / (1 / fa.mass + 1 / fb.mass) : 0;
    contacts += r > 0 ? 1 : 0;
    move(a, fa.v - r / fa.mass, h);
    move(b, fb.v + r / fb.mass, h);
    ASSERT_TRUE(sim.advance().done());
    // each step adds a few roundings of numbers of size 10 (v = O(10)), none is amplified
    ASSERT_NEAR(sim.state().q[0], a.q, 1e-11) << n;
    ASSERT_NEAR(sim.state().q[1], b.q, 1e-11) << n;
    ASSERT_NEAR(sim.state().v[1], b.v, 1e-10) << n;
    ASSERT_NEAR(sim.multipliers()[0], r, 1e-10) << n;
  }
  EXPECT_GT(contacts, 10);
}

/// Largest difference of the states of two runs; 0 if they are the same bit by bit.
double difference(const Model& model, const Scheme& one, const Scheme& other, double step,
                  double end) {
  Simulation a(model, one, {.step = step}), b(model, other, {.step = step});
  const Trajectory x = a.run(end), y = b.run(end);
  EXPECT_TRUE(x.report.ok()) << x.report.message();
  EXPECT_EQ(x.q.values.size(), y.q.values.size());
  double largest = 0;
  for (const auto table : {&Trajectory::q, &Trajectory::v, &Trajectory::x, &Trajectory::r})
    for (std::size_t i = 0; i < (x.*table).values.size(); ++i)
      largest = std::max(largest, std::abs((x.*table).values[i] - (y.*table).values[i]));
  return largest;
}

TEST(SystemIntegrators, EqualOptionsGiveTheSameBits) {
  const Model two = pair({2, 50, 0, 1, 0}, {1, 300, 0.02, -0.5, 0}, 0);
  for (const double theta : {0.5, 0.7, 1.0}) {
    const SystemIntegrators same = {{"a", Theta{theta}}, {"b", Theta{theta}}};
    EXPECT_EQ(difference(two, MoreauJean{.theta = theta},
                         MoreauJean{.theta = theta, .systems = same}, 5e-3, 2),
              0);
    // the θ of the scheme is that of systems that are not named: it may be any here
    EXPECT_EQ(difference(two, MoreauJean{.theta = theta, .gap = ConsistentGap{}},
                         MoreauJean{.theta = 1, .gap = ConsistentGap{}, .systems = same}, 5e-3, 2),
              0);
    EXPECT_EQ(difference(two, StewartTrinkle{.theta = theta},
                         StewartTrinkle{.theta = 1, .systems = same}, 5e-3, 2),
              0);
    EXPECT_EQ(difference(two, AnitescuPotra{.theta = theta},
                         AnitescuPotra{.theta = 1, .systems = same}, 5e-3, 2),
              0);
  }
}

TEST(SystemIntegrators, RigidBodiesWithFrictionGiveTheSameBits) {
  using namespace mechanics;
  RigidScene scene;
  scene.fix(Plane{}, {.mu = 0.4});
  scene.add(mechanics::Box{.half = {0.2, 0.1, 0.1}}, 1000, {.x = {0, 0, 0.12}}, {.mu = 0.4});
  scene.add(mechanics::Box{.half = {0.1, 0.1, 0.1}}, 1000, {.x = {0.05, 0, 0.35}}, {.mu = 0.4});
  const Model model = scene.model({0.5, 0, -9.81});
  const std::string pool = model.systems()[0].name;
  EXPECT_EQ(difference(model, MoreauJean{.theta = 0.75},
                       MoreauJean{.theta = 0.5, .systems = {{pool, Theta{0.75}}}}, 2e-3, 0.4),
            0);
}

TEST(SystemIntegrators, FirstAndSecondOrderInOneModelDoWhatTheyDoAlone) {
  // A ball on the ground, and a capacitor charged through a resistor with an ideal diode across.
  const auto ball = [](Model& model) {
    const auto id = model.add(PointMass{.m = 2, .gravity = {-9.81}}, {.q = {1}}, "ball");
    model.link(id, LinearRelation{.H = {{1}}}, NewtonImpact{.e = 0.8});
  };
  const auto circuit = [](Model& model) {
    const auto id = model.add(FirstOrderLinear{.A = {{-3, 4}, {-4, -1}}, .b = {1, 0}},
                              {.x = {1, 2}}, "circuit");
    model.link(id, FirstOrderLinearRelation{.C = {{1, 0}}, .B = {{1}, {0}}}, Complementarity{});
  };
  Model one, other, both;
  ball(one), circuit(other), ball(both), circuit(both);
  const double h = 1e-2;
  Simulation a(one, MoreauJean{.theta = 0.5}, {.step = h});
  Simulation b(other, ZeroOrderHold{}, {.step = h});
  Simulation c(both, MoreauJean{.theta = 0.5, .systems = {{"circuit", ExactFlow{}}}}, {.step = h});
  for (int n = 0; n < 200; ++n) {
    ASSERT_TRUE(a.advance().done() && b.advance().done() && c.advance().done());
    // the matrices are those of the single runs to rounding, and both motions are stable
    ASSERT_NEAR(a.state().q[0], c.state().q[0], 1e-11);
    ASSERT_NEAR(b.state().x[0], c.state().x[0], 1e-11);
    ASSERT_NEAR(b.state().x[1], c.state().x[1], 1e-11);
  }
}

TEST(SystemIntegrators, ExactFlowOfAStiffOscillatorBesideAContact) {  // TI:TI-079
  // ω h = 15: no θ-method follows this; the exact flow does, beside a ball with θ = ½.
  const double k = 2.25e6, F = 5, h = 1e-2, omega = std::sqrt(k);
  Model model;
  const auto ball = model.add(PointMass{.gravity = {-9.81}}, {.q = {0.3}}, "ball");
  model.link(ball, LinearRelation{.H = {{1}}}, NewtonImpact{.e = 0.5});
  model.add(LinearLagrangian{.M = {{1}}, .K = {{k}}, .F = {F}}, {.q = {1e-3}, .v = {2}}, "spring");
  Simulation sim(model, MoreauJean{.systems = {{"spring", ExactFlow{}}}}, {.step = h});
  ASSERT_TRUE(sim.run(2.0).report.ok());
  const double t = 2, c = std::cos(omega * t), s = std::sin(omega * t), rest = F / k;
  // 200 products with e^(Ah), each to some 16 ε ‖h A‖ = 5e-14 of v = 2 and q = v/ω
  EXPECT_NEAR(sim.state().q[1], rest + (1e-3 - rest) * c + 2 / omega * s, 2e-14);
  EXPECT_NEAR(sim.state().v[1], -(1e-3 - rest) * omega * s + 2 * c, 2e-11);
}

TEST(SystemIntegrators, ExactFlowOfAFreeMassIsTheMidpointRule) {
  Model model;
  const auto ball = model.add(PointMass{.m = 2, .gravity = {-9.81, 1}}, {.q = {1, 0}}, "ball");
  model.link(ball, LinearRelation{.H = {{1, 0}, {0, 1}}}, Coulomb{.mu = 0.3, .e = 0.7});
  EXPECT_LT(difference(model, MoreauJean{.theta = 0.5},
                       MoreauJean{.theta = 1, .systems = {{"ball", ExactFlow{}}}}, 1e-2, 3),
            1e-10);  // r is the answer of a solver with tolerance 1e-10 or better
}

TEST(SystemIntegrators, BodyAtRestOnAContactStaysWithExactFlow) {
  // c h/m = 50: the load is held over the step, so that the reaction is the weight exactly
  const double m = 1, c = 500, g = 9.81, h = 0.1;
  Model model;
  const auto body =
      model.add(LinearLagrangian{.M = {{m}}, .C = {{c}}, .F = {-m * g}}, {.q = {0}}, "body");
  model.link(body, LinearRelation{.H = {{1}}}, NewtonImpact{});
  Simulation sim(model, MoreauJean{.systems = {{"body", ExactFlow{}}}}, {.step = h});
  for (int n = 0; n < 20; ++n) {
    ASSERT_TRUE(sim.advance().done());
    ASSERT_NEAR(sim.multipliers()[0], m * g * h, 1e-13);
  }
  EXPECT_NEAR(sim.state().q[0], 0, 1e-15);
}

TEST(SystemIntegrators, MixedPairConvergesWithTheOrderOfItsWorstPart) {
  // Two oscillators without contact but for a spring between them: order 2 with θ = ½ and the exact
  // flow, order 1 as soon as one has θ = 1.
  const auto error = [](const SystemIntegrators& systems, double h) {
    Model model;
    const auto a = model.add(system_of({1, 4, 0, 0, 0}), {.q = {1}, .v = {0}}, "a");
    const auto b = model.add(system_of({2, 9, 0, 0, 0}), {.q = {0}, .v = {1}}, "b");
    model.link({a, b}, LinearRelation{.H = {{-1, 1}}}, Spring{.k = 3});
    Simulation sim(model, MoreauJean{.systems = systems}, {.step = h});
    EXPECT_TRUE(sim.run(2.0).report.ok());
    Model whole;  // the same as one system, exactly
    whole.add(LinearLagrangian{.M = {{1, 0}, {0, 2}}, .K = {{7, -3}, {-3, 12}}, .F = {0, 0}},
              {.q = {1, 0}, .v = {0, 1}}, "w");
    Simulation exact(whole, MoreauJean{.systems = {{"w", ExactFlow{}}}}, {.step = 0.5});
    EXPECT_TRUE(exact.run(2.0).report.ok());
    return (sim.state().q - exact.state().q).norm();
  };
  const auto order = [&](const SystemIntegrators& systems) {
    return testing::fitted_order(testing::steps(2e-2, 2e-3, 10),
                                 [&](double h) { return error(systems, h); });
  };
  EXPECT_NEAR(order({{"a", Theta{0.5}}, {"b", ExactFlow{}}}), 2, 0.05);
  EXPECT_NEAR(order({{"a", Theta{1}}, {"b", ExactFlow{}}}), 1, 0.1);
}

TEST(SystemIntegrators, WarmStepAllocatesNothing) {
  const Model model = pair({2, 50, 0, 1, 0}, {1, 300, 0.02, -0.5, 0}, 0.4);
  Simulation sim(model, MoreauJean{.systems = {{"a", Theta{1}}, {"b", ExactFlow{}}}},
                 {.step = 5e-3});
  for (int n = 0; n < 200; ++n) ASSERT_TRUE(sim.advance().done());
  const testing::AllocationGuard guard;
  for (int n = 0; n < 200; ++n) static_cast<void>(sim.advance());
  EXPECT_EQ(guard.count(), 0);
}

TEST(SystemIntegrators, ContactOnAModeThatTurnsByPiIsReported) {
  // sin(ω h)/ω < 0: a push over the whole step would move the mass backwards
  Model model;
  const auto body = model.add(system_of({1, 1e6, 0, 0, 0}), {.q = {0}}, "body");
  model.link(body, LinearRelation{.H = {{1}}}, NewtonImpact{});
  Simulation sim(model, MoreauJean{.systems = {{"body", ExactFlow{}}}}, {.step = 4e-3});
  EXPECT_EQ(sim.advance().status, StepStatus::singular_matrix);
  EXPECT_TRUE(sim.advance(1e-3).done());
}

TEST(SystemIntegrators, WrongNamesAndSystemsAreRefused) {
  const Model model = pair({2, 50, 0, 1, 0}, {1, 300, 0.02, -0.5, 0}, 0);
  const auto with = [&](const SystemIntegrators& systems) {
    return Simulation(model, MoreauJean{.systems = systems}, {.step = 1e-3});
  };
  EXPECT_ERROR(with({{"c", Theta{}}}), "the model has no system 'c'; it has a, b");
  EXPECT_ERROR(with({{"a", Theta{}}, {"a", ExactFlow{}}}), "'a' is given twice");
  EXPECT_ERROR(with({{"", Theta{}}}), "the name of a system is empty");
  EXPECT_ERROR(with({{"a", Theta{1.5}}}), "theta is 1.5");
  EXPECT_ERROR(Simulation(model, AnitescuPotra{.systems = {{"a", ExactFlow{}}}}, {.step = 1e-3}),
               "moves positions by v⁺ alone");
  Lagrangian pendulum{.n = 1};
  pendulum.M = [](const StateView&, MatrixRef M) { M(0, 0) = 1; };
  pendulum.F = [](const StateView& x, VectorRef F) { F[0] = -std::sin(x.q[0]); };
  Model nonlinear;
  nonlinear.add(pendulum, {.q = {0.1}}, "pendulum");
  EXPECT_ERROR(
      Simulation(nonlinear, MoreauJean{.systems = {{"pendulum", ExactFlow{}}}}, {.step = 1e-3}),
      "not linear with constant matrices");
}

TEST(SystemIntegrators, OptionsAreDescribed) {
  const MoreauJean scheme{.systems = {{"a", Theta{1}}, {"b", ExactFlow{}}}};
  EXPECT_NE(describe(scheme).find("systems={a: Theta(theta=1), b: ExactFlow()}"),
            std::string::npos);
}

}  // namespace
}  // namespace saltus
