#include "saltus/integrators/position_projection.hpp"

#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/one_step.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// Largest violation of the constraints at the iterate; their gaps become the constant term.
double measure_violation(OneStep& step) {
  StepWorkspace& work = step.work;
  double violation = 0;
  for (const Layout::Block& block : work.layout.blocks) {
    if (!block.unilateral && !block.bilateral) continue;
    step.evaluate_constant_gap(block);
    for (Index row = block.row; row < block.row + block.size; ++row) {
      const double y = work.gap[row];
      violation = std::max(violation, block.bilateral ? std::abs(y) : -y);
    }
  }
  work.constant = work.gap;
  return violation;
}

/// A displacement is about as long as the violation: farther contacts stay open.
void activate(OneStep& step, double violation) {
  StepWorkspace& work = step.work;
  work.previously_active.swap(work.active);
  work.active.clear();
  Index number = 0;
  for (const Layout::Block& block : work.layout.blocks) {
    const bool close = block.unilateral && work.gap[block.row] <= 2 * violation;
    if (block.bilateral || close) work.active.push_back(number);
    ++number;
  }
  step.count_active();
}

}  // namespace

void prepare_projection(const Model& model, StepWorkspace& work) {
  prepare_step(model, Automatic{}, work);
  work.layout = lay_out(model, true);
}

ProjectionReport project_positions(const Model& model, const State& state, Vector& q,
                                   double tolerance, int iterations, StepWorkspace& work) {
  static const Algorithm solver = Automatic{.tolerance = 1e-12};
  ProjectionReport report;
  OneStep step{model, state, 1.0, solver, work};
  step.begin();
  work.q_forecast = q;
  for (;; ++report.iterations) {
    step.linearise(state.t, work.q_forecast, 0.0);
    report.violation = measure_violation(step);
    report.converged = report.violation <= tolerance;
    if (report.converged || report.iterations == iterations) break;
    activate(step, report.violation);
    work.w_free.setZero();
    if (!step.factorise(state.t, work.q_forecast, work.q_forecast, {0, 0})) break;
    work.r.setZero();
    step.assemble();
    if (!step.solve()) break;
    step.advance();
    if (!work.w.allFinite()) break;
    work.displacement = work.w.head(work.layout.velocities);
    move_positions(model, work.q_forecast, work.displacement, work.q_end);
    work.q_forecast = work.q_end;
  }
  if (report.converged) q = work.q_forecast;
  return report;
}

}  // namespace saltus
