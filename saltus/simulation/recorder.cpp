#include "saltus/simulation/recorder.hpp"

namespace saltus {

namespace {

void name_states(const Model& model, Trajectory& run) {
  for (const SystemEntry& entry : model.systems()) {
    const bool second = entry.system.order() == Order::second;
    for (Index i = 0; i < entry.system.positions(); ++i)
      run.q.names.push_back(fmt::format("{}.q[{}]", entry.name, i));
    for (Index i = 0; i < entry.system.size(); ++i) {
      if (second) run.v.names.push_back(fmt::format("{}.v[{}]", entry.name, i));
      if (!second) run.x.names.push_back(fmt::format("{}.x[{}]", entry.name, i));
    }
  }
}

void name_rows(const Model& model, const char* letter, Table& table) {
  for (const Interaction& tie : model.interactions())
    for (Index i = 0; i < tie.relation.rows(); ++i)
      table.names.push_back(fmt::format("{}.{}[{}]", tie.name, letter, i));
}

void append(ConstVectorRef row, Table& table) {
  if (!table.names.empty()) table.values.insert(table.values.end(), row.begin(), row.end());
}

}  // namespace

Recorder::Recorder(const Model& model, const RecordOptions& options)
    : options_(options), y_(model.rows()), u_(model.rows()) {
  if (options.state) name_states(model, trajectory_);
  if (options.outputs) {
    name_rows(model, "y", trajectory_.y);
    if (model.dof() > 0) name_rows(model, "u", trajectory_.u);
  }
  if (options.multipliers) name_rows(model, "r", trajectory_.r);
}

void Recorder::reserve(long steps) {
  const auto rows = static_cast<std::size_t>(steps / options_.every + 3);
  trajectory_.t.reserve(rows);
  for (Table* table : {&trajectory_.q, &trajectory_.v, &trajectory_.x, &trajectory_.y,
                       &trajectory_.u, &trajectory_.r})
    table->values.reserve(rows * table->names.size());
}

void Recorder::record(const Model& model, const State& state, StepWorkspace& work) {
  trajectory_.t.push_back(state.t);
  append(state.q, trajectory_.q);
  append(state.v, trajectory_.v);
  append(state.x, trajectory_.x);
  if (options_.outputs) {
    observe(model, state, work, y_, u_);
    append(y_, trajectory_.y);
    append(u_, trajectory_.u);
  }
  append(work.r.head(model.rows()), trajectory_.r);
}

}  // namespace saltus
