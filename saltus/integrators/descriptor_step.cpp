#include "saltus/integrators/descriptor_step.hpp"

namespace saltus {

namespace {

/// G z of row i.
double product(const Descriptor& system, Index i, const Vector& z) {
  double sum = 0;
  for (Descriptor::Matrix::InnerIterator it(system.G, i); it; ++it) sum += it.value() * z[it.col()];
  return sum;
}

StageReport solve_step(const Descriptor& system, const DescriptorState& state, double h,
                       double theta, const ModePivoting& solver, DescriptorWorkspace& work) {
  return solve_stage(system, {.h = h, .theta = theta, .e = state.e, .g = &state.g, .tick = state.t},
                     state.z, state.closed, solver, work);
}

/// Takes the solution over into the state.
void accept(const Descriptor& system, double t, double theta, DescriptorWorkspace& work,
            DescriptorState& state) {
  state.t = t;
  state.z.swap(work.z);
  state.closed = work.closed;
  for (const Index i : work.differential) {
    state.e[i] = charge(system, i, state.z);
    if (theta < 1) state.g[i] = product(system, i, state.z) + work.s[i];
  }
}

}  // namespace

StepReport start_descriptor(const Descriptor& system, double t0, double h,
                            const DescriptorTheta& scheme, DescriptorState& state,
                            DescriptorWorkspace& work) {
  validate(system);
  require(h > 0 && h < inf, "start_descriptor: the step is {}, expected > 0", h);
  begin(system, t0, state, work);
  evaluate_source(system, t0 + h, work);
  StepReport report;
  for (int k = 0; k < 2; ++k) {
    report = solve_step(system, state, h, 1, scheme.solver, work).report;
    if (!report.done()) return report;
    accept(system, t0, 0, work, state);
  }
  return report;
}

StepReport operating_point(const Descriptor& system, double t0, const DescriptorTheta& scheme,
                           DescriptorState& state, DescriptorWorkspace& work) {
  validate(system);
  begin(system, t0, state, work);
  evaluate_source(system, t0, work);
  const StepReport report = solve_step(system, state, inf, 1, scheme.solver, work).report;
  if (report.done()) accept(system, t0, 0, work, state);
  return report;
}

StepReport step(const Descriptor& system, DescriptorState& state, double h,
                const DescriptorTheta& scheme, DescriptorWorkspace& work) {
  const double t = state.t + h;
  evaluate_source(system, t, work);
  StageReport done = solve_step(system, state, h, scheme.theta, scheme.solver, work);
  if (scheme.theta < 1 && scheme.damp && done.commuted && done.report.done())
    done = solve_step(system, state, h, 1, scheme.solver, work);
  if (done.report.done()) accept(system, t, scheme.theta, work, state);
  return done.report;
}

}  // namespace saltus
