#include "saltus/solvers/nlp_interior_point.hpp"

#include "saltus/solvers/ncp_interior_point.hpp"
#include "saltus/solvers/nlp_threshold.hpp"

namespace saltus {

SolveReport solve(const Nlp& problem, NlpPoint& point, const NlpInteriorPoint& options,
                  Workspace& work) {
  const Stopwatch clock;
  prepare(problem, point, options);
  const double limit = threshold(options.tolerance, problem);
  const Index n = problem.n, p = problem.p, m = problem.m;
  const Mcp kkt = to_mcp(problem);
  Vector x(n + p + m);
  x << point.z, point.mu, point.lambda;
  // the residuals are the same, their scales are not
  const NcpInteriorPoint inner{.tolerance = limit / threshold(1.0, kkt),
                               .max_iterations = options.max_iterations,
                               .sigma = options.sigma};
  const SolveReport report = solve(kkt, x, inner, work);
  point = {x.head(n), x.tail(m), x.segment(n, p)};
  return judge({report.status, report.iterations}, residual(problem, point), limit, clock);
}

}  // namespace saltus
