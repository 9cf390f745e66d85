#pragma once

#include "saltus/algebra/types.hpp"

namespace saltus {

/// Read-only look at a contiguous piece of a state vector.
using VectorView = Eigen::Map<const Vector>;

[[nodiscard]] inline VectorView view_of(const double* data, Index size) { return {data, size}; }

/// State of the whole model: each kind of variable is one contiguous array; Model gives the
/// offsets.
struct State {
  double t = 0;
  Vector q;  ///< positions of the second-order systems
  Vector v;  ///< their velocities, right limits v(t⁺)
  Vector x;  ///< states of the first-order systems
  Vector z;  ///< discrete parameters, constant but for user events (PL:DS-02)
};

/// What one system, or one relation, sees of the state: its own pieces only.
struct StateView {
  double t = 0;
  VectorView q{nullptr, 0};
  VectorView v{nullptr, 0};
  VectorView x{nullptr, 0};
  VectorView z{nullptr, 0};
};

}  // namespace saltus
