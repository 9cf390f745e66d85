// Degrees of freedom of sparse systems that are held, or moved as prescribed.

#include "coupled_chain.hpp"

#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace saltus {
namespace {

TEST(SparseLagrangian, HeldDegreesOfFreedomStandStillOrFollowTheirMotion) {
  const Chain chain;
  // node 0 stands, node 5 moves along x with 0.1 cos 3t
  const auto drive = [](double t) { return 0.1 * std::cos(3 * t); };
  const System body =
      SparseLagrangian{.M = sparse(chain.M),
                       .C = sparse(chain.C),
                       .K = sparse(chain.K),
                       .F = chain.F,
                       .nodes = 6,
                       .held = {0, 1, 10},
                       .motion = [&](double t, VectorView, VectorRef v) { v << 0, 0, drive(t); }};
  Model model;
  Vector v = Vector::Zero(12);
  v[10] = drive(0);
  const SystemId id = model.add(body, {.q = Vector::Zero(12), .v = v});
  Simulation sim(model, MoreauJean{}, {.step = 1e-2});
  // the reference: the same by bilateral constraints on the whole system
  Model tied;
  const SystemId whole = tied.add(chain.coupled(), {.q = Vector::Zero(12), .v = v});
  tied.link(Endpoint(whole, 0), LinearRelation{.H = {{1.0, 0.0}, {0.0, 1.0}}}, Equality{});
  struct Motion {  // y = q₀ − ∫ drive
    static constexpr Index rows() { return 1; }
    static constexpr Index dof() { return 2; }
    void output(const StateView& x, VectorRef y) const { y[0] = x.q[0] - std::sin(3 * x.t) / 30; }
    void jacobian(const StateView&, MatrixRef H) const { H << 1, 0; }
    void time_derivative(const StateView& x, VectorRef dy) const {
      dy[0] = -0.1 * std::cos(3 * x.t);
    }
  };
  tied.link(Endpoint(whole, 5), Motion{}, Equality{});
  // at γ = 1 the constraint is on the velocity at the end of the step, as here
  Simulation other(tied, MoreauJean{.gamma = 1}, {.step = 1e-2});
  for (int k = 1; k <= 200; ++k) {
    ASSERT_TRUE(sim.advance().done());
    ASSERT_TRUE(other.advance().done());
    EXPECT_EQ(sim.state().q[0], 0);
    EXPECT_NEAR(sim.state().v[10], drive(0.01 * k), 1e-14);
    EXPECT_LT((sim.state().v - other.state().v).lpNorm<Eigen::Infinity>(), 1e-10) << k;
    EXPECT_LT((sim.state().q - other.state().q).lpNorm<Eigen::Infinity>(), 1e-10) << k;
  }
  static_cast<void>(id);
}

TEST(SparseLagrangian, PotentialKnowsHeldDegreesOfFreedomThatAreNotAtZero) {
  const Chain chain;
  const System body = SparseLagrangian{
      .M = sparse(chain.M), .K = sparse(chain.K), .F = chain.F, .nodes = 6, .held = {0, 3}};
  Model model;
  Vector q = Vector::LinSpaced(12, -0.1, 0.2);
  model.add(body, {.q = q, .v = Vector::Zero(12)});
  Simulation sim(model, MoreauJean{}, {.step = 1e-2});
  const EnergyBalance energy = sim.run(5.0).report.energy;
  EXPECT_GT(energy.kinetic, 1e-3);
  EXPECT_NEAR(energy.total(), energy.start, 1e-10);
}

}  // namespace
}  // namespace saltus
