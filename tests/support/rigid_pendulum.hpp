#pragma once

#include "saltus/model/model.hpp"
#include "saltus/relations/linear.hpp"
#include "saltus/systems/lagrangian.hpp"

#include <cmath>

namespace saltus::testing {

/// A rigid rod with its centre of mass at distance L = 1 of the pivot (AC:AV-19): q = (x, y, θ),
/// m = 1, J = 0.1, g₁ = x − cos θ, g₂ = y − sin θ, gravity 10 along −y.
struct Pin {
  [[nodiscard]] Index rows() const { return 2; }
  [[nodiscard]] Index dof() const { return 3; }
  void output(const StateView& s, VectorRef y) const {
    y[0] = s.q[0] - std::cos(s.q[2]);
    y[1] = s.q[1] - std::sin(s.q[2]);
  }
  void jacobian(const StateView& s, MatrixRef H) const {
    H << 1, 0, std::sin(s.q[2]), 0, 1, -std::cos(s.q[2]);
  }
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void curvature(const StateView& s, VectorRef dH) const {
    const double rate = s.v[2] * s.v[2];
    dH[0] = rate * std::cos(s.q[2]);
    dH[1] = rate * std::sin(s.q[2]);
  }
};

struct RigidPendulum {
  double angle = M_PI / 6, rate = 10;
  double e = -1;  ///< of the stop g₃ = x − √2/2 ≥ 0; negative: no stop
  [[nodiscard]] Model model() const {
    Model model;
    const auto rod =
        model.add(LinearLagrangian{.M = {{1.0, 0.0, 0.0}, {0.0, 1.0, 0.0}, {0.0, 0.0, 0.1}},
                                   .F = {0.0, -10.0, 0.0}},
                  {.q = {std::cos(angle), std::sin(angle), angle},
                   .v = {-rate * std::sin(angle), rate * std::cos(angle), rate}},
                  "rod");
    model.link(rod, Pin{}, Equality{}, "pin");
    if (e >= 0)
      model.link(rod, LinearRelation{.H = {{1.0, 0.0, 0.0}}, .b = {-std::sqrt(0.5)}},
                 NewtonImpact{.e = e}, "stop");
    return model;
  }
};

/// Angle and rate after time T, from (J + mL²) θ̈ = −m g L cos θ by the classical Runge–Kutta method
/// with 20 000 steps: exact to about 1e-12.
struct Swing {
  double angle, rate;
};
inline Swing swing(Swing s, double T) {
  const auto f = [](double angle) { return -10 / 1.1 * std::cos(angle); };
  const int steps = 20000;
  const double h = T / steps;
  for (int k = 0; k < steps; ++k) {
    const double k1 = f(s.angle), k2 = f(s.angle + h / 2 * s.rate),
                 k3 = f(s.angle + h / 2 * s.rate + h * h / 4 * k1),
                 k4 = f(s.angle + h * s.rate + h * h / 2 * k2);
    s.angle += h * s.rate + h * h / 6 * (k1 + k2 + k3);
    s.rate += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  return s;
}

/// What the pendulum leaves of its constraints at the levels of positions, velocities,
/// accelerations, given (q, v) and an acceleration.
struct PinViolation {
  double position, velocity, acceleration;
};
inline PinViolation pin_violation(const State& state, const Vector& acceleration) {
  const Pin pin;
  const StateView s{state.t, view_of(state.q.data(), 3), view_of(state.v.data(), 3)};
  Vector y(2), dH(2);
  Matrix H(2, 3);
  pin.output(s, y);
  pin.jacobian(s, H);
  pin.curvature(s, dH);
  return {y.lpNorm<Eigen::Infinity>(), (H * state.v).lpNorm<Eigen::Infinity>(),
          (H * acceleration + dH).lpNorm<Eigen::Infinity>()};
}

}  // namespace saltus::testing
