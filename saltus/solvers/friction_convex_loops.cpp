#include "saltus/solvers/friction_convex_loops.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr int patience = 10;  // outer iterations without progress

SolveReport solve_inner(const BlockForm& sub, VectorRef r, const ConvexInner& inner,
                        double tolerance, Workspace& work) {
  return std::visit(
      [&](auto options) {
        options.tolerance =
            std::max(1e-15, tolerance / std::max(1.0, sub.q.lpNorm<Eigen::Infinity>()));
        return solve(sub, r, options, work);
      },
      inner);
}

/// update(r, sub) writes the sets and the constant term of the next convex problem.
template <class Options, class Update>
SolveReport convex_loop(const BlockForm& problem, VectorRef r, const Options& options,
                        Workspace& work, int max_iterations, Update&& update) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Options::name);
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  BlockForm& sub = work.friction.sub;
  sub.K.clear();
  for (const BlockSet& K : problem.K) sub.K.push_back(without_shift(K, Options::name));
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  error = residual(problem, r);
  sub.W = problem.W;
  sub.q = problem.q;
  OuterProgress progress(patience);
  while (error > limit && outcome.iterations < max_iterations) {
    if (!progress.goes_on(error)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    ++outcome.iterations;
    update(r, sub);
    work.friction.outer_old = r;
    static_cast<void>(solve_inner(sub, r, options.inner, error / 10, work));
    if (runaway(r, limit)) {
      r = work.friction.outer_old;
      outcome.status = SolveStatus::stalled;
      break;
    }
    error = residual(problem, r);
    if (!std::isfinite(error)) break;
  }
  return judge(outcome, error, limit, clock);
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const TrescaFixedPoint& options,
                  Workspace& work) {
  const auto update = [&](VectorRef last, BlockForm& sub) {
    for (std::size_t b = 0; b < sub.K.size(); ++b)
      if (const auto* cone = std::get_if<FrictionCone>(&problem.K[b]))
        sub.K[b] = FrictionCylinder{
            cone->mu * std::max(0.0, last[problem.W.row_offset(static_cast<Index>(b))])};
  };
  return convex_loop(problem, r, options, work, options.max_iterations, update);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const Aclm& options, Workspace& work) {
  const auto update = [&](VectorRef last, BlockForm& sub) {
    Vector& u = work.friction.outer_u;
    u.resize(last.size());
    problem.W.multiply(last, u);
    u += problem.q;
    add_shift(problem, u, sub.q);  // q + s = q + (u + g(u)) − u
    sub.q += problem.q - u;
  };
  return convex_loop(problem, r, options, work, options.max_iterations, update);
}

SolveReport solve(const BlockForm& problem, VectorRef r, const SoclcpRelaxation& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, SoclcpRelaxation::name);
  const double limit = threshold(options.tolerance, problem.q);
  BlockForm& sub = work.friction.sub;
  sub.K.clear();
  for (const BlockSet& K : problem.K) sub.K.push_back(without_shift(K, SoclcpRelaxation::name));
  sub.W = problem.W;
  sub.q = problem.q;
  const SolveReport inner = solve_inner(sub, r, options.inner, limit, work);
  return judge({inner.status, inner.iterations}, residual(problem, r), limit, clock);
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const TrescaFixedPoint& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}
SolveReport solve(const FrictionContact& problem, VectorRef r, const Aclm& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}
SolveReport solve(const FrictionContact& problem, VectorRef r, const SoclcpRelaxation& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
