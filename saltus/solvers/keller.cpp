#include "saltus/solvers/keller.hpp"

#include "saltus/solvers/driven_tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

bool symmetric(const DenseLcp& lcp, double largest) {
  for (Index i = 0; i < lcp.n; ++i)
    for (Index j = 0; j < i; ++j)
      if (!(std::abs(lcp.M[i * lcp.n + j] - lcp.M[j * lcp.n + i]) <= 1e-12 * largest)) return false;
  return true;
}

/// What stops the growth of z_r: its slope w_r gets to 0, or a basic z_s does; −1: nothing.
Index blocking(const DrivenTableau& t, double zero, double& step) {
  Index row = -1;
  step = inf;
  if (-t.at(t.r, t.r) > zero) {
    row = t.r;
    step = std::max(0.0, -t.value(t.r) / -t.at(t.r, t.r));
  }
  for (Index i = 0; i < t.n; ++i) {
    if (i == t.r || !t.state[i] || !(t.at(i, t.r) > zero)) continue;
    const double ratio = std::max(0.0, t.value(i)) / t.at(i, t.r);
    if (ratio >= step) continue;
    row = i;
    step = ratio;
  }
  return row;
}

/// The most negative slope w_r of a nonbasic z_r.
bool steepest(DrivenTableau& t, double zero) {
  t.theta = 0;
  double least = -zero;
  bool found = false;
  for (Index i = 0; i < t.n; ++i)
    if (!t.state[i] && t.at(i, t.n) < least) {
      least = t.at(i, t.n);
      t.r = i;
      found = true;
    }
  return found;
}

Outcome keller(const DenseLcp& lcp, double* z, const Keller& options, Workspace& work) {
  DrivenTableau t = make_driven_tableau(lcp, work);
  std::fill(z, z + t.n, 0.0);
  if (!symmetric(lcp, t.largest)) return {SolveStatus::nonconvex, 0};
  double size = 0;
  for (Index i = 0; i < t.n; ++i) size = std::max(size, std::abs(lcp.q[i]));
  const double zero = 1e-12 * std::min(1.0, t.largest);
  const Index limit = pivot_limit(options.max_iterations, t.n);
  Outcome outcome{SolveStatus::converged, 0};
  while (outcome.status == SolveStatus::converged && steepest(t, 1e-13 * size)) {
    for (bool raising = true; raising;) {
      double step = 0;
      const Index s = blocking(t, zero, step);
      raising = false;
      if (s < 0) {
        outcome.status = SolveStatus::stalled;
        t.read_ray(work.certificate);
      } else if (outcome.iterations >= limit) {
        outcome.status = SolveStatus::max_iterations;
      } else if (!(std::abs(t.at(s, s)) > 1e-13 * (t.state[s] ? 1 / t.largest : t.largest))) {
        outcome.status = SolveStatus::numerical_error;
      } else {
        ++outcome.iterations;
        t.theta += step;
        raising = s != t.r;
        t.exchange(s);
      }
    }
  }
  read_principal_tableau(lcp, t.T, z, work);
  return outcome;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const Keller& options, Workspace& work) {
  return solve_by_tableau(problem, z, options, work,
                          [&](const DenseLcp& lcp, double* solution, Workspace& w) {
                            return keller(lcp, solution, options, w);
                          });
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Keller& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Keller& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Keller& options, Workspace& work) {
  return solve_any(problem, r, options, work);
}

}  // namespace saltus
