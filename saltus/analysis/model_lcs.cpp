#include "saltus/analysis/model_lcs.hpp"

#include <Eigen/LU>

namespace saltus {

namespace {

/// Where a body's unknowns stand in the state (q, v, x), and their inverse mass.
struct BodyRows {
  Index position = -1;  ///< of q; −1 for a first-order system
  Index velocity = 0;   ///< of v, or of x
  Index size = 0;
};

BodyRows rows_of(const Model& model, const SystemEntry& entry, Index body) {
  const Index size = entry.system.body_size(), first = entry.offset + body * size;
  if (entry.system.order() == Order::second)
    return {entry.q_offset + body * size, model.positions() + first, size};
  return {-1, model.positions() + model.dof() + first, size};
}

void add_system(const Model& model, const SystemEntry& entry, const State& state, Lcs& lcs,
                Matrix& inverse_mass) {
  const System& system = entry.system;
  const StateView here = Model::view(entry, state);
  require(system.flat() && !system.coupled(),
          "linearised: system '{}' has rotations, or one matrix for all bodies", entry.name);
  Vector force = Vector::Zero(system.size());
  system.force(here, force);
  const Index size = system.body_size();
  Matrix M(size, size), C(size, size), K(size, size);
  for (Index body = 0; body < system.bodies(); ++body) {
    const BodyRows rows = rows_of(model, entry, body);
    system.mass(here, body, M);
    system.damping(here, body, C);
    const Matrix inverse = M.partialPivLu().inverse();
    require(inverse.allFinite(), "linearised: the mass matrix of system '{}' is singular",
            entry.name);
    inverse_mass.block(rows.velocity, rows.velocity, size, size) = inverse;
    lcs.A.block(rows.velocity, rows.velocity, size, size) = -inverse * C;
    lcs.a.segment(rows.velocity, size) = inverse * force.segment(body * size, size);
    if (rows.position < 0) continue;
    system.stiffness(here, body, K);
    lcs.A.block(rows.velocity, rows.position, size, size) = -inverse * K;
    lcs.A.block(rows.position, rows.velocity, size, size).setIdentity();
  }
}

/// What a relation sees: the states of its bodies, and where w and λ stand.
struct Gathered {
  Vector q, v, x;
  std::vector<Index> columns = {}, targets = {};  ///< what w depends on, and what λ acts on
  [[nodiscard]] StateView view(double t) const {
    return {t, view_of(q.data(), q.size()), view_of(v.data(), v.size()),
            view_of(x.data(), x.size()), view_of(nullptr, 0)};
  }
};

Gathered gather(const Model& model, const Interaction& interaction, const State& state) {
  const bool lagrangian = interaction.relation.lagrangian();
  const Index n = interaction.relation.columns();
  Gathered all{Vector(lagrangian ? n : 0), Vector(lagrangian ? n : 0), Vector(lagrangian ? 0 : n)};
  for (const Endpoint& end : interaction.endpoints) {
    if (end.world()) continue;
    const BodyRows rows = rows_of(model, model[end.system], end.body);
    for (Index i = 0; i < rows.size; ++i) {
      const Index k = static_cast<Index>(all.columns.size());
      all.columns.push_back((lagrangian ? rows.position : rows.velocity) + i);
      all.targets.push_back(rows.velocity + i);
      if (lagrangian) {
        all.q[k] = state.q[rows.position + i];
        all.v[k] = state.v[rows.velocity - model.positions() + i];
      } else {
        all.x[k] = state.x[rows.velocity - model.positions() - model.dof() + i];
      }
    }
  }
  return all;
}

void add_interaction(const Model& model, const Interaction& interaction, Index row,
                     const State& state, const Matrix& inverse_mass, Lcs& lcs) {
  const Relation& relation = interaction.relation;
  require(std::holds_alternative<Complementarity>(interaction.law) ||
              std::holds_alternative<NewtonImpact>(interaction.law),
          "linearised: interaction '{}' has the law {}, expected Complementarity or NewtonImpact",
          interaction.name, std::visit([](const auto& law) { return law.name; }, interaction.law));
  const Gathered at = gather(model, interaction, state);
  const StateView here = at.view(state.t);
  const Index m = relation.rows(), n = relation.columns();
  Matrix H(m, n), B(n, m), D = Matrix::Zero(m, m);
  Vector y(m);
  relation.output(here, y);
  relation.jacobian(here, H);
  if (relation.lagrangian()) {
    B = H.transpose();
  } else {
    relation.input(here, B);
    relation.feedthrough(here, D);
  }
  lcs.b.segment(row, m) = y - H * (relation.lagrangian() ? at.q : at.x);
  lcs.D.block(row, row, m, m) = D;
  Matrix input = Matrix::Zero(lcs.states(), m);
  for (Index k = 0; k < n; ++k) {
    lcs.C.col(at.columns[k]).segment(row, m) += H.col(k);
    input.row(at.targets[k]) += B.row(k);
  }
  lcs.B.middleCols(row, m) = inverse_mass * input;
}

}  // namespace

Vector linearised_state(const Model& model) {
  const State state = model.initial_state();
  Vector all(state.q.size() + state.v.size() + state.x.size());
  all << state.q, state.v, state.x;
  return all;
}

Lcs linearised(const Model& model) {
  require(model.sources().empty(), "linearised: the model finds contacts, expected declared ones");
  require(model.positions() == model.dof(), "linearised: q and v differ in size");
  const Index n = model.positions() + model.dof() + model.first_order_size(), m = model.rows();
  Lcs lcs{.A = Matrix::Zero(n, n),
          .B = Matrix::Zero(n, m),
          .C = Matrix::Zero(m, n),
          .D = Matrix::Zero(m, m),
          .a = Vector::Zero(n),
          .b = Vector::Zero(m)};
  const State state = model.initial_state();
  Matrix inverse_mass = Matrix::Zero(n, n);
  for (const SystemEntry& entry : model.systems())
    add_system(model, entry, state, lcs, inverse_mass);
  const Vector start = linearised_state(model);
  const Index velocities = n - model.positions();
  lcs.a.tail(velocities) -= (lcs.A * start).tail(velocities);  // f(s) ≈ f₀ + A (s − s₀)
  Index row = 0;
  for (const Interaction& interaction : model.interactions()) {
    add_interaction(model, interaction, row, state, inverse_mass, lcs);
    row += interaction.relation.rows();
  }
  lcs.check();
  return lcs;
}

}  // namespace saltus
