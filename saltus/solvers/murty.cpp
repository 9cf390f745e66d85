#include "saltus/solvers/murty.hpp"

#include "saltus/solvers/tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

Outcome murty(const DenseLcp& lcp, double* z, const Murty& options, Workspace& work) {
  const Index n = lcp.n, stride = n + 1;
  double* T = work.tableau.get(n * stride);  // x_B = T[n] − T[0…n−1] x_N, variable i in row i
  double size = 0, largest = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) T[i * stride + j] = -lcp.M[i * n + j];
    T[i * stride + n] = lcp.q[i];
    size = std::max(size, std::abs(lcp.q[i]));
    for (Index j = 0; j < n; ++j) largest = std::max(largest, std::abs(lcp.M[i * n + j]));
  }
  work.state.assign(static_cast<std::size_t>(n), 0);
  const double zero = 1e-13 * size;  // a few hundred roundings of q
  const Index limit = pivot_limit(options.max_iterations, n);
  Outcome outcome{SolveStatus::converged, 0};
  for (;;) {
    Index r = 0;
    while (r < n && !(T[r * stride + n] < -zero)) ++r;
    if (r == n) break;
    if (outcome.iterations >= limit) {
      outcome.status = SolveStatus::max_iterations;
      break;
    }
    if (!(std::abs(T[r * stride + r]) > 1e-13 * (work.state[r] ? 1 / largest : largest))) {
      outcome.status = SolveStatus::numerical_error;
      break;
    }
    pivot(T, n, stride, r, r);
    work.state[r] ^= 1;
    ++outcome.iterations;
  }
  work.active.clear();
  for (Index i = 0; i < n; ++i) {
    z[i] = work.state[i] ? std::max(0.0, T[i * stride + n]) : 0.0;
    if (work.state[i]) work.active.push_back(i);
  }
  resolve_basis(lcp, z, work);
  return outcome;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const Murty& options, Workspace& work) {
  return solve_by_tableau(problem, z, options, work,
                          [&](const DenseLcp& lcp, double* solution, Workspace& w) {
                            return murty(lcp, solution, options, w);
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
