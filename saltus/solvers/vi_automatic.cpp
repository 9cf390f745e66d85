#include "saltus/solvers/vi_automatic.hpp"

#include "saltus/solvers/ncp_newton.hpp"
#include "saltus/solvers/newton_josephy.hpp"
#include "saltus/solvers/path_search.hpp"
#include "saltus/solvers/projection_methods.hpp"
#include "saltus/solvers/proximal_point.hpp"
#include "saltus/solvers/smoothing.hpp"
#include "saltus/solvers/vi_newton.hpp"

namespace saltus {

namespace {

constexpr Index tableau_limit = 1000;

/// Attempts from the same guess; keeps the best point.
template <class Problem>
struct Cascade {
  const Problem& problem;
  Vector guess, best;
  Workspace& work;
  SolveReport total = {};

  /// True if the method converges.
  template <class Options>
  bool attempt(const Options& options) {
    Vector z = guess;
    const SolveReport report = solve(problem, z, options, work);
    total.iterations += report.iterations;
    total.status = report.status;
    if (report.residual <= total.residual) {
      total.residual = report.residual;
      best = z;
    }
    return report.converged();
  }
};

}  // namespace

SolveReport solve(const Mcp& problem, VectorRef z, const NcpAutomatic& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double tolerance = options.tolerance;
  Cascade<Mcp> cascade{problem, z, z, work};
  static_cast<void>(
      cascade.attempt(NcpNewton{.tolerance = tolerance}) ||
      cascade.attempt(PathSearch{.tolerance = tolerance}) ||
      cascade.attempt(Smoothing{.tolerance = tolerance}) ||
      (problem.n <= tableau_limit && cascade.attempt(NewtonJosephy{.tolerance = tolerance})) ||
      cascade.attempt(ProximalPoint{.tolerance = tolerance}));
  z = cascade.best;
  cascade.total.seconds = clock.seconds();
  return cascade.total;
}

SolveReport solve(const Vi& problem, VectorRef z, const ViAutomatic& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double tolerance = options.tolerance;
  Vector lower(problem.n), upper(problem.n);
  if (box_bounds(problem.X, lower, upper)) {
    // the residual of the box problem is measured in the maximum norm, that of the VI in the
    // Euclidean one
    const double root = std::sqrt(static_cast<double>(std::max<Index>(problem.n, 1)));
    const SolveReport report =
        solve(to_mcp(problem), z, NcpAutomatic{.tolerance = tolerance / root}, work);
    return judge({report.status, report.iterations}, residual(problem, z),
                 threshold(tolerance, problem), clock);
  }
  Cascade<Vi> cascade{problem, z, z, work};
  static_cast<void>(cascade.attempt(NormalMapNewton{.tolerance = tolerance}) ||
                    cascade.attempt(NaturalMapNewton{.tolerance = tolerance}) ||
                    cascade.attempt(ProximalPoint{.tolerance = tolerance}) ||
                    cascade.attempt(ViExtragradient{.tolerance = tolerance}));
  z = cascade.best;
  cascade.total.seconds = clock.seconds();
  return cascade.total;
}

SolveReport solve(const Qvi& problem, VectorRef z, const QviSuccessive& options, Workspace& work) {
  const Stopwatch clock;
  require_valid(problem, z, options);
  const double limit = threshold(options.tolerance, freeze(problem, Vector::Zero(problem.n)));
  Outcome outcome{SolveStatus::max_iterations, 0};
  Vector next(problem.n);
  double error = residual(problem, z);
  while (error > limit && error < inf && outcome.iterations < options.max_iterations) {
    const Vi frozen = freeze(problem, z);
    ++outcome.iterations;
    next = z;
    const double target = std::max(0.1 * error, 0.5 * limit) / threshold(1.0, frozen);
    const SolveReport report = solve(frozen, next, ViAutomatic{.tolerance = target}, work);
    if (!report.converged()) {
      outcome.status = report.status;
      break;
    }
    z += options.omega * (next - z);
    error = residual(problem, z);
  }
  return judge(outcome, residual(problem, z), limit, clock);
}

}  // namespace saltus
