#pragma once

#include "saltus/solvers/interior_point_systems.hpp"

namespace saltus {

// The frame that the interior-point methods share. A method has two functions,
//
//     bool accepts(const InteriorWorkspace&)     this point may start it
//     double iterate(System&)                    one iteration at a factorised point; the step
//     taken

/// What the options of every interior-point method have in common.
struct InteriorLimits {
  double tolerance;
  int max_iterations;
  bool purify;
};

/// rc = σ μ 1 − x ∘ s, then the direction with weight 1 − σ: equations and μ shrink alike.
template <class System>
void centred_direction(System& system, double sigma) {
  InteriorWorkspace& v = system.v;
  v.rc = sigma * central_mu(v) - v.x.array() * v.s.array();
  system.direction(1 - sigma);
}

/// Iterates until the error is below the limit; the error at the end is left in `error`.
template <class System, class Method>
Outcome iterate_interior(System& system, Method& method, int max_iterations, double limit,
                         double& error) {
  Outcome outcome{SolveStatus::max_iterations, 0};
  error = system.error();
  while (!(error <= limit)) {
    if (outcome.iterations >= max_iterations) return outcome;
    // singular at the start is the matrix's fault; later the iterates have run away
    if (!system.factorise())
      return {outcome.iterations > 0 ? SolveStatus::stalled : SolveStatus::numerical_error,
              outcome.iterations};
    const double alpha = method.iterate(system);
    ++outcome.iterations;
    error = system.error();
    if (!std::isfinite(error) || !std::isfinite(alpha))
      return {SolveStatus::numerical_error, outcome.iterations};
    // no step any more, or unknowns that run away: no strictly feasible point is near
    if (alpha < 1e-10 || system.v.x.size() == 0 || system.v.x.maxCoeff() > 1e18)
      return {SolveStatus::stalled, outcome.iterations};
  }
  outcome.status = SolveStatus::converged;
  return outcome;
}

/// Runs a method on an LCP, MLCP or block form: start, iterations until residual(problem, z) is
/// below the threshold, purification, report. Starts from the guess z if it is strictly feasible
/// and the method accepts it; otherwise as BoxSystem::start.
template <class Problem, class Method>
SolveReport run_interior(const Problem& problem, VectorRef z, Method method,
                         const InteriorLimits& options, std::string_view name, Workspace& work) {
  const Stopwatch clock;
  const BoxView box = as_box(problem, z, name, work);
  const double limit = threshold(options.tolerance, box.q);
  if (const double error = residual(problem, z); error <= limit)
    return judge({SolveStatus::converged, 0}, error, limit, clock);
  BoxSystem system(box, work.interior, [&](ConstVectorRef at) { return residual(problem, at); });
  if (!system.start_at(z) || !method.accepts(work.interior)) system.start();
  double error = inf;
  const Outcome outcome = iterate_interior(system, method, options.max_iterations, limit, error);
  if (options.purify && std::isfinite(error)) error = system.purify(error);
  z = work.interior.z;
  SolveReport report = judge(outcome, error, limit, clock);
  if (!report.converged() && runs_to_a_proof(box, work)) report.status = SolveStatus::infeasible;
  if (report.converged()) work.certificate.resize(0);
  return report;
}

/// The same on a horizontal LCP; an empty point is zero.
template <class Method>
SolveReport run_interior(const HorizontalLcp& problem, HorizontalPoint& point, Method method,
                         const InteriorLimits& options, std::string_view, Workspace& work) {
  const Stopwatch clock;
  validate(problem);
  const Index n = problem.q.size();
  if (point.x.size() != n) point.x.setZero(n);
  if (point.s.size() != n) point.s.setZero(n);
  const double limit = threshold(options.tolerance, problem.q);
  if (const double error = residual(problem, point.x, point.s); error <= limit)
    return judge({SolveStatus::converged, 0}, error, limit, clock);
  HorizontalSystem system(problem, work.interior);
  if (!system.start_at(point) || !method.accepts(work.interior)) system.start();
  double error = inf;
  const Outcome outcome = iterate_interior(system, method, options.max_iterations, limit, error);
  point = {work.interior.x, work.interior.s};
  if (options.purify && std::isfinite(error)) error = system.purify(point, error);
  return judge(outcome, error, limit, clock);
}

}  // namespace saltus
