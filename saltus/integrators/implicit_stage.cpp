#include "saltus/integrators/implicit_stage.hpp"

#include "saltus/integrators/theta_step.hpp"

namespace saltus {

bool implicit_stage(const Model& model, const State& state, const Vector& x, double t, double h,
                    const Algorithm& solver, StepWorkspace& work, StepReport& report) {
  State& stage = work.inclusion.stage;
  stage.t = t - h;
  stage.x = x;
  stage.z = state.z;
  OneStep one{model, stage, h, solver, work};
  const bool done = theta_step(one, {.theta = 1, .position = 1, .gamma = 0});
  one.report.newton_iterations += report.newton_iterations;
  one.report.solver_iterations += report.solver_iterations;
  one.report.factorisations += report.factorisations;
  report = one.report;
  return done;
}

void require_first_order(const Model& model, std::string_view who) {
  for (const SystemEntry& entry : model.systems())
    require(entry.system.order() == Order::first,
            "{}: {} is of second order; the scheme is for first-order systems, use MoreauJean", who,
            entry.name);
}

void prepare_inclusion(const Model& model, const Algorithm& solver, std::string_view who,
                       StepWorkspace& work) {
  require_first_order(model, who);
  prepare_step(model, solver, work);
  work.inclusion.h_before = 0;
  work.inclusion.held = 0;
  work.inclusion.stage = model.initial_state();
  const Index n = model.first_order_size();
  for (Vector* v : {&work.inclusion.x_left, &work.inclusion.x_before, &work.inclusion.rate,
                    &work.inclusion.x, &work.inclusion.f, &work.inclusion.trial})
    v->setZero(n);
  for (Vector* v : {&work.inclusion.y, &work.inclusion.lambda}) v->setZero(model.rows());
}

void finish_inclusion(State& state, double h, const Vector& x_next, StepWorkspace& work) {
  work.inclusion.x_before = state.x;
  state.x = x_next;
  state.t += h;
  work.inclusion.x_left = state.x;
  work.inclusion.h_before = h;
}

}  // namespace saltus
