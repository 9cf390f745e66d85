#include "saltus/integrators/zero_order_hold.hpp"

#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/implicit_stage.hpp"

#include <Eigen/LU>
#include <unsupported/Eigen/MatrixFunctions>

namespace saltus {

namespace {

/// Γ of one body: the upper right block of exp(h [E⁻¹A, E⁻¹; 0, 0]).
Matrix held_input(const Matrix& E, const Matrix& A, double h) {
  const Index n = E.rows();
  Matrix big = Matrix::Zero(2 * n, 2 * n);
  const Eigen::PartialPivLU<Matrix> factor(E);
  big.topLeftCorner(n, n) = h * factor.solve(A);
  big.topRightCorner(n, n) = h * factor.inverse();
  return Matrix(big.exp()).topRightCorner(n, n);
}

/// Γ of every body, and h Γ⁻¹ in place of M̂: its inverse times h B is Γ B.
bool hold(const OneStep& step, StepWorkspace& work) {
  InclusionWorkspace& memory = work.inclusion;
  if (memory.held == step.h) return true;
  memory.held = step.h;
  memory.input.clear();
  work.factored = {};
  work.matrix_current = false;
  Index number = 0;
  for (const Layout::Body& body : work.layout.bodies) {
    const SystemEntry& entry = step.model.systems()[body.system];
    const Index n = body.size;
    const Matrix E = Eigen::Map<const Matrix>(work.mass.data() + body.matrix, n, n);
    Matrix A(n, n);
    entry.system.damping(Model::view(entry, step.state), body.local, A);
    memory.input.push_back(held_input(E, -A, step.h));
    const Matrix iteration = step.h * memory.input.back().inverse();
    if (!iteration.allFinite() || !work.factor.bodies.factorize(number++, iteration.data()))
      return false;
  }
  return true;
}

}  // namespace

void prepare(const Model& model, const ZeroOrderHold& scheme, StepWorkspace& work) {
  validate(scheme);
  prepare_inclusion(model, scheme.solver, scheme.name, work);
  for (const SystemEntry& entry : model.systems())
    require(entry.system.time_invariant() && !entry.system.coupled(),
            "ZeroOrderHold: {} is not linear with constant matrices; use MoreauJean", entry.name);
  for (const Interaction& tie : model.interactions())
    require(tie.relation.time_invariant(),
            "ZeroOrderHold: the relation of {} is not linear with constant matrices", tie.name);
}

StepReport step(const Model& model, State& state, double h, const ZeroOrderHold& scheme,
                StepWorkspace& work) {
  OneStep one{model, state, h, scheme.solver, work};
  one.begin();
  one.linearise_constant();
  one.activate_all();
  if (!hold(one, work)) {
    one.stop(StepStatus::singular_matrix);
    return one.report;
  }
  evaluate_forces(model, state.t + h / 2, state.q, work.w_begin, state.z, work.layout,
                  work.force_end);
  Index number = 0;
  for (const Layout::Body& body : work.layout.bodies)
    work.w_free.segment(body.offset, body.size).noalias() =
        work.w_begin.segment(body.offset, body.size) +
        work.inclusion.input[number++] * work.force_end.segment(body.offset, body.size);
  if (!work.active.empty()) {
    one.assemble();
    if (!one.solve()) return one.report;
  }
  one.advance();
  if (!work.w.allFinite()) {
    one.stop(StepStatus::not_finite);
    return one.report;
  }
  one.finish(state);
  return one.report;
}

}  // namespace saltus
