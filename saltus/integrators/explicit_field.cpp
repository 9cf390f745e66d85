#include "saltus/integrators/explicit_field.hpp"

#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/implicit_stage.hpp"
#include "saltus/integrators/law_sets.hpp"
#include "saltus/integrators/linearisation.hpp"

namespace saltus {

void ExplicitField::evaluate(double t, const Vector& x) const {
  InclusionWorkspace& memory = work.inclusion;
  refresh_constant_relations(model, state, work);
  if (work.nonlinear_first_order) linearise_first_order(model, t, x, state, work);
  memory.C.setZero();
  memory.B.setZero();
  for (const Layout::Block& block : work.layout.blocks) {
    auto y = memory.y.segment(block.row, block.size);
    y = work.offset.segment(block.row, block.size);
    add_output(block, work, x, y.data());
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = work.layout.entries[e];
      const Layout::Body& body = work.layout.bodies[entry.body];
      memory.C.block(block.row, body.offset, block.size, body.size) =
          Eigen::Map<const Matrix>(work.output.data() + entry.values, block.size, body.size);
      memory.B.block(body.offset, block.row, body.size, block.size) =
          Eigen::Map<const Matrix>(work.input.data() + entry.values, body.size, block.size);
    }
  }
  evaluate_forces(model, t, work.q_end, x, state.z, work.layout, work.force_end);
  solve_factors(work.layout, work.coupled, work.force_end, work.factor, memory.f);
  for (Index j = 0; j < memory.B.cols(); ++j) {
    work.newton = memory.B.col(j);
    solve_factors(work.layout, work.coupled, work.newton, work.factor, work.w_free);
    memory.B.col(j) = work.w_free;
  }
}

void ExplicitField::rate(ConstVectorRef lambda, Vector& out) const {
  out = work.inclusion.f;
  out.noalias() += work.inclusion.B * lambda;
}

const Law& ExplicitField::law(Index row) const {
  for (const Layout::Block& block : work.layout.blocks)
    if (row < block.row + block.size) return model.interactions()[block.interaction].law;
  fail("ExplicitField: row {} is not of this model", row);
}

void prepare_explicit(const Model& model, std::string_view who, Index rows, StepWorkspace& work) {
  prepare_inclusion(model, Automatic{}, who, work);
  require(model.rows() <= rows, "{}: the model has {} rows, expected at most {}", who, model.rows(),
          rows);
  InclusionWorkspace& memory = work.inclusion;
  const Index n = model.first_order_size(), m = model.rows();
  memory.rates.assign(5, Vector::Zero(n));
  memory.B.setZero(n, m);
  memory.C.setZero(m, n);
  const State start = model.initial_state();
  evaluate_masses(model, start.t, start.q, start.x, start.z, true, work);
  size_factors(model, work, true, work.factor);
  require(factorise_masses(work, work.factor), "{}: E is singular", who);
  work.factored = {};
  refresh_constant_relations(model, start, work);
  linearise_first_order(model, start.t, start.x, start, work);
  for (double d : work.feedthrough)
    require(d == 0, "{}: y depends on λ (D is not zero): there is nothing explicit about it", who);
  for (const Interaction& tie : model.interactions())
    static_cast<void>(multipliers_at(tie.law, 0, 0));
}

}  // namespace saltus
