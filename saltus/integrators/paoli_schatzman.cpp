#include "saltus/integrators/paoli_schatzman.hpp"

#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/linearisation.hpp"
#include "saltus/integrators/one_step.hpp"

namespace saltus {

namespace {

/// M̂ = M + ½hC: the velocity is implicit, the position not.
bool factorise(OneStep& step) {
  return step.factorise(step.state.t, step.state.q, step.state.q, {0.5 * step.h, 0});
}

/// The velocity before the first step: v − ½h M⁻¹F, so that q₁ = q₀ + h v + ½h² M⁻¹F.
void start(OneStep& step) {
  StepWorkspace& work = step.work;
  work.newton = 0.5 * step.h * work.force_begin;
  compute_free(work);  // w − M̂⁻¹ newton
  work.w_begin = work.w = work.w_free;
}

/// w_free = w − M̂⁻¹ R(w)
void free(OneStep& step) {
  StepWorkspace& work = step.work;
  work.w_scratch = 0.5 * (work.w + work.w_begin);
  evaluate_forces(step.model, step.state.t, step.state.q, work.w_scratch, step.state.z, work.layout,
                  work.force_end);
  evaluate_residual(step.h, 1.0, work);
  compute_free(work);
  step.charge(work.times.free);
}

/// y(z) and H of every constraint, and the constant of u = H v⁺ + (1+e) y(z)/h − H w ≥ 0.
void linearise(OneStep& step) {
  StepWorkspace& work = step.work;
  const double h = step.h;
  const auto interactions = static_cast<Index>(step.model.interactions().size());
  for (Index i = 0; i < interactions; ++i) {
    const double e = work.layout.blocks[work.layout.first_block[i]].restitution;
    work.q_forecast = step.state.q + h / (1 + e) * (work.w - e * work.w_begin);
    if (!step.model.interactions()[i].relation.time_invariant()) {
      linearise_interaction(step.model, i, step.state.t + h, work.q_forecast, step.state, work);
      work.matrix_current = false;
    }
    for (Index b = work.layout.first_block[i]; b < work.layout.first_block[i + 1]; ++b) {
      const Layout::Block& block = work.layout.blocks[b];
      step.evaluate_constant_gap(block);
      auto constant = work.constant.segment(block.row, block.size);
      constant.setZero();
      add_output(block, work, work.w, constant.data());
      constant = (1 + e) / h * work.gap.segment(block.row, block.size) - constant;
    }
  }
  step.charge(work.times.activate);
}

/// Free, linearise, solve, advance; repeated by Newton's method unless the model is time-invariant.
bool solve_step(OneStep& step, const PaoliSchatzman& scheme) {
  StepWorkspace& work = step.work;
  const bool linear = work.systems_invariant && !work.nonlinear_lagrangian;
  for (;;) {
    ++step.report.newton_iterations;
    free(step);
    if (!work.active.empty()) {
      linearise(step);
      step.assemble();
      if (!step.solve()) return false;
    }
    work.w_scratch = work.w;
    step.advance();
    if (!work.w.allFinite()) return step.stop(StepStatus::not_finite);
    if (linear) return true;
    work.w_scratch -= work.w;
    step.report.newton_residual =
        work.w_scratch.lpNorm<Eigen::Infinity>() / (1 + work.w.lpNorm<Eigen::Infinity>());
    if (step.report.newton_residual <= scheme.newton_tolerance) return true;
    if (step.report.newton_iterations >= scheme.newton_iterations)
      return step.stop(StepStatus::newton_failed);
  }
}

}  // namespace

void prepare(const Model& model, const PaoliSchatzman& scheme, StepWorkspace& work) {
  validate(scheme);
  require_position_constraints(model, true, "PaoliSchatzman");
  prepare_step(model, scheme.solver, work);
}

StepReport step(const Model& model, State& state, double h, const PaoliSchatzman& scheme,
                StepWorkspace& work) {
  OneStep one{model, state, h, scheme.solver, work};
  one.begin();
  one.linearise_constant();
  one.activate_all();
  if (!factorise(one)) return one.report;
  if (!work.continues(state)) start(one);
  if (!solve_step(one, scheme)) {
    work.matrix_current = false;
    return one.report;
  }
  work.q_end = state.q + h * work.w;
  one.finish(state);
  work.remember(state);
  return one.report;
}

}  // namespace saltus
