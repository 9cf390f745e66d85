#include "saltus/solvers/tableau.hpp"

#include "saltus/solvers/dense_lu.hpp"

#include <cmath>

namespace saltus {

namespace {

/// ‖min(z, M z + q)‖∞
double dense_residual(const DenseLcp& lcp, const double* z) {
  double worst = 0;
  for (Index i = 0; i < lcp.n; ++i) {
    double w = lcp.q[i];
    for (Index j = 0; j < lcp.n; ++j) w += lcp.M[i * lcp.n + j] * z[j];
    const double e = std::abs(std::min(z[i], w));
    if (!(e <= worst)) worst = e;
    if (!std::isfinite(worst)) return inf;
  }
  return worst;
}

/// Room to solve for α = work.active, now or in the next solve.
void reserve_active(const DenseLcp& lcp, Workspace& work) {
  const auto m = static_cast<Index>(work.active.size());
  static_cast<void>(work.lu.get(m * m));
  static_cast<void>(work.lu_rhs.get(m + lcp.n));
  work.lu_pivots.resize(static_cast<std::size_t>(std::max(m, lcp.n)));
}

/// M_αα x = −q_α for α = work.active by a fresh LU factorisation; the solution is left in the
/// returned buffer (followed by room for n numbers), null if M_αα is singular.
double* solve_active(const DenseLcp& lcp, Workspace& work) {
  const auto& active = work.active;
  const auto m = static_cast<Index>(active.size());
  reserve_active(lcp, work);
  double* lu = work.lu.get(m * m);
  double* x = work.lu_rhs.get(m + lcp.n);
  for (Index i = 0; i < m; ++i) {
    x[i] = -lcp.q[active[i]];
    for (Index j = 0; j < m; ++j) lu[i * m + j] = lcp.M[active[i] * lcp.n + active[j]];
  }
  if (!lu_factorise(m, lu, work.lu_pivots.data())) return nullptr;
  lu_solve(m, lu, work.lu_pivots.data(), x);
  return x;
}

}  // namespace

bool solve_guessed_basis(const DenseLcp& lcp, ConstVectorRef guess, double* z, Workspace& work) {
  auto& active = work.active;
  active.clear();
  for (Index i = 0; i < lcp.n; ++i)
    if (guess[i] > 0) active.push_back(i);
  if (active.empty()) return false;
  const double* x = solve_active(lcp, work);
  if (x == nullptr) return false;
  std::fill(z, z + lcp.n, 0.0);
  for (std::size_t i = 0; i < active.size(); ++i) {
    if (!(x[i] >= 0)) return false;
    z[active[i]] = x[i];
  }
  for (Index i = 0; i < lcp.n; ++i) {
    if (z[i] > 0) continue;
    double w = lcp.q[i], terms = std::abs(w);
    for (Index j : active) {
      const double term = lcp.M[i * lcp.n + j] * z[j];
      w += term;
      terms = std::max(terms, std::abs(term));
    }
    if (!(w >= -1e-14 * terms)) return false;  // rounding of the sum
  }
  return true;
}

void resolve_basis(const DenseLcp& lcp, double* z, Workspace& work) {
  double size = 0;
  for (Index i = 0; i < lcp.n; ++i) size = std::max(size, std::abs(lcp.q[i]));
  const double reached = dense_residual(lcp, z);
  reserve_active(lcp, work);
  if (reached <= 1e-15 * size) return;  // a few roundings: no factorisation does better
  const double* x = solve_active(lcp, work);
  if (x == nullptr) return;
  const auto m = static_cast<Index>(work.active.size());
  double* full = work.lu_rhs.get(m + lcp.n) + m;
  std::fill(full, full + lcp.n, 0.0);
  for (Index i = 0; i < m; ++i) full[work.active[i]] = std::max(0.0, x[i]);
  if (dense_residual(lcp, full) <= reached) std::copy(full, full + lcp.n, z);
}

namespace {

/// Row of the wrong sign that the rule picks, n if there is none.
Index wrong_row(const double* T, Index n, double zero, PivotRule rule) {
  const Index stride = n + 1;
  Index row = n;
  for (Index i = 0; i < n; ++i) {
    const double b = T[i * stride + n];
    if (!(b < -zero)) continue;
    if (rule == PivotRule::least_index) return i;
    if (row == n || b < T[row * stride + n]) row = i;
  }
  return row;
}

}  // namespace

double fill_principal_tableau(const DenseLcp& lcp, double* T) {
  const Index n = lcp.n, stride = n + 1;
  double largest = 0;
  for (Index i = 0; i < n; ++i) {
    for (Index j = 0; j < n; ++j) {
      T[i * stride + j] = -lcp.M[i * n + j];
      largest = std::max(largest, std::abs(lcp.M[i * n + j]));
    }
    T[i * stride + n] = lcp.q[i];
  }
  return largest;
}

void read_principal_tableau(const DenseLcp& lcp, const double* T, double* z, Workspace& work) {
  work.active.clear();
  for (Index i = 0; i < lcp.n; ++i) {
    z[i] = work.state[i] ? std::max(0.0, T[i * (lcp.n + 1) + lcp.n]) : 0.0;
    if (work.state[i]) work.active.push_back(i);
  }
  resolve_basis(lcp, z, work);
}

Outcome pivot_on_diagonal(const DenseLcp& lcp, double* z, PivotRule rule, Index limit,
                          Workspace& work) {
  const Index n = lcp.n, stride = n + 1;
  double* T = work.tableau.get(n * stride);
  const double largest = fill_principal_tableau(lcp, T);
  double size = 0;
  for (Index i = 0; i < n; ++i) size = std::max(size, std::abs(lcp.q[i]));
  const double zero = 1e-13 * size;  // a few hundred roundings of q
  work.state.assign(static_cast<std::size_t>(n), 0);
  Outcome outcome{SolveStatus::converged, 0};
  for (;;) {
    const Index r = wrong_row(T, n, zero, rule);
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
  read_principal_tableau(lcp, T, z, work);
  return outcome;
}

}  // namespace saltus
