#pragma once

#include "saltus/algebra/state.hpp"
#include "saltus/base/report.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

namespace saltus::mechanics {

// Relations made of coordinates x(q) of joints in space (JointCoordinate) or in the plane
// (PlanarCoordinate). A coordinate that is cyclic is known modulo 2π.

/// Limits of a coordinate, y = (x − lower, upper − x) ≥ 0, for the law NewtonImpact: a row for each
/// finite bound.
template <class Coordinate>
struct CoordinateLimits {
  Coordinate coordinate = {};
  double lower = -inf;
  double upper = inf;

  [[nodiscard]] Index rows() const { return (lower > -inf ? 1 : 0) + (upper < inf ? 1 : 0); }
  [[nodiscard]] Index dof() const { return coordinate.dof(); }
  void output(const StateView& x, VectorRef y) const {
    const double value = coordinate.value(x.q);
    if (lower > -inf) y[0] = value - lower;
    if (upper < inf) y[rows() - 1] = upper - value;
  }
  void jacobian(const StateView& x, MatrixRef H) const {
    coordinate.jacobian(x, H.topRows(1));
    if (rows() == 2)
      H.row(1) = -H.row(0);
    else if (upper < inf)
      H.row(0) *= -1;
  }
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  /// Throws Error without a finite bound, unless lower < upper, and beyond ±π if x is cyclic.
  void prepare() const {
    coordinate.prepare();
    require(lower < upper, "limits of a joint: [{}, {}], expected lower < upper", lower, upper);
    require(rows() > 0, "limits of a joint: no finite limit is given");
    const auto inside = [](double bound) {
      return std::isinf(bound) || std::abs(bound) < std::numbers::pi;
    };
    require(!coordinate.cyclic() || (inside(lower) && inside(upper)),
            "limits of a joint: [{}, {}] of a turn, expected within (-pi, pi)", lower, upper);
  }
};

/// A coordinate that follows a function of time (PL:RE-05):
///     y = x − position(t),   u = ẋ − velocity(t)
/// Under Equality a drive of any force, under Relay{−τ, τ} one of bounded force. Without `position`
/// there is nothing to correct, y = 0; without `velocity` the position is differentiated. The error
/// of a cyclic coordinate is taken in [−π, π].
template <class Coordinate>
struct CoordinateDrive {
  Coordinate coordinate = {};
  std::function<double(double t)> position = {};
  std::function<double(double t)> velocity = {};

  [[nodiscard]] static constexpr Index rows() { return 1; }
  [[nodiscard]] Index dof() const { return coordinate.dof(); }
  void output(const StateView& x, VectorRef y) const {
    y[0] = position ? coordinate.value(x.q) - position(x.t) : 0.0;
    if (coordinate.cyclic()) y[0] = std::remainder(y[0], 2 * std::numbers::pi);
  }
  void jacobian(const StateView& x, MatrixRef H) const { coordinate.jacobian(x, H); }
  bool time_derivative(const StateView& x, VectorRef dy) const {
    if (velocity) dy[0] = -velocity(x.t);
    return static_cast<bool>(velocity);
  }
  void prepare() const {
    coordinate.prepare();
    require(position || velocity, "drive of a joint: neither position nor velocity is given");
  }
};

/// Two coordinates geared together, for the law Equality:
///     y = (c₀ x₀ + c₁ x₁ − offset)/c₀,   the numerator modulo `period`
/// Toothed wheels on two hinges: c = numbers of teeth, period 2π; of the same sign if they mesh
/// outside. Rack and pinion: c₀ = 1 on a slider, c₁ = ∓radius on a hinge, period 2π radius. Both
/// coordinates count their sides among the endpoints of the one interaction.
template <class Coordinate>
struct CoordinateGear {
  std::array<Coordinate, 2> coordinate = {};
  std::array<double, 2> factor = {1, 1};
  double offset = 0;  ///< c₀ x₀ + c₁ x₁ at the start
  double period = 0;  ///< 0: none

  [[nodiscard]] static constexpr Index rows() { return 1; }
  [[nodiscard]] Index dof() const { return std::max(coordinate[0].dof(), coordinate[1].dof()); }
  void output(const StateView& x, VectorRef y) const {
    const double sum =
        factor[0] * coordinate[0].value(x.q) + factor[1] * coordinate[1].value(x.q) - offset;
    y[0] = (period > 0 ? std::remainder(sum, period) : sum) / factor[0];
  }
  void jacobian(const StateView& x, MatrixRef H) const {
    coordinate[0].jacobian(x, H);
    const Eigen::Matrix<double, 1, Eigen::Dynamic, Eigen::RowMajor, 1, 24> first = H.row(0);
    coordinate[1].jacobian(x, H);
    H.row(0) = first + factor[1] / factor[0] * H.row(0);
  }
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void prepare() const {
    for (std::size_t k = 0; k < 2; ++k) {
      coordinate[k].prepare();
      require(std::isfinite(factor[k]) && factor[k] != 0,
              "gear: factor {} is {}, expected a number that is not 0", k, factor[k]);
    }
    require(period >= 0 && std::isfinite(period), "gear: the period is {}, expected >= 0", period);
  }
};

}  // namespace saltus::mechanics
