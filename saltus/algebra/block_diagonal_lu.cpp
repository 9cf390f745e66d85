#include "saltus/algebra/block_diagonal_lu.hpp"

#include <cmath>
#include <limits>

namespace saltus {

void BlockDiagonalLu::resize(std::span<const Index> sizes) {
  slots_.clear();
  factors_.clear();
  for (Index n : sizes) {
    Slot slot{.size = n};
    if (n > 1) {
      slot.factor = static_cast<Index>(factors_.size());
      factors_.emplace_back(n);
    }
    slots_.push_back(slot);
  }
}

bool BlockDiagonalLu::factorize(Index b, const double* values) {
  Slot& slot = slots_[b];
  if (slot.size == 1) {
    slot.reciprocal = 1 / values[0];
    return std::isfinite(values[0]) && std::isfinite(slot.reciprocal);
  }
  const Eigen::Map<const Matrix> A(values, slot.size, slot.size);
  auto& lu = factors_[slot.factor];
  lu.compute(A);
  const auto pivots = lu.matrixLU().diagonal().cwiseAbs();
  const double threshold = std::numeric_limits<double>::epsilon() * A.cwiseAbs().maxCoeff();
  return std::isfinite(threshold) && pivots.minCoeff() > threshold;
}

void BlockDiagonalLu::solve(Index b, const double* rhs, Index columns, double* x) const {
  const Slot& slot = slots_[b];
  if (slot.size == 1) {
    for (Index j = 0; j < columns; ++j) x[j] = slot.reciprocal * rhs[j];
    return;
  }
  // plain substitution: for the few unknowns of a body, faster than a general triangular solve
  const Index n = slot.size;
  const auto& lu = factors_[slot.factor];
  const double* A = lu.matrixLU().data();
  const auto& place = lu.permutationP().indices();
  for (Index j = 0; j < columns; ++j, rhs += n, x += n) {
    for (Index i = 0; i < n; ++i) x[place[i]] = rhs[i];
    for (Index k = 0; k < n; ++k)
      for (Index i = k + 1; i < n; ++i) x[i] -= A[k * n + i] * x[k];
    for (Index k = n - 1; k >= 0; --k) {
      x[k] /= A[k * n + k];
      for (Index i = 0; i < k; ++i) x[i] -= A[k * n + i] * x[k];
    }
  }
}

}  // namespace saltus
