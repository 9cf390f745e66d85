#include "saltus/integrators/linearisation.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// Copies the pieces of the state that interaction i sees, one system after the other.
StateView gather(const Model& model, Index i, double t, const Vector& q, ConstVectorRef w,
                 const Vector& z, StepWorkspace& work) {
  const Interaction& tie = model.interactions()[i];
  const bool lagrangian = tie.relation.lagrangian();
  Index n = 0, positions = 0, parameters = 0;
  for (const Endpoint& end : tie.endpoints) {
    const SystemEntry& entry = model.systems()[end.system.index];
    const Index size = entry.system.body_size();
    const Index offset = entry.offset + end.body * size;
    if (lagrangian) {
      const Index each = entry.system.body_positions();
      std::copy_n(q.data() + entry.q_offset + end.body * each, each,
                  work.gathered_q.data() + positions);
      positions += each;
      std::copy_n(w.data() + offset, size, work.gathered_v.data() + n);
    } else {
      std::copy_n(w.data() + work.layout.velocities + offset, size, work.gathered_x.data() + n);
    }
    std::copy_n(z.data() + entry.z_offset, entry.z_size, work.gathered_z.data() + parameters);
    n += size;
    parameters += entry.z_size;
  }
  return {t, view_of(work.gathered_q.data(), positions),
          view_of(work.gathered_v.data(), lagrangian ? n : 0),
          view_of(work.gathered_x.data(), lagrangian ? 0 : n),
          view_of(work.gathered_z.data(), parameters)};
}

/// Jacobians of interaction i at x, cut into the entries of its blocks.
void evaluate_jacobians(const Model& model, Index i, const StateView& x, StepWorkspace& work) {
  const Relation& relation = model.interactions()[i].relation;
  const Index m = relation.rows(), n = relation.columns();
  auto H = work.relation_H.topLeftCorner(m, n);
  auto B = work.relation_B.topLeftCorner(n, m);
  auto D = work.relation_D.topLeftCorner(m, m);
  relation.jacobian(x, H);
  if (relation.lagrangian())
    B = H.transpose();
  else
    relation.input(x, B), relation.feedthrough(x, D);
  for (Index b = work.layout.first_block[i]; b < work.layout.first_block[i + 1]; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = work.layout.entries[e];
      const Index d = work.layout.bodies[entry.body].size;
      Eigen::Map<Matrix>(work.output.data() + entry.values, block.size, d) =
          H.block(block.local, entry.column, block.size, d);
      Eigen::Map<Matrix>(work.input.data() + entry.values, d, block.size) =
          B.block(entry.column, block.local, d, block.size);
    }
    if (block.feedthrough >= 0)
      Eigen::Map<Matrix>(work.feedthrough.data() + block.feedthrough, block.size, block.size) =
          D.block(block.local, block.local, block.size, block.size);
  }
}

}  // namespace

void prepare_relations(const Model& model, StepWorkspace& work) {
  const Layout& layout = work.layout;
  work.output.assign(layout.entry_values, 0.0);
  work.input.assign(layout.entry_values, 0.0);
  work.response.assign(layout.entry_values, 0.0);
  work.feedthrough.assign(layout.feedthrough_values, 0.0);
  for (Vector* v :
       {&work.compliance, &work.pull, &work.r_before, &work.offset, &work.bias, &work.gap,
        &work.u_minus, &work.constant, &work.r, &work.r_active, &work.gap_end})
    v->setZero(model.rows());
  Index rows = 0, columns = 0;
  for (const Interaction& tie : model.interactions()) {
    rows = std::max(rows, tie.relation.rows());
    columns = std::max(columns, tie.relation.columns());
  }
  for (Vector* v : {&work.gathered_v, &work.gathered_x}) v->setZero(columns);
  work.gathered_q.setZero(model.positions());
  work.gathered_z.setZero(model.initial_state().z.size());
  work.relation_y.setZero(rows);
  work.relation_H.setZero(rows, columns);
  work.relation_B.setZero(columns, rows);
  work.relation_D.setZero(rows, rows);
  work.relations_known = false;
  work.z_seen.resize(0);
}

bool refresh_constant_relations(const Model& model, const State& state, StepWorkspace& work) {
  const bool same_z = work.z_seen.size() == state.z.size() && work.z_seen == state.z;
  if (work.relations_known && same_z) return false;
  work.w_scratch.setZero();
  work.q_end.setZero();
  const auto count = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < count; ++i) {
    const Relation& relation = model.interactions()[i].relation;
    if (!relation.time_invariant()) continue;
    const StateView x = gather(model, i, state.t, work.q_end, work.w_scratch, state.z, work);
    if (!work.relations_known) evaluate_jacobians(model, i, x, work);
    relation.output(x, work.offset.segment(model.row_offset({i}), relation.rows()));
  }
  work.z_seen = state.z;
  const bool first = !work.relations_known;
  work.relations_known = true;
  return first;
}

void linearise_interaction(const Model& model, Index i, double t, const Vector& q,
                           const State& state, StepWorkspace& work) {
  const Relation& relation = model.interactions()[i].relation;
  const Index row = model.row_offset({i}), m = relation.rows();
  const StateView x = gather(model, i, t, q, work.w_begin, state.z, work);
  evaluate_jacobians(model, i, x, work);
  relation.output(x, work.gap.segment(row, m));
  relation.time_derivative(x, work.bias.segment(row, m));
}

void linearise_lagrangian(const Model& model, double t, const Vector& q, const State& state,
                          StepWorkspace& work) {
  const auto count = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < count; ++i) {
    const Relation& relation = model.interactions()[i].relation;
    if (!relation.time_invariant() && relation.lagrangian())
      linearise_interaction(model, i, t, q, state, work);
  }
}

void linearise_first_order(const Model& model, double t, ConstVectorRef w, const State& state,
                           StepWorkspace& work) {
  const auto count = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < count; ++i) {
    const Relation& relation = model.interactions()[i].relation;
    if (relation.time_invariant() || relation.lagrangian()) continue;
    const Index m = relation.rows(), n = relation.columns();
    const StateView x = gather(model, i, t, state.q, w, state.z, work);
    evaluate_jacobians(model, i, x, work);
    auto offset = work.offset.segment(model.row_offset({i}), m);
    relation.output(x, offset);
    offset.noalias() -= work.relation_H.topLeftCorner(m, n) * x.x;
  }
}

void evaluate_output(const Model& model, Index i, double t, const Vector& q, ConstVectorRef w,
                     const Vector& z, StepWorkspace& work, VectorRef y) {
  model.interactions()[i].relation.output(gather(model, i, t, q, w, z, work), y);
}

void evaluate_gaps(const Model& model, double t, const Vector& q, const Vector& z,
                   StepWorkspace& work) {
  const auto count = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < count; ++i) {
    const Relation& relation = model.interactions()[i].relation;
    if (relation.lagrangian())
      evaluate_output(model, i, t, q, work.w, z, work,
                      work.gap_end.segment(model.row_offset({i}), relation.rows()));
  }
}

void evaluate_curvature(const Model& model, double t, const Vector& q, const Vector& w,
                        const Vector& z, StepWorkspace& work, Vector& dH) {
  const auto count = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < count; ++i) {
    const Relation& relation = model.interactions()[i].relation;
    if (relation.lagrangian() && !relation.time_invariant())
      relation.curvature(gather(model, i, t, q, w, z, work),
                         dH.segment(model.row_offset({i}), relation.rows()));
  }
}

}  // namespace saltus
