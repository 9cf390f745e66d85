#include "saltus/integrators/moreau_jean.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/integrators/position_projection.hpp"
#include "saltus/integrators/theta_step.hpp"

namespace saltus {

namespace {

ThetaRule rule_of(const MoreauJean& scheme) {
  ThetaRule rule{.theta = scheme.theta,
                 .position = scheme.theta,
                 .gamma = scheme.gamma,
                 .reach = scheme.gap_tolerance,
                 .newton_tolerance = scheme.newton_tolerance,
                 .newton_iterations = scheme.newton_iterations};
  if (const auto* gap = std::get_if<ConsistentGap>(&scheme.gap)) {
    rule.gamma = 1 - scheme.theta;
    rule.reach = gap->reach;
    rule.position_level = true;
  }
  std::visit(Overloaded{[](const NoStabilisation&) {},
                        [&](const Baumgarte& s) { rule.baumgarte = s.beta; },
                        [&](const CombinedProjection& s) { rule.violation = s.tolerance; }},
             scheme.stabilisation);
  return rule;
}

/// Projects q⁺, if the scheme says so.
bool project(OneStep& step, const MoreauJean& scheme) {
  const auto* chosen = std::get_if<CombinedProjection>(&scheme.stabilisation);
  if (chosen == nullptr) return true;
  const ProjectionReport done =
      project_positions(step.model, step.state, step.work.q_end, chosen->tolerance,
                        chosen->iterations, *step.work.projection);
  step.report.projection_iterations = done.iterations;
  step.report.violation = done.violation;
  step.charge(step.work.times.update);
  return done.converged || step.stop(StepStatus::projection_failed);
}

}  // namespace

void prepare(const Model& model, const MoreauJean& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_step(model, scheme.solver, work);
  work.rules = resolve(model, scheme.systems, {.theta = scheme.theta, .position = scheme.theta},
                       true, scheme.name);
  if (const auto* gap = std::get_if<ConsistentGap>(&scheme.gap))
    require_position_level(model, gap->reach, "MoreauJean: ConsistentGap");
  if (std::holds_alternative<CombinedProjection>(scheme.stabilisation)) {
    if (!work.projection) work.projection = std::make_unique<StepWorkspace>();
    prepare_projection(model, *work.projection);
  }
}

StepReport step(const Model& model, State& state, double h, const MoreauJean& scheme,
                StepWorkspace& work) {
  OneStep one{model, state, h, scheme.solver, work};
  if (theta_step(one, rule_of(scheme)) && project(one, scheme)) one.finish(state);
  return one.report;
}

}  // namespace saltus
