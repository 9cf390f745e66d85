#include "saltus/integrators/moreau_jean.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/base/stopwatch.hpp"
#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/detection.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/global_assembly.hpp"
#include "saltus/integrators/linearisation.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

/// What a law becomes in the one-step problem. Multipliers of second-order systems are percussions,
/// so a force bound is multiplied by h.
BlockSet set_of(const Law& law, bool lagrangian, double h) {
  const double scale = lagrangian ? h : 1.0;
  return std::visit(Overloaded{
                        [](const Equality&) -> BlockSet { return Reals{}; },
                        [](const Complementarity&) -> BlockSet { return NonNegative{}; },
                        [](const NewtonImpact&) -> BlockSet { return NonNegative{}; },
                        [&](const Relay& l) -> BlockSet {
                          return Interval{scale * l.lower, scale * l.upper};
                        },
                        [](const Coulomb& l) -> BlockSet { return FrictionCone{l.mu}; },
                    },
                    law);
}

/// One step in the making: the seven calls of step() below.
struct Stepper {
  const Model& model;
  const State& state;
  const double h;
  const MoreauJean& scheme;
  StepWorkspace& work;
  StepReport report = {};
  Stopwatch watch = {};

  void charge(double& account) {
    if (work.profile) account += watch.lap();
  }
  bool stop(StepStatus status) {
    report.status = status;
    return false;
  }
  [[nodiscard]] const Law& law(const Layout::Block& block) const {
    return block.detected() ? work.contacts[block.contact].law
                            : model.interactions()[block.interaction].law;
  }
  void move(double theta) {  // q_end = q ⊕ h(θ w + (1−θ) v)
    const Index n = work.layout.velocities;
    work.displacement = h * (theta * work.w.head(n) + (1 - theta) * state.v);
    move_positions(model, state.q, work.displacement, work.q_end);
  }
  [[nodiscard]] bool global() const;

  void begin();
  void activate();
  bool free();
  void assemble();
  void assemble_reduced();
  bool solve();
  void advance();
  bool newton_done();
};

void Stepper::begin() {
  ++work.steps;
  const Index n = work.layout.velocities;
  work.w_begin.head(n) = state.v;
  work.w_begin.tail(work.layout.unknowns - n) = state.x;
  work.w = work.w_begin;
  work.displacement = scheme.gamma * h * state.v;
  move_positions(model, state.q, work.displacement, work.q_forecast);
  evaluate_impulses(model, state, h, work);
  if (work.factored_step < 0) evaluate_masses(model, state.t, state.q, work.w, state.z, true, work);
  evaluate_forces(model, state.t, state.q, work.w_begin, state.z, work.layout, work.force_begin);
  charge(work.times.free);
}

/// Gaps at the forecast q̃ decide which contacts take part (TI:TI-107, S:FC-01).
void Stepper::activate() {
  const double t = state.t + scheme.gamma * h;
  if (refresh_constant_relations(model, state, work)) work.matrix_current = false;
  if (work.nonlinear_lagrangian) {
    linearise_lagrangian(model, t, work.q_forecast, state, work);
    work.matrix_current = false;
  }
  if (!model.sources().empty()) {
    detect_contacts(model, t, scheme.gap_tolerance, work);
    work.matrix_current = false;
  }
  work.previously_active.swap(work.active);
  work.active.clear();
  Index number = 0;
  for (const Layout::Block& block : work.layout.blocks) {
    if (!block.always && block.constant) {
      double* gap = work.gap.data() + block.row;
      std::copy_n(work.offset.data() + block.row, block.size, gap);
      add_output_at(block, work, work.q_forecast, gap);
    }
    if (block.always || work.gap[block.row] <= scheme.gap_tolerance) work.active.push_back(number);
    ++number;
  }
  if (work.active != work.previously_active) work.matrix_current = false;
  work.u_minus = work.bias;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    if (block.lagrangian()) add_output(block, work, work.w_begin, work.u_minus.data() + block.row);
    report.active_rows += block.size;
  }
  charge(work.times.activate);
}

/// One Newton step without contact: w_free = w − M̂⁻¹ R(w).
bool Stepper::free() {
  const double t = state.t + h;
  move(scheme.theta);
  evaluate_forces(model, t, work.q_end, work.w, state.z, work.layout, work.force_end);
  if (!work.systems_invariant || !work.factored(h, scheme.theta)) {
    evaluate_masses(model, t, work.q_forecast, work.w, state.z, false, work);
    if (!factorise(model, t, work.q_end, work.w, state.z, h, scheme.theta, work))
      return stop(StepStatus::singular_matrix);
    work.matrix_current = false;
  }
  evaluate_residual(h, scheme.theta, work);
  compute_free(work);
  charge(work.times.free);
  return true;
}

/// Found contacts with friction keep the bodies as unknowns, if the solver can: M̂ is block diagonal
/// and H has two blocks per contact, while W would couple every pair of contacts of a body.
bool Stepper::global() const {
  const bool suits = std::holds_alternative<Automatic>(scheme.solver) ||
                     std::holds_alternative<CoulombCascade>(scheme.solver);
  return suits && work.pure_lagrangian &&
         std::any_of(work.contacts.begin(), work.contacts.end(), [](const DetectedContact& c) {
           return std::holds_alternative<Coulomb>(c.law);
         });
}

/// The one-step problem on the active blocks, with one set per block.
void Stepper::assemble() {
  if (work.nonlinear_first_order) {
    linearise_first_order(model, state.t + h, work.w, state, work);
    work.matrix_current = false;
  }
  std::vector<BlockSet>& K = global() ? work.global.K : work.problem.K;
  if (!work.matrix_current) {
    K.clear();
    for (Index b : work.active) {
      const Layout::Block& block = work.layout.blocks[b];
      compute_response(block, block.lagrangian() ? 1.0 : h, work);
      K.push_back(set_of(law(block), block.lagrangian(), h));
    }
    work.r_active.resize(report.active_rows);
  }
  if (global())
    assemble_global(work);
  else
    assemble_reduced();
  work.matrix_current = true;
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    std::copy_n(work.r.data() + block.row, block.size, work.r_active.data() + row);
    row += block.size;
  }
  charge(work.times.assemble);
}

/// u = W r + q
void Stepper::assemble_reduced() {
  BlockForm& problem = work.problem;
  if (!work.matrix_current) {
    assemble_matrix(work);
    problem.q.resize(report.active_rows);
  }
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    double* q = problem.q.data() + row;
    const Vector& constant = block.lagrangian() ? work.bias : work.offset;
    std::copy_n(constant.data() + block.row, block.size, q);
    add_output(block, work, work.w_free, q);
    q[0] += block.restitution * work.u_minus[block.row];
    row += block.size;
  }
}

bool Stepper::solve() {
  const bool whole = global();
  if (work.observe_problem) work.guess = work.r_active;
  if (whole) {
    const auto* chosen = std::get_if<CoulombCascade>(&scheme.solver);
    const auto* automatic = std::get_if<Automatic>(&scheme.solver);
    const CoulombCascade solver =
        chosen != nullptr ? *chosen : CoulombCascade{.tolerance = automatic->tolerance};
    report.solve =
        saltus::solve(work.global, work.global_velocity, work.r_active, solver, work.solver);
  } else {
    report.solve = saltus::solve(work.problem, work.r_active, scheme.solver, work.solver);
  }
  if (work.observe_problem)
    work.observe_problem({whole ? &work.global : nullptr, whole ? nullptr : &work.problem,
                          work.guess, work.r_active, report.solve, work.steps, state.t});
  report.solver_iterations += report.solve.iterations;
  report.factorisations += report.solve.factorisations;
  charge(work.times.solve);
  return report.solve.converged() || work.accept_unsolved || stop(StepStatus::solver_failed);
}

/// w = w_free + M̂⁻¹ B r
void Stepper::advance() {
  work.r.setZero();
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    std::copy_n(work.r_active.data() + row, block.size, work.r.data() + block.row);
    row += block.size;
  }
  work.w = work.w_free;
  add_response(work, work.w);
  move(scheme.theta);
}

/// ‖R(w) − B r‖∞ ≤ tolerance (1 + ‖M w‖∞ + h‖F‖∞), the last two estimated by M̂ w_begin and F_begin.
bool Stepper::newton_done() {
  evaluate_forces(model, state.t + h, work.q_end, work.w, state.z, work.layout, work.force_end);
  evaluate_residual(h, scheme.theta, work);
  subtract_input(work, h, work.newton);
  double momentum = 0;
  for (const Layout::Body& body : work.layout.bodies)
    for (Index i = 0; i < body.size; ++i)
      momentum = std::max(
          momentum, std::abs(work.mass[body.matrix + i * body.size + i] * work.w[body.offset + i]));
  const double scale = 1 + momentum + h * work.force_begin.lpNorm<Eigen::Infinity>();
  report.newton_residual = work.newton.lpNorm<Eigen::Infinity>() / scale;
  charge(work.times.update);
  return report.newton_residual <= scheme.newton_tolerance;
}

/// Which parts of the model change from step to step.
void classify(const Model& model, StepWorkspace& work) {
  work.systems_invariant = true;
  work.nonlinear_lagrangian = work.nonlinear_first_order = false;
  work.pure_lagrangian = model.first_order_size() == 0;
  for (const SystemEntry& entry : model.systems())
    work.systems_invariant = work.systems_invariant && entry.system.time_invariant();
  for (const Interaction& tie : model.interactions()) {
    if (tie.relation.time_invariant()) continue;
    (tie.relation.lagrangian() ? work.nonlinear_lagrangian : work.nonlinear_first_order) = true;
  }
}

/// Free, assemble, solve, advance; repeated by Newton's method unless the model is time-invariant.
bool solve_step(Stepper& stepper) {
  StepWorkspace& work = stepper.work;
  for (;;) {
    ++stepper.report.newton_iterations;
    if (!stepper.free()) return false;
    if (!work.active.empty()) {
      stepper.assemble();
      if (!stepper.solve()) return false;
    }
    stepper.advance();
    if (!work.w.allFinite()) return stepper.stop(StepStatus::not_finite);
    const bool linear = work.systems_invariant && !work.nonlinear_first_order;
    if (linear || stepper.newton_done()) return true;
    if (stepper.report.newton_iterations >= stepper.scheme.newton_iterations)
      return stepper.stop(StepStatus::newton_failed);
  }
}

}  // namespace

void prepare(const Model& model, const MoreauJean& scheme, StepWorkspace& work) {
  validate(scheme);
  work.layout = lay_out(model);
  prepare_dynamics(model, work);
  prepare_relations(model, work);
  prepare_sources(model, work);
  work.steps = 0;
  classify(model, work);
  work.matrix_current = false;
  work.active.clear();
  work.active.reserve(work.layout.blocks.size());
  work.previously_active.reserve(work.layout.blocks.size());
  std::vector<BlockSet> sets;
  for (const Layout::Block& block : work.layout.blocks)
    sets.push_back(set_of(model.interactions()[block.interaction].law, block.lagrangian(), 1.0));
  check(scheme.solver, sets);
}

StepReport step(const Model& model, State& state, double h, const MoreauJean& scheme,
                StepWorkspace& work) {
  Stepper stepper{model, state, h, scheme, work};
  stepper.begin();
  stepper.activate();
  if (!solve_step(stepper)) {
    work.matrix_current = false;
    return stepper.report;
  }
  const Index n = work.layout.velocities;
  state.q = work.q_end;
  state.v = work.w.head(n);
  state.x = work.w.tail(work.layout.unknowns - n);
  state.t += h;
  if (!model.sources().empty()) remember_contacts(work);
  stepper.charge(work.times.update);
  return stepper.report;
}

void observe(const Model& model, const State& state, StepWorkspace& work, VectorRef y,
             VectorRef u) {
  const Index n = work.layout.velocities;
  work.w.head(n) = state.v;
  work.w.tail(work.layout.unknowns - n) = state.x;
  if (!work.relations_known) {
    work.w_begin = work.w;
    refresh_constant_relations(model, state, work);
    linearise_lagrangian(model, state.t, state.q, state, work);
    linearise_first_order(model, state.t, work.w, state, work);
  }
  u.setZero();
  const auto count = static_cast<Index>(model.interactions().size());
  for (Index i = 0; i < count; ++i) {
    const Index row = model.row_offset({i}), m = model.interactions()[i].relation.rows();
    evaluate_output(model, i, state.t, state.q, work.w, state.z, work, y.segment(row, m));
  }
  for (const Layout::Block& block : work.layout.blocks) {
    if (block.detected()) break;  // they follow the declared ones
    if (block.lagrangian()) {
      std::copy_n(work.bias.data() + block.row, block.size, u.data() + block.row);
      add_output(block, work, work.w, u.data() + block.row);
    } else {
      y.segment(block.row, block.size).noalias() +=
          Eigen::Map<const Matrix>(work.feedthrough.data() + block.feedthrough, block.size,
                                   block.size) *
          work.r.segment(block.row, block.size);
    }
  }
}

}  // namespace saltus
