#include "saltus/integrators/descriptor_step.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

using Row = Descriptor::Matrix::InnerIterator;

bool differential(const Descriptor& system, Index i) {
  return system.E.outerIndexPtr()[i + 1] > system.E.outerIndexPtr()[i];
}

double row_weight(const Descriptor& system, Index i, double h) {
  return system.by_step[i] != 0 ? h : 1.0;
}

BlockSet set_of(double lower, double upper) {
  if (lower == -inf && upper == inf) return Reals{};
  if (lower == 0 && upper == inf) return NonNegative{};
  return Interval{lower, upper};
}

double product(const Descriptor::Matrix& A, Index i, const Vector& z) {
  double sum = 0;
  for (Row it(A, i); it; ++it) sum += it.value() * z[it.col()];
  return sum;
}

/// The matrix of the step: σ (E/h + θ G) on differential rows, G on the others. An infinite h is
/// the operating point.
void assemble(const Descriptor& system, DescriptorWorkspace::OneStep& one) {
  const Index n = system.size();
  std::vector<Eigen::Triplet<double>> entries;
  for (Index i = 0; i < n; ++i) {
    const bool rate = differential(system, i) && one.h < inf;
    const double weight = rate ? row_weight(system, i, one.h) : 1.0;
    if (rate)
      for (Row it(system.E, i); it; ++it)
        entries.emplace_back(i, it.col(), weight * it.value() / one.h);
    for (Row it(system.G, i); it; ++it)
      entries.emplace_back(i, it.col(), weight * (rate ? one.theta : 1.0) * it.value());
  }
  Eigen::SparseMatrix<double> W(n, n);
  W.setFromTriplets(entries.begin(), entries.end());
  one.form.W = BlockSparse::sparse(W);
  one.form.q.setZero(n);
  for (Index i = 0; i < n; ++i) one.form.K.push_back(set_of(system.lower[i], system.upper[i]));
  prepare(one.form, one.solver);
}

/// The constant term of (1).
void fill_constant(const Descriptor& system, const DescriptorState& state,
                   const DescriptorWorkspace& work, DescriptorWorkspace::OneStep& one) {
  Vector& q = one.form.q;
  q = work.s;
  if (one.h == inf) return;
  for (const Index i : work.differential) {
    const double weight = row_weight(system, i, one.h);
    q[i] = weight * (-state.e[i] / one.h + one.theta * work.s[i]);
    if (one.theta < 1) q[i] += weight * (1 - one.theta) * state.g[i];
  }
}

void evaluate_source(const Descriptor& system, double t, Vector& s) {
  s = system.constant;
  if (system.source) system.source(t, s);
}

void set_switches(const Descriptor& system, const std::vector<char>& closed,
                  DescriptorWorkspace::OneStep& one) {
  for (std::size_t k = 0; k < closed.size(); ++k)
    set_bounds(system.switches[k].component, closed[k] != 0 ? -inf : 0.0,
               closed[k] != 0 ? inf : 0.0, one.form, one.solver);
}

double control(const DescriptorSwitch& s, const Vector& z) {
  return (s.plus < 0 ? 0.0 : z[s.plus]) - (s.minus < 0 ? 0.0 : z[s.minus]);
}

bool asked(const DescriptorSwitch& s, bool closed, const Vector& z) {
  const double c = control(s, z);
  return closed ? c >= s.opens : c > s.closes;
}

/// Clocked switches look at their control at the ticks only, here at the beginning of a step.
void sample(const Descriptor& system, const DescriptorState& state, std::vector<char>& closed) {
  for (std::size_t k = 0; k < closed.size(); ++k) {
    const DescriptorSwitch& s = system.switches[k];
    if (s.clock == 0) continue;
    const double ticks = state.t / s.clock;
    if (std::abs(ticks - std::round(ticks)) < 1e-6)
      closed[k] = asked(s, closed[k] != 0, state.z) ? 1 : 0;
  }
}

/// Turns the switches that z asks to turn, each once. True if there was one.
bool turn(const Descriptor& system, const Vector& z, DescriptorWorkspace& work) {
  bool turned = false;
  for (std::size_t k = 0; k < work.closed.size(); ++k) {
    const DescriptorSwitch& s = system.switches[k];
    if (s.clock > 0 || work.flipped[k] != 0) continue;
    const char wish = asked(s, work.closed[k] != 0, z) ? 1 : 0;
    if (wish == work.closed[k]) continue;
    work.closed[k] = wish;
    work.flipped[k] = 1;
    turned = true;
  }
  return turned;
}

struct Solved {
  StepReport report;
  bool commuted = false;
};

void account(const SolveReport& solve, StepReport& report) {
  report.solve = solve;
  report.solver_iterations += solve.iterations;
  report.factorisations += solve.factorisations;
}

/// Solves (1) in work.z, switches included.
Solved solve_step(const Descriptor& system, const DescriptorState& state, double h, double theta,
                  const ModePivoting& solver, DescriptorWorkspace& work) {
  DescriptorWorkspace::OneStep& one = work.problem(system, h, theta);
  one.solver.modes = work.modes;  // of the last step, whatever its length
  Solved done;
  done.report.active_rows = system.size();
  fill_constant(system, state, work, one);
  work.z = state.z;
  work.closed = state.closed;
  std::fill(work.flipped.begin(), work.flipped.end(), char{0});
  sample(system, state, work.closed);
  done.commuted = work.closed != state.closed;
  do {
    set_switches(system, work.closed, one);
    account(solve_prepared(one.form, work.z, solver, one.solver), done.report);
    done.commuted = done.commuted || done.report.solve.iterations > 0;
    if (!done.report.solve.converged()) {
      done.report.status = StepStatus::solver_failed;
      return done;
    }
  } while (turn(system, work.z, work) && (done.commuted = true));
  work.modes = one.solver.modes;
  if (!work.z.allFinite()) done.report.status = StepStatus::not_finite;
  return done;
}

/// Takes the solution over into the state.
void accept(const Descriptor& system, double t, double theta, DescriptorWorkspace& work,
            DescriptorState& state) {
  state.t = t;
  state.z.swap(work.z);
  state.closed = work.closed;
  for (Index i = 0; i < system.size(); ++i)  // what dies away must not linger as slow denormals
    if (std::abs(state.z[i]) < 1e-290) state.z[i] = 0;
  for (const Index i : work.differential) {
    state.e[i] = product(system.E, i, state.z);
    if (theta < 1) state.g[i] = product(system.G, i, state.z) + work.s[i];
  }
}

void begin(const Descriptor& system, double t0, DescriptorState& state, DescriptorWorkspace& work) {
  const Index n = system.size();
  state.t = t0;
  state.z.setZero(n);
  state.g.setZero(n);
  state.e = system.initial;
  state.closed.clear();
  for (const DescriptorSwitch& s : system.switches) state.closed.push_back(s.closed ? 1 : 0);
  work.flipped.resize(state.closed.size());
  work.differential.clear();
  for (Index i = 0; i < n; ++i)
    if (differential(system, i)) work.differential.push_back(i);
}

}  // namespace

DescriptorWorkspace::OneStep& DescriptorWorkspace::problem(const Descriptor& system, double h,
                                                           double theta) {
  for (auto& one : known_)
    if (one->theta == theta && (one->h == h || std::abs(one->h - h) <= 1e-9 * h)) return *one;
  constexpr std::size_t lengths = 32;
  if (known_.size() >= lengths) known_.erase(known_.begin());
  known_.push_back(std::make_unique<OneStep>());
  OneStep& one = *known_.back();
  one.h = h;
  one.theta = theta;
  assemble(system, one);
  return one;
}

StepReport start_descriptor(const Descriptor& system, double t0, double h,
                            const DescriptorTheta& scheme, DescriptorState& state,
                            DescriptorWorkspace& work) {
  validate(system);
  require(h > 0 && h < inf, "start_descriptor: the step is {}, expected > 0", h);
  begin(system, t0, state, work);
  evaluate_source(system, t0 + h, work.s);
  StepReport report;
  for (int k = 0; k < 2; ++k) {
    report = solve_step(system, state, h, 1, scheme.solver, work).report;
    if (!report.done()) return report;
    accept(system, t0, 0, work, state);
  }
  return report;
}

StepReport operating_point(const Descriptor& system, double t0, const DescriptorTheta& scheme,
                           DescriptorState& state, DescriptorWorkspace& work) {
  validate(system);
  begin(system, t0, state, work);
  evaluate_source(system, t0, work.s);
  const StepReport report = solve_step(system, state, inf, 1, scheme.solver, work).report;
  if (report.done()) accept(system, t0, 0, work, state);
  return report;
}

StepReport step(const Descriptor& system, DescriptorState& state, double h,
                const DescriptorTheta& scheme, DescriptorWorkspace& work) {
  const double t = state.t + h;
  evaluate_source(system, t, work.s);
  Solved done = solve_step(system, state, h, scheme.theta, scheme.solver, work);
  if (scheme.theta < 1 && scheme.damp && done.commuted && done.report.done())
    done = solve_step(system, state, h, 1, scheme.solver, work);
  if (done.report.done()) accept(system, t, scheme.theta, work, state);
  return done.report;
}

}  // namespace saltus
