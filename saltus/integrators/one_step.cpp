#include "saltus/integrators/one_step.hpp"

#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/detection.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/global_assembly.hpp"
#include "saltus/integrators/law_sets.hpp"
#include "saltus/integrators/linearisation.hpp"
#include "saltus/solvers/automatic_global.hpp"
#include "saltus/solvers/poisson_impact.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace saltus {

void OneStep::begin() {
  ++work.steps;
  if (work.step_length != h) work.matrix_current = false;  // multipliers of forces are scaled by h
  work.step_before = work.steps > 1 ? work.step_length : 0;
  work.r_before = work.r;
  work.step_length = h;
  const Index n = work.layout.velocities;
  work.w_begin.head(n) = state.v;
  work.w_begin.tail(work.layout.unknowns - n) = state.x;
  work.w = work.w_begin;
  evaluate_impulses(model, state, h, work);
  if (!work.masses_known) {
    evaluate_masses(model, state.t, state.q, work.w, state.z, true, work);
    work.masses_known = true;
  }
  evaluate_forces(model, state.t, state.q, work.w_begin, state.z, work.layout, work.force_begin);
  charge(work.times.free);
}

void OneStep::linearise_constant() {
  if (refresh_constant_relations(model, state, work)) work.matrix_current = false;
}

void OneStep::activate_all() {
  work.previously_active.swap(work.active);
  work.active.clear();
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  for (Index b = 0; b < blocks; ++b) work.active.push_back(b);
  count_active();
}

void OneStep::linearise(double t, const Vector& q, double reach) {
  linearise_constant();
  if (work.nonlinear_lagrangian) {
    linearise_lagrangian(model, t, q, state, work);
    work.matrix_current = false;
  }
  if (!model.sources().empty()) {
    detect_contacts(model, t, reach, work);
    work.matrix_current = false;
    work.broken_lines =
        work.declared_lines ||
        std::any_of(work.contacts.begin(), work.contacts.end(), [&](const DetectedContact& c) {
          return splits(c.law, work.layout.normals_only ? 1 : contact_rows(c.law));
        });
  }
}

void OneStep::evaluate_constant_gap(const Layout::Block& block) {
  if (block.detected() || !block.constant || !block.lagrangian()) return;
  double* gap = work.gap.data() + block.row;
  std::copy_n(work.offset.data() + block.row, block.size, gap);
  add_output_at(block, work, work.q_forecast, gap);
}

bool OneStep::factorise(double t, const Vector& q, const Vector& mass_position,
                        IterationWeights weights) {
  if (work.systems_invariant && work.factored == weights) return true;
  evaluate_masses(model, t, mass_position, work.w, state.z, false, work);
  work.matrix_current = false;
  return saltus::factorise(model, t, q, work.w, state.z, weights, work) ||
         stop(StepStatus::singular_matrix);
}

void OneStep::count_active() {
  if (work.active != work.previously_active) work.matrix_current = false;
  report.active_rows = 0;
  for (Index b : work.active) report.active_rows += work.layout.blocks[b].size;
}

/// Found contacts with friction keep the bodies as unknowns, if the solver can: M̂ is block diagonal
/// and H has two blocks per contact, while W would couple every pair of contacts of a body.
bool OneStep::global() const {
  const bool suits =
      std::holds_alternative<Automatic>(solver) || std::holds_alternative<CoulombCascade>(solver);
  return suits && work.pure_lagrangian && !work.broken_lines && !work.layout.normals_only &&
         work.poisson.size() == 0 &&
         std::any_of(work.contacts.begin(), work.contacts.end(),
                     [](const DetectedContact& c) { return has_friction(c.law); });
}

/// e of the active blocks if one of them obeys Poisson's law; empty otherwise.
void OneStep::collect_poisson() {
  const auto e = [&](Index b) { return poisson_restitution(law(work.layout.blocks[b])); };
  if (std::none_of(work.active.begin(), work.active.end(), [&](Index b) { return e(b) >= 0; })) {
    work.poisson.resize(0);
    return;
  }
  work.poisson.resize(static_cast<Index>(work.active.size()));
  Index place = 0;
  for (Index b : work.active) work.poisson[place++] = std::max(0.0, e(b));
}

/// w_pulled = w_free − M̂⁻¹ B pull; the unknowns are r + pull.
void OneStep::pull() {
  work.w_pulled = work.w_free;
  add_response(-1, work.pull, true, work, work.factor, work.w_pulled);
}

void OneStep::assemble() {
  collect_poisson();
  std::vector<BlockSet>& K = global() ? work.global.K : work.problem.K;
  if (!work.matrix_current) {
    K.clear();
    compute_responses(h, work.factor, work);
    for (Index b : work.active) {
      const Layout::Block& block = work.layout.blocks[b];
      K.push_back(work.layout.normals_only && block.unilateral
                      ? BlockSet{NonNegative{}}
                      : set_of(law(block), block.lagrangian(), h, block.size));
    }
    work.r_active.resize(report.active_rows);
  }
  pull();
  const bool expand = work.broken_lines && !work.matrix_current;
  if (global())
    assemble_global(work);
  else
    assemble_reduced();
  if (expand) cut_rows();
  work.matrix_current = true;
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    std::copy_n(work.r.data() + block.row, block.size, work.r_active.data() + row);
    if (block.terms)
      work.r_active.segment(row, block.size) += work.pull.segment(block.row, block.size);
    row += block.size;
  }
  charge(work.times.assemble);
}

/// u = W r + q
void OneStep::assemble_reduced() {
  BlockForm& problem = work.problem;
  if (!work.matrix_current) {
    assemble_matrix(work.factor, work);
    problem.q.resize(report.active_rows);
  }
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    double* q = problem.q.data() + row;
    const Vector& constant = block.lagrangian() ? work.constant : work.offset;
    std::copy_n(constant.data() + block.row, block.size, q);
    add_output(block, work, work.w_pulled, q);
    row += block.size;
  }
}

/// The pieces of the active blocks whose laws are broken lines, and the sets of general cones.
void OneStep::cut_rows() {
  SegmentRows& rows = work.pieces;
  rows.clear();
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    rows.add(law(block), block.size, block.lagrangian() ? h : 1.0);
  }
  if (rows.needed || rows.general) rows.expand(work.problem);
}

/// Solves the problem in pieces: by `solver`, or with sets of any kind by AffineInclusion.
void OneStep::solve_pieces() {
  SegmentRows& rows = work.pieces;
  rows.expand(work.problem.q, work.r_active);
  if (work.observe_problem) work.guess = rows.r;
  report.solve =
      rows.general ? saltus::solve(rows.problem, rows.rules, rows.r, AffineInclusion{}, rows.solver)
                   : saltus::solve(rows.problem, rows.r, solver, work.solver);
  rows.contract(work.r_active);
  if (work.observe_problem && !rows.general)
    work.observe_problem(
        {nullptr, &rows.problem, work.guess, rows.r, report.solve, work.steps, state.t});
}

/// Compression and expansion; the residual is that of the expansion's velocities alone.
void OneStep::solve_poisson() {
  const Stopwatch clock;
  const PoissonReport two =
      saltus::solve(work.problem, work.poisson, work.r_active, PoissonImpact{}, work.solver);
  report.solve = {two.status, two.iterations, 0, clock.seconds()};
}

bool OneStep::solve() {
  const bool whole = global();
  const bool pieces = work.broken_lines && (work.pieces.needed || work.pieces.general);
  if (work.observe_problem && !pieces) work.guess = work.r_active;
  if (pieces) {
    solve_pieces();
  } else if (whole) {
    const auto solve_with = [&](const auto& chosen) {
      report.solve =
          saltus::solve(work.global, work.global_velocity, work.r_active, chosen, work.solver);
    };
    if (const auto* cascade = std::get_if<CoulombCascade>(&solver))
      solve_with(*cascade);
    else
      solve_with(std::get<Automatic>(solver));
  } else if (work.poisson.size() > 0) {
    solve_poisson();
  } else {
    report.solve = saltus::solve(work.problem, work.r_active, solver, work.solver);
  }
  if (work.observe_problem && !pieces)
    work.observe_problem({whole ? &work.global : nullptr, whole ? nullptr : &work.problem,
                          work.guess, work.r_active, report.solve, work.steps, state.t});
  report.solver_iterations += report.solve.iterations;
  report.factorisations += report.solve.factorisations;
  charge(work.times.solve);
  return report.solve.converged() || work.accept_unsolved || stop(StepStatus::solver_failed);
}

namespace {

struct Reading {
  Index unknown = -1;
  double coefficient = 0;
};

/// The one unknown that row i of a block's output reads; −1 if it reads none, several, or λ.
Reading only_reading(const Layout::Block& block, Index i, const StepWorkspace& work) {
  const auto D =
      Eigen::Map<const Matrix>(work.feedthrough.data() + block.feedthrough, block.size, block.size);
  if ((D.row(i).array() != 0).any()) return {};
  Reading found;
  for (Index e = block.first_entry; e < block.last_entry; ++e) {
    const Layout::Entry& entry = work.layout.entries[e];
    const Layout::Body& body = work.layout.bodies[entry.body];
    for (Index j = 0; j < body.size; ++j) {
      const double c = work.output[entry.values + i + j * block.size];
      if (c == 0) continue;
      if (found.unknown >= 0) return {};
      found = {body.offset + j, c};
    }
  }
  return found;
}

/// |w_free| + Σ |M̂⁻¹B| |λ| over the first-order blocks of bodies that are not coupled.
void sum_sizes(StepWorkspace& work, Vector& size) {
  size = work.w_free.cwiseAbs();
  for (Index k : work.active) {
    const Layout::Block& block = work.layout.blocks[k];
    for (Index e = block.first_entry; e < block.last_entry && !block.lagrangian(); ++e) {
      const Layout::Entry& entry = work.layout.entries[e];
      const Layout::Body& body = work.layout.bodies[entry.body];
      if (body.coupled >= 0) continue;
      const Eigen::Map<const Matrix> response(work.response.data() + entry.values, body.size,
                                              block.size);
      for (Index i = 0; i < block.size; ++i)
        size.segment(body.offset, body.size) +=
            std::abs(work.r[block.row + i]) * response.col(i).cwiseAbs();
    }
  }
}

/// First-order rows y = c w_j + b that the law holds at zero: M̂⁻¹Bλ cancels w_free in w_j, and what
/// is left of y is the rounding of that sum. There w_j = −b/c, so that a sliding variable which is
/// a state is exactly zero (TI:V-08), whatever the step and the load.
void settle_on_surfaces(StepWorkspace& work) {
  constexpr double roundings = 4 * std::numeric_limits<double>::epsilon();
  if (work.layout.unknowns == work.layout.velocities) return;
  Vector& size = work.w_scratch;
  sum_sizes(work, size);
  for (Index k : work.active) {
    const Layout::Block& block = work.layout.blocks[k];
    for (Index i = 0; i < block.size && !block.lagrangian(); ++i) {
      if (work.r[block.row + i] == 0) continue;
      const auto [j, c] = only_reading(block, i, work);
      if (j < 0) continue;
      const double b = work.offset[block.row + i];
      const double rounding = roundings * (std::abs(c) * size[j] + std::abs(b));
      if (std::abs(c * work.w[j] + b) <= rounding) work.w[j] = b == 0 ? 0 : -b / c;
    }
  }
}

}  // namespace

void OneStep::advance() {
  work.r.setZero();
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    std::copy_n(work.r_active.data() + row, block.size, work.r.data() + block.row);
    if (block.terms)
      work.r.segment(block.row, block.size) -= work.pull.segment(block.row, block.size);
    row += block.size;
  }
  work.w = work.w_free;
  add_response(1, work.r, false, work, work.factor, work.w);
  settle_on_surfaces(work);
}

/// The size of M w is estimated by its diagonal for pools, that of F by F_begin.
double OneStep::newton_residual() {
  subtract_input(work, h, work.newton);
  double momentum = 0;
  work.w_scratch.setZero();
  for (const CoupledOperators& operators : work.coupled)
    operators.add_mass_product(work.w.data() + operators.offset,
                               work.w_scratch.data() + operators.offset);
  if (!work.coupled.empty()) momentum = work.w_scratch.lpNorm<Eigen::Infinity>();
  for (const Layout::Body& body : work.layout.bodies)
    if (body.coupled < 0)
      for (Index i = 0; i < body.size; ++i)
        momentum = std::max(momentum, std::abs(work.mass[body.matrix + i * body.size + i] *
                                               work.w[body.offset + i]));
  const double scale = 1 + momentum + h * work.force_begin.lpNorm<Eigen::Infinity>();
  report.newton_residual = work.newton.lpNorm<Eigen::Infinity>() / scale;
  charge(work.times.update);
  return report.newton_residual;
}

void OneStep::finish(State& next) {
  const Index n = work.layout.velocities;
  next.q = work.q_end;
  next.v = work.w.head(n);
  next.x = work.w.tail(work.layout.unknowns - n);
  next.t += h;
  if (!model.sources().empty()) remember_contacts(work);
  charge(work.times.update);
}

namespace {

/// Which parts of the model change from step to step.
void classify(const Model& model, StepWorkspace& work) {
  work.systems_invariant = true;
  work.nonlinear_lagrangian = work.nonlinear_first_order = false;
  work.pure_lagrangian = model.first_order_size() == 0;
  for (const SystemEntry& entry : model.systems())
    work.systems_invariant = work.systems_invariant && entry.system.time_invariant();
  work.declared_lines = false;
  for (const Interaction& tie : model.interactions()) {
    work.declared_lines = work.declared_lines || has_segments(tie.law) ||
                          splits(tie.law, tie.relation.rows()) || general_cone(tie.law) != nullptr;
    if (tie.relation.time_invariant()) continue;
    (tie.relation.lagrangian() ? work.nonlinear_lagrangian : work.nonlinear_first_order) = true;
  }
  work.broken_lines = work.declared_lines;
}

}  // namespace

void prepare_step(const Model& model, const Algorithm& solver, StepWorkspace& work) {
  work.layout = lay_out(model);
  work.rules = {};
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
    sets.push_back(
        set_of(model.interactions()[block.interaction].law, block.lagrangian(), 1.0, block.size));
  check(solver, sets);
}

void require_position_constraints(const Model& model, bool vectors, const char* who) {
  for (const SystemEntry& entry : model.systems()) {
    require(entry.system.order() == Order::second,
            "{}: {} is of first order; the scheme is for positions and velocities", who,
            entry.name);
    require(!vectors || entry.system.flat(),
            "{}: the positions of {} are no vector (rotations on the group), and the scheme adds "
            "and projects positions; use MoreauJean",
            who, entry.name);
  }
  for (const Interaction& tie : model.interactions()) {
    const bool frictionless = switched_by_gap(tie.law) && !has_friction(tie.law) &&
                              poisson_restitution(tie.law) < 0 &&
                              std::holds_alternative<NonNegative>(set_of(tie.law, true, 1.0, 1));
    require(bilateral(tie.law) || frictionless,
            "{}: the law of {} is neither a bilateral constraint nor a contact without friction; "
            "the scheme is defined for these only, it has no tangential law; use MoreauJean",
            who, tie.name);
  }
  require(model.sources().empty(), "{}: contacts of sources are not for this scheme", who);
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
