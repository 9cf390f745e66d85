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

/// M_αα x = −q_α for α = work.active by a fresh LU factorisation; the solution is left in the
/// returned buffer (followed by room for n numbers), null if M_αα is singular.
double* solve_active(const DenseLcp& lcp, Workspace& work) {
  const auto& active = work.active;
  const auto m = static_cast<Index>(active.size());
  double* lu = work.lu.get(m * m);
  double* x = work.lu_rhs.get(m + lcp.n);
  work.lu_pivots.resize(static_cast<std::size_t>(std::max(m, lcp.n)));
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
  const double* x = solve_active(lcp, work);
  if (x == nullptr) return;
  const auto m = static_cast<Index>(work.active.size());
  double* full = work.lu_rhs.get(m + lcp.n) + m;
  std::fill(full, full + lcp.n, 0.0);
  for (Index i = 0; i < m; ++i) full[work.active[i]] = std::max(0.0, x[i]);
  if (dense_residual(lcp, full) <= dense_residual(lcp, z)) std::copy(full, full + lcp.n, z);
}

}  // namespace saltus
