#include "saltus/solvers/dense_factor.hpp"

#include "saltus/solvers/dense_kernels.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

namespace {

constexpr double singular_pivot = 1e-13;  // a few hundred roundings

}  // namespace

bool symmetric_by_columns(Index n, const double* a) {
  constexpr Index tile = 32;  // columns and rows that stay in the cache
  double largest = 0, gap = 0;
  for (Index j0 = 0; j0 < n; j0 += tile)
    for (Index i0 = j0; i0 < n; i0 += tile)
      for (Index j = j0; j < std::min(n, j0 + tile); ++j)
        for (Index i = std::max(i0, j); i < std::min(n, i0 + tile); ++i) {
          largest = std::max(largest, std::abs(a[j * n + i]));
          gap = std::max(gap, std::abs(a[j * n + i] - a[i * n + j]));
        }
  return gap <= 1e-12 * largest;
}

double* DenseFactor::matrix(Index n) {
  n_ = n;
  const auto size = static_cast<std::size_t>(n * n);
  if (a_.size() < size) a_.resize(size);
  const auto room = static_cast<std::size_t>(kernels::packing_room(n));
  if (packed_.size() < room) packed_.resize(room);
  if (static_cast<Index>(pivots_.size()) < n) pivots_.resize(static_cast<std::size_t>(n));
  return a_.data();
}

bool DenseFactor::cholesky() {
  double largest = 0;
  for (Index i = 0; i < n_; ++i) largest = std::max(largest, std::abs(a_[i * (n_ + 1)]));
  symmetric_ = true;
  return kernels::cholesky(n_, {a_.data(), n_}, singular_pivot * largest,
                           kernels::packing(packed_.data(), n_));
}

bool DenseFactor::lu(double singular) {
  double largest = 0;
  for (Index i = 0; i < n_ * n_; ++i) largest = std::max(largest, std::abs(a_[i]));
  symmetric_ = false;
  return kernels::lu(n_, n_, n_, {a_.data(), n_}, singular * largest, pivots_.data(),
                     kernels::packing(packed_.data(), n_));
}

void DenseFactor::solve(double* x) const {
  const double* a = a_.data();
  if (symmetric_) {
    for (Index j = 0; j < n_; ++j) {
      x[j] /= a[j * n_ + j];
      kernels::subtract_multiple(n_ - j - 1, x[j], a + j * n_ + j + 1, x + j + 1);
    }
    for (Index j = n_ - 1; j >= 0; --j) {
      const Index below = n_ - j - 1;
      x[j] -= Eigen::Map<const Vector>(a + j * n_ + j + 1, below)
                  .dot(Eigen::Map<const Vector>(x + j + 1, below));
      x[j] /= a[j * n_ + j];
    }
    return;
  }
  for (Index k = 0; k < n_; ++k) std::swap(x[k], x[pivots_[k]]);
  for (Index j = 0; j < n_; ++j)
    kernels::subtract_multiple(n_ - j - 1, x[j], a + j * n_ + j + 1, x + j + 1);
  for (Index j = n_ - 1; j >= 0; --j) {
    x[j] /= a[j * n_ + j];
    kernels::subtract_multiple(j, x[j], a + j * n_, x);
  }
}

}  // namespace saltus
