#include "saltus/integrators/alpha_step.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/integrators/assembly.hpp"
#include "saltus/integrators/dynamics.hpp"
#include "saltus/integrators/linearisation.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

AlphaStep::AlphaStep(OneStep& step, const GeneralizedAlpha& options) : one(step), scheme(options) {
  const auto set = [&](Smooth level, bool with_U, bool with_W, int chosen) {
    smooth = level;
    positions = with_U;
    velocities = with_W;
    strategy = chosen;
  };
  std::visit(
      Overloaded{[&](const LevelsP&) { set(Smooth::position, false, false, 2); },
                 [&](const LevelsV&) { set(Smooth::velocity, false, true, 2); },
                 [&](const LevelsA&) { set(Smooth::acceleration, false, false, 2); },
                 [&](const LevelsPV&) { set(Smooth::velocity, true, true, 2); },
                 [&](const LevelsPVA& l) { set(Smooth::acceleration, true, true, l.strategy); }},
      scheme.levels);
  const double gain = (1 - c.alpha_f) / (1 - c.alpha_m);
  velocity_gain = one.h * c.gamma * gain;
  position_gain = one.h * one.h * c.beta * gain;
}

bool AlphaStep::start() {
  StepWorkspace& work = one.work;
  const State& state = one.state;
  one.linearise_constant();
  work.q_end = work.q_forecast = state.q;
  work.w = work.w_begin;
  if (work.nonlinear_lagrangian) linearise_lagrangian(one.model, state.t, state.q, state, work);
  evaluate_curvature(one.model, state.t, state.q, work.w, state.z, work, x.curvature);
  if (!one.factorise(state.t, state.q, state.q, {0, 0})) return false;
  work.newton = -work.force_begin;
  work.w.setZero();
  compute_free(work);  // M⁻¹ F
  work.active.clear();
  work.u_minus = work.bias;
  for (Index b = 0; b < work.layout.declared_blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    one.evaluate_constant_gap(block);
    add_output(block, work, work.w_begin, work.u_minus.data() + block.row);
    const bool closed = work.gap[block.row] <= 1e-10 && work.u_minus[block.row] <= 1e-10;
    if (block.bilateral ? strategy > 1 : strategy > 2 && closed) work.active.push_back(b);
  }
  work.matrix_current = false;
  one.count_active();
  work.constant = x.curvature;
  if (!work.active.empty()) {
    one.assemble();
    if (!one.solve()) return false;
  }
  one.advance();
  x.acceleration_begin = x.a_begin = work.w;
  x.lambda_begin = x.eta_begin = work.r;
  work.w = work.w_begin;
  return true;
}

/// The smooth motion goes on as it was, without corrections.
void AlphaStep::predict() {
  x.acceleration = x.acceleration_begin;
  x.lambda = x.lambda_begin;
  for (Vector* v : {&x.U, &x.W, &x.nu, &x.Lambda}) v->setZero();
  update();
}

/// Everything that follows from ẇ, λ, U, ν, W, Λ.
void AlphaStep::update() {
  StepWorkspace& work = one.work;
  const double h = one.h, scale = 1 / (1 - c.alpha_m);
  x.a = scale * ((1 - c.alpha_f) * x.acceleration + c.alpha_f * x.acceleration_begin -
                 c.alpha_m * x.a_begin);
  x.eta =
      scale * ((1 - c.alpha_f) * x.lambda + c.alpha_f * x.lambda_begin - c.alpha_m * x.eta_begin);
  work.displacement = h * work.w_begin + h * h * ((0.5 - c.beta) * x.a_begin + c.beta * x.a) + x.U;
  move_positions(one.model, one.state.q, work.displacement, work.q_end);
  work.w = work.w_begin + h * ((1 - c.gamma) * x.a_begin + c.gamma * x.a) + x.W;
  x.Lambda_total = x.Lambda + h * ((1 - c.gamma) * x.eta_begin + c.gamma * x.eta);
  x.nu_total = x.nu + h * h * ((0.5 - c.beta) * x.eta_begin + c.beta * x.eta);
}

/// g, H and u = H v⁺ + ∂g/∂t at the end of the step.
void AlphaStep::linearise() {
  StepWorkspace& work = one.work;
  work.q_forecast = work.q_end;
  if (work.nonlinear_lagrangian)
    linearise_lagrangian(one.model, end_time(), work.q_end, one.state, work);
  x.u = work.bias;
  for (const Layout::Block& block : work.layout.blocks) {
    one.evaluate_constant_gap(block);
    add_output(block, work, work.w, x.u.data() + block.row);
  }
  one.charge(work.times.activate);
}

/// F and ḣ at the end of the step; M where it varies.
void AlphaStep::evaluate_dynamics() {
  StepWorkspace& work = one.work;
  evaluate_forces(one.model, end_time(), work.q_end, work.w, one.state.z, work.layout,
                  work.force_end);
  evaluate_masses(one.model, end_time(), work.q_end, work.w, one.state.z, false, work);
  evaluate_curvature(one.model, end_time(), work.q_end, work.w, one.state.z, work, x.curvature);
  if (!work.systems_invariant) x.masses_factored = false;
  one.charge(work.times.free);
}

bool AlphaStep::factorise() {
  StepWorkspace& work = one.work;
  if (!x.masses_factored) {
    if (!factorise_masses(work, x.mass_factor)) return one.stop(StepStatus::singular_matrix);
    x.masses_factored = true;
  }
  return one.factorise(end_time(), work.q_end, work.q_end, {velocity_gain, position_gain});
}

/// r = augmentation / (H M⁻¹ Hᵀ): the mass that the contact feels.
void AlphaStep::weigh_contacts() {
  StepWorkspace& work = one.work;
  work.active.clear();
  for (Index b = 0; b < work.layout.declared_blocks; ++b)
    if (work.layout.blocks[b].unilateral) work.active.push_back(b);
  compute_responses(1.0, x.mass_factor, work);
  complete_compliance(x.mass_factor, work);
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    const double compliance = self_compliance(block, x.mass_factor, work);
    x.weight[block.row] = compliance > 0 ? scheme.augmentation / compliance : 1;
  }
}

/// A, B, S from the augmented multipliers (AC:GA-15), or, for the smooth motion at velocity level,
/// with the gap of the smooth motion in place of A for B (AC:GA-18).
void AlphaStep::choose_sets() {
  StepWorkspace& work = one.work;
  x.last_A = x.in_A;
  x.last_B = x.in_B;
  x.last_S = x.in_S;
  const bool by_gap = smooth == Smooth::velocity;
  if (by_gap) {
    work.displacement -= x.U;
    move_positions(one.model, one.state.q, work.displacement, work.q_forecast);
    work.displacement += x.U;
    evaluate_gaps(one.model, end_time(), work.q_forecast, one.state.z, work);
  }
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  for (Index b = 0; b < blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    const Index i = block.row;
    if (block.bilateral) {
      x.in_A[b] = x.in_B[b] = 1;
      x.in_S[b] = strategy > 1;
      continue;
    }
    x.in_A[b] = x.nu_total[i] >= x.weight[i] * work.gap[i];
    const bool near = by_gap ? work.gap_end[i] <= 0 : x.in_A[b] != 0;
    const double impact = x.u[i] + block.restitution * work.u_minus[i];
    x.in_B[b] = near && x.Lambda_total[i] >= x.weight[i] * impact;
    double acceleration = x.curvature[i];
    add_output(block, work, x.acceleration, &acceleration);
    x.in_S[b] = strategy > 2 && x.in_B[b] != 0 && x.lambda[i] >= x.weight[i] * acceleration;
  }
}

bool AlphaStep::sets_changed() const {
  return x.in_A != x.last_A || x.in_B != x.last_B || x.in_S != x.last_S;
}

/// What the smooth motion leaves of the constraints in S, as an acceleration.
void AlphaStep::smooth_rest() {
  StepWorkspace& work = one.work;
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  for (Index b = 0; b < blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    auto rest = x.rest.segment(block.row, block.size);
    if (smooth == Smooth::position) {
      rest = work.gap.segment(block.row, block.size) / position_gain;
    } else if (smooth == Smooth::velocity) {
      work.w_scratch = work.w - x.W;
      rest = work.bias.segment(block.row, block.size);
      add_output(block, work, work.w_scratch, rest.data());
      rest /= velocity_gain;
    } else {
      rest = x.curvature.segment(block.row, block.size);
      add_output(block, work, x.acceleration, rest.data());
    }
  }
}

/// Largest violation of a constraint in its set, relative to 1 + the size of what it is made of.
double AlphaStep::constraint_residual() {
  StepWorkspace& work = one.work;
  smooth_rest();
  const double size_q = 1 + work.q_end.lpNorm<Eigen::Infinity>();
  const double size_v = 1 + work.w.lpNorm<Eigen::Infinity>();
  const double size_a = smooth == Smooth::position   ? size_q / position_gain
                        : smooth == Smooth::velocity ? size_v / velocity_gain
                                                     : 1 + x.acceleration.lpNorm<Eigen::Infinity>();
  double largest = 0;
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  for (Index b = 0; b < blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    for (Index i = block.row; i < block.row + block.size; ++i) {
      if (x.in_S[b]) largest = std::max(largest, std::abs(x.rest[i]) / size_a);
      if (positions && x.in_A[b]) largest = std::max(largest, std::abs(work.gap[i]) / size_q);
      const double impact = x.u[i] + (block.unilateral ? block.restitution * work.u_minus[i] : 0.0);
      if (velocities && x.in_B[b]) largest = std::max(largest, std::abs(impact) / size_v);
    }
  }
  return largest;
}

/// Largest residual of all equations at the present iterate.
double AlphaStep::residual() {
  StepWorkspace& work = one.work;
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  double largest = constraint_residual();
  const auto balance = [&](const Vector& variable, const Vector& multiplier, const Vector* force,
                           const std::vector<char>& set) {
    work.newton.setZero();
    add_mass_product(work, variable, work.newton);
    double size = 1 + work.newton.lpNorm<Eigen::Infinity>();
    if (force != nullptr) {
      size += force->lpNorm<Eigen::Infinity>();
      work.newton -= *force;
    }
    for (Index b = 0; b < blocks; ++b)
      if (set[b]) add_input(work.layout.blocks[b], work, -1.0, multiplier, work.newton);
    largest = std::max(largest, work.newton.lpNorm<Eigen::Infinity>() / size);
  };
  balance(x.acceleration, x.lambda, &work.force_end, x.in_S);
  if (positions) balance(x.U, x.nu, nullptr, x.in_A);
  if (velocities) balance(x.W, x.Lambda, nullptr, x.in_B);
  return largest;
}

/// multiplier += μ on the rows of the set, change += factor⁻¹ Hᵀ μ, so that H change = −rest there.
bool AlphaStep::solve_on(const std::vector<char>& set, StepFactors& factor, Vector& multiplier) {
  StepWorkspace& work = one.work;
  work.active.clear();
  one.report.active_rows = 0;
  for (Index b = 0; b < work.layout.declared_blocks; ++b) {
    if (!set[b]) continue;
    work.active.push_back(b);
    one.report.active_rows += work.layout.blocks[b].size;
  }
  if (work.active.empty()) return true;
  compute_responses(1.0, factor, work);
  assemble_matrix(factor, work);
  work.problem.q.resize(one.report.active_rows);
  work.r_active.setZero(one.report.active_rows);
  work.problem.K.assign(work.active.size(), Reals{});
  Index row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    work.problem.q.segment(row, block.size) = x.rest.segment(block.row, block.size);
    add_output(block, work, x.change, work.problem.q.data() + row);
    row += block.size;
  }
  one.charge(work.times.assemble);
  if (!one.solve()) return false;
  work.r.setZero();
  row = 0;
  for (Index b : work.active) {
    const Layout::Block& block = work.layout.blocks[b];
    work.r.segment(block.row, block.size) = work.r_active.segment(row, block.size);
    row += block.size;
  }
  multiplier += work.r;
  add_response(1, work.r, false, work, factor, x.change);
  return true;
}

/// One iteration for M variable = Hᵀ multiplier with H variable = −rest more than now, on a set:
/// for (U, ν) and (W, Λ).
bool AlphaStep::settle(Vector& multiplier, Vector& variable, const std::vector<char>& set) {
  StepWorkspace& work = one.work;
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  work.newton.setZero();
  for (Index b = 0; b < blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    if (set[b])
      add_input(block, work, 1.0, multiplier, work.newton);
    else
      multiplier.segment(block.row, block.size).setZero();
  }
  solve_factors(work.layout, work.coupled, work.newton, x.mass_factor, x.change);
  x.change -= variable;
  if (!solve_on(set, x.mass_factor, multiplier)) return false;
  variable += x.change;
  return true;
}

bool AlphaStep::correct_acceleration() {
  StepWorkspace& work = one.work;
  const auto blocks = static_cast<Index>(work.layout.blocks.size());
  work.newton = -work.force_end;
  add_mass_product(work, x.acceleration, work.newton);
  for (Index b = 0; b < blocks; ++b) {
    const Layout::Block& block = work.layout.blocks[b];
    if (x.in_S[b])
      add_input(block, work, -1.0, x.lambda, work.newton);
    else
      x.lambda.segment(block.row, block.size).setZero();
  }
  solve_factors(work.layout, work.coupled, work.newton, work.factor, x.change);
  x.change = -x.change;
  if (!solve_on(x.in_S, work.factor, x.lambda)) return false;
  x.acceleration += x.change;
  increment = velocity_gain * x.change.lpNorm<Eigen::Infinity>();
  update();
  return true;
}

bool AlphaStep::correct_position() {
  if (!positions) return true;
  linearise();
  x.rest = one.work.gap;
  if (!settle(x.nu, x.U, x.in_A)) return false;
  increment += x.change.lpNorm<Eigen::Infinity>() / one.h;
  update();
  return true;
}

bool AlphaStep::correct_velocity() {
  if (!velocities) return true;
  linearise();
  x.rest = x.u;
  for (const Layout::Block& block : one.work.layout.blocks)
    if (block.unilateral) x.rest[block.row] += block.restitution * one.work.u_minus[block.row];
  if (!settle(x.Lambda, x.W, x.in_B)) return false;
  increment += x.change.lpNorm<Eigen::Infinity>();
  update();
  return true;
}

bool AlphaStep::iterate() {
  StepWorkspace& work = one.work;
  one.linearise_constant();
  work.q_end = one.state.q;
  work.w = work.w_begin;
  if (velocities && work.nonlinear_lagrangian)
    linearise_lagrangian(one.model, one.state.t, one.state.q, one.state, work);
  work.u_minus = work.bias;
  for (const Layout::Block& block : work.layout.blocks)
    add_output(block, work, work.w_begin, work.u_minus.data() + block.row);
  predict();
  for (int iteration = 0;; ++iteration) {
    linearise();
    evaluate_dynamics();
    if (!work.w.allFinite() || !work.force_end.allFinite()) return one.stop(StepStatus::not_finite);
    if (!factorise()) return false;
    if (iteration == 0) weigh_contacts();
    choose_sets();
    one.report.newton_iterations = iteration;
    one.report.newton_residual = residual();
    const bool small =
        iteration > 0 && !sets_changed() &&
        increment <= 1e-2 * scheme.newton_tolerance * (1 + work.w.lpNorm<Eigen::Infinity>());
    if (small || one.report.newton_residual <= scheme.newton_tolerance) return true;
    if (iteration == scheme.newton_iterations) return one.stop(StepStatus::newton_failed);
    if (!correct_acceleration() || !correct_position() || !correct_velocity()) return false;
  }
}

void AlphaStep::keep() {
  x.acceleration_begin.swap(x.acceleration);
  x.a_begin.swap(x.a);
  x.lambda_begin.swap(x.lambda);
  x.eta_begin.swap(x.eta);
  one.work.r = x.Lambda_total;
  one.work.active.clear();  // the blocks that have a percussion, for the accounts of the run
  for (Index b = 0; b < one.work.layout.declared_blocks; ++b) {
    const Layout::Block& block = one.work.layout.blocks[b];
    if (!one.work.r.segment(block.row, block.size).isZero(0)) one.work.active.push_back(b);
  }
}

}  // namespace saltus
