#pragma once

#include "saltus/solvers/box.hpp"
#include "saltus/solvers/outcome.hpp"

namespace saltus {

/// Pivot limit of the tableau methods: `max_iterations`, or 100 (n + 10) if that is 0.
[[nodiscard]] inline Index pivot_limit(int max_iterations, Index n) {
  return max_iterations > 0 ? max_iterations : 100 * (n + 10);
}

/// Pivot on entry (r, s) of a condensed tableau with `rows` rows of `stride` entries: basic
/// variables x_B = b − T x_N, the right-hand side being one of the columns. Exchanges the variables
/// of row r and column s.
inline void pivot(double* T, Index rows, Index stride, Index r, Index s) {
  double* row = T + r * stride;
  const double inverse = 1 / row[s];
  for (Index j = 0; j < stride; ++j) row[j] *= inverse;
  row[s] = inverse;
  for (Index i = 0; i < rows; ++i) {
    double* other = T + i * stride;
    const double factor = other[s];
    if (i == r || factor == 0) continue;
    for (Index j = 0; j < stride; ++j) other[j] -= factor * row[j];
    other[s] = -factor * inverse;
  }
}

/// M_αα z_α = −q_α, z = 0 elsewhere, α = work.active, by a fresh LU factorisation (S:LCP-25). Keeps
/// z if M_αα is singular or the new z violates 0 ≤ z ⟂ w ≥ 0 more than the old one.
void resolve_basis(const DenseLcp& lcp, double* z, Workspace& work);

/// Warm start (S:GEN-01): if the basis α = {i : guess_i > 0} is complementary and feasible up to
/// rounding, writes its solution and returns true.
[[nodiscard]] bool solve_guessed_basis(const DenseLcp& lcp, ConstVectorRef guess, double* z,
                                       Workspace& work);

/// Shared frame of Lemke and Murty: problem → dense LCP → `core(lcp, solution, work)` → z → report.
/// A guess z whose basis already solves an LCP costs no pivot.
template <class Problem, class Options, class Core>
SolveReport solve_by_tableau(const Problem& problem, VectorRef z, const Options& options,
                             Workspace& work, Core&& core) {
  const Stopwatch clock;
  require_valid(options);
  const BoxView box = as_box(problem, z, Options::name, work);
  Outcome outcome{SolveStatus::numerical_error, 0};
  DenseLcp lcp;
  if (to_dense_lcp(box, work, lcp)) {
    double* solution = work.lcp_solution.get(lcp.n);
    if (box.complementarity() && solve_guessed_basis(lcp, z, solution, work))
      outcome = {SolveStatus::converged, 0};
    else
      outcome = core(lcp, solution, work);
    from_dense_lcp(box, solution, z, work);
  }
  const SolveReport report =
      judge(outcome, residual(problem, z), threshold(options.tolerance, box.q), clock);
  if (!report.converged() && infeasible_row(box))
    return {SolveStatus::infeasible, report.iterations, report.residual, report.seconds};
  return report;
}

}  // namespace saltus
