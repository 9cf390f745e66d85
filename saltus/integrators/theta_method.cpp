#include "saltus/integrators/theta_method.hpp"

#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/implicit_stage.hpp"
#include "saltus/integrators/theta_step.hpp"

#include <cmath>

namespace saltus {

namespace {

StepReport step_at_stage(const Model& model, State& state, double h, const ThetaMethod& scheme,
                         StepWorkspace& work) {
  StepReport report;
  InclusionWorkspace& memory = work.inclusion;
  const double theta = scheme.theta;
  if (!implicit_stage(model, state, state.x, state.t + theta * h, theta * h, scheme.solver, work,
                      report))
    return report;
  if (theta == 1)
    memory.x = work.w;
  else
    memory.x = state.x + (work.w - state.x) / theta;
  finish_inclusion(state, h, memory.x, work);
  return report;
}

/// ẋ at the beginning: that of the last step, or from the law at the state as it stands (a stage of
/// no length, in which λ has to satisfy it by D alone, and whose M̂ is E). False if that has no
/// solution.
bool initial_rate(const Model& model, const State& state, const ThetaMethod& scheme,
                  StepWorkspace& work) {
  InclusionWorkspace& memory = work.inclusion;
  if (memory.continues(state)) return true;
  StepReport report;
  if (!implicit_stage(model, state, state.x, state.t, 0, scheme.solver, work, report)) return false;
  memory.f = work.force_begin;
  for (const Layout::Block& block : work.layout.blocks) add_input(block, work, 1, work.r, memory.f);
  solve_factors(work.layout, work.coupled, memory.f, work.factor, memory.rate);
  return memory.rate.allFinite();
}

StepReport step_averaged(const Model& model, State& state, double h, const ThetaMethod& scheme,
                         StepWorkspace& work) {
  StepReport report;
  InclusionWorkspace& memory = work.inclusion;
  const bool known = initial_rate(model, state, scheme, work);
  const double theta = known ? scheme.theta : 1;
  memory.x = state.x;
  if (known) memory.x += (1 - theta) * h * memory.rate;
  if (!implicit_stage(model, state, memory.x, state.t + h, theta * h, scheme.solver, work, report))
    return report;
  memory.rate = (work.w - memory.x) / (theta * h);
  memory.x = work.w;
  finish_inclusion(state, h, memory.x, work);
  return report;
}

/// a_ij of the method, row by row; the last row is also that of the weights.
struct Tableau {
  int stages;
  double diagonal, a[3][3], c[3];
};

Tableau tableau(int order) {
  if (order == 2) {
    const double g = 1 - std::sqrt(0.5);
    return {2, g, {{g, 0, 0}, {1 - g, g, 0}, {0, 0, 0}}, {g, 1, 0}};
  }
  // the root of γ³ − 3γ² + 3γ/2 − 1/6 in (1/6, 1/2)
  const double g = 0.43586652150845899942;
  const double b1 = -(6 * g * g - 16 * g + 1) / 4, b2 = (6 * g * g - 20 * g + 5) / 4;
  return {3, g, {{g, 0, 0}, {(1 - g) / 2, g, 0}, {b1, b2, g}}, {g, (1 + g) / 2, 1}};
}

}  // namespace

void prepare(const Model& model, const ThetaMethod& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_inclusion(model, scheme.solver, scheme.name, work);
}

StepReport step(const Model& model, State& state, double h, const ThetaMethod& scheme,
                StepWorkspace& work) {
  return std::holds_alternative<AtStage>(scheme.multiplier)
             ? step_at_stage(model, state, h, scheme, work)
             : step_averaged(model, state, h, scheme, work);
}

void prepare(const Model& model, const Bdf2& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_inclusion(model, scheme.solver, scheme.name, work);
}

StepReport step(const Model& model, State& state, double h, const Bdf2& scheme,
                StepWorkspace& work) {
  StepReport report;
  InclusionWorkspace& memory = work.inclusion;
  const double ratio = memory.continues(state) ? h / memory.h_before : 0;
  const double share = 1 + 2 * ratio, square = (1 + ratio) * (1 + ratio);
  memory.x = (square * state.x - ratio * ratio * memory.x_before) / share;
  if (!implicit_stage(model, state, memory.x, state.t + h, h * (1 + ratio) / share, scheme.solver,
                      work, report))
    return report;
  memory.x = work.w;
  finish_inclusion(state, h, memory.x, work);
  return report;
}

void prepare(const Model& model, const Sdirk& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_inclusion(model, scheme.solver, scheme.name, work);
  work.inclusion.rates.assign(3, Vector::Zero(model.first_order_size()));
}

StepReport step(const Model& model, State& state, double h, const Sdirk& scheme,
                StepWorkspace& work) {
  StepReport report;
  InclusionWorkspace& memory = work.inclusion;
  const Tableau method = tableau(scheme.order);
  const double own = method.diagonal * h;
  for (int i = 0; i < method.stages; ++i) {
    memory.x = state.x;
    for (int j = 0; j < i; ++j) memory.x += h * method.a[i][j] * memory.rates[j];
    if (!implicit_stage(model, state, memory.x, state.t + method.c[i] * h, own, scheme.solver, work,
                        report))
      return report;
    memory.rates[i] = (work.w - memory.x) / own;
  }
  memory.x = work.w;
  finish_inclusion(state, h, memory.x, work);
  return report;
}

void prepare(const Model& model, const CatchingUp& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_inclusion(model, scheme.solver, scheme.name, work);
}

StepReport step(const Model& model, State& state, double h, const CatchingUp& scheme,
                StepWorkspace& work) {
  OneStep one{model, state, h, scheme.solver, work};
  if (theta_step(one, {.theta = 0, .position = 1, .gamma = 0})) one.finish(state);
  return one.report;
}

}  // namespace saltus
