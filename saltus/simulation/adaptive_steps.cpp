#include "saltus/simulation/adaptive_steps.hpp"

#include "saltus/integrators/linearisation.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

double difference(const Vector& a, const Vector& b) {
  double largest = 0;
  for (Index i = 0; i < a.size(); ++i)
    largest = std::max(largest, std::abs(a[i] - b[i]) / (1 + std::abs(a[i])));
  return largest;
}

/// Percussions of both halves on the declared rows; multipliers λ are those of the second.
void add_percussions(const Vector& first, StepWorkspace& work) {
  for (const Layout::Block& block : work.layout.blocks)
    if (!block.detected() && block.lagrangian())
      work.r.segment(block.row, block.size) += first.segment(block.row, block.size);
}

/// Largest penetration that contacts have at `end` beyond what they had at `begin`.
double added_penetration(const Model& model, const State& begin, const State& end, Vector& gap,
                         StepWorkspace& work) {
  evaluate_gaps(model, begin.t, begin.q, begin.z, work);
  gap = work.gap_end;
  evaluate_gaps(model, end.t, end.q, end.z, work);
  double largest = 0;
  for (const Layout::Block& block : work.layout.blocks)
    if (!block.detected() && block.unilateral)
      largest = std::max(largest, std::min(gap[block.row], 0.0) - work.gap_end[block.row]);
  return largest;
}

/// Both halves as one step.
StepReport joined(const StepReport& first, const StepReport& second) {
  StepReport both = second;
  if (second.active_rows == 0) both.solve = first.solve;
  if (first.active_rows > 0 && first.solve.residual > both.solve.residual) both.solve = first.solve;
  both.active_rows = std::max(first.active_rows, second.active_rows);
  return both;
}

void add_counts(const StepReport& part, StepReport& sum) {
  sum.newton_iterations += part.newton_iterations;
  sum.solver_iterations += part.solver_iterations;
  sum.factorisations += part.factorisations;
}

}  // namespace

void check(const AdaptiveSteps& options, const Scheme& scheme) {
  const bool memory = std::visit(
      []<class S>(const S&) {
        return requires { S::constant_steps; };
      },
      scheme);
  require(!options.on() || !memory, "AdaptiveSteps: {} needs constant steps; use MoreauJean",
          name(scheme));
}

double AdaptiveStepper::error(const Model& model, const State& state, StepWorkspace& work) {
  return std::max({difference(fine.q, coarse.q), difference(fine.x, coarse.x),
                   added_penetration(model, state, fine, gap, work)});
}

StepReport AdaptiveStepper::advance(const Model& model, State& state, double limit,
                                    const Scheme& scheme, StepWorkspace& work, Accounts& accounts,
                                    double& taken) {
  for (;;) {
    // a rest shorter than half a step is taken along, so that the last step is not a splinter
    taken = h < limit && limit < 1.5 * h ? std::min(limit / 2, longest) : std::min(h, limit);
    coarse = fine = state;
    const StepReport whole = step(model, coarse, taken, scheme, work);
    StepReport report = whole;
    if (whole.done()) {
      trial = accounts;
      report = step(model, fine, taken / 2, scheme, work);
      r = work.r;
      if (report.done()) {
        trial.add(model, fine, taken / 2, scheme, work);
        const StepReport first = report;
        report = joined(first, step(model, fine, taken / 2, scheme, work));
        if (report.done()) trial.add(model, fine, taken / 2, scheme, work);
        add_counts(first, report);
      }
      add_counts(whole, report);
    }
    const double err = report.done() ? error(model, state, work) : inf;
    const bool shortest_step = taken <= shortest * (1 + 1e-9);
    const double factor = options.safety * std::sqrt(options.tolerance / std::max(err, 1e-300));
    h = std::clamp(taken * std::clamp(factor, 0.2, 2.0), shortest, longest);
    if (err <= options.tolerance || shortest_step) {
      if (!report.done()) return report;
      state = fine;
      std::swap(accounts, trial);
      add_percussions(r, work);
      return report;
    }
    ++rejected;
  }
}

}  // namespace saltus
