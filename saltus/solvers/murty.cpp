#include "saltus/solvers/murty.hpp"

#include "saltus/solvers/tableau.hpp"

namespace saltus {

namespace {

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const Murty& options, Workspace& work) {
  return solve_by_tableau(problem, z, options, work,
                          [&](const DenseLcp& lcp, double* solution, Workspace& w) {
                            return pivot_on_diagonal(lcp, solution, PivotRule::least_index,
                                                     pivot_limit(options.max_iterations, lcp.n), w);
                          });
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Murty& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Murty& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Murty& options, Workspace& work) {
  return solve_any(problem, r, options, work);
}

}  // namespace saltus
