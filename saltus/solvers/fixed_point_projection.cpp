#include "saltus/solvers/fixed_point_projection.hpp"

#include "saltus/base/overloaded.hpp"
#include "saltus/solvers/projection_loop.hpp"

namespace saltus {

namespace {

bool fixed_step(const BlockForm& problem, double rho, bool extragradient, FrictionWorkspace& w) {
  if (!extragradient) {
    w.trial.F = w.point.F;
    correct_point(problem, rho, w.trial.F, w.point);
    return true;
  }
  w.trial.z = w.point.z;
  correct_point(problem, rho, w.point.F, w.trial);
  correct_point(problem, rho, w.trial.F, w.point);
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
                   return iterate_projections(problem, r, options, work, [&](FrictionWorkspace& w) {
                     return fixed_step(problem, rule.rho, options.extragradient, w);
                   });
                 },
                 [&](const AdaptiveStep& rule) {
                   double rho = rule.rho;
                   return iterate_projections(problem, r, options, work, [&](FrictionWorkspace& w) {
                     return move_adaptively(problem, rule, options.extragradient, rho, w);
                   });
                 }},
      options.step);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const HyperplaneProjection& options,
                  Workspace& work) {
  return iterate_projections(problem, r, options, work, [&](FrictionWorkspace& w) {
    w.next.z = w.point.z - options.tau * w.point.F;
    project_blocks(problem, w.next.z);
    w.next.F = w.point.z - w.next.z;
    const double part = separating_part(problem, options, w);
    const double square = w.trial.F.squaredNorm();
    if (part == 0 || !(square > 0)) return false;
    correct_point(problem, part * w.trial.F.dot(w.next.F) / square, w.trial.F, w.point);
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
