#include "saltus/integrators/descriptor_trbdf2.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace saltus {

namespace {

constexpr double root = std::numbers::sqrt2;
// the difference of the formulas of second and third order: h Σ b k
constexpr double b_begin = root / 3 - 1.0 / 3, b_mid = -1.0 / 3, b_end = (2 - root) / 3;
constexpr double kink = 1.0 / 32;

void add(const StepReport& stage, StepReport& report) {
  const int iterations = report.solver_iterations + stage.solver_iterations;
  const int factorisations = report.factorisations + stage.factorisations;
  report = stage;
  report.solver_iterations = iterations;
  report.factorisations = factorisations;
}

void add(const StageReport& stage, DescriptorTrial& trial, StepReport& report) {
  add(stage.report, report);
  trial.commuted = trial.commuted || stage.commuted;
  trial.hard = trial.hard || stage.hard;
  trial.overshoot = std::max(trial.overshoot, stage.overshoot);
  trial.waiting = trial.waiting || stage.waiting;
}

/// e = E z on the differential rows; `size` is the largest term of a row over the time.
void take_charges(const Descriptor& system, const Vector& z, const std::vector<Index>& rows,
                  Vector& e, Vector& size) {
  for (const Index i : rows) {
    double sum = 0, largest = size[i];
    for (Descriptor::Matrix::InnerIterator it(system.E, i); it; ++it) {
      const double term = it.value() * z[it.col()];
      sum += term;
      largest = std::max(largest, std::abs(term));
    }
    e[i] = sum;
    size[i] = largest;
  }
}

double error_of(const DescriptorState& state, const DescriptorTrial& trial,
                const std::vector<Index>& rows) {
  double error = 0;
  for (const Index i : rows) {
    const double k = state.rate[i], mid = trial.rate_mid[i], end = trial.rate[i];
    double amount = std::abs(b_begin * k + b_mid * mid + b_end * end);
    if (trial.hard)
      amount = std::max(amount, kink * std::max(std::abs(mid - k), std::abs(end - mid)));
    if (amount > 0) error = std::max(error, trial.h * amount / trial.size[i]);
  }
  return error;
}

void resize(const Descriptor& system, DescriptorTrial& trial) {
  const Index n = system.size();
  if (trial.size.size() == n) return;
  for (Vector* v : {&trial.z_mid, &trial.z, &trial.w_mid, &trial.w, &trial.e, &trial.rate,
                    &trial.rate_mid, &trial.known, &trial.size})
    v->setZero(n);
  for (Vector* v : {&trial.x_mid, &trial.x})
    v->setZero(static_cast<Index>(system.hinges.rows.size()));
}

void take_hard_rows(const DescriptorWorkspace& work, Vector& w) {
  for (const Index i : work.hard) w[i] = (*work.u)[i];
}

/// Where the parabola through (0, a), (γ, b), (1, c) becomes negative.
double first_zero(double a, double b, double c) {
  constexpr double mid = DescriptorTrial::mid;
  if (!(b < 0) && !(c < 0)) return 1;
  if (b < 0 && !(a > 0)) return 0;
  const double curve = ((b - a) / mid - (c - a)) / (mid - 1), slope = c - a - curve;
  const double root_term = std::sqrt(std::max(slope * slope - 4 * curve * a, 0.0));
  const double half = -0.5 * (slope + std::copysign(root_term, slope));
  const double low = b < 0 ? 0 : mid, high = b < 0 ? mid : 1;
  double first = high;
  for (const double s : {half / curve, a / half})
    if (s >= low && s < first) first = s;
  return first;
}

}  // namespace

StepReport try_step(const Descriptor& system, const DescriptorState& state, double h,
                    const DescriptorTrBdf2& scheme, DescriptorWorkspace& work,
                    DescriptorTrial& trial, bool hold) {
  resize(system, trial);
  const double eta = trial.mid * h / 2, part = h / (2 * root);
  constexpr double squared = 1 / (DescriptorTrial::mid * DescriptorTrial::mid);
  trial.h = h;
  trial.error = inf;
  trial.overshoot = 0;
  trial.commuted = trial.hard = trial.waiting = false;
  StepReport report;
  for (const Index i : work.differential) trial.known[i] = state.e[i] + eta * state.rate[i];
  evaluate_source(system, state.t + trial.mid * h, work);
  work.expected = state.x + trial.mid * h * state.slope;
  DescriptorStage stage{
      .h = eta, .e = trial.known, .tick = state.t, .hold = hold, .expected = &work.expected};
  add(solve_stage(system, stage, state.z, state.closed, scheme.solver, work), trial, report);
  if (!report.done()) return report;
  take_hard_rows(work, trial.w_mid);
  trial.z_mid.swap(work.z);
  trial.x_mid = *work.x;
  trial.closed.swap(work.closed);
  for (const Index i : work.differential) {
    trial.rate_mid[i] = (charge(system, i, trial.z_mid) - trial.known[i]) / eta;
    trial.known[i] = state.e[i] + part * (state.rate[i] + trial.rate_mid[i]);
  }
  evaluate_source(system, state.t + h, work);
  work.expected =
      (1 - squared) * state.x + (h - h / trial.mid) * state.slope + squared * trial.x_mid;
  stage.tick = -1;
  add(solve_stage(system, stage, trial.z_mid, trial.closed, scheme.solver, work), trial, report);
  if (!report.done()) return report;
  take_hard_rows(work, trial.w);
  trial.z.swap(work.z);
  trial.x = *work.x;
  trial.closed.swap(work.closed);
  take_charges(system, trial.z, work.differential, trial.e, trial.size);
  for (const Index i : work.differential) trial.rate[i] = (trial.e[i] - trial.known[i]) / eta;
  trial.error = error_of(state, trial, work.differential);
  return report;
}

double first_event(const Descriptor& system, const DescriptorState& state,
                   const DescriptorTrial& trial, const DescriptorWorkspace& work) {
  double first = 1;
  const auto past = [&](double sign, double level, double a, double b, double c) {
    first = std::min(first, first_zero(sign * (a - level), sign * (b - level), sign * (c - level)));
  };
  for (const Index i : work.hard) {
    if (work.modes[i] == Mode::free) {
      past(1, system.lower[i], state.z[i], trial.z_mid[i], trial.z[i]);
      past(-1, system.upper[i], state.z[i], trial.z_mid[i], trial.z[i]);
    } else if (system.lower[i] < system.upper[i]) {
      past(work.modes[i] == Mode::lower ? 1 : -1, 0, state.w[i], trial.w_mid[i], trial.w[i]);
    }
  }
  for (std::size_t k = 0; k < system.switches.size(); ++k) {
    const DescriptorSwitch& s = system.switches[k];
    if (s.clock > 0) continue;
    const bool closed = state.closed[k] != 0;
    past(closed ? 1 : -1, closed ? s.opens : s.closes, control(s, state.z), control(s, trial.z_mid),
         control(s, trial.z));
  }
  return first;
}

StepReport end_early(const Descriptor& system, const DescriptorState& state, double s, double tiny,
                     const DescriptorTrBdf2& scheme, DescriptorWorkspace& work,
                     DescriptorTrial& trial) {
  const auto [begin, mid, end] = trial.parabola(trial.mid * s);
  trial.z_mid = begin * state.z + mid * trial.z_mid + end * trial.z;
  const double h = trial.h;
  for (const Index i : work.differential) {
    const double a = state.e[i], b = h * state.rate[i], rise = trial.e[i] - a - b,
                 turn = h * trial.rate[i] - b, c = 3 * rise - turn, d = turn - 2 * rise;
    trial.rate[i] = (b + s * (2 * c + 3 * s * d)) / h;
    trial.known[i] = a + s * (b + s * (c + s * d)) - tiny * trial.rate[i];
  }
  trial.h = s * h;
  evaluate_source(system, state.t + trial.h, work);
  const StageReport stage = solve_stage(system, {.h = tiny, .e = trial.known, .hold = true},
                                        trial.z, trial.closed, scheme.solver, work);
  if (!stage.report.done()) return stage.report;
  take_hard_rows(work, trial.w);
  trial.z.swap(work.z);
  trial.x = *work.x;
  take_charges(system, trial.z, work.differential, trial.e, trial.size);
  return stage.report;
}

StepReport try_euler(const Descriptor& system, const DescriptorState& state, double h,
                     const DescriptorTrBdf2& scheme, DescriptorWorkspace& work,
                     DescriptorTrial& trial) {
  resize(system, trial);
  trial.h = h;
  trial.commuted = trial.hard = true;
  evaluate_source(system, state.t + h, work);
  const StageReport stage = solve_stage(system, {.h = h, .e = state.e, .tick = state.t}, state.z,
                                        state.closed, scheme.solver, work);
  trial.waiting = false;
  if (!stage.report.done()) return stage.report;
  take_hard_rows(work, trial.w);
  trial.z.swap(work.z);
  trial.z_mid = (1 - trial.mid) * state.z + trial.mid * trial.z;
  trial.x = *work.x;
  trial.x_mid = (1 - trial.mid) * state.x + trial.mid * trial.x;
  trial.closed.swap(work.closed);
  take_charges(system, trial.z, work.differential, trial.e, trial.size);
  for (const Index i : work.differential) trial.rate[i] = (trial.e[i] - state.e[i]) / h;
  return stage.report;
}

void accept(double t, DescriptorTrial& trial, DescriptorWorkspace& work, DescriptorState& state) {
  state.t = t;
  constexpr double mid = DescriptorTrial::mid;  // of the parabola through the three points:
  state.slope = ((2 - mid) / (1 - mid) * (trial.x - trial.x_mid) -
                 (1 - mid) / mid * (trial.x_mid - state.x)) /
                trial.h;
  state.x.swap(trial.x);
  state.z.swap(trial.z);
  state.w.swap(trial.w);
  state.closed.swap(trial.closed);
  for (const Index i : work.differential) {
    state.e[i] = trial.e[i];
    state.rate[i] = trial.rate[i];
  }
}

StepReport restart(const Descriptor& system, double tiny, const DescriptorTrBdf2& scheme,
                   DescriptorState& state, DescriptorWorkspace& work, DescriptorTrial& trial) {
  resize(system, trial);
  const double after = state.t + std::max(tiny, 2 * system.break_width);
  StepReport report;
  for (int k = 0; k < 2; ++k) {
    evaluate_source(system, after + k * tiny, work);
    add(solve_stage(system, {.h = tiny, .e = state.e, .tick = k == 0 ? state.t : -1}, state.z,
                    state.closed, scheme.solver, work)
            .report,
        report);
    if (!report.done()) return report;
    state.z.swap(work.z);
    state.slope = (*work.x - state.x) / tiny;
    state.x = *work.x;
    state.closed = work.closed;
    take_charges(system, state.z, work.differential, trial.known, trial.size);
    for (const Index i : work.differential) {
      state.rate[i] = (trial.known[i] - state.e[i]) / tiny;
      state.e[i] = trial.known[i];
    }
  }
  take_hard_rows(work, state.w);
  // back to t: after jumps, if there were any, the charges have moved for 2 tiny
  for (const Index i : work.differential) state.e[i] -= 2 * tiny * state.rate[i];
  return report;
}

}  // namespace saltus
