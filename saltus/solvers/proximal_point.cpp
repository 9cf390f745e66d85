#include "saltus/solvers/proximal_point.hpp"

#include "saltus/solvers/ncp_newton.hpp"
#include "saltus/solvers/regularise.hpp"
#include "saltus/solvers/vi_newton.hpp"

#include <cmath>

namespace saltus {

namespace {

template <class Inner, class Problem>
SolveReport iterate(const Problem& problem, VectorRef z, const ProximalPoint& options,
                    Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, problem);
  Outcome outcome{SolveStatus::max_iterations, 0};
  double rho = options.rho, error = residual(problem, z);
  const double least = 1e-6 * options.rho, largest = 1e8 * options.rho;
  Vector next(problem.n);
  while (error > limit && error < inf && outcome.iterations < options.max_iterations) {
    const Problem inner = regularise(problem, Vector(z), rho);
    ++outcome.iterations;
    next = z;
    // `tolerance` of the inner solve is relative to its own scale
    const double target = std::max(0.1 * error, 0.5 * limit) / threshold(1.0, inner);
    const SolveReport report = solve(inner, next, Inner{.tolerance = target}, work);
    if (report.converged()) {
      z = next;
      error = residual(problem, z);
      rho = std::max(least, rho / 10);
    } else if (rho >= largest) {
      outcome.status = SolveStatus::stalled;
      break;
    } else {
      rho *= 10;
    }
  }
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const ProximalPoint& options, Workspace& work) {
  return iterate<NcpNewton>(problem, z, options, work);
}

SolveReport solve(const Vi& problem, VectorRef z, const ProximalPoint& options, Workspace& work) {
  return iterate<NaturalMapNewton>(problem, z, options, work);
}

}  // namespace saltus
