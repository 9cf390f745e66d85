#pragma once

#include "saltus/simulation/simulation.hpp"

#include <gtest/gtest.h>

namespace saltus {

/// A run to the end, which it must reach; backward Euler unless told otherwise.
inline Trajectory run(const Model& model, double h, double end,
                      const Scheme& scheme = MoreauJean{.theta = 1}) {
  Simulation sim(model, scheme, {.step = h});
  Trajectory result = sim.run(end);
  EXPECT_TRUE(result.report.ok()) << result.report.message();
  return result;
}

}  // namespace saltus
