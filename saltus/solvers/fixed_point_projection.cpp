#include "saltus/solvers/fixed_point_projection.hpp"

#include "saltus/base/overloaded.hpp"

#include <cmath>
#include <utility>

namespace saltus {

namespace {

/// The loop of both methods: step(work) moves work.friction.point to a new point and evaluates it
/// there; false ends the run as stalled.
template <class Options, class Step>
SolveReport iterate(const BlockForm& problem, VectorRef r, const Options& options, Workspace& work,
                    Step&& step) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Options::name);
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit) return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  FrictionWorkspace& w = work.friction;
  for (BlockPoint* p : {&w.point, &w.trial, &w.next}) p->resize(r.size());
  w.point.z = r;
  evaluate(problem, w.point);
  while (outcome.iterations < options.max_iterations) {
    error = natural_residual(problem, w.point);
    if (error == inf) break;
    r = w.point.z;
    if (error <= limit && residual(problem, r) <= limit) break;
    ++outcome.iterations;
    if (runaway(r, limit) || !step(w)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  if (w.point.z.allFinite()) r = w.point.z;
  return judge(outcome, residual(problem, r), limit, clock);
}

/// point.z ← P_K(point.z − rho F)
void correct(const BlockForm& problem, double rho, const Vector& F, BlockPoint& point) {
  point.z -= rho * F;
  project_blocks(problem, point.z);
  evaluate(problem, point);
}

bool adaptive_step(const BlockForm& problem, const AdaptiveStep& rule, bool extragradient,
                   double& rho, FrictionWorkspace& w) {
  const auto map = [&](VectorRef, VectorRef) { evaluate(problem, w.trial); };
  const auto project = [&](VectorRef x) { project_blocks(problem, x); };
  const double ratio =
      find_step(rule, map, project, w.point.z, w.point.F, rho, w.trial.z, w.trial.F);
  if (ratio < 0) return false;
  if (extragradient)
    correct(problem, rho, w.trial.F, w.point);
  else
    std::swap(w.point, w.trial);
  grow_step(rule, ratio, rho);
  return true;
}

bool fixed_step(const BlockForm& problem, double rho, bool extragradient, FrictionWorkspace& w) {
  if (!extragradient) {
    w.trial.F = w.point.F;
    correct(problem, rho, w.trial.F, w.point);
    return true;
  }
  w.trial.z = w.point.z;
  correct(problem, rho, w.point.F, w.trial);
  correct(problem, rho, w.trial.F, w.point);
  return true;
}

/// The point between z and z − gap whose hyperplane separates, in w.trial; the part of the way, 0
/// if there is none. The gap is in w.next.F.
double separating_part(const BlockForm& problem, const HyperplaneProjection& options,
                       FrictionWorkspace& w) {
  const Vector& gap = w.next.F;
  const double least = options.sigma / options.tau * gap.squaredNorm();
  for (double t = 1; t > 1e-14; t /= 2) {
    w.trial.z = w.point.z - t * gap;
    evaluate(problem, w.trial);
    if (w.trial.F.dot(gap) >= least) return t;
  }
  return 0;
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const FixedPointProjection& options,
                  Workspace& work) {
  return std::visit(
      Overloaded{[&](const FixedStep& rule) {
                   return iterate(problem, r, options, work, [&](FrictionWorkspace& w) {
                     return fixed_step(problem, rule.rho, options.extragradient, w);
                   });
                 },
                 [&](const AdaptiveStep& rule) {
                   double rho = rule.rho;
                   return iterate(problem, r, options, work, [&](FrictionWorkspace& w) {
                     return adaptive_step(problem, rule, options.extragradient, rho, w);
                   });
                 }},
      options.step);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const HyperplaneProjection& options,
                  Workspace& work) {
  return iterate(problem, r, options, work, [&](FrictionWorkspace& w) {
    w.next.z = w.point.z - options.tau * w.point.F;
    project_blocks(problem, w.next.z);
    w.next.F = w.point.z - w.next.z;
    const double part = separating_part(problem, options, w);
    const double square = w.trial.F.squaredNorm();
    if (part == 0 || !(square > 0)) return false;
    correct(problem, part * w.trial.F.dot(w.next.F) / square, w.trial.F, w.point);
    return true;
  });
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const FixedPointProjection& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const HyperplaneProjection& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
