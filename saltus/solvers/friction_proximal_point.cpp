#include "saltus/solvers/friction_proximal_point.hpp"

#include "saltus/base/overloaded.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr int patience = 15;  // outer iterations without progress
constexpr double least_alpha = 1e-12, largest_alpha = 1e12;

/// Adds `change` to the diagonal.
void shift_diagonal(BlockSparse& W, double change) {
  for (Index b = 0; b < W.block_rows(); ++b) W.block(b, W.diagonal(b)).diagonal().array() += change;
}

/// The inner algorithm at a tenth of the residual.
SolveReport solve_inner(const BlockForm& sub, VectorRef r, const ProximalInner& inner, double error,
                        Workspace& work) {
  return std::visit(
      [&](auto options) {
        options.tolerance =
            std::max(1e-15, error / 10 / std::max(1.0, sub.q.lpNorm<Eigen::Infinity>()));
        return solve(sub, r, options, work);
      },
      inner);
}

double next_alpha(const AlphaRule& rule, double alpha, bool success, double error) {
  const double next = std::visit(
      Overloaded{[&](const SuccessDriven& s) { return success ? alpha / s.down : alpha * s.up; },
                 [&](const ErrorDriven& e) { return e.sigma * std::pow(error, e.nu); }},
      rule);
  return std::min(std::max(next, least_alpha), largest_alpha);
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const FrictionProximalPoint& options,
                  Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, FrictionProximalPoint::name);
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  error = residual(problem, r);
  FrictionWorkspace& w = work.friction;
  copy_with_diagonal(problem.W, w.sub.W);
  w.sub.K = problem.K;
  double alpha = options.alpha, added = 0;
  if (const auto* rule = std::get_if<ErrorDriven>(&options.rule))
    alpha = next_alpha(*rule, alpha, true, error);
  OuterProgress progress(patience);
  int factorisations = 0;
  while (error > limit && outcome.iterations < options.max_iterations) {
    if (!progress.goes_on(error)) {
      outcome.status = SolveStatus::stalled;
      break;
    }
    ++outcome.iterations;
    shift_diagonal(w.sub.W, alpha - added);
    added = alpha;
    w.sub.q = problem.q - alpha * r;
    w.outer = r;
    const SolveReport inner = solve_inner(w.sub, w.outer, options.inner, error, work);
    factorisations += inner.factorisations;
    w.outer_old = r;
    if (w.outer.allFinite()) r += options.omega * (w.outer - r);
    const double now = residual(problem, r);
    const bool success = inner.converged();
    if (!success && !(now < error))
      r = w.outer_old;
    else
      error = now;
    if (!std::isfinite(error)) break;
    alpha = next_alpha(options.rule, alpha, success, error);
  }
  SolveReport report = judge(outcome, residual(problem, r), limit, clock);
  report.factorisations = factorisations;
  return report;
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const FrictionProximalPoint& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
