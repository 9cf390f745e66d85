// Rigid bodies in contact with friction: closed forms, equilibrium, invariance, warm start.

#include "saltus/mechanics/masonry.hpp"
#include "saltus/mechanics/piles.hpp"
#include "saltus/mechanics/rigid_scene.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <cmath>

namespace saltus::mechanics {
namespace {

constexpr double g = 9.81;

Simulation simulate(const RigidScene& scene, const Vector3& gravity, double step) {
  MoreauJean scheme{.solver = CoulombCascade{.tolerance = 1e-10}};
  return {scene.model(gravity), scheme, {.step = step}};
}

void advance(Simulation& sim, int steps) {
  for (int k = 0; k < steps; ++k) {
    const StepReport report = sim.advance();
    ASSERT_TRUE(report.done()) << "step " << k << ": " << name(report.status) << ", residual "
                               << report.solve.residual;
  }
}

/// Sum of the percussions of the last step in the world frame, on the second body of each contact.
Vector3 total_percussion(const Simulation& sim) {
  Vector3 sum = Vector3::Zero();
  Index row = sim.model().rows();
  for (const DetectedContact& contact : sim.contacts()) {
    sum -= contact.frame * sim.multipliers().segment<3>(row);
    row += 3;
  }
  return sum;
}

TEST(RigidContact, SlidingBallEndsRollingWithFiveSeventhsOfItsSpeed) {  // F:F172, F:F149
  const double radius = 0.2, mu = 0.3, v0 = 2, h = 1e-3;
  RigidScene scene;
  scene.fix(Plane{}, {.mu = mu});
  scene.add(Sphere{.radius = radius}, 1000, {.x = {0, 0, radius}, .v = {v0, 0, 0}}, {.mu = mu});
  Simulation sim = simulate(scene, {0, 0, -g}, h);
  const double rolling = 2 * v0 / (7 * mu * g);  // 0.194 s
  advance(sim, 100);
  EXPECT_NEAR(sim.state().v[0], v0 - mu * g * 0.1, 1e-9);  // still sliding
  advance(sim, 400);
  ASSERT_LT(rolling, 0.5);
  EXPECT_NEAR(sim.state().v[0], 5.0 / 7 * v0, 1e-9);
  EXPECT_NEAR(sim.state().v[4] * radius, 5.0 / 7 * v0, 1e-8);  // no slip
  EXPECT_NEAR(sim.state().q[2], radius, 1e-9);
}

TEST(RigidContact, BoxOnAnInclineHoldsOrSlides) {  // TI:V-32, F:F149
  const double a = 0.3;
  for (const double mu : {0.4, 0.2}) {  // tan 0.3 = 0.309
    RigidScene scene;
    scene.fix(Plane{}, {.mu = mu});
    scene.add(Box{.half = {0.5, 0.4, 0.1}}, 1000, {.x = {0, 0, 0.1}}, {.mu = mu});
    Simulation sim = simulate(scene, g * Vector3(std::sin(a), 0, -std::cos(a)), 0.01);
    advance(sim, 100);
    const double slide = std::max(0.0, g * (std::sin(a) - mu * std::cos(a)));
    EXPECT_NEAR(sim.state().v[0], slide, 1e-8) << "mu = " << mu;
    EXPECT_LT(sim.state().v.tail(5).norm(), 1e-8);
  }
}

TEST(RigidContact, BoxAtRestWeighsWhatItWeighs) {  // F:F140
  RigidScene scene;
  scene.fix(Plane{});
  scene.add(Box{.half = {0.5, 0.4, 0.1}}, 1000, {.x = {0, 0, 0.1}});
  Simulation sim = simulate(scene, {0, 0, -g}, 0.01);
  advance(sim, 10);
  ASSERT_EQ(sim.contacts().size(), 4u);
  EXPECT_LT((total_percussion(sim) - Vector3(0, 0, 160 * g * 0.01)).norm(), 1e-8);
}

TEST(RigidContact, BallBouncesWithItsRestitution) {  // F:F147
  RigidScene scene;
  scene.fix(Plane{}, {.e = 0.8});
  scene.add(Sphere{.radius = 0.1}, 1000, {.x = {0, 0, 0.1}, .v = {0, 0, -3}});
  Simulation sim = simulate(scene, {0, 0, 0}, 0.01);
  advance(sim, 1);
  EXPECT_NEAR(sim.state().v[2], 2.4, 1e-12);
}

TEST(RigidContact, MomentumOfACollisionIsConserved) {  // F:F141
  RigidScene scene;
  scene.add(Box{.half = {0.1, 0.2, 0.3}}, 1000,
            {.x = {0, 0, 0}, .turn = {0.3, 0.2, 0.1}, .v = {1, 0, 0}, .omega = {1, 2, 3}});
  scene.add(Box{.half = {0.2, 0.2, 0.2}}, 500, {.x = {0.5, 0.1, 0.05}, .v = {-2, 0, 0}});
  Simulation sim = simulate(scene, {0, 0, 0}, 1e-3);
  const Vector m = (Vector(2) << 1000 * 0.048, 500 * 0.064).finished();
  const auto linear = [&] {
    return Vector3(m[0] * sim.state().v.segment<3>(0) + m[1] * sim.state().v.segment<3>(6));
  };
  const Vector3 before = linear();
  bool touched = false;
  for (int k = 0; k < 300; ++k) {
    advance(sim, 1);
    touched = touched || !sim.contacts().empty();
  }
  EXPECT_TRUE(touched);
  EXPECT_LT((linear() - before).norm() / before.norm(), 1e-12);
}

TEST(RigidContact, ResultsTurnWithTheWorld) {  // F:F123
  const Matrix3 Q = Eigen::AngleAxisd(1.1, Vector3(1, -2, 0.5).normalized()).toRotationMatrix();
  const auto run = [&](const Matrix3& world) {
    const Eigen::AngleAxisd turn(world);
    const Vector3 turn_vector = turn.angle() * turn.axis();
    RigidScene scene;
    scene.fix(Plane{.normal = world * Vector3::UnitZ()}, {.mu = 0.3});
    scene.add(
        Box{.half = {0.5, 0.4, 0.1}}, 1000,
        {.x = world * Vector3(0, 0, 0.1), .turn = turn_vector, .v = world * Vector3(1, 0.5, 0)},
        {.mu = 0.3});
    scene.add(Sphere{.radius = 0.2}, 1000,
              {.x = world * Vector3(0.1, 0, 0.45), .turn = turn_vector}, {.mu = 0.3});
    Simulation sim = simulate(scene, world * Vector3(0, 0, -g), 2e-3);
    advance(sim, 200);
    return sim.state().q;
  };
  const Vector a = run(Matrix3::Identity()), b = run(Q);
  for (Index i = 0; i < 2; ++i)
    EXPECT_LT((Q * a.segment<3>(7 * i) - b.segment<3>(7 * i)).norm(), 1e-8);
}

TEST(RigidContact, StackStandsStill) {  // F:F172
  Simulation sim(BoxStack{.count = 10}.model(), {}, {.step = 5e-3});
  const Vector start = sim.state().q;
  advance(sim, 400);
  EXPECT_LT((sim.state().q - start).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_EQ(sim.contacts().size(), 40u);
}

TEST(RigidContact, StackSlidesBelowTheThreshold) {  // TI:V-32
  Simulation sim(BoxStack{.count = 3, .mu = 0.1, .tilt = 0.2}.model(), {}, {.step = 5e-3});
  advance(sim, 40);
  const double slide = 0.2 * g * (std::sin(0.2) - 0.1 * std::cos(0.2));
  EXPECT_NEAR(sim.state().v[0], slide, 1e-6);
}

/// How far an arch has come down after 0.3 s.
double descent(const Arch& arch) {
  Simulation sim(arch.model(), {}, {.step = 5e-3});
  const Vector start = sim.state().q;
  advance(sim, 60);
  return (start - sim.state().q).cwiseAbs().maxCoeff();
}

TEST(RigidContact, ArchStandsByThicknessAndFriction) {  // F:F172
  EXPECT_LT(descent({.count = 25}), 1e-6);
  EXPECT_GT(descent({.count = 25, .mu = 0.2}), 0.01);          // slides
  EXPECT_GT(descent({.count = 25, .thickness = 0.07}), 0.01);  // hinges: needs 0.1075 of the radius
}

TEST(RigidContact, WallStandsAndFallsWhenHit) {  // F:F172
  Simulation still(Wall{.columns = 3, .rows = 4}.model(), {}, {.step = 5e-3});
  const Vector start = still.state().q;
  advance(still, 100);
  EXPECT_LT((still.state().q - start).cwiseAbs().maxCoeff(), 1e-6);
  Simulation hit(Wall{.columns = 3, .rows = 4, .speed = 4}.model(), {}, {.step = 2e-3});
  const Vector before = hit.state().q;
  advance(hit, 150);
  EXPECT_GT((hit.state().q - before).head(7 * 12).cwiseAbs().maxCoeff(), 0.05);
}

TEST(RigidContact, PileOfSpheresSettlesAboveTheGround) {  // TI:TI-123
  Simulation sim(PileOfSpheres{{.count = 27, .size = 0.1}}.model(), {}, {.step = 2e-3});
  advance(sim, 500);
  double fastest = 0;
  for (Index i = 0; i < 27; ++i) {
    fastest = std::max(fastest, sim.state().v.segment<3>(6 * i).norm());
    EXPECT_GT(sim.state().q[7 * i + 2], 0.03);  // smallest radius 0.035, penetration O(h)
    EXPECT_NEAR(sim.state().q.segment<4>(7 * i + 3).norm(), 1, 1e-14);
  }
  EXPECT_LT(fastest, 0.5);
}

TEST(RigidContact, ReactionsOfTheLastStepWarmStartTheSolver) {  // TI:TI-125
  Simulation sim(BoxStack{.count = 5}.model(), {}, {.step = 5e-3});
  advance(sim, 5);
  double guess = -1, solution = 0;
  sim.observe_problems([&](const OneStepProblem& seen) {
    guess = residual(*seen.global, velocity(*seen.global, seen.guess), seen.guess);
    solution = seen.global->w.size() > 0 ? seen.r.norm() : 0;
  });
  advance(sim, 1);
  // The stack rests: the reactions of the last step solve this one, to the tolerance of the solver.
  ASSERT_GE(guess, 0);
  EXPECT_LT(guess, 1e-6 * solution);
}

TEST(RigidContact, RunsAreRepeatable) {
  const auto run = [] {
    Simulation sim(PileOfBoxes{{.count = 8, .size = 0.1}}.model(), {}, {.step = 2e-3});
    advance(sim, 150);
    return sim.state().q;
  };
  EXPECT_EQ(run(), run());
}

TEST(RigidContact, ReducedAndGlobalFormAgree) {  // S:FC-02, FS:FS-02
  const auto run = [](const Algorithm& solver) {
    Simulation sim(PileOfSpheres{{.count = 8, .size = 0.1}}.model(), MoreauJean{.solver = solver},
                   {.step = 2e-3});
    advance(sim, 60);
    return sim.state().v;
  };
  const Vector global = run(CoulombCascade{.tolerance = 1e-11});
  const Vector reduced = run(Nsgs{.tolerance = 1e-13, .max_iterations = 100000});
  EXPECT_LT((global - reduced).norm(), 1e-6);
}

}  // namespace
}  // namespace saltus::mechanics
