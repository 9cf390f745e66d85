#include "saltus/integrators/dynamics.hpp"

#include "saltus/integrators/exact_flow.hpp"

namespace saltus {

namespace {

/// What a system sees of (t, q, w, z).
StateView view_at(const SystemEntry& entry, double t, const Vector& q, const Vector& w,
                  const Vector& z, const Layout& layout) {
  const Index n = entry.system.size();
  const VectorView parameters = view_of(z.data() + entry.z_offset, entry.z_size);
  if (entry.system.order() == Order::second)
    return {.t = t,
            .q = view_of(q.data() + entry.q_offset, entry.system.positions()),
            .v = view_of(w.data() + entry.offset, n),
            .z = parameters};
  return {.t = t, .x = view_of(w.data() + layout.velocities + entry.offset, n), .z = parameters};
}

Index unknowns_of(const SystemEntry& entry, const Layout& layout) {
  return entry.offset + (entry.system.order() == Order::second ? 0 : layout.velocities);
}

/// The coupled systems at the beginning of the run.
void prepare_coupled(const Model& model, StepWorkspace& work) {
  work.coupled.clear();
  const State start = model.initial_state();
  Index number = 0;
  for (const SystemEntry& entry : model.systems()) {
    if (entry.system.coupled()) {
      work.coupled.emplace_back();
      work.coupled.back().system = number;
      work.coupled.back().offset = unknowns_of(entry, work.layout);
      work.coupled.back().prepare(entry.system, Model::view(entry, start));
    }
    ++number;
  }
}

/// M̂ of one body into work.iteration, and its factors.
bool factorise_body(const System& system, const StateView& x, const Layout::Body& body,
                    Index number, IterationWeights weights, StepWorkspace& work) {
  const Index n = body.size;
  Eigen::Map<const Matrix> M(work.mass.data() + body.matrix, n, n);
  Eigen::Map<Matrix> iteration(work.iteration.data() + body.matrix, n, n);
  Eigen::Map<Matrix> scratch(work.stiffness.data(), n, n);
  iteration = M;
  if (weights.damping != 0) {
    system.damping(x, body.local, scratch);
    iteration += weights.damping * scratch;
  }
  if (weights.stiffness != 0 && system.order() == Order::second) {
    system.stiffness(x, body.local, scratch);
    iteration += weights.stiffness * scratch;
  }
  return work.factor.bodies.factorize(number, iteration.data());
}

/// M̂ of the body is that of an exact flow.
bool has_exact_flow(const Layout::Body& body, const StepWorkspace& work) {
  return !work.rules.empty() && work.rules.rules[body.system].exact;
}

/// The weights of M̂ of a system, if its integrator is not that of the scheme.
IterationWeights weights_of(const Layout::Body& body, IterationWeights scheme,
                            const StepWorkspace& work) {
  if (work.rules.empty()) return scheme;
  const ResolvedRule& rule = work.rules.rules[body.system];
  const double weight = work.rules.step * rule.theta;
  return {weight, weight * work.rules.step * rule.position};
}

bool factorise_coupled(const System& system, const StateView& x, Index coupled,
                       IterationWeights weights, StepWorkspace& work) {
  CoupledOperators& operators = work.coupled[coupled];
  operators.evaluate_iteration(system, x, weights);
  return work.factor.coupled[coupled].factorise(operators.iteration);
}

}  // namespace

void size_factors(const Model& model, const StepWorkspace& work, bool of_masses,
                  StepFactors& factors) {
  std::vector<Index> sizes;
  for (const Layout::Body& body : work.layout.bodies)
    sizes.push_back(body.coupled < 0 ? body.size : 1);
  factors.bodies.resize(sizes);
  factors.coupled.clear();
  for (const CoupledOperators& operators : work.coupled) {
    const System& system = model.systems()[operators.system].system;
    factors.coupled.emplace_back();
    factors.coupled.back().analyse(of_masses ? operators.M : operators.iteration, system.order(),
                                   system.bodies());
  }
  for (const Layout::Entry& entry : work.layout.entries) {
    const Layout::Body& body = work.layout.bodies[entry.body];
    if (body.coupled >= 0) factors.coupled[body.coupled].touch(body.local);
  }
}

void prepare_dynamics(const Model& model, StepWorkspace& work) {
  const Layout& layout = work.layout;
  for (Vector* v : {&work.w_begin, &work.w, &work.w_free, &work.w_scratch, &work.force_begin,
                    &work.force_end, &work.newton, &work.impulse})
    v->setZero(layout.unknowns);
  work.q_end.setZero(model.positions());
  work.q_forecast.setZero(model.positions());
  work.displacement.setZero(model.dof());
  work.mass.assign(layout.matrix_values, 0.0);
  work.iteration.assign(layout.matrix_values, 0.0);
  Index largest = 0;
  for (const Layout::Body& body : layout.bodies)
    if (body.coupled < 0) largest = std::max(largest, body.size);
  work.stiffness.assign(largest * largest, 0.0);
  prepare_coupled(model, work);
  size_factors(model, work, false, work.factor);
  work.factored = {};
  work.masses_known = false;
}

void evaluate_forces(const Model& model, double t, const Vector& q, const Vector& w,
                     const Vector& z, const Layout& layout, Vector& F) {
  for (const SystemEntry& entry : model.systems())
    entry.system.force(view_at(entry, t, q, w, z, layout),
                       F.segment(unknowns_of(entry, layout), entry.system.size()));
}

void evaluate_masses(const Model& model, double t, const Vector& q, const Vector& w,
                     const Vector& z, bool all, StepWorkspace& work) {
  const Layout& layout = work.layout;
  Index number = 0;
  for (const SystemEntry& entry : model.systems()) {
    const Index bodies = entry.system.bodies(), coupled = layout.bodies[number].coupled;
    if (all || !entry.system.time_invariant()) {
      const StateView x = view_at(entry, t, q, w, z, layout);
      if (coupled >= 0) work.coupled[coupled].evaluate_mass(entry.system, x);
      for (Index b = 0; b < bodies && coupled < 0; ++b) {
        const Layout::Body& body = layout.bodies[number + b];
        entry.system.mass(x, b,
                          Eigen::Map<Matrix>(work.mass.data() + body.matrix, body.size, body.size));
      }
    }
    number += bodies;
  }
}

bool factorise(const Model& model, double t, const Vector& q, const Vector& w, const Vector& z,
               IterationWeights weights, StepWorkspace& work) {
  const bool all = work.factored != weights;
  Index number = 0;
  for (const SystemEntry& entry : model.systems()) {
    const Layout::Body& first = work.layout.bodies[number];
    const Index bodies = entry.system.bodies(), coupled = first.coupled;
    if (!has_exact_flow(first, work) && (all || !entry.system.time_invariant())) {
      const StateView x = view_at(entry, t, q, w, z, work.layout);
      const IterationWeights own = weights_of(first, weights, work);
      bool regular = coupled < 0 || factorise_coupled(entry.system, x, coupled, own, work);
      for (Index b = 0; b < bodies && coupled < 0 && regular; ++b)
        regular =
            factorise_body(entry.system, x, work.layout.bodies[number + b], number + b, own, work);
      if (!regular) {
        work.factored = {};
        return false;
      }
    }
    number += bodies;
  }
  work.factored = weights;
  return true;
}

void evaluate_impulses(const Model& model, const State& state, double h, StepWorkspace& work) {
  for (const SystemEntry& entry : model.systems())
    if (entry.system.order() == Order::second)
      entry.system.impulse(Model::view(entry, state), h,
                           work.impulse.segment(entry.offset, entry.system.size()));
}

void move_positions(const Model& model, const Vector& q, const Vector& d, Vector& moved) {
  for (const SystemEntry& entry : model.systems()) {
    if (entry.system.order() != Order::second) continue;
    const Index n = entry.system.positions();
    entry.system.move(view_of(q.data() + entry.q_offset, n),
                      view_of(d.data() + entry.offset, entry.system.size()),
                      moved.segment(entry.q_offset, n));
  }
}

void evaluate_residual(double h, double theta, StepWorkspace& work) {
  if (work.rules.empty())
    work.newton = -h * (theta * work.force_end + (1 - theta) * work.force_begin) - work.impulse;
  else
    for (const Layout::Body& body : work.layout.bodies) {
      const double own = work.rules.rules[body.system].theta;
      const Index first = body.offset, n = body.size;
      work.newton.segment(first, n) = -h * (own * work.force_end.segment(first, n) +
                                            (1 - own) * work.force_begin.segment(first, n)) -
                                      work.impulse.segment(first, n);
    }
  work.w_scratch = work.w - work.w_begin;
  add_mass_product(work, work.w_scratch, work.newton);
  if (!work.rules.empty()) evaluate_exact_residual(work);
}

void add_mass_product(const StepWorkspace& work, const Vector& x, Vector& f) {
  for (const Layout::Body& body : work.layout.bodies) {
    if (body.coupled >= 0) continue;
    const double* M = work.mass.data() + body.matrix;
    double* out = f.data() + body.offset;
    const double* in = x.data() + body.offset;
    for (Index j = 0; j < body.size; ++j, M += body.size)
      for (Index i = 0; i < body.size; ++i) out[i] += M[i] * in[j];
  }
  for (const CoupledOperators& operators : work.coupled)
    operators.add_mass_product(x.data() + operators.offset, f.data() + operators.offset);
}

bool factorise_masses(const StepWorkspace& work, StepFactors& factors) {
  Index number = 0;
  for (const Layout::Body& body : work.layout.bodies) {
    if (body.coupled < 0 && !factors.bodies.factorize(number, work.mass.data() + body.matrix))
      return false;
    ++number;
  }
  for (std::size_t s = 0; s < work.coupled.size(); ++s)
    if (!factors.coupled[s].factorise(work.coupled[s].M)) return false;
  return true;
}

void solve_factors(const Layout& layout, const std::vector<CoupledOperators>& coupled,
                   const Vector& b, StepFactors& factors, Vector& x) {
  Index number = 0;
  for (const Layout::Body& body : layout.bodies) {
    if (body.coupled < 0)
      factors.bodies.solve(number, b.data() + body.offset, 1, x.data() + body.offset);
    ++number;
  }
  for (std::size_t s = 0; s < coupled.size(); ++s)
    factors.coupled[s].solve(b.data() + coupled[s].offset, x.data() + coupled[s].offset);
}

void compute_free(StepWorkspace& work) {
  solve_factors(work.layout, work.coupled, work.newton, work.factor, work.w_free);
  work.w_free = work.w - work.w_free;
}

}  // namespace saltus
