#include "saltus/solvers/lemke.hpp"

#include "saltus/solvers/revised_lemke.hpp"
#include "saltus/solvers/tableau.hpp"

#include <cmath>

namespace saltus {

namespace {

constexpr Index tableau_size = 64;  // unknowns up to which nobody asks for sparse factors

/// Condensed tableau: n rows of n + 2 entries, columns 0…n hold the nonbasic variables, column n+1
/// the right-hand side. Variables: w_i = i, z_i = n + i, z₀ = 2n.
struct Tableau {
  Index n, stride, rhs;
  double* T;
  Index* basis;     // variable of row i
  Index* nonbasis;  // variable of column j
  Index* position;  // of a variable: row i as i, column j as n + j
  double smallest;  // entries below are rounding

  [[nodiscard]] double at(Index i, Index j) const { return T[i * stride + j]; }
  /// Entry of row i in the column of variable v, basic or not.
  [[nodiscard]] double entry(Index i, Index v) const {
    const Index p = position[v];
    return p < n ? (p == i ? 1.0 : 0.0) : T[i * stride + p - n];
  }
  void exchange(Index r, Index s) {
    pivot(T, n, stride, r, s);
    std::swap(basis[r], nonbasis[s]);
    position[basis[r]] = r;
    position[nonbasis[s]] = n + s;
  }
};

Tableau make_tableau(const DenseLcp& lcp, Workspace& work) {
  const Index n = lcp.n, stride = n + 2;
  double* T = work.tableau.get(n * stride);
  work.basis.resize(static_cast<std::size_t>(n));
  work.nonbasis.resize(static_cast<std::size_t>(n + 1));
  work.position.resize(static_cast<std::size_t>(2 * n + 1));
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      T[i * stride + j] = -lcp.M[i * n + j];
      largest = std::max(largest, std::abs(lcp.M[i * n + j]));
    }
    T[i * stride + n] = -1;
    T[i * stride + n + 1] = lcp.q[i];
    work.basis[i] = i;
    work.position[i] = i;
    work.nonbasis[i] = n + i;
    work.position[n + i] = n + i;
  }
  work.nonbasis[n] = 2 * n;
  work.position[2 * n] = 2 * n;
  return {n,
          stride,
          n + 1,
          T,
          work.basis.data(),
          work.nonbasis.data(),
          work.position.data(),
          1e-14 * std::min(1.0, largest)};
}

/// Sign of row i of [q | I] over scale_i minus row k over scale_k, lexicographically over w_0, w_1
/// …
bool lexicographically_less(const Tableau& t, Index i, double scale_i, Index k, double scale_k) {
  for (Index v = 0; v < t.n; ++v) {
    const double gap = t.entry(i, v) / scale_i - t.entry(k, v) / scale_k;
    if (gap != 0) return gap < 0;
  }
  return false;
}

/// Row that blocks column s: least ratio b_i / T_is over T_is > 0, ties to z₀, then lexicographic;
/// −1: ray.
Index blocking_row(const Tableau& t, Index s) {
  double largest = 0, least = inf;
  for (Index i = 0; i < t.n; ++i) largest = std::max(largest, std::abs(t.at(i, s)));
  const double zero = std::max(1e-12 * largest, t.smallest);
  const auto ratio = [&](Index i) { return std::max(0.0, t.at(i, t.rhs)) / t.at(i, s); };
  for (Index i = 0; i < t.n; ++i)
    if (t.at(i, s) > zero) least = std::min(least, ratio(i));
  if (least == inf) return -1;
  const double tie = least * (1 + 1e-12);  // rounding of the ratios
  Index row = -1;
  for (Index i = 0; i < t.n; ++i) {
    if (!(t.at(i, s) > zero) || ratio(i) > tie) continue;
    if (t.basis[i] == 2 * t.n) return i;
    if (row < 0 || lexicographically_less(t, i, t.at(i, s), row, t.at(row, s))) row = i;
  }
  return row;
}

void read_solution(const Tableau& t, double* z, Workspace& work) {
  work.active.clear();
  for (Index i = 0; i < t.n; ++i) {
    const Index p = t.position[t.n + i];
    z[i] = p < t.n ? std::max(0.0, t.at(p, t.rhs)) : 0.0;
    if (p < t.n) work.active.push_back(i);
  }
}

/// Direction of z when the variable of column s grows.
void read_ray(const Tableau& t, Index s, Vector& ray) {
  ray.setZero(t.n);
  for (Index i = 0; i < t.n; ++i)
    if (t.position[t.n + i] < t.n) ray[i] = -t.at(t.position[t.n + i], s);
  const Index entering = t.nonbasis[s] - t.n;
  if (entering >= 0 && entering < t.n) ray[entering] = 1;
}

Outcome lemke(const DenseLcp& lcp, double* z, const Lemke& options, Workspace& work) {
  const Index n = lcp.n;
  Tableau t = make_tableau(lcp, work);
  Index row = 0;  // most negative q; the last one of equals is the lexicographic choice
  for (Index i = 1; i < n; ++i)
    if (lcp.q[i] <= lcp.q[row]) row = i;
  Outcome outcome{SolveStatus::converged, 0};
  std::fill(z, z + n, 0.0);
  if (n == 0 || !(lcp.q[row] < 0)) return outcome;
  const Index limit = pivot_limit(options.max_iterations, n);
  Index column = n;
  for (;;) {
    if (outcome.iterations >= limit) {
      outcome.status = SolveStatus::max_iterations;
      break;
    }
    const Index leaving = t.basis[row];
    t.exchange(row, column);
    ++outcome.iterations;
    if (leaving == 2 * n) break;
    column = t.position[leaving < n ? leaving + n : leaving - n] - n;
    row = blocking_row(t, column);
    if (row < 0) {
      outcome.status = SolveStatus::stalled;
      read_ray(t, column, work.certificate);
      break;
    }
  }
  read_solution(t, z, work);
  if (outcome.status == SolveStatus::converged) resolve_basis(lcp, z, work);
  return outcome;
}

template <class Problem>
SolveReport solve_any(const Problem& problem, VectorRef z, const Lemke& options, Workspace& work) {
  const auto by_tableau = [&] {
    return solve_by_tableau(problem, z, options, work,
                            [&](const DenseLcp& lcp, double* solution, Workspace& w) {
                              return lemke(lcp, solution, options, w);
                            });
  };
  if (z.size() <= tableau_size) return by_tableau();
  const Stopwatch clock;
  const BoxView box = as_box(problem, z, Lemke::name, work);
  if (!prefers_revised_lemke(box)) return by_tableau();
  require_valid(options);
  const Index limit = pivot_limit(options.max_iterations, box.size());
  const Outcome outcome = revised_lemke(box, z, limit, work);
  return judge_pivoting(problem, box, z, outcome, options.tolerance, clock, work);
}

}  // namespace

SolveReport solve(LcpView problem, VectorRef z, const Lemke& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const Mlcp& problem, VectorRef z, const Lemke& options, Workspace& work) {
  return solve_any(problem, z, options, work);
}
SolveReport solve(const BlockForm& problem, VectorRef r, const Lemke& options, Workspace& work) {
  return solve_any(problem, r, options, work);
}

}  // namespace saltus
