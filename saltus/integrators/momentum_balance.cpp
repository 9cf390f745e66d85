#include "saltus/integrators/momentum_balance.hpp"

#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/dynamics.hpp"

namespace saltus {

namespace {

using Six = Eigen::Matrix<double, 6, 1>;

void add(const Six& six, Momentum& sum) {
  sum.linear += six.head<3>();
  sum.angular += six.tail<3>();
}

using Motions = MomentumWorkspace::Motions;

/// G of a body of a state, at the positions q; false: it has none.
bool motions(const Model& model, const State& state, const Vector& q, const Layout::Body& body,
             Motions& G) {
  const SystemEntry& entry = model.systems()[body.system];
  if (entry.system.order() != Order::second || body.size > 6) return false;
  G.resize(body.size, 6);
  const StateView x{.t = state.t,
                    .q = view_of(q.data() + entry.q_offset, entry.system.positions()),
                    .v = view_of(state.v.data() + entry.offset, entry.system.size()),
                    .z = view_of(state.z.data() + entry.z_offset, entry.z_size)};
  return entry.system.rigid_motions(x, body.local, G);
}

/// product = M v, M as the step had it.
template <class Velocity>
void multiply_mass(const Velocity& v, const StepWorkspace& work, MomentumWorkspace& buffers,
                   Vector& product) {
  buffers.velocity.setZero();
  buffers.velocity.head(work.layout.velocities) = v;
  product.setZero();
  add_mass_product(work, buffers.velocity, product);
}

/// F(t, q, v) of the state with another velocity.
template <class Velocity>
void evaluate_force(const Model& model, const State& state, const Velocity& v,
                    const StepWorkspace& work, MomentumWorkspace& buffers) {
  const Index n = work.layout.velocities;
  buffers.velocity.head(n) = v;
  buffers.velocity.tail(work.layout.unknowns - n) = state.x;
  evaluate_forces(model, state.t, state.q, buffers.velocity, state.z, work.layout, buffers.force);
}

/// Σ G̃ᵀ Hᵀ r over the active blocks.
void add_interactions(const Model& model, const State& state, const Vector& q,
                      const StepWorkspace& work, MomentumBalance& balance,
                      MomentumWorkspace& buffers) {
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    if (!block.lagrangian()) continue;
    for (Index e = block.first_entry; e < block.last_entry; ++e) {
      const Layout::Entry& entry = work.layout.entries[e];
      const Layout::Body& body = work.layout.bodies[entry.body];
      if (!motions(model, state, q, body, buffers.G)) continue;
      const Eigen::Map<const Matrix> B(work.input.data() + entry.values, body.size, block.size);
      Six sum = Six::Zero();
      for (Index i = 0; i < block.size; ++i)
        for (Index j = 0; j < body.size; ++j)
          sum += B(j, i) * work.r[block.row + i] * buffers.G.row(j).transpose();
      add(sum, balance.interactions);
    }
  }
}

/// All bodies at the new state: (G⁺ − G)ᵀ M v_m, G_mᵀ P₀, G⁺ᵀ M v⁺ and the resultants of F. With
/// `middle` F is one at the old state, and the step began with another velocity than its own.
void add_bodies(const Model& model, const State& state, bool middle, const StepWorkspace& work,
                MomentumBalance& balance, MomentumWorkspace& buffers) {
  Six turned = Six::Zero(), own = Six::Zero(), end = Six::Zero();
  buffers.next.setZero();
  for (std::size_t b = 0; b < buffers.motions.size(); ++b) {
    Motions& last = buffers.motions[b];
    if (last.rows() == 0) continue;
    const Layout::Body& body = work.layout.bodies[b];
    static_cast<void>(motions(model, state, state.q, body, buffers.G));
    for (Index k = 0; k < 6; ++k)
      for (Index i = 0; i < body.size; ++i) {
        const double now = buffers.G(i, k), then = last(i, k);
        const Index row = body.offset + i;
        turned[k] += (now - then) * buffers.mean[row];
        own[k] += 0.5 * (now + then) * work.impulse[row];
        end[k] += now * buffers.momentum[row];
        buffers.next(k, body.system) += (middle ? then : now) * buffers.force[row];
        if (middle) turned[k] += then * buffers.jump[row];
      }
    last = buffers.G;
  }
  balance.scheme.linear += turned.head<3>();
  balance.forces.linear += own.head<3>();
  balance.scheme.angular += turned.tail<3>() + own.tail<3>();
  balance.end = {end.head<3>(), end.tail<3>()};
}

/// Impulse of the forces of system s.
Six impulse_of(Index s, double h, const ForceWeights& weights, const StepWorkspace& work,
               MomentumWorkspace& buffers) {
  const auto before = buffers.wrench.col(s), after = buffers.next.col(s);
  if (weights.middle) return h * after;
  if (weights.alpha) {
    const AlphaCoefficients& c = *weights.alpha;
    const Six last = buffers.filtered.col(s);
    buffers.filtered.col(s) =
        ((1 - c.alpha_f) * after + c.alpha_f * before - c.alpha_m * last) / (1 - c.alpha_m);
    return h * ((1 - c.gamma) * last + c.gamma * buffers.filtered.col(s));
  }
  const double theta = work.rules.empty() ? weights.theta : work.rules.rules[s].theta;
  return h * (theta * after + (1 - theta) * before);
}

/// M v of a state, by the systems themselves: before the first step there are no masses at hand.
void evaluate_momentum(const Model& model, const State& state, Vector& momentum) {
  momentum.setZero();
  SparseMatrix whole;
  Matrix M;
  for (const SystemEntry& entry : model.systems()) {
    if (entry.system.order() != Order::second) continue;
    const StateView x = Model::view(entry, state);
    const Index n = entry.system.body_size();
    if (entry.system.coupled()) {
      entry.system.coupled_mass(x, whole);
      momentum.segment(entry.offset, entry.system.size()) = whole * x.v;
      continue;
    }
    M.resize(n, n);
    for (Index body = 0; body < entry.system.bodies(); ++body) {
      entry.system.mass(x, body, M);
      momentum.segment(entry.offset + body * n, n) = M * x.v.segment(body * n, n);
    }
  }
}

/// G of every body at a state; false if no body has one.
bool collect_motions(const Model& model, const State& state, const StepWorkspace& work,
                     MomentumWorkspace& buffers) {
  bool any = false;
  buffers.motions.resize(work.layout.bodies.size());
  for (std::size_t b = 0; b < buffers.motions.size(); ++b) {
    const bool has = motions(model, state, state.q, work.layout.bodies[b], buffers.motions[b]);
    if (!has) buffers.motions[b].resize(0, 6);
    any = any || has;
  }
  return any;
}

}  // namespace

Momentum MomentumBalance::error() const {
  return {end.linear - start.linear - forces.linear - interactions.linear - scheme.linear,
          end.angular - start.angular - forces.angular - interactions.angular - scheme.angular};
}

void start_momentum(const Model& model, const State& state, const StepWorkspace& work,
                    MomentumBalance& balance, MomentumWorkspace& buffers) {
  balance = {};
  balance.known = collect_motions(model, state, work, buffers);
  if (!balance.known) return;
  const auto systems = static_cast<Index>(model.systems().size());
  for (auto* columns : {&buffers.wrench, &buffers.next, &buffers.filtered})
    columns->setZero(6, systems);
  for (Vector* v :
       {&buffers.force, &buffers.velocity, &buffers.mean, &buffers.jump, &buffers.momentum})
    v->setZero(work.layout.unknowns);
  evaluate_momentum(model, state, buffers.momentum);
  evaluate_force(model, state, state.v, work, buffers);
  for (std::size_t b = 0; b < buffers.motions.size(); ++b) {
    if (buffers.motions[b].rows() == 0) continue;
    const Layout::Body& body = work.layout.bodies[b];
    for (Index k = 0; k < 6; ++k) {
      const auto motion = buffers.motions[b].col(k);
      buffers.wrench(k, body.system) += motion.dot(buffers.force.segment(body.offset, body.size));
      const double p = motion.dot(buffers.momentum.segment(body.offset, body.size));
      (k < 3 ? balance.start.linear[k] : balance.start.angular[k - 3]) += p;
    }
  }
  balance.end = balance.start;
  buffers.filtered = buffers.wrench;
  buffers.before = state;
}

void add_momentum(const Model& model, const State& state, double h, const ForceWeights& weights,
                  const StepWorkspace& work, MomentumBalance& balance, MomentumWorkspace& buffers) {
  if (!balance.known) return;
  const auto begin = work.w_begin.head(work.layout.velocities);
  const bool at_end = weights.middle || weights.alpha;
  add_interactions(model, state, at_end ? state.q : work.q_forecast, work, balance, buffers);
  multiply_mass(0.5 * (begin + state.v), work, buffers, buffers.mean);
  multiply_mass(state.v, work, buffers, buffers.momentum);
  if (weights.middle) {
    multiply_mass(begin - buffers.before.v, work, buffers, buffers.jump);
    evaluate_force(model, buffers.before, 0.5 * (begin + state.v), work, buffers);
  } else {
    evaluate_force(model, state, state.v, work, buffers);
  }
  add_bodies(model, state, weights.middle, work, balance, buffers);
  const auto systems = buffers.next.cols();
  for (Index s = 0; s < systems; ++s) add(impulse_of(s, h, weights, work, buffers), balance.forces);
  buffers.wrench = buffers.next;
  buffers.before = state;
}

}  // namespace saltus
