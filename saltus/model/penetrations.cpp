#include "saltus/model/penetrations.hpp"

#include <algorithm>

namespace saltus {

namespace {

/// Rows of a law that are gaps: all of NewtonImpact, the first of the others.
Index gap_rows(const Interaction& tie) {
  if (!tie.relation.lagrangian()) return 0;
  if (std::holds_alternative<NewtonImpact>(tie.law)) return tie.relation.rows();
  const bool contact = std::holds_alternative<Coulomb>(tie.law) ||
                       std::holds_alternative<EllipticCoulomb>(tie.law) ||
                       std::holds_alternative<RollingCoulomb>(tie.law) ||
                       std::holds_alternative<SpinningCoulomb>(tie.law) ||
                       std::holds_alternative<Tresca>(tie.law) ||
                       std::holds_alternative<PoissonCoulomb>(tie.law);
  return contact ? 1 : 0;
}

Vector gaps(const Model& model, const State& state, const Interaction& tie) {
  std::vector<double> q, v, z;
  for (const Endpoint& end : tie.endpoints) {
    const SystemEntry& entry = model.systems()[end.system.index];
    const Index n = entry.system.body_size(), p = entry.system.body_positions();
    const double* positions = state.q.data() + entry.q_offset + end.body * p;
    const double* velocities = state.v.data() + entry.offset + end.body * n;
    const double* parameters = state.z.data() + entry.z_offset;
    q.insert(q.end(), positions, positions + p);
    v.insert(v.end(), velocities, velocities + n);
    z.insert(z.end(), parameters, parameters + entry.z_size);
  }
  const auto view = [](const std::vector<double>& list) {
    return view_of(list.data(), static_cast<Index>(list.size()));
  };
  Vector y(tie.relation.rows());
  tie.relation.output({.t = state.t, .q = view(q), .v = view(v), .z = view(z)}, y);
  return y;
}

std::string called(const Model& model, const Endpoint& end) {
  if (end.world()) return "the world";
  return fmt::format("body {} of {}", end.body, model.systems()[end.system.index].name);
}

}  // namespace

std::vector<Penetration> penetrations(const Model& model, double tolerance) {
  const State state = model.initial_state();
  std::vector<Penetration> list;
  for (const Interaction& tie : model.interactions()) {
    const Index rows = gap_rows(tie);
    if (rows == 0) continue;
    const Vector y = gaps(model, state, tie);
    for (Index row = 0; row < rows; ++row)
      if (y[row] < -tolerance)
        list.push_back({.name = fmt::format("{}, row {}", tie.name, row), .depth = -y[row]});
  }
  for (const InteractionSource& source : model.sources()) {
    ContactList found;
    source.detect(model, state.t, state.q, 0, *source.make_cache(), found);
    for (const DetectedContact& contact : found)
      if (contact.gap < -tolerance)
        list.push_back({.name = fmt::format("{} and {}", called(model, contact.bodies[0]),
                                            called(model, contact.bodies[1])),
                        .bodies = contact.bodies,
                        .depth = -contact.gap});
  }
  std::stable_sort(list.begin(), list.end(),
                   [](const Penetration& a, const Penetration& b) { return a.depth > b.depth; });
  return list;
}

}  // namespace saltus
