#include "saltus/simulation/simulation.hpp"

#include "saltus/circuits/diode_bridge.hpp"
#include "saltus/mechanics/bead_column.hpp"
#include "saltus/mechanics/bouncing_ball.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/first_order.hpp"
#include "saltus/systems/lagrangian.hpp"
#include "support/allocation_guard.hpp"
#include "support/expect_error.hpp"

#include <cmath>
#include <cstring>

namespace saltus {
namespace {

using mechanics::BeadColumn;
using mechanics::BouncingBall;

TEST(Simulation, FiveStatementsRunTheBall) {
  Model model;
  auto ball = model.add(PointMass{.m = 1.0, .gravity = {-9.81}}, {.q = {1.0}, .v = {0.0}});
  model.link(ball, LinearRelation{.H = {{1.0}}}, NewtonImpact{.e = 0.9});
  Simulation sim(model, MoreauJean{.theta = 0.5, .solver = Lemke{}}, {.step = 5e-3});
  Trajectory run = sim.run(10.0);
  EXPECT_TRUE(run.report.ok());
  EXPECT_EQ(run.size(), 2001);
  EXPECT_EQ(run.column("system0.q[0]").size(), 2001);
  EXPECT_EQ(run.t.back(), 10.0);
  EXPECT_ERROR(run.column("nonsense"), "no column 'nonsense'; known: t, system0.q[0]");
}

TEST(Simulation, TheLastStepIsShortenedToMeetTheEnd) {
  Simulation sim(BouncingBall{}.model(), {}, {.step = 0.03});
  const Trajectory run = sim.run(0.1);
  EXPECT_EQ(run.report.steps, 4);
  EXPECT_EQ(run.t.back(), 0.1);
  // free fall at θ = ½ is exact for constant force, whatever the steps
  EXPECT_NEAR(run.q(4, 0), 1 - 9.81 * 0.01 / 2, 1e-15);
}

TEST(Simulation, RunsInPiecesAsInOne) {
  Simulation whole(BouncingBall{}.model(), {}, {.step = 1.0 / 256});
  Simulation pieces(BouncingBall{}.model(), {}, {.step = 1.0 / 256});
  const Trajectory run = whole.run(2.0);
  static_cast<void>(pieces.run(0.75));
  const Trajectory rest = pieces.run(2.0);
  EXPECT_EQ(rest.q(rest.size() - 1, 0), run.q(run.size() - 1, 0));
  EXPECT_EQ(rest.t.front(), 0.75);
}

TEST(Simulation, RecordsWhatWasAskedFor) {
  Simulation sim(BouncingBall{}.model(), {},
                 {.step = 0.01, .record = {.every = 7, .outputs = false, .multipliers = false}});
  const Trajectory run = sim.run(1.0);
  EXPECT_EQ(run.size(), 1 + 14 + 1);
  EXPECT_EQ(run.t.back(), 1.0);
  EXPECT_EQ(run.y.columns() + run.u.columns() + run.r.columns(), 0);
}

TEST(Simulation, StopsWhenAConditionHolds) {
  Simulation sim(BouncingBall{}.model(), {}, {.step = 0.01});
  sim.stop_when([](const State& state) { return state.v[0] > 0; });
  const Trajectory run = sim.run(10.0);
  EXPECT_EQ(run.report.end, RunEnd::stopped);
  EXPECT_GT(run.v(run.size() - 1, 0), 0);
  EXPECT_LT(run.t.back(), 0.5);
}

TEST(Simulation, ParametersChangeOnlyWhenTold) {  // PL:DS-02
  Model model;
  const auto x =
      model.add(FirstOrderLinear{.A = {{0.0}},
                                 .source = [](double, VectorView z, VectorRef b) { b[0] = z[0]; }},
                {.x = {0.0}, .z = {1.0}});
  Simulation sim(model, {}, {.step = 0.125});
  static_cast<void>(sim.run(1.0));
  EXPECT_EQ(sim.state().x[0], 1.0);
  sim.set_parameters(x, {-2.0});
  static_cast<void>(sim.run(2.0));
  EXPECT_EQ(sim.state().x[0], -1.0);
  EXPECT_ERROR(sim.set_parameters(x, {1.0, 2.0}), "z has size 2, system0 has 1 parameters");
}

TEST(Simulation, RelationsFollowTheParameters) {  // PL:RE-07, PL:DS-02: a floor that is moved
  Model model;
  const auto ball = model.add(PointMass{.gravity = {-9.81}}, {.q = {0.5}, .z = {0.0}});
  model.link(ball, LinearRelation{.H = {{1.0}}, .F = {{-1.0}}}, NewtonImpact{});
  Simulation sim(model, {}, {.step = 1e-3});
  static_cast<void>(sim.run(1.0));
  EXPECT_NEAR(sim.state().q[0], 0, 5e-3);
  sim.set_parameters(ball, {-1.0});
  static_cast<void>(sim.run(2.0));
  EXPECT_NEAR(sim.state().q[0], -1, 5e-3);
}

TEST(Simulation, AFailedStepStopsTheRunAndKeepsWhatWasRecorded) {
  Model model;  // the restoring force becomes NaN at t = 0.5
  model.add(LinearLagrangian{.M = {{1.0}},
                             .load = [](double t, VectorView,
                                        VectorRef F) { F[0] = t < 0.5 ? 1.0 : std::nan(""); }},
            {.q = {0.0}});
  Simulation sim(model, {}, {.step = 0.1});
  const Trajectory run = sim.run(1.0);
  EXPECT_EQ(run.report.end, RunEnd::step_failed);
  EXPECT_EQ(run.report.last.status, StepStatus::not_finite);
  EXPECT_EQ(run.size(), 5);
  EXPECT_NEAR(run.q(4, 0), 0.08, 1e-15);
  EXPECT_NE(run.report.message().find("not finite"), std::string::npos);
}

TEST(Simulation, AnExceptionOfTheUsersCodeLosesNothing) {
  Model model;
  model.add(LinearLagrangian{.M = {{1.0}},
                             .load =
                                 [](double t, VectorView, VectorRef F) {
                                   if (t > 0.45) throw std::runtime_error("out of range");
                                   F[0] = 1;
                                 }},
            {.q = {0.0}});
  Simulation sim(model, {}, {.step = 0.1});
  Trajectory run;
  EXPECT_THROW(sim.run(1.0, run), std::runtime_error);
  EXPECT_EQ(run.report.end, RunEnd::interrupted);
  EXPECT_EQ(run.size(), 5);
  EXPECT_NEAR(sim.state().t, 0.4, 1e-15);
}

TEST(Simulation, AnUnsolvedProblemStopsTheRunUnlessTheUserAcceptsIt) {
  const BeadColumn column{.count = 50};
  const MoreauJean scheme{.solver = Psor{.max_iterations = 3}};
  Simulation strict(column.model(), scheme, {.step = 1e-3});
  const Trajectory stopped = strict.run(0.01);
  EXPECT_EQ(stopped.report.last.status, StepStatus::solver_failed);
  EXPECT_EQ(stopped.size(), 1);
  EXPECT_NE(stopped.report.message().find("max iterations"), std::string::npos);
  Simulation lenient(column.model(), scheme, {.step = 1e-3, .accept_unsolved = true});
  const Trajectory run = lenient.run(0.01);
  EXPECT_EQ(run.report.end, RunEnd::reached_end);
  EXPECT_GT(run.report.unsolved_steps, 0);
  EXPECT_FALSE(run.report.ok());
}

TEST(Simulation, RefusesBadOptions) {
  const Model ball = BouncingBall{}.model();
  EXPECT_ERROR(Simulation(ball, {}, {}), "SimulationOptions: step is 0, expected > 0");
  EXPECT_ERROR(Simulation(ball, {}, {.step = -1}), "step is -1");
  EXPECT_ERROR(Simulation(ball, {}, {.step = std::nan("")}), "step is nan");
  EXPECT_ERROR(Simulation(ball, {.theta = 1.5}, {.step = 1}), "theta is 1.5");
  EXPECT_ERROR(Simulation(ball, {.solver = Psor{.omega = -1}}, {.step = 1}), "omega is -1");
  EXPECT_ERROR(Simulation(Model{}, {}, {.step = 1}), "no system");
  Simulation sim(ball, {}, {.step = 0.1});
  EXPECT_ERROR(sim.run(-1), "end time is -1");
  Model friction;
  const auto block = friction.add(PointMass{.gravity = {0.0, 0.0}}, {.q = {0.0, 0.0}});
  friction.link(block, LinearRelation{.H = Matrix::Identity(2, 2)}, Coulomb{.mu = 0.3});
  EXPECT_ERROR(Simulation(friction, {.solver = Lemke{}}, {.step = 0.1}), "friction cone");
}

TEST(Simulation, TwoRunsAreBitwiseEqual) {
  const auto run = [] {
    Simulation sim(BeadColumn{.count = 40, .e = 0.4, .drop = 0.02, .gap = 1e-3}.model(), {},
                   {.step = 1e-3});
    return sim.run(0.3);
  };
  const Trajectory a = run(), b = run();
  ASSERT_EQ(a.q.values.size(), b.q.values.size());
  EXPECT_EQ(0,
            std::memcmp(a.q.values.data(), b.q.values.data(), a.q.values.size() * sizeof(double)));
  EXPECT_EQ(0,
            std::memcmp(a.r.values.data(), b.r.values.data(), a.r.values.size() * sizeof(double)));
}

/// Allocations in `measured` steps after `warm` steps.
long allocations(const Model& model, const MoreauJean& scheme, double h, int warm, int measured) {
  Simulation sim(model, scheme, {.step = h});
  for (int k = 0; k < warm; ++k) EXPECT_TRUE(sim.advance().done());
  const testing::AllocationGuard guard;
  for (int k = 0; k < measured; ++k) EXPECT_TRUE(sim.advance().done());
  return guard.count();
}

TEST(Simulation, AWarmStepDoesNotAllocate) {
  EXPECT_EQ(allocations(BouncingBall{}.model(), {.solver = Lemke{}}, 5e-3, 200, 500), 0);
  EXPECT_EQ(allocations(BouncingBall{}.model(), {}, 5e-3, 200, 500), 0);
  EXPECT_EQ(allocations(circuits::DiodeBridge{}.model(), {.solver = Lemke{}}, 1e-6, 400, 1000), 0);
  EXPECT_EQ(allocations(circuits::DiodeBridge{}.model(), {}, 1e-6, 400, 1000), 0);
  EXPECT_EQ(allocations(BeadColumn{.count = 300}.model(), {}, 1e-3, 5, 50), 0);
}

TEST(Simulation, AWarmNonlinearStepWithFrictionDoesNotAllocate) {
  Model model;
  const auto block = model.add(
      Lagrangian{.n = 2,
                 .M = [](const StateView&, MatrixRef M) { M.setIdentity(); },
                 .F = [](const StateView& x,
                         VectorRef F) { F[0] = -9.81, F[1] = -x.q[1] - std::pow(x.q[1], 3); }},
      {.q = {0.0, 0.0}, .v = {0.0, 3.0}});
  model.link(block, LinearRelation{.H = Matrix::Identity(2, 2)}, Coulomb{.mu = 0.3});
  EXPECT_EQ(allocations(model, {}, 1e-3, 100, 300), 0);
}

}  // namespace
}  // namespace saltus
