#include "saltus/integrators/theta_step.hpp"

#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/exact_flow.hpp"
#include "saltus/integrators/law_sets.hpp"
#include "saltus/integrators/linearisation.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// Calls visit(first, size, rule) for the velocities of each body, where systems have rules.
template <class Visit>
void for_velocities(const StepWorkspace& work, Visit&& visit) {
  for (const Layout::Body& body : work.layout.bodies)
    if (body.offset < work.layout.velocities)
      visit(body.offset, body.size, work.rules.rules[body.system]);
}

/// q_forecast = q ⊕ γ h v; at position level γ = 1 − ϑ of each system.
void forecast(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  work.displacement = rule.gamma * step.h * step.state.v;
  if (rule.position_level && !work.rules.empty())
    for_velocities(work, [&](Index first, Index size, const ResolvedRule& own) {
      const double gamma = 1 - own.position;
      work.displacement.segment(first, size) = gamma * step.h * step.state.v.segment(first, size);
    });
  move_positions(step.model, step.state.q, work.displacement, work.q_forecast);
}

/// q_end = q ⊕ h(ϑ w + (1−ϑ) v)
void move(OneStep& step, double position) {
  StepWorkspace& work = step.work;
  const Index n = work.layout.velocities;
  if (work.rules.empty())
    work.displacement = step.h * (position * work.w.head(n) + (1 - position) * step.state.v);
  else
    for_velocities(work, [&](Index first, Index size, const ResolvedRule& rule) {
      work.displacement.segment(first, size) =
          step.h * (rule.position * work.w.segment(first, size) +
                    (1 - rule.position) * step.state.v.segment(first, size));
    });
  move_positions(step.model, step.state.q, work.displacement, work.q_end);
  if (!work.rules.empty()) move_exact(work);
}

/// What the law of a block adds of its own.
void add_law_terms(OneStep& step, const Layout::Block& block, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  const Index row = block.row, m = block.size;
  const bool known = !block.detected() && work.step_before > 0;
  add_terms(
      step.law(block),
      {.h = step.h,
       .theta = rule.theta,
       .gap = work.gap.segment(row, m),
       .ahead = rule.gamma * step.h,
       .u = work.u_minus.segment(row, m),
       .r = known ? work.r_before.segment(row, m) : work.u_minus.segment(row, m),
       .per_second = known ? 1 / work.step_before : 0},
      {work.constant.segment(row, m), work.compliance.segment(row, m), work.pull.segment(row, m)});
}

/// u⁻ and the constant term of the active Lagrangian blocks.
void shift_velocities(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    if (!block.lagrangian()) continue;
    const Index row = block.row, constraints = block.bilateral ? block.size : 1;
    auto u = work.u_minus.segment(row, block.size);
    auto constant = work.constant.segment(row, block.size);
    constant = u = work.bias.segment(row, block.size);
    add_output(block, work, work.w_begin, u.data());
    if (block.terms) add_law_terms(step, block, rule);
    if (!block.unilateral && !block.bilateral) continue;
    if (rule.position_level) {
      constant.head(constraints) += work.gap.segment(row, constraints) / step.h;
      continue;
    }
    constant[0] += block.restitution * u[0];
    for (Index i = 0; i < constraints && rule.baumgarte > 0; ++i) {
      const double y = work.gap[row + i] - rule.gamma * step.h * u[i];
      constant[i] += rule.baumgarte / step.h * (block.bilateral ? y : std::min(y, 0.0));
    }
  }
}

constexpr double drifting_steps = 1e4;    // over which errors of the solver may add up
constexpr double largest_part = 1e-2;     // of the way in a step that may be neglected
constexpr double usual_tolerance = 1e-8;  // of algorithms that have none

double tolerance_of(const Algorithm& solver) {
  return std::visit(
      [](const auto& algorithm) {
        if constexpr (requires { algorithm.tolerance; })
          return static_cast<double>(algorithm.tolerance);
        else
          return usual_tolerance;
      },
      solver);
}

/// Way in a step, and gap, below which a loaded contact counts as resting [unit of y]:
///     min(1e4 ε, 0.01) h V,    V² = Σ ‖H w_free + constant‖² over the contacts of the last step,
/// what errors of ε V, ε the tolerance of the solver, add up to in 1e4 steps. V is the speed at
/// which the bodies would go through each other in a step, so that units do not matter. To be
/// called before anything of the last step is overwritten.
double resting_way(OneStep& step) {
  StepWorkspace& work = step.work;
  if (work.r.size() != work.layout.rows) return 0;  // the last step failed
  double square = 0;
  for (const Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    if (!block.lagrangian() || !block.unilateral || !(work.r[block.row] > 0)) continue;
    auto u = work.u_minus.segment(block.row, block.size);
    u = work.constant.segment(block.row, block.size);
    add_output(block, work, work.w_free, u.data());
    square += u.squaredNorm();
  }
  if (square == 0) return 0;
  const double part = std::min(drifting_steps * tolerance_of(step.solver), largest_part);
  return part * step.h * std::sqrt(square);
}

/// The contact carried load in the last step and rests: it is closed, even if what the tolerance of
/// the solver leaves of its velocity has summed up to a gap a little above the reach.
bool rests(OneStep& step, const Layout::Block& block, const ThetaRule& rule, double way) {
  StepWorkspace& work = step.work;
  if (!block.lagrangian() || !block.unilateral || rule.position_level ||
      work.gap[block.row] > rule.reach + way || !(work.r[block.row] > 0))
    return false;
  auto u = work.u_minus.segment(block.row, block.size);
  u = work.bias.segment(block.row, block.size);
  add_output(block, work, work.w_begin, u.data());
  return step.h * std::abs(u[0]) <= way;
}

/// Gaps at the forecast q̃ decide which contacts take part (TI:TI-107, S:FC-01), and load does for
/// those at rest.
void activate(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  const double way = resting_way(step);
  forecast(step, rule);
  step.linearise(step.state.t + rule.gamma * step.h, work.q_forecast, rule.reach + way);
  const bool all_gaps = rule.position_level || rule.baumgarte > 0;
  work.previously_active.swap(work.active);
  work.active.clear();
  Index number = 0;
  for (const Layout::Block& block : work.layout.blocks) {
    if (!block.always || block.terms || (all_gaps && block.bilateral))
      step.evaluate_constant_gap(block);
    if (block.always || work.gap[block.row] <= rule.reach || rests(step, block, rule, way))
      work.active.push_back(number);
    ++number;
  }
  step.count_active();
  shift_velocities(step, rule);
  step.charge(work.times.activate);
}

/// One Newton step without contact: w_free = w − M̂⁻¹ R(w).
bool free(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  const double t = step.state.t + step.h, weight = step.h * rule.theta;
  move(step, rule.position);
  evaluate_forces(step.model, t, work.q_end, work.w, step.state.z, work.layout, work.force_end);
  if (!step.factorise(t, work.q_end, work.q_forecast, {weight, weight * step.h * rule.position}))
    return false;
  evaluate_residual(step.h, rule.theta, work);
  compute_free(work);
  step.charge(work.times.free);
  return true;
}

/// y = C x⁺ + offset + D λ of the first-order rows, with the relations as they were linearised; the
/// size of the largest of these terms.
double linear_outputs(const StepWorkspace& work, Vector& y) {
  double size = 0;
  for (const Layout::Block& block : work.layout.blocks) {
    if (block.lagrangian()) continue;
    auto rows = y.segment(block.row, block.size);
    const auto offset = work.offset.segment(block.row, block.size);
    rows.noalias() = Eigen::Map<const Matrix>(work.feedthrough.data() + block.feedthrough,
                                              block.size, block.size) *
                     work.r.segment(block.row, block.size);
    size = std::max({size, rows.lpNorm<Eigen::Infinity>(), offset.lpNorm<Eigen::Infinity>()});
    rows += offset;
    add_output(block, work, work.w, rows.data());
    size = std::max(size, rows.lpNorm<Eigen::Infinity>());
  }
  return size;
}

/// Linearises the first-order relations at the new iterate: true if their outputs are what the
/// one-step problem took them for.
bool outputs_agree(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  double size = linear_outputs(work, work.gap_end), change = 0;
  linearise_first_order(step.model, step.state.t + step.h, work.w, step.state, work);
  size = std::max(size, linear_outputs(work, work.gap));
  for (const Layout::Block& block : work.layout.blocks)
    if (!block.lagrangian())
      change = std::max(change, (work.gap.segment(block.row, block.size) -
                                 work.gap_end.segment(block.row, block.size))
                                    .lpNorm<Eigen::Infinity>());
  return change <= rule.newton_tolerance * (1 + size);
}

bool newton_done(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  const bool agree = !work.nonlinear_first_order || outputs_agree(step, rule);
  evaluate_forces(step.model, step.state.t + step.h, work.q_end, work.w, step.state.z, work.layout,
                  work.force_end);
  evaluate_residual(step.h, rule.theta, work);
  return step.newton_residual() <= rule.newton_tolerance && agree;
}

/// What systems with integrators of their own need for the step.
bool begin_systems(OneStep& step) {
  StepWorkspace& work = step.work;
  if (work.rules.empty()) return true;
  if (work.rules.step != step.h) work.factored = {};
  work.rules.step = step.h;
  if (!hold_exact_flows(step.model, step.state, step.h, work))
    return step.stop(StepStatus::singular_matrix);
  evaluate_exact_flows(step.model, step.state, step.h, work);
  return true;
}

/// Free, assemble, solve, advance; repeated by Newton's method unless the model is time-invariant.
bool solve_step(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  for (int iteration = 1;; ++iteration) {
    ++step.report.newton_iterations;
    if (!free(step, rule)) return false;
    if (!work.active.empty()) {
      if (work.nonlinear_first_order) {
        if (iteration == 1)
          linearise_first_order(step.model, step.state.t + step.h, work.w, step.state, work);
        work.matrix_current = false;
      }
      step.assemble();
      if (!step.solve()) return false;
    }
    step.advance();
    move(step, rule.position);
    if (!work.w.allFinite()) return step.stop(StepStatus::not_finite);
    const bool linear = work.systems_invariant && !work.nonlinear_first_order;
    if (linear || newton_done(step, rule)) return true;
    if (iteration >= rule.newton_iterations) return step.stop(StepStatus::newton_failed);
  }
}

/// Adds the contacts that the step left open but that are violated at its end.
bool add_violated(OneStep& step, const ThetaRule& rule) {
  StepWorkspace& work = step.work;
  evaluate_gaps(step.model, step.state.t + step.h, work.q_end, step.state.z, work);
  work.previously_active = work.active;
  for (Index b = 0; b < work.layout.declared_blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    if (block.always || work.gap_end[block.row] >= -rule.violation) continue;
    const auto place = std::lower_bound(work.active.begin(), work.active.end(), b);
    if (place == work.active.end() || *place != b) work.active.insert(place, b);
  }
  if (work.active.size() == work.previously_active.size()) return false;
  step.count_active();
  shift_velocities(step, rule);
  step.charge(work.times.activate);
  return true;
}

/// A step that failed on forces, gaps or motions that are not finite says so, not what followed.
void blame_numbers(OneStep& step) {
  const StepWorkspace& work = step.work;
  bool finite = work.force_begin.allFinite() && work.force_end.allFinite();
  for (const Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    const Vector& constant = block.lagrangian() ? work.constant : work.offset;
    finite = finite && constant.segment(block.row, block.size).allFinite();
  }
  if (!finite) step.report.status = StepStatus::not_finite;
}

}  // namespace

bool theta_step(OneStep& step, const ThetaRule& rule) {
  step.begin();
  activate(step, rule);
  do {
    if (!begin_systems(step) || !solve_step(step, rule)) {
      blame_numbers(step);
      step.work.r = step.work.r_before;
      step.work.step_length = step.work.step_before;
      step.work.matrix_current = false;
      return false;
    }
  } while (rule.violation < inf && add_violated(step, rule));
  return true;
}

void require_position_level(const Model& model, double reach, const char* who) {
  for (const Interaction& tie : model.interactions())
    require(!has_terms(tie.law) && poisson_restitution(tie.law) < 0,
            "{}: the law of {} is one for velocities; use MoreauJean", who, tie.name);
  for (const Interaction& tie : model.interactions())
    require(restitution(tie.law) == 0,
            "{}: the law of {} has restitution e = {}, a contact at position level must have e = 0",
            who, tie.name, restitution(tie.law));
  require(model.sources().empty() || reach < inf,
          "{}: the model has sources of contacts: give a finite reach", who);
}

}  // namespace saltus
