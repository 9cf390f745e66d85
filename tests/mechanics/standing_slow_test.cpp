// Structures of dry blocks stand still for ten seconds above a threshold of friction and move
// below.

#include "saltus/mechanics/masonry.hpp"
#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

namespace saltus::mechanics {
namespace {

struct Fate {
  double way;       ///< largest change of a position
  double speed;     ///< largest velocity at the end
  double residual;  ///< worst of a one-step problem
  bool every_solved;
  std::string message;  ///< how the run ended
};

Fate fate(const Model& model, double time, double step) {
  // The tolerance is relative to the free velocities, the residual is not.
  const MoreauJean scheme{.theta = 0.5, .solver = CoulombCascade{.tolerance = 1e-9}};
  Simulation sim(model, scheme, {.step = step, .record = {.every = 1000}});
  const Vector start = sim.state().q;
  const Trajectory run = sim.run(time);
  return {(sim.state().q - start).cwiseAbs().maxCoeff(), sim.state().v.cwiseAbs().maxCoeff(),
          run.report.worst_residual, run.report.ok(), run.report.message()};
}

TEST(Standing, ArchOf25BlocksStandsForTenSeconds) {  // F:F172
  const Fate still = fate(Arch{.count = 25, .mu = 0.7}.model(), 10, 5e-3);
  EXPECT_TRUE(still.every_solved) << still.message;
  EXPECT_LT(still.residual, 1e-8);
  EXPECT_LT(still.way, 1e-6);
  EXPECT_LT(still.speed, 1e-8);
}

TEST(Standing, ArchOf25BlocksFallsBelowTheThreshold) {  // F:F172
  const Fate falls = fate(Arch{.count = 25, .mu = 0.2}.model(), 0.5, 5e-3);
  EXPECT_TRUE(falls.every_solved) << falls.message;
  EXPECT_LT(falls.residual, 1e-8);
  EXPECT_GT(falls.way, 0.05);
}

// On ground tilted by 0.2 the tower slides below μ = tan 0.2 = 0.2027. It would topple at 117 :
// 234.
TEST(Standing, KaplaTowerOf30LevelsStandsForTenSeconds) {  // F:F172
  const Fate still = fate(KaplaTower{.levels = 30, .mu = 0.22, .tilt = 0.2}.model(), 10, 5e-3);
  EXPECT_TRUE(still.every_solved) << still.message;
  EXPECT_LT(still.residual, 1e-8);
  EXPECT_LT(still.way, 1e-6);
  EXPECT_LT(still.speed, 1e-8);
}

TEST(Standing, KaplaTowerOf30LevelsFallsBelowTheThreshold) {  // F:F172
  const Fate falls = fate(KaplaTower{.levels = 30, .mu = 0.15, .tilt = 0.2}.model(), 0.5, 5e-3);
  EXPECT_TRUE(falls.every_solved) << falls.message;
  EXPECT_LT(falls.residual, 1e-8);
  // a = g (sin − μ cos) = 0.507 m/s² at least: the layers slide together or on each other.
  EXPECT_GT(falls.way, 0.05);
}

}  // namespace
}  // namespace saltus::mechanics
