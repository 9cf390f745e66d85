#include "saltus/integrators/descriptor_stage.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace saltus {

namespace {

using Row = Descriptor::Matrix::InnerIterator;

bool has_rate(const Descriptor& system, Index i) {
  return system.E.outerIndexPtr()[i + 1] > system.E.outerIndexPtr()[i];
}

bool same_length(double a, double h) { return a == h || std::abs(a - h) <= 1e-9 * h; }

double row_weight(const Descriptor& system, Index i, double h) {
  return system.by_step[i] != 0 ? h : 1.0;
}

BlockSet set_of(double lower, double upper) {
  if (lower == -inf && upper == inf) return Reals{};
  if (lower == 0 && upper == inf) return NonNegative{};
  return Interval{lower, upper};
}

/// The constant term of (1).
void fill_constant(const Descriptor& system, const DescriptorStage& stage,
                   const DescriptorWorkspace& work, DescriptorWorkspace::OneStep& one) {
  Vector& q = one.form.q;
  q = work.s;
  if (one.h == inf) return;
  for (const Index i : work.differential) {
    const double weight = row_weight(system, i, one.h);
    q[i] = weight * (-stage.e[i] / one.h + one.theta * work.s[i]);
    if (one.theta < 1) q[i] += weight * (1 - one.theta) * (*stage.g)[i];
  }
}

void set_switches(const Descriptor& system, const std::vector<char>& closed,
                  DescriptorWorkspace::OneStep& one) {
  for (std::size_t k = 0; k < closed.size(); ++k)
    set_bounds(system.switches[k].component, closed[k] != 0 ? -inf : 0.0,
               closed[k] != 0 ? inf : 0.0, one.form, one.solver);
}

bool asked(const DescriptorSwitch& s, bool closed, const Vector& z) {
  const double c = control(s, z);
  return closed ? c >= s.opens : c > s.closes;
}

/// Clocked switches look at their control at the ticks only, here at the beginning of a step.
void sample(const Descriptor& system, double t, const Vector& z, std::vector<char>& closed) {
  for (std::size_t k = 0; k < closed.size(); ++k) {
    const DescriptorSwitch& s = system.switches[k];
    if (s.clock == 0) continue;
    const double ticks = t / s.clock;
    if (std::abs(ticks - std::round(ticks)) < 1e-6) closed[k] = asked(s, closed[k] != 0, z) ? 1 : 0;
  }
}

/// A switch that z asks to turn.
bool asked_to_turn(const Descriptor& system, DescriptorWorkspace& work) {
  for (std::size_t k = 0; k < work.closed.size(); ++k)
    if (system.switches[k].clock == 0 &&
        asked(system.switches[k], work.closed[k] != 0, work.z) != (work.closed[k] != 0))
      return true;
  return false;
}

/// Turns the switches that z asks to turn, each once. True if there was one.
bool turn(const Descriptor& system, DescriptorWorkspace& work, double& overshoot) {
  bool turned = false;
  for (std::size_t k = 0; k < work.closed.size(); ++k) {
    const DescriptorSwitch& s = system.switches[k];
    if (s.clock > 0) continue;
    const double c = control(s, work.z);
    work.control_size[k] = std::max(work.control_size[k], std::abs(c));
    if (work.flipped[k] != 0) continue;
    const char wish = asked(s, work.closed[k] != 0, work.z) ? 1 : 0;
    if (wish == work.closed[k]) continue;
    const double past = std::abs(c - (wish != 0 ? s.closes : s.opens));
    if (past > 0) overshoot = std::max(overshoot, past / work.control_size[k]);
    work.closed[k] = wish;
    work.flipped[k] = 1;
    turned = true;
  }
  return turned;
}

/// A mode has changed since the last stage; of the first one there is nothing to compare.
bool changed(const DescriptorWorkspace& work, const ModeWorkspace& solver) {
  return !work.modes.empty() &&
         std::memcmp(work.modes.data(), solver.modes.data(), work.modes.size()) != 0;
}

/// So has one of a row that is not continuous.
bool changed_hard(const DescriptorWorkspace& work, const ModeWorkspace& solver) {
  return std::any_of(solver.bounded.begin(), solver.bounded.end(), [&](Index i) {
    return work.continuous[i] == 0 && work.modes[i] != solver.modes[i];
  });
}

void account(const SolveReport& solve, StepReport& report) {
  report.solve = solve;
  report.solver_iterations += solve.iterations;
  report.factorisations += solve.factorisations;
}

}  // namespace

/// The pattern of E and G together. An infinite h leaves E out: its own problem.
void DescriptorWorkspace::assemble(const Descriptor& system, OneStep& one) {
  const Index n = system.size();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    if (one.first < inf)
      for (Row it(system.E, i); it; ++it) entries.emplace_back(i, it.col(), 1);
    for (Row it(system.G, i); it; ++it) entries.emplace_back(i, it.col(), 1);
  }
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  one.form.W = BlockSparse::sparse(W);
  one.form.q.setZero(n);
  for (Index i = 0; i < n; ++i) one.form.K.push_back(set_of(system.lower[i], system.upper[i]));
  const auto values_of = [&](const Descriptor::Matrix& A, std::vector<double>& values) {
    values.assign(static_cast<std::size_t>(one.form.W.blocks()), 0.0);
    for (Index i = 0; i < n; ++i)
      for (Row it(A, i); it; ++it) {
        Index k = one.form.W.row_begin(i);
        while (one.form.W.column(k) != it.col()) ++k;
        values[k] += it.value();
      }
  };
  values_of(system.G, one.rest);
  if (one.first < inf) values_of(system.E, one.rate);
}

/// The values of the matrix of (1): weight (E/h + θ G) on differential rows, G on the others.
DescriptorWorkspace::OneStep::Length& DescriptorWorkspace::length_of(const Descriptor& system,
                                                                     double h, double theta,
                                                                     OneStep& one) {
  constexpr std::size_t lengths = 64;
  for (auto& made : one.known)
    if (made.theta == theta && same_length(made.h, h)) return made;
  if (one.known.size() >= lengths) one.known.erase(one.known.begin());
  one.known.push_back({h, theta, ++one.labels, {}});
  std::vector<double>& values = one.known.back().values;
  values = one.rest;
  for (Index i = 0; i < system.size() && h < inf; ++i) {
    if (!has_rate(system, i)) continue;
    const double weight = row_weight(system, i, h);
    for (Index k = one.form.W.row_begin(i); k < one.form.W.row_begin(i + 1); ++k)
      values[k] = weight * (one.rate[k] / h + theta * one.rest[k]);
  }
  return one.known.back();
}

DescriptorWorkspace::OneStep& DescriptorWorkspace::problem(const Descriptor& system, double h,
                                                           double theta) {
  constexpr double alike = 1000;  // ratio of steps that share a pattern
  constexpr std::size_t patterns = 16;
  const auto shared = std::find_if(known_.begin(), known_.end(), [&](const auto& made) {
    return made->first == h || (h < alike * made->first && made->first < alike * h);
  });
  const bool fresh = shared == known_.end();
  if (fresh) {
    if (known_.size() >= patterns) known_.erase(known_.begin());
    known_.push_back(std::make_unique<OneStep>());
    known_.back()->first = h;
    assemble(system, *known_.back());
  }
  OneStep& one = fresh ? *known_.back() : **shared;
  if (!fresh && one.theta == theta && same_length(one.h, h)) return one;
  const OneStep::Length& length = length_of(system, h, theta, one);
  one.h = length.h;
  one.theta = theta;
  if (!length.values.empty())
    std::copy(length.values.begin(), length.values.end(), one.form.W.value(0));
  if (fresh) {
    prepare(one.form, one.solver, length.label, system.hinges);
    one.solver.held = held;
  }
  if (!fresh) take_values(one.form, one.solver, length.label);
  return one;
}

StageReport solve_stage(const Descriptor& system, const DescriptorStage& stage, const Vector& z,
                        const std::vector<char>& closed, const ModePivoting& solver,
                        DescriptorWorkspace& work) {
  DescriptorWorkspace::OneStep& one = work.problem(system, stage.h, stage.theta);
  one.solver.modes = work.modes;  // of the last step, whatever its length
  one.solver.hold = stage.hold;
  StageReport done;
  done.report.active_rows = system.size();
  fill_constant(system, stage, work, one);
  work.z = z;
  work.closed = closed;
  std::fill(work.flipped.begin(), work.flipped.end(), char{0});
  if (stage.tick >= 0) sample(system, stage.tick, z, work.closed);
  done.commuted = work.closed != closed;
  if (stage.expected != nullptr) expect_pieces(*stage.expected, one.solver);
  do {
    set_switches(system, work.closed, one);
    account(solve_prepared(one.form, work.z, solver, one.solver), done.report);
    done.report.solve.residual /= one.solver.scale;
    if (!done.report.solve.converged()) {
      done.report.status = StepStatus::solver_failed;
      return done;
    }
    done.waiting = !one.solver.waiting.empty();
    if (stage.hold && (done.waiting = done.waiting || asked_to_turn(system, work))) break;
  } while (turn(system, work, done.overshoot) && (done.commuted = true));
  const bool exchanged = changed(work, one.solver);
  done.commuted = done.commuted || exchanged;
  done.hard = work.closed != closed || (exchanged && changed_hard(work, one.solver));
  work.modes = one.solver.modes;
  work.u = &one.solver.u;
  work.x = &one.solver.x;
  constexpr double round = 1e-274;  // to multiples of 1e-290: no slow denormals of what dies away
  work.z.array() = (work.z.array() + round) - round;
  if ((0 * work.z).sum() != 0) done.report.status = StepStatus::not_finite;
  return done;
}

void evaluate_source(const Descriptor& system, double t, DescriptorWorkspace& work) {
  work.s = system.constant;
  if (system.source) system.source(t, work.s);
}

double control(const DescriptorSwitch& s, const Vector& z) {
  return (s.plus < 0 ? 0.0 : z[s.plus]) - (s.minus < 0 ? 0.0 : z[s.minus]);
}

double charge(const Descriptor& system, Index i, const Vector& z) {
  double sum = 0;
  for (Row it(system.E, i); it; ++it) sum += it.value() * z[it.col()];
  return sum;
}

void begin(const Descriptor& system, double t0, DescriptorState& state, DescriptorWorkspace& work) {
  const Index n = system.size();
  state.t = t0;
  state.z.setZero(n);
  state.g.setZero(n);
  state.rate.setZero(n);
  for (Vector* v : {&state.x, &state.slope})
    v->setZero(static_cast<Index>(system.hinges.rows.size()));
  state.e = system.initial;
  state.closed.clear();
  for (const DescriptorSwitch& s : system.switches) state.closed.push_back(s.closed ? 1 : 0);
  work.flipped.resize(state.closed.size());
  work.control_size.assign(state.closed.size(), 0.0);
  work.continuous.assign(static_cast<std::size_t>(n), 0);
  for (Index i = 0; i < n; ++i)
    for (Row it(system.G, i); it; ++it)
      if (it.col() == i && it.value() > 0 && !has_rate(system, i)) work.continuous[i] = 1;
  state.w.setZero(n);
  work.held.assign(static_cast<std::size_t>(n), 0);
  work.hard.clear();
  for (Index i = 0; i < n; ++i) {
    const bool one_sided = (system.lower[i] > -inf) != (system.upper[i] < inf);
    if (!one_sided || work.continuous[i] != 0 || has_rate(system, i)) continue;
    work.held[i] = 1;
    work.hard.push_back(i);
  }
  work.differential.clear();
  for (Index i = 0; i < n; ++i)
    if (has_rate(system, i)) work.differential.push_back(i);
}

}  // namespace saltus
