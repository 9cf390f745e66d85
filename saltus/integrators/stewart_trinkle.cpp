#include "saltus/integrators/stewart_trinkle.hpp"

#include "saltus/integrators/theta_step.hpp"

namespace saltus {

namespace {

/// Backward Euler in the positions, everything about contacts at the beginning of the step.
StepReport euler_step(const Model& model, State& state, double h, const auto& scheme, double reach,
                      bool position_level, StepWorkspace& work) {
  OneStep one{model, state, h, scheme.solver, work};
  const ThetaRule rule{.theta = scheme.theta,
                       .position = 1,
                       .gamma = 0,
                       .reach = reach,
                       .position_level = position_level,
                       .newton_tolerance = scheme.newton_tolerance,
                       .newton_iterations = scheme.newton_iterations};
  if (theta_step(one, rule)) one.finish(state);
  return one.report;
}

}  // namespace

void prepare(const Model& model, const StewartTrinkle& scheme, StepWorkspace& work) {
  validate(scheme);
  require_position_level(model, scheme.reach, "StewartTrinkle");
  prepare_step(model, scheme.solver, work);
  work.rules =
      resolve(model, scheme.systems, {.theta = scheme.theta, .position = 1}, false, scheme.name);
}

StepReport step(const Model& model, State& state, double h, const StewartTrinkle& scheme,
                StepWorkspace& work) {
  return euler_step(model, state, h, scheme, scheme.reach, true, work);
}

void prepare(const Model& model, const AnitescuPotra& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_step(model, scheme.solver, work);
  work.rules =
      resolve(model, scheme.systems, {.theta = scheme.theta, .position = 1}, false, scheme.name);
}

StepReport step(const Model& model, State& state, double h, const AnitescuPotra& scheme,
                StepWorkspace& work) {
  return euler_step(model, state, h, scheme, scheme.gap_tolerance, false, work);
}

}  // namespace saltus
