#pragma once

#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/step_rule.hpp"
#include "saltus/solvers/workspace.hpp"

#include <utility>

namespace saltus {

// What the projection methods for block forms share.

/// The loop: step(work) moves work.friction.point to a new point and evaluates it there; false ends
/// the run as stalled.
template <class Options, class Step>
SolveReport iterate_projections(const BlockForm& problem, VectorRef r, const Options& options,
                                Workspace& work, Step&& step) {
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
inline void correct_point(const BlockForm& problem, double rho, const Vector& F,
                          BlockPoint& point) {
  point.z -= rho * F;
  project_blocks(problem, point.z);
  evaluate(problem, point);
}

/// w.trial = P_K(z − ρ F(z)) from w.point with ρ reduced by the rule; the ratio, negative if no
/// step was small enough.
inline double predict(const BlockForm& problem, const AdaptiveStep& rule, double& rho,
                      FrictionWorkspace& w) {
  const auto map = [&](VectorRef, VectorRef) { evaluate(problem, w.trial); };
  const auto project = [&](VectorRef x) { project_blocks(problem, x); };
  return find_step(rule, map, project, w.point.z, w.point.F, rho, w.trial.z, w.trial.F);
}

/// One step of the fixed point or of the extragradient method; false if there is none.
inline bool move_adaptively(const BlockForm& problem, const AdaptiveStep& rule, bool extragradient,
                            double& rho, FrictionWorkspace& w) {
  const double ratio = predict(problem, rule, rho, w);
  if (ratio < 0) return false;
  if (extragradient)
    correct_point(problem, rho, w.trial.F, w.point);
  else
    std::swap(w.point, w.trial);
  grow_step(rule, ratio, rho);
  return true;
}

}  // namespace saltus
