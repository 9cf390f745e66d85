#include "saltus/integrators/energy_balance.hpp"

#include "saltus/integrators/law_sets.hpp"

namespace saltus {

namespace {

/// left·M (right − less)
double product(const double* left, const SparseMatrix& M, const double* right, const double* less) {
  double sum = 0;
  for (int j = 0; j < M.cols(); ++j) {
    const double factor = right[j] - (less != nullptr ? less[j] : 0.0);
    for (SparseMatrix::InnerIterator it(M, j); it; ++it)
      sum += left[it.row()] * it.value() * factor;
  }
  return sum;
}

/// ½ v·Mv of a system.
double kinetic_energy(const SystemEntry& entry, const State& state, EnergyWorkspace& buffers) {
  const StateView x = Model::view(entry, state);
  const Index n = entry.system.body_size();
  double T = 0;
  if (entry.system.coupled()) {
    entry.system.coupled_mass(x, buffers.coupled_mass);
    return 0.5 * product(x.v.data(), buffers.coupled_mass, x.v.data(), nullptr);
  }
  Matrix& M = buffers.mass;
  M.resize(n, n);
  for (Index body = 0; body < entry.system.bodies(); ++body) {
    entry.system.mass(x, body, M);
    const auto v = x.v.segment(body * n, n);
    for (Index j = 0; j < n; ++j) T += 0.5 * v[j] * M.col(j).dot(v);
  }
  return T;
}

/// v_m·M(v⁺ − v) into the account of each system, M as the step had it, and ½ v⁺·M v⁺.
void account_momentum(const State& state, const StepWorkspace& work, EnergyWorkspace& buffers) {
  for (const Layout::Body& body : work.layout.bodies) {
    if (body.offset >= work.layout.velocities || body.coupled >= 0) continue;
    const double* M = work.mass.data() + body.matrix;
    const double *after = state.v.data() + body.offset, *before = work.w_begin.data() + body.offset;
    double sum = 0, twice = 0;
    for (Index j = 0; j < body.size; ++j)
      for (Index i = 0; i < body.size; ++i) {
        const double m = M[j * body.size + i];
        sum += buffers.middle[body.offset + i] * m * (after[j] - before[j]);
        twice += after[i] * m * after[j];
      }
    buffers.forces[body.system] += sum;
    buffers.kinetic[body.system] += 0.5 * twice;
  }
  for (const CoupledOperators& operators : work.coupled) {
    const Index o = operators.offset, s = operators.system;
    if (o >= work.layout.velocities) continue;
    const double *after = state.v.data() + o, *before = work.w_begin.data() + o;
    buffers.forces[s] += product(buffers.middle.data() + o, operators.M, after, before);
    buffers.kinetic[s] += 0.5 * product(after, operators.M, after, nullptr);
  }
}

/// u_m of a block without ∂h/∂t; takes what its percussions did to each system off the accounts.
void account_block(const Layout::Block& block, const StepWorkspace& work,
                   EnergyWorkspace& buffers) {
  buffers.speed.setZero(block.size);
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Layout::Body& body = work.layout.bodies[entry.body];
    const double* H = work.output.data() + entry.values;
    double done = 0;
    for (Index i = 0; i < block.size; ++i) {
      double u = 0;
      for (Index j = 0; j < body.size; ++j)
        u += H[j * block.size + i] * buffers.middle[body.offset + j];
      buffers.speed[i] += u;
      done += u * work.r[block.row + i];
    }
    buffers.forces[body.system] -= done;
  }
}

/// −r·u_m of a block to the account of its law.
void charge_law(const Layout::Block& block, const Law& law, const StepWorkspace& work,
                const EnergyWorkspace& buffers, EnergyBalance& balance) {
  double normal = 0, rest = 0;
  for (Index i = 0; i < block.size; ++i) {
    const double r = work.r[block.row + i], bias = work.bias[block.row + i];
    balance.drives -= r * bias;
    (i == 0 ? normal : rest) -= r * (buffers.speed[i] + bias);
  }
  if (block.bilateral) {
    balance.scheme += normal + rest;
  } else if (block.terms) {
    balance.laws += normal;
    (block.unilateral || has_friction(law) ? balance.friction : balance.laws) += rest;
  } else if (block.unilateral) {
    balance.impact += normal;
    balance.friction += rest;
  } else {
    balance.friction += normal + rest;
  }
}

}  // namespace

void start_energy(const Model& model, const State& state, EnergyBalance& balance,
                  EnergyWorkspace& buffers) {
  balance = {.known = true};
  const auto count = static_cast<Index>(model.systems().size());
  buffers.potential.setZero(count);
  buffers.forces.setZero(count);
  buffers.kinetic.setZero(count);
  buffers.middle.setZero(model.dof());
  Index s = 0;
  for (const SystemEntry& entry : model.systems()) {
    if (entry.system.order() == Order::second) {
      balance.kinetic += kinetic_energy(entry, state, buffers);
      buffers.potential[s] = entry.system.potential(Model::view(entry, state));
      balance.potential += buffers.potential[s];
    }
    ++s;
  }
  balance.start = balance.total();
}

void add_energy(const Model& model, const State& state, const StepWorkspace& work,
                EnergyBalance& balance, EnergyWorkspace& buffers) {
  buffers.middle = 0.5 * (work.w_begin.head(model.dof()) + state.v);
  buffers.forces.setZero();
  buffers.kinetic.setZero();
  account_momentum(state, work, buffers);
  const double change = buffers.forces.sum();
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    if (!block.lagrangian()) continue;
    account_block(block, work, buffers);
    const Law& law = block.detected() ? work.contacts[block.contact].law
                                      : model.interactions()[block.interaction].law;
    charge_law(block, law, work, buffers, balance);
  }
  const double before = balance.kinetic;
  balance.kinetic = balance.potential = 0;
  Index s = 0;
  for (const SystemEntry& entry : model.systems()) {
    if (entry.system.order() == Order::second) {
      balance.kinetic += entry.system.time_invariant() ? buffers.kinetic[s]
                                                       : kinetic_energy(entry, state, buffers);
      const double V = entry.system.potential(Model::view(entry, state));
      const double done = buffers.forces[s] + V - buffers.potential[s];
      if (entry.system.conservative())
        balance.scheme -= done;
      else
        balance.forces += done;
      buffers.potential[s] = V;
      balance.potential += V;
    }
    ++s;
  }
  balance.scheme -= balance.kinetic - before - change;  // M(q) has changed
}

}  // namespace saltus
