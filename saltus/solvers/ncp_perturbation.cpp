#include "saltus/solvers/ncp_perturbation.hpp"

#include "saltus/solvers/ncp_ne_sqp.hpp"
#include "saltus/solvers/ncp_newton.hpp"
#include "saltus/solvers/regularise.hpp"

namespace saltus {

namespace {

/// A point and its residual.
struct Candidate {
  Vector z;
  double error = inf;
};

/// Proximal steps from `start` until the residual is below half of its own there; the last point.
/// Counts them in `used`, at most `budget`.
template <class Inner>
Candidate perturb(const Mcp& problem, const Candidate& start, double rho, double limit, int budget,
                  int& used, Workspace& work) {
  Candidate now = start;
  const double largest = 1e8 * rho;
  while (now.error > std::max(limit, start.error / 2) && used < budget && rho <= largest) {
    const Mcp perturbed = regularise(problem, now.z, rho);
    Vector next = now.z;
    // `tolerance` is relative to the scale of the perturbed problem
    const double target = std::max(0.1 * now.error, 0.5 * limit) / threshold(1.0, perturbed);
    ++used;
    if (solve(perturbed, next, Inner{.tolerance = target}, work).converged())
      now = {next, residual(problem, next)};
    else
      rho *= 10;
  }
  return now;
}

template <class Inner, class Options>
SolveReport alternate(const Mcp& problem, VectorRef z, const Options& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  Candidate best{z, residual(problem, z)}, now = best;
  while (best.error > limit && best.error < inf && outcome.iterations < options.max_iterations) {
    ++outcome.iterations;
    const Inner plain{.tolerance = options.tolerance};
    const SolveReport report = solve(problem, now.z, plain, work);
    now.error = report.residual;
    if (now.error <= best.error) best = now;
    if (report.converged()) break;
    const Candidate stuck = now;
    now = perturb<Inner>(problem, stuck, options.rho, limit, options.max_iterations,
                         outcome.iterations, work);
    if (now.error < best.error) best = now;
    if (now.error > stuck.error / 2 && outcome.iterations < options.max_iterations) {
      outcome.status = SolveStatus::stalled;
      break;
    }
  }
  z = best.z;
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NcpQpcomp& options, Workspace& work) {
  return alternate<NcpNeSqp>(problem, z, options, work);
}

SolveReport solve(const Mcp& problem, VectorRef z, const NcpSemicomp& options, Workspace& work) {
  return alternate<NcpNewton>(problem, z, options, work);
}

}  // namespace saltus
