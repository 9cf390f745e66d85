// Elastic bodies in motion: waves, impact on walls, friction, boundary conditions, rotations.

#include "saltus/mechanics/elastic/node_contacts.hpp"
#include "saltus/simulation/simulation.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"
#include "support/fitted_order.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus::mechanics {
namespace {

/// A free bar, E = ρ = L = 1, flies with v = 1 against a wall that it touches at t = 0.
ElasticBody unit_bar(Index elements) {
  return {.mesh = box_mesh(ElementKind::bar, {1.0}, {elements})};
}

struct BarRun {
  Model model;
  explicit BarRun(const ElasticBody& bar, double speed, double wall, double e = 0) {
    const Index n = bar.mesh.node_count();
    const SystemId id =
        model.add(bar.linear(), {.q = Vector::Zero(n), .v = Vector::Constant(n, speed)}, "bar");
    link_plane(model, id, bar, {n - 1}, {-1.0}, -wall, NewtonImpact{.e = e});
  }
};

TEST(BarImpact, BarReboundsAfterTwoTransitTimes) {  // AI:V44, AI:NM-17
  // exact: force 1 (stress −1) for 2 = 2L/c, then the bar leaves with −1. At θ = ½ and e = 0 the
  // mesh rings at its own frequency behind the front: means over the contact converge with h.
  const Index elements = 400;
  const double h = 0.5 / double(elements);
  const BarRun bar(unit_bar(elements), 1, 1);
  Simulation sim(bar.model, MoreauJean{.theta = 0.5}, {.step = h});
  double impulse = 0, last = 0, mean = 0;
  int count = 0;
  while (sim.state().t < 3) {
    ASSERT_TRUE(sim.advance().done());
    const double r = sim.multipliers()[0], t = sim.state().t;
    impulse += r;
    if (t < 2.2 && r > 0.1 * h) last = t;
    if (t > 0.3 && t < 1.7) mean += r / h, ++count;
  }
  EXPECT_NEAR(mean / count, 1, 0.005);
  EXPECT_NEAR(last, 2, 0.03);  // a front is about five elements wide after 400
  EXPECT_NEAR(impulse, 2, 0.01);
  const SparseMatrix M = unit_bar(elements).mass_matrix();
  const Vector momentum = M * sim.state().v;
  EXPECT_NEAR(momentum.sum(), -1, 0.01);  // exact: all of it reversed
}

TEST(BarImpact, EnergyOfTheReboundConvergesToThatOfTheBar) {  // AI:V44, AI:NM-31
  // a node that stops (e = 0) loses the energy ½ m_node v² = O(1/n): the continuous bar needs no
  // impact law, the law of the mesh does not matter in the limit
  const std::vector<double> sizes = testing::steps(0.05, 0.005, 8);
  for (const double e : {0.0, 0.5}) {
    const auto loss = [&](double size) {
      const auto elements = std::lround(1 / size);
      const BarRun bar(unit_bar(elements), 1, 1, e);
      Simulation sim(bar.model, MoreauJean{}, {.step = 0.2 / double(elements)});
      const EnergyBalance energy = sim.run(3.0).report.energy;
      EXPECT_NEAR(energy.start, 0.5, 1e-12);
      EXPECT_LT(std::abs(energy.error()), 1e-11);
      EXPECT_LT(std::abs(energy.scheme), 1e-11);  // θ = ½ on a linear conservative body
      return 0.5 - energy.total();
    };
    EXPECT_NEAR(testing::fitted_order(sizes, loss), 1, 0.3) << e;
    EXPECT_LT(loss(0.005), 0.01) << e;
  }
}

TEST(BarImpact, WallForceIsThatOfTheTheoryWithGeneralizedAlpha) {  // AC:AV-24
  const Index elements = 200;
  const double h = 2e-3;
  const ElasticBody bar{.mesh = box_mesh(ElementKind::bar, {10.0}, {elements}), .young = 900};
  const BarRun run(bar, 10, 15);
  const GeneralizedAlpha scheme{.coefficients = ChungHulbert{.rho = .8}, .newton_tolerance = 1e-6};
  Simulation sim(run.model, scheme, {.step = h});
  double impulse = 0, first = 0, last = 0;
  while (sim.state().t < 1.3 - h / 2) {
    ASSERT_TRUE(sim.advance().done());
    const double force = sim.multipliers()[0] / h, t = sim.state().t;
    impulse += sim.multipliers()[0];
    if (force > 1 && first == 0) first = t;
    if (force > 30) last = t;
    if (t > .6 && t < 1.1) {
      EXPECT_NEAR(force, 300, .005 * 300) << t;
    }
  }
  EXPECT_NEAR(first, .502, h);
  EXPECT_NEAR(last, 1.167, .01);
  EXPECT_NEAR(impulse, 198.96, .5);
}

TEST(ElasticBody, StandingWaveKeepsItsFrequencyAndEnergy) {  // TI:V-29
  // first mode of a bar fixed at both ends, θ = ½: ω_h of the mesh, period error (ωh)²/12
  const Index n = 16;
  ElasticBody bar{.mesh = box_mesh(ElementKind::bar, {1.0}, {n})};
  bar.held = bar.dofs(
      bar.mesh.nodes_where([](const Vector& x) { return x[0] < 1e-9 || x[0] > 1 - 1e-9; }));
  const double k = M_PI, length = 1.0 / double(n);
  const double omega =
      std::sqrt(6 * (1 - std::cos(k * length)) / (2 + std::cos(k * length))) / length;
  Vector q(n + 1);
  for (Index i = 0; i <= n; ++i) q[i] = 0.01 * std::sin(M_PI * double(i) * length);
  Model model;
  model.add(bar.linear(), {.q = q, .v = Vector::Zero(n + 1)});
  const double h = 0.01;
  Simulation sim(model, MoreauJean{}, {.step = h});
  const Trajectory run = sim.run(10.0);
  // the scheme turns the mode by 2 atan(ωh/2) per step: exact
  EXPECT_NEAR(sim.state().q[n / 2], q[n / 2] * std::cos(1000 * 2 * std::atan(omega * h / 2)),
              1e-12);
  EXPECT_NEAR(run.report.energy.total(), run.report.energy.start, 1e-15);
}

TEST(ElasticBody, RayleighDampingGivesTheDampingOfTheMode) {  // PL:DS-07
  // first mode: ζ = α/(2ω) + βω/2, amplitude after time t: e^(−ζωt)
  const Index n = 16;
  ElasticBody bar{.mesh = box_mesh(ElementKind::bar, {1.0}, {n}),
                  .damping_mass = 0.1,
                  .damping_stiffness = 0.01};
  bar.held = bar.dofs({0, n});
  Vector q(n + 1);
  for (Index i = 0; i <= n; ++i) q[i] = std::sin(M_PI * double(i) / double(n));
  Model model;
  model.add(bar.linear(), {.q = q, .v = Vector::Zero(n + 1)});
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  const double omega = M_PI * (1 + M_PI * M_PI / (24 * n * n));
  const double decay = 0.5 * (0.1 + 0.01 * omega * omega);
  const double damped = std::sqrt(omega * omega - decay * decay);
  static_cast<void>(sim.run(3.0));
  const double exact =
      std::exp(-3 * decay) * (std::cos(3 * damped) + decay / damped * std::sin(3 * damped));
  EXPECT_NEAR(sim.state().q[n / 2], exact,
              1e-4);  // ω to (π/n)⁴, the scheme to (ωh)²/12 · ωt = 1e-5
}

/// A plane block b × a of quads on a floor, gravity tilted.
struct Block {
  ElasticBody body;
  Model model;
  Block(double tilt, double mu, double young = 1e6)
      : body{.mesh = box_mesh(ElementKind::quad, {0.4, 0.2}, {6, 3}),
             .young = young,
             .poisson = 0.3,
             .density = 2000,
             .damping_stiffness = 2e-3,
             .gravity = {9.81 * std::sin(tilt), -9.81 * std::cos(tilt)}} {
    const SystemId id = model.add(body.linear(), {.q = Vector::Zero(body.dof())}, "block");
    link_plane(model, id, body, body.mesh.nodes_on(1, 0.0), {0.0, 1.0}, 0, Coulomb{.mu = mu});
  }
  [[nodiscard]] double speed(const State& s) const {
    const Vector momentum = body.mass_matrix() * s.v;
    double sum = 0;
    for (Index i = 0; i < momentum.size(); i += 2) sum += momentum[i];
    return sum / body.mass();
  }
};

constexpr double g = 9.81, tilt = M_PI / 6, time_step = 1e-3;

/// Percussions of the floor on all nodes, normal and down the slope.
struct FloorSum {
  double normal = 0, tangent = 0;
  explicit FloorSum(const Vector& r) {
    for (Index i = 0; i < r.size(); i += 2) normal += r[i], tangent -= r[i + 1];
  }
};

TEST(ElasticBody, BlockSlidesDownAnInclineAsARigidOne) {  // TI:V-32, TI:TI-124
  const double mu = 0.3;
  const Block block(tilt, mu);
  Simulation sim(block.model, MoreauJean{.theta = 0.6}, {.step = time_step});
  double missing = 0, late = 0, normal = 0;
  for (int k = 0; k < 1000; ++k) {
    ASSERT_TRUE(sim.advance().done());
    const FloorSum floor(sim.multipliers());
    normal += floor.normal;
    const double less = mu * floor.normal + floor.tangent;  // than full friction
    missing += less;
    if (k >= 30) late += std::abs(less);
  }
  const double mass = block.body.mass();
  const double rigid = g * (std::sin(tilt) - mu * std::cos(tilt));
  // Internal forces have no resultant, so momentum is that of gravity and the floor, to rounding:
  //     m v = m g sin − Σ (μ r_N − missing),   Σ r_N = m g cos + m v_N
  const double lift = normal / mass - g * std::cos(tilt);
  EXPECT_NEAR(block.speed(sim.state()), rigid - mu * lift + missing / mass, 1e-10);
  // Friction is full once every node slides: after the first wave has gone along the block, 0.4 m
  // at (E/ρ)^½ = 22 m/s, 18 steps, and come back for the nodes at the ends. Then it is μ times the
  // normal force up to the tolerance of the solver, 1e-8 ‖q‖ < 1e-8 in each of the steps.
  EXPECT_LT(late, 970 * 1e-8);
  // Until then at most the whole of it is missing, in both directions.
  EXPECT_GT(missing, 0);
  EXPECT_LT(missing / mass, 2 * mu * g * std::cos(tilt) * 30 * time_step);
  // The slowest vibration, shear of the height 0.2 with c = (G/ρ)^½ = 13.9 m/s and ω = πc/2h =
  // 109/s, starts with g/ω and decays as e^(−½βω²t): e^(−11) g/ω is left.
  EXPECT_LT(std::abs(lift), 3e-6);
}

TEST(ElasticBody, BlockSticksOnAnInclineAsARigidOne) {  // TI:V-32, TI:TI-124
  const Block block(tilt, 0.9);
  Simulation sim(block.model, MoreauJean{.theta = 0.6}, {.step = time_step});
  int open = 0;
  for (int k = 0; k < 2000; ++k) {
    ASSERT_TRUE(sim.advance().done());
    for (Index i = 0; k >= 300 && i < sim.multipliers().size(); i += 2)
      open += sim.multipliers()[i] > 0 ? 0 : 1;
  }
  // Every node bears load, and none blinks when the tolerance of the solver lets its gap drift.
  EXPECT_EQ(open, 0);
  // The slowest vibration, as above, is below 1e-10 g/ω after 2 s. What is left is the tolerance of
  // the solver, 1e-8 ‖q‖ with ‖q‖ ≤ g h (2 · 7)^½ = 0.04 per step.
  const double slack = 1e-8 * 0.04;
  EXPECT_NEAR(block.speed(sim.state()), 0, 5 * slack);
  // The floor carries the weight, up to m slack / h for a change of momentum within a step.
  const FloorSum floor(sim.multipliers() / time_step);
  const double mass = block.body.mass();
  EXPECT_NEAR(floor.normal, mass * g * std::cos(tilt), 5 * mass * slack / time_step);
  EXPECT_NEAR(-floor.tangent, mass * g * std::sin(tilt), 5 * mass * slack / time_step);
}

/// Two cubes of bricks, the upper with another mesh, above the floor.
struct Cubes {
  ElasticBody lower, upper;
  Model model;
  explicit Cubes(double gap, double mu = 0.4)
      : lower{.mesh = box_mesh(ElementKind::brick, {1.0, 1.0, 1.0}, {3, 3, 3}),
              .young = 1e6,
              .poisson = 0.3,
              .density = 1000,
              .damping_stiffness = 0.02,
              .gravity = {0.0, 0.0, -9.81}},
        upper(lower) {
    upper.mesh =
        box_mesh(ElementKind::brick, {0.8, 0.8, 0.8}, {2, 2, 2}, {0.1, 0.1, 1.0 + 2 * gap});
    for (Index i = 0; i < lower.mesh.node_count(); ++i) lower.mesh.nodes(i, 2) += gap;
    const SystemId a = model.add(lower.linear(), {.q = Vector::Zero(lower.dof())}, "lower");
    const SystemId b = model.add(upper.linear(), {.q = Vector::Zero(upper.dof())}, "upper");
    const Law law = Coulomb{.mu = mu};
    link_plane(model, a, lower, lower.mesh.nodes_on(2, gap), {0.0, 0.0, 1.0}, 0, law, "floor");
    link_sides(model, b, upper, upper.mesh.nodes_on(2, 1.0 + 2 * gap), a, lower,
               lower.mesh.nodes_on(2, 1.0 + gap), {0.0, 0.0, 1.0}, law, "between");
  }
};

TEST(ElasticBody, CubesFallAndRestOnEachOther) {  // TI:TI-124
  const Cubes cubes(0.02);
  ASSERT_EQ(cubes.model.interactions().size(), 16u + 9u);
  Simulation sim(cubes.model, MoreauJean{.theta = 0.7}, {.step = 2e-3});
  const Trajectory run = sim.run(2.0);
  ASSERT_EQ(run.report.end, RunEnd::reached_end);
  EXPECT_LT(std::abs(run.report.energy.error()), 1e-6);  // of 2e4 J, after 1000 steps
  EXPECT_GT(run.report.energy.impact, 0);
  EXPECT_LT(run.report.energy.kinetic, 1e-3);  // at rest
  const Vector r = sim.multipliers() / 2e-3;
  double floor = 0, between = 0, tangential = 0;
  for (Index i = 0; i < r.size(); i += 3) {
    (i < 48 ? floor : between) += r[i];
    tangential += r[i + 1];
  }
  const double top = 1000 * 0.512 * 9.81, all = top + 9810;
  EXPECT_NEAR(between, top, 1e-3 * top);
  EXPECT_NEAR(floor, all, 1e-3 * all);
  EXPECT_NEAR(tangential, 0, 1e-3 * all);
}

TEST(ElasticBody, WarmStepsOfBodiesInContactDoNotAllocate) {
  const Cubes cubes(0.0);
  Simulation sim(cubes.model, MoreauJean{.theta = 0.7}, {.step = 2e-3});
  for (int k = 0; k < 900; ++k) ASSERT_TRUE(sim.advance().done());
  const testing::AllocationGuard guard;
  for (int k = 0; k < 20; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(guard.count(), 0);
}

TEST(ElasticBody, SpinningSquareTurnsWithoutChangingItsShape) {  // F:F135, F:F136
  // ω = 2 on a square of side 1 with c = 100: strains of ρω²/E ~ 4e-4 only; the linear body would
  // grow to √2 of its size in a quarter turn
  const double omega = 2;
  const ElasticBody body{.mesh = box_mesh(ElementKind::quad, {1.0, 1.0}, {2, 2}, {-0.5, -0.5}),
                         .young = 1e4};
  Vector v(body.dof());
  for (Index i = 0; i < body.mesh.node_count(); ++i)
    v.segment<2>(2 * i) << -omega * body.mesh.nodes(i, 1), omega * body.mesh.nodes(i, 0);
  Model model;
  model.add(body.finite(), {.q = Vector::Zero(body.dof()), .v = v});
  const double h = 1e-3, turn = M_PI / 2 / omega;
  Simulation sim(model, MoreauJean{}, {.step = h});
  const Trajectory run = sim.run(turn);
  ASSERT_EQ(run.report.end, RunEnd::reached_end);
  for (Index i = 0; i < body.mesh.node_count(); ++i) {
    const Eigen::Vector2d X = body.mesh.nodes.row(i), now = X + sim.state().q.segment<2>(2 * i);
    EXPECT_NEAR(now.norm(), X.norm(), 2e-3);
    EXPECT_LT((now - Eigen::Vector2d(-X.y(), X.x())).norm(), 5e-3);  // a quarter turn
  }
  const EnergyBalance& energy = run.report.energy;
  EXPECT_NEAR(energy.total(), energy.start, 1e-4 * energy.start);  // the scheme: O(h²)
  EXPECT_LT(std::abs(energy.error()), 1e-12);
  // linear momentum is kept by Newton's tolerance, angular momentum to O(h²)
  const Vector momentum = body.mass_matrix() * sim.state().v;
  double along = 0, about = 0;
  for (Index i = 0; i < body.mesh.node_count(); ++i) {
    const Eigen::Vector2d x = body.mesh.nodes.row(i).transpose() + sim.state().q.segment<2>(2 * i);
    along += momentum[2 * i];
    about += x[0] * momentum[2 * i + 1] - x[1] * momentum[2 * i];
  }
  EXPECT_NEAR(along, 0, 1e-10);
  EXPECT_NEAR(about, omega / 6, 1e-4);
  const testing::AllocationGuard guard;
  for (int k = 0; k < 10; ++k) ASSERT_TRUE(sim.advance().done());
  EXPECT_EQ(guard.count(), 0);
}

TEST(ElasticBody, FiniteStrainsOfASmallMotionAreThoseOfTheLinearBody) {
  const ElasticBody body{.mesh = box_mesh(ElementKind::triangle, {1.0, 0.5}, {4, 2}),
                         .young = 100,
                         .poisson = 0.3,
                         .damping_stiffness = 1e-3,
                         .gravity = {0.0, -1e-4},
                         .held = {0, 1, 10, 11, 20, 21}};
  const auto end = [&](const System& system) {
    Model model;
    model.add(system, {.q = Vector::Zero(body.dof())});
    Simulation sim(model, MoreauJean{}, {.step = 5e-3});
    EXPECT_EQ(sim.run(1.0).report.end, RunEnd::reached_end);
    return sim.state().q;
  };
  const Vector small = end(body.linear()), finite = end(body.finite());
  EXPECT_GT(small.lpNorm<Eigen::Infinity>(), 1e-7);
  // rotations and strains of 1e-6 to 1e-5: relative differences of that size
  EXPECT_LT((small - finite).lpNorm<Eigen::Infinity>(), 1e-4 * small.lpNorm<Eigen::Infinity>());
  EXPECT_EQ(finite[0], 0);
}

TEST(ElasticBody, HeldNodesCarryContactsWithoutMoving) {
  // a ball falls on the middle of a bar in the plane that is clamped at both ends, and another on a
  // clamped end: that one stops dead, e = 0
  ElasticBody bar{.mesh = box_mesh(ElementKind::quad, {1.0, 0.1}, {8, 1}), .young = 1e5};
  bar.held = bar.dofs(bar.mesh.nodes_where([](const Vector& x) { return x[0] < 1e-9; }));
  Model model;
  const SystemId id = model.add(bar.linear(), {.q = Vector::Zero(bar.dof())});
  const ElasticBody ball{.mesh = box_mesh(ElementKind::quad, {0.02, 0.02}, {1, 1}, {0.0, 0.1}),
                         .young = 1e6,
                         .gravity = {0.0, -10.0}};
  const SystemId other = model.add(ball.linear(), {.q = Vector::Zero(8)});
  const auto ids = link_sides(model, other, ball, ball.mesh.nodes_on(1, 0.1), id, bar,
                              bar.mesh.nodes_on(1, 0.1), {0.0, 1.0}, Coulomb{.mu = 0.5});
  ASSERT_EQ(ids.size(), 2u);
  Simulation sim(model, MoreauJean{}, {.step = 1e-3});
  ASSERT_EQ(sim.run(0.1).report.end, RunEnd::reached_end);
  for (const Index i : bar.held) EXPECT_NEAR(sim.state().q[i], 0, 1e-18);
  EXPECT_GT(sim.multipliers()[0], 0);
}

TEST(ElasticBody, MovedBoundariesAreNotForGeneralizedAlpha) {
  ElasticBody bar{.mesh = box_mesh(ElementKind::bar, {1.0}, {4})};
  bar.held = {0};
  const auto prepare_with = [&](double speed) {
    bar.motion = [speed](double, VectorView, VectorRef v) { v[0] = speed; };
    Model model;
    model.add(bar.linear(), {.q = Vector::Zero(5)}, "bar");
    StepWorkspace work;
    prepare(model, GeneralizedAlpha{}, work);
  };
  EXPECT_NO_THROW(prepare_with(0));
  EXPECT_ERROR(prepare_with(0.1), "bar has percussions of its own");
}

TEST(NodeContacts, MistakesAreRefused) {
  ElasticBody body{.mesh = box_mesh(ElementKind::quad, {1.0, 1.0}, {1, 1})};
  Model model;
  const SystemId id = model.add(body.linear(), {.q = Vector::Zero(8)});
  const Law law = Coulomb{.mu = 0.5};
  EXPECT_ERROR(link_plane(model, id, body, {0}, {0.0, 2.0}, 0, law), "the normal has length 2");
  EXPECT_ERROR(link_plane(model, id, body, {0}, {1.0}, 0, law), "the normal has 1 entries");
  EXPECT_ERROR(link_plane(model, id, body, {7}, {0.0, 1.0}, 0, law), "node 7, there are 4");
  body.held = {0};
  body.motion = [](double, VectorView, VectorRef v) { v[0] = 1; };
  EXPECT_ERROR(link_plane(model, id, body, {0}, {0.0, 1.0}, 0, law), "node 0 is moved");
}

}  // namespace
}  // namespace saltus::mechanics
