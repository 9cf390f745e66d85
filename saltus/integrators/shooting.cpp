#include "saltus/integrators/shooting.hpp"

#include "saltus/integrators/implicit_stage.hpp"

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

struct Shots {
  const Model& model;
  const BoundaryConditions& conditions;
  double t_end;
  int steps;
  const Scheme& scheme;
  StepWorkspace work = {};

  /// x(T) from x0; false if a step failed.
  bool fly(ConstVectorRef x0, Vector& x_end) {
    State state = model.initial_state();
    state.x = x0;
    prepare(model, scheme, work);
    for (int k = 0; k < steps; ++k)
      if (!step(model, state, t_end / steps, scheme, work).done()) return false;
    x_end = state.x;
    return true;
  }

  [[nodiscard]] Vector residual(ConstVectorRef x0, const Vector& x_end) const {
    return conditions.M * x0 + conditions.N * x_end - conditions.b;
  }

  /// M + N ∂x(T)/∂x₀; false if a step failed.
  bool derivative(ConstVectorRef x0, const Vector& x_end, double relative, Matrix& J) {
    J = conditions.M;
    Vector shifted = x0, other;
    for (Index j = 0; j < x0.size(); ++j) {
      const double h = relative * std::max(1.0, std::abs(x0[j]));
      shifted[j] = x0[j] + h;
      if (!fly(shifted, other)) return false;
      J.col(j) += conditions.N * (other - x_end) / h;
      shifted[j] = x0[j];
    }
    return true;
  }
};

void check(const Model& model, const BoundaryConditions& c, ConstVectorRef x0, int steps,
           double t_end) {
  const Index n = model.first_order_size();
  require_first_order(model, "Shooting");
  require(x0.size() == n, "Shooting: x0 has size {}, the model has {} states", x0.size(), n);
  require(
      c.M.rows() == n && c.M.cols() == n && c.N.rows() == n && c.N.cols() == n && c.b.size() == n,
      "Shooting: M is {}x{}, N is {}x{}, b has size {}, expected {} conditions on {} states",
      c.M.rows(), c.M.cols(), c.N.rows(), c.N.cols(), c.b.size(), n, n);
  require(steps >= 1 && t_end > 0, "Shooting: {} steps to t = {}", steps, t_end);
}

}  // namespace

ShootingReport solve(const Model& model, const BoundaryConditions& conditions, double t_end,
                     int steps, const Scheme& scheme, VectorRef x0, const Shooting& options) {
  validate(options);
  check(model, conditions, x0, steps, t_end);
  ShootingReport report;
  Shots shots{model, conditions, t_end, steps, scheme};
  const double goal = options.tolerance * std::max(1.0, conditions.b.lpNorm<Eigen::Infinity>());
  report.status = SolveStatus::numerical_error;
  if (!shots.fly(x0, report.x_end)) return report;
  Vector r = shots.residual(x0, report.x_end), trial, trial_end;
  Matrix J;
  report.status = SolveStatus::max_iterations;
  while ((report.residual = r.lpNorm<Eigen::Infinity>()) > goal) {
    if (report.iterations++ == options.max_iterations) return report;
    if (!shots.derivative(x0, report.x_end, options.difference, J)) {
      report.status = SolveStatus::numerical_error;
      return report;
    }
    const Vector step = Eigen::FullPivLU<Matrix>(J).solve(r);
    double length = 1;
    for (; length > 1e-6; length /= 2) {
      trial = x0 - length * step;
      if (shots.fly(trial, trial_end) && shots.residual(trial, trial_end).norm() < r.norm()) break;
    }
    if (length <= 1e-6) {
      report.status = SolveStatus::stalled;
      return report;
    }
    x0 = trial;
    report.x_end = trial_end;
    r = shots.residual(x0, report.x_end);
  }
  report.status = SolveStatus::converged;
  return report;
}

}  // namespace saltus
