#include "saltus/solvers/slip_friction.hpp"

#include "saltus/solvers/block_iteration.hpp"

#include <cmath>

namespace saltus {

SolveReport solve(const PiecewiseFriction& problem, VectorRef r, const SlipFriction& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  validate(problem);
  require_fitting(problem.form, r, SlipFriction::name);
  const double limit = threshold(options.tolerance, problem.form.q);
  for (double& value : r)
    if (!std::isfinite(value)) value = 0;
  Outcome outcome{SolveStatus::max_iterations, 0};
  OuterProgress progress(10);
  double error = residual(problem, r);
  Vector z, held = r;  // the normal impulses of the changes by slip
  while (error > limit && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    const std::optional<SlipHinges> hinges = with_hinges(problem, held);
    if (!hinges) {
      outcome.status = SolveStatus::numerical_error;
      break;
    }
    z = Vector::Zero(hinges->form.q.size());
    const FacetedFriction facets{.tolerance = options.tolerance, .inner = options.inner};
    const SolveReport inner = solve(hinges->form, z, facets, work);
    if (!inner.converged()) {
      outcome.status = inner.status;
      break;
    }
    r = hinges->of_z * z + hinges->constant;
    const double last = error;
    error = residual(problem, r);
    held = error < 0.5 * last ? Vector(r) : Vector((held + r) / 2);
    if (!progress.goes_on(error)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  return judge(outcome, error, limit, clock);
}

}  // namespace saltus
