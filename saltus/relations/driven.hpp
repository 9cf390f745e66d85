#pragma once

#include "saltus/algebra/state.hpp"

#include <functional>
#include <vector>

namespace saltus {

/// Coordinates that follow functions of time, or stand still: boundary conditions and prescribed
/// motion, for the law Equality (PL:RE-05). On a system with positions that are a vector,
///     y_i = q[coordinates_i] − position_i(t),   u_i = v[coordinates_i] − velocity_i(t)
/// The multiplier is the reaction of what moves them, a percussion over the step. Without
/// `position` the coordinates are held at `value`; without `velocity` the position is
/// differentiated.
struct Driven {
  Index n = 0;                          ///< unknowns of the systems tied
  std::vector<Index> coordinates = {};  ///< which of them are driven
  Values value = {};                    ///< where they stand, if no function is given
  std::function<void(double t, VectorRef q)> position = {};
  std::function<void(double t, VectorRef v)> velocity = {};

  [[nodiscard]] Index rows() const { return static_cast<Index>(coordinates.size()); }
  [[nodiscard]] Index dof() const { return n; }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView& x, MatrixRef H) const;
  bool time_derivative(const StateView& x, VectorRef dy) const;
  void prepare() const;  ///< throws Error on coordinates out of range or given twice, and on sizes
};

}  // namespace saltus
