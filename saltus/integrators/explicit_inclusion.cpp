#include "saltus/integrators/explicit_inclusion.hpp"

#include "saltus/integrators/explicit_field.hpp"
#include "saltus/integrators/implicit_stage.hpp"
#include "saltus/integrators/law_sets.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr Index any_rows = 1000000;

void select(const MiddleSelection&, const ExplicitField& field, Vector& lambda) {
  for (Index i = 0; i < lambda.size(); ++i) {
    const Interval open = multipliers_at(field.law(i), field.work.inclusion.y[i], 0);
    lambda[i] = 0.5 * (open.lower + open.upper);
  }
}

/// Minimises ‖E⁻¹f + E⁻¹Bλ − target‖ over what the law leaves open: a problem in intervals.
void select_nearest(const ExplicitField& field, double band, const Vector& target, Vector& lambda) {
  StepWorkspace& work = field.work;
  InclusionWorkspace& memory = work.inclusion;
  const Index m = lambda.size();
  BlockForm& problem = work.problem;
  work.sizes.assign(static_cast<std::size_t>(m), 1);
  problem.W.start(work.sizes, work.sizes);
  problem.K.clear();
  memory.W.noalias() = memory.B.transpose() * memory.B;
  for (Index i = 0; i < m; ++i) {
    for (Index j = 0; j < m; ++j) *problem.W.value(problem.W.push_block(j)) = memory.W(i, j);
    problem.W.end_row();
    problem.K.push_back(multipliers_at(field.law(i), memory.y[i], band));
  }
  memory.trial = memory.f - target;
  problem.q.noalias() = memory.B.transpose() * memory.trial;
  lambda.setZero();
  static_cast<void>(solve(problem, lambda, Automatic{.tolerance = 1e-12}, work.solver));
  for (Index i = 0; i < m; ++i) {
    const auto& open = std::get<Interval>(problem.K[i]);
    lambda[i] = std::min(std::max(lambda[i], open.lower), open.upper);
  }
}

void select(const MinimalNorm& rule, const ExplicitField& field, Vector& lambda) {
  field.work.w_scratch.setZero();
  select_nearest(field, rule.band, field.work.w_scratch, lambda);
}

void select(const MinimalVariation& rule, const ExplicitField& field, Vector& lambda) {
  field.work.w_scratch = field.work.inclusion.rate;
  select_nearest(field, rule.band, field.work.w_scratch, lambda);
}

/// By the signs of ẏ for the fields of either side.
void select(const SwitchModel& rule, const ExplicitField& field, Vector& lambda) {
  const InclusionWorkspace& memory = field.work.inclusion;
  const double y = memory.y[0];
  const Interval open = multipliers_at(field.law(0), y, rule.epsilon);
  const double free = memory.C.row(0).dot(memory.f), slope = memory.C.row(0).dot(memory.B.col(0));
  const double above = free + slope * open.lower, below = free + slope * open.upper;
  if (above < 0 && below > 0) {
    const double share = (below + y / rule.epsilon) / (below - above);
    lambda[0] = share * open.lower + (1 - share) * open.upper;
  } else {
    lambda[0] = above > 0 ? open.lower : open.upper;
  }
}

void select(const Sigmoid& rule, const ExplicitField& field, Vector& lambda) {
  for (Index i = 0; i < lambda.size(); ++i) {
    const Interval all = multipliers_at(field.law(i), 0, inf);
    lambda[i] = 0.5 * (all.upper + all.lower) -
                0.5 * (all.upper - all.lower) * std::tanh(field.work.inclusion.y[i] / rule.epsilon);
  }
}

}  // namespace

void prepare(const Model& model, const ExplicitInclusion& scheme, StepWorkspace& work) {
  validate(scheme);
  require(scheme.order == 1 || scheme.order == 4, "ExplicitInclusion: order is {}, expected 1 or 4",
          scheme.order);
  const bool one = std::holds_alternative<SwitchModel>(scheme.selection);
  prepare_explicit(model, scheme.name, one ? 1 : any_rows, work);
  const bool relays = one || std::holds_alternative<Sigmoid>(scheme.selection);
  for (const Interaction& tie : model.interactions())
    require(!relays || std::holds_alternative<Relay>(tie.law),
            "ExplicitInclusion: {} is not under a Relay: this selection is for relays", tie.name);
  work.inclusion.W.setZero(model.rows(), model.rows());
  work.problem.q.setZero(model.rows());
}

StepReport step(const Model& model, State& state, double h, const ExplicitInclusion& scheme,
                StepWorkspace& work) {
  StepReport report;
  InclusionWorkspace& memory = work.inclusion;
  const ExplicitField field{model, state, work};
  if (!memory.continues(state)) memory.rate.setZero();
  const auto rate = [&](double t, const Vector& x, Vector& out) {
    field.evaluate(t, x);
    std::visit([&](const auto& rule) { select(rule, field, memory.lambda); }, scheme.selection);
    field.rate(memory.lambda, out);
  };
  if (scheme.order == 1) {
    rate(state.t, state.x, memory.rates[0]);
    memory.x = state.x + h * memory.rates[0];
  } else {
    runge_kutta(rate, state.t, state.x, h, memory.rates, memory.x);
  }
  if (!memory.x.allFinite()) {
    report.status = StepStatus::not_finite;
    return report;
  }
  memory.rate = memory.rates[0];
  work.r = memory.lambda;
  finish_inclusion(state, h, memory.x, work);
  return report;
}

}  // namespace saltus
