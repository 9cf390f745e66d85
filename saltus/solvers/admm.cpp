#include "saltus/solvers/admm.hpp"

#include "saltus/solvers/box_iteration.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr int balance_period = 10;

double mean_diagonal(const BlockSparse& W) {
  double sum = 0;
  visit_diagonal(W, [&](Index, double d) { sum += std::abs(d); });
  return sum > 0 ? sum / static_cast<double>(W.rows()) : 1;
}

/// The vectors of the method, in the workspace: z and y, x and the last z.
struct Iterate {
  Vector &z, &y, &x, &old, &shifted;
};

/// x = (W + ρ I)⁻¹ (ρ (z − y) − q − s)
void solve_for_x(const BlockForm& problem, double rho, Iterate& i, ShiftedFactor& factor) {
  i.x = -rho * i.y;
  add_shift(problem, i.x, i.shifted);  // s = shifted − x
  i.x += rho * (i.z - i.y) - problem.q - i.shifted;
  factor.solve(i.x);
}

void update(const BlockForm& problem, double alpha, Iterate& i) {
  i.old = i.z;
  i.y += alpha * i.x + (1 - alpha) * i.z;
  i.z = i.y;
  project_blocks(problem, i.z);
  i.y -= i.z;
}

/// ρ of the next iterations; y is scaled with it.
double balanced(double rho, Iterate& i) {
  const double primal = (i.x - i.z).norm(), dual = (i.z - i.old).norm();
  double factor = 1;
  if (primal > 10 * dual && rho < 1e12) factor = 2;
  if (dual > 10 * primal && rho > 1e-12) factor = 0.5;
  i.y /= factor;
  return rho * factor;
}

}  // namespace

SolveReport solve(const BlockForm& problem, VectorRef r, const Admm& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(options);
  require_fitting(problem, r, Admm::name);
  const double limit = threshold(options.tolerance, problem.q);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double error = residual(problem, r);
  if (error <= limit || !problem.q.allFinite() || !problem.W.all_finite())
    return judge(outcome, error, limit, clock);
  project_guess(problem, r);
  FrictionWorkspace& w = work.friction;
  w.point.resize(r.size());
  w.trial.resize(r.size());
  Iterate i{w.point.z, w.point.F, w.trial.z, w.trial.u, w.trial.F};
  double rho = options.rho > 0 ? options.rho : mean_diagonal(problem.W), factorised = 0;
  int factorisations = 0;
  i.z = r;
  evaluate(problem, w.point);  // point.F = u + g(u)
  i.y /= -rho;
  ShiftedFactor& factor = work.interior.factor;
  factor.load(problem.W);
  Vector& shift = work.interior.shift;
  while (error > limit && outcome.iterations < options.max_iterations) {
    if (rho != factorised) {
      shift.setConstant(r.size(), rho);
      ++factorisations;
      if (!factor.factorise(shift)) {
        outcome.status = SolveStatus::numerical_error;
        break;
      }
      factorised = rho;
    }
    ++outcome.iterations;
    solve_for_x(problem, rho, i, factor);
    update(problem, options.over_relaxation, i);
    if (outcome.iterations % 5 == 0 || outcome.iterations <= 10 ||
        outcome.iterations == options.max_iterations) {
      error = residual(problem, i.z);
      if (error == inf) break;
      r = i.z;
    }
    if (options.balance && outcome.iterations % balance_period == 0) rho = balanced(rho, i);
  }
  SolveReport report = judge(outcome, residual(problem, r), limit, clock);
  report.factorisations = factorisations;
  return report;
}

SolveReport solve(const FrictionContact& problem, VectorRef r, const Admm& options,
                  Workspace& work) {
  to_block_form(problem, work.form);
  return solve(work.form, r, options, work);
}

}  // namespace saltus
