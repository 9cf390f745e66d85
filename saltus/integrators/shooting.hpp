#pragma once

#include "saltus/integrators/scheme.hpp"

namespace saltus {

/// Boundary value problem of a first-order model, by shooting (TI:TI-093, TI:TI-094, F:F076,
/// F:F110): find x₀ with
///     M x₀ + N x(T; x₀) = b,
/// x(T; x₀) by `steps` steps of a scheme. x(T; ·) is Lipschitz and piecewise smooth where the
/// multipliers are; Newton's method with derivatives by one-sided differences, damped by halving on
/// the residual. At a kink the difference takes one of the two slopes.
struct Shooting {
  static constexpr std::string_view name = "Shooting";
  double tolerance = 1e-10;  ///< ‖M x₀ + N x(T) − b‖∞ ≤ tolerance · max(1, ‖b‖∞)
  int max_iterations = 30;   ///< of Newton's method
  double difference = 1e-7;  ///< step of the differences, relative to max(1, |x₀|)
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"tolerance", "relative to max(1, ‖b‖∞)", positive}, s.tolerance);
    visit(Field{"max_iterations", "of Newton's method", Range{1, 1e9}}, s.max_iterations);
    visit(Field{"difference", "step of the differences", positive}, s.difference);
  }
};

/// The conditions at both ends.
struct BoundaryConditions {
  Rows M = {};
  Rows N = {};
  Values b = {};
};

struct ShootingReport {
  SolveStatus status = SolveStatus::not_run;  ///< numerical_error: a step of the scheme failed
  int iterations = 0;
  double residual = inf;
  Vector x_end = {};  ///< x(T)
  [[nodiscard]] bool converged() const { return status == SolveStatus::converged; }
};

/// x0 is the guess, and becomes the solution. Throws Error on sizes and on systems of second order.
[[nodiscard]] ShootingReport solve(const Model& model, const BoundaryConditions& conditions,
                                   double t_end, int steps, const Scheme& scheme, VectorRef x0,
                                   const Shooting& options = {});

}  // namespace saltus
