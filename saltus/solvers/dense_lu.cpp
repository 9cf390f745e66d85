#include "saltus/solvers/dense_lu.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

bool lu_factorise(Index n, double* A, Index* pivots) {
  double largest = 0;
  for (Index i = 0; i < n * n; ++i) largest = std::max(largest, std::abs(A[i]));
  for (Index k = 0; k < n; ++k) {
    Index p = k;
    for (Index i = k + 1; i < n; ++i)
      if (std::abs(A[i * n + k]) > std::abs(A[p * n + k])) p = i;
    pivots[k] = p;
    if (!(std::abs(A[p * n + k]) > 1e-13 * largest)) return false;
    if (p != k) std::swap_ranges(A + p * n, A + p * n + n, A + k * n);
    const double* row = A + k * n;
    const double inverse = 1 / row[k];
    for (Index i = k + 1; i < n; ++i) {
      double* other = A + i * n;
      if (other[k] == 0) continue;
      const double factor = other[k] *= inverse;
      for (Index j = k + 1; j < n; ++j) other[j] -= factor * row[j];
    }
  }
  return true;
}

void lu_solve(Index n, const double* A, const Index* pivots, double* x) {
  for (Index k = 0; k < n; ++k)
    if (pivots[k] != k) std::swap(x[k], x[pivots[k]]);
  for (Index i = 1; i < n; ++i)
    for (Index j = 0; j < i; ++j) x[i] -= A[i * n + j] * x[j];
  for (Index i = n - 1; i >= 0; --i) {
    for (Index j = i + 1; j < n; ++j) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
}

}  // namespace saltus
