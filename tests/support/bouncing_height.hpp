#pragma once

#include "saltus/simulation/trajectory.hpp"

#include <cmath>

namespace saltus::testing {

/// Exact height of the ball dropped from 1 m with restitution e under g = 9.81 (TI:V-19).
inline double bouncing_height(double t, double e) {
  const double g = 9.81;
  double t0 = std::sqrt(2 / g), v = g * t0 * e;
  if (t <= t0) return 1 - g * t * t / 2;
  while (t > t0 + 2 * v / g && v > 1e-9) t0 += 2 * v / g, v *= e;
  return v <= 1e-9 ? 0 : v * (t - t0) - g * (t - t0) * (t - t0) / 2;
}

/// Mean over time of the error of the height, an integral norm.
inline double mean_height_error(const Trajectory& run, double e) {
  double sum = 0;
  for (Index k = 1; k < run.size(); ++k)
    sum += std::abs(run.q(k, 0) - bouncing_height(run.t[k], e)) * (run.t[k] - run.t[k - 1]);
  return sum / run.t.back();
}

}  // namespace saltus::testing
