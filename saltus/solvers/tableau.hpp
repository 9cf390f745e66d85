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
  double* __restrict row = T + r * stride;
  const double inverse = 1 / row[s];
  for (Index j = 0; j < stride; ++j) row[j] *= inverse;
  row[s] = inverse;
  for (Index i = 0; i < rows; ++i) {
    double* __restrict other = T + i * stride;
    const double factor = other[s];
    if (i == r || factor == 0) continue;
    for (Index j = 0; j < stride; ++j) other[j] -= factor * row[j];
    other[s] = -factor * inverse;
  }
}

/// M_αα z_α = −q_α, z = 0 elsewhere, α = work.active, by a fresh LU factorisation (S:LCP-25). Keeps
/// z if it is exact to a few roundings of q, if M_αα is singular, or if the new z violates
/// 0 ≤ z ⟂ w ≥ 0 more than the old one.
void resolve_basis(const DenseLcp& lcp, double* z, Workspace& work);

/// Warm start (S:GEN-01): if the basis α = {i : guess_i > 0} is complementary and feasible up to
/// rounding, writes its solution and returns true.
[[nodiscard]] bool solve_guessed_basis(const DenseLcp& lcp, ConstVectorRef guess, double* z,
                                       Workspace& work);

/// The principal tableau x_B = T[n] − T[0…n−1] x_N: n rows of n + 1 entries, the variable of row i
/// and that of column i being z_i and w_i or w_i and z_i. Starts with w basic; returns max |M|.
double fill_principal_tableau(const DenseLcp& lcp, double* T);
/// z from a principal tableau, z_i basic where work.state[i] ≠ 0, solved again by a fresh LU.
void read_principal_tableau(const DenseLcp& lcp, const double* T, double* z, Workspace& work);

/// Which row with q_i < 0 is exchanged next: the first one (Murty) or the most negative one (Bard).
enum class PivotRule { least_index, most_negative };
/// Diagonal pivots (S:LCP-24) until q ≥ 0, the loop of Murty and Bard.
[[nodiscard]] Outcome pivot_on_diagonal(const DenseLcp& lcp, double* z, PivotRule rule, Index limit,
                                        Workspace& work);

/// Report of a tableau method: the residual decides on `converged`; `infeasible` needs a proof,
/// which is then in work.certificate (S:LCP-26).
template <class Problem>
SolveReport judge_pivoting(const Problem& problem, const BoxView& box, VectorRef z, Outcome outcome,
                           double tolerance, const Stopwatch& clock, Workspace& work) {
  SolveReport report = judge(outcome, residual(problem, z), threshold(tolerance, box.q), clock);
  if (report.converged()) {
    work.certificate.resize(0);
  } else if (certified_infeasible(box, work)) {
    report.status = SolveStatus::infeasible;
    report.seconds = clock.seconds();
  }
  return report;
}

/// Shared frame of the tableau methods: problem → dense LCP → `core(lcp, solution, work)` → z →
/// report. A guess z whose basis already solves an LCP costs no pivot. A core that ends on a ray
/// leaves its direction, lcp.n numbers, in work.certificate.
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
    if (work.certificate.size() > 0) direction_from_dense_lcp(box, work);
  }
  return judge_pivoting(problem, box, z, outcome, options.tolerance, clock, work);
}

}  // namespace saltus
