#include "saltus/solvers/equality_qp_ldlt.hpp"

#include <Eigen/LU>

#include <cmath>
#include <numeric>

namespace saltus {

namespace {
constexpr double growth = 0.6403882032022076;  // (1 + √17)/8: least growth of the entries
}  // namespace

SymmetricIndefinite::SymmetricIndefinite(Matrix K) : A_(std::move(K)) {
  const Index n = A_.rows();
  order_.resize(static_cast<std::size_t>(n));
  std::iota(order_.begin(), order_.end(), Index{0});
  block_.assign(static_cast<std::size_t>(n), 1);
  const double tiny = n > 0 ? 1e-13 * A_.cwiseAbs().maxCoeff() : 0;
  for (Index k = 0; k < n;) {
    Index d = 0, i = 0, j = 0;
    const double diagonal = A_.diagonal().tail(n - k).cwiseAbs().maxCoeff(&d);
    const double largest = A_.bottomRightCorner(n - k, n - k).cwiseAbs().maxCoeff(&i, &j);
    if (!(largest > tiny)) {
      zero_ = n - k;
      for (Index m = k; m < n; ++m) A_(m, m) = 0;
      return;
    }
    if (diagonal >= growth * largest) {
      exchange(k, k + d);
      (A_(k, k) > 0 ? positive_ : negative_) += 1;
      eliminate(k, 1);
      k += 1;
    } else {
      exchange(k, k + std::min(i, j));
      exchange(k + 1, k + std::max(i, j));
      block_[k] = 2;
      block_[k + 1] = 0;
      ++positive_;  // the determinant of such a block is negative
      ++negative_;
      eliminate(k, 2);
      k += 2;
    }
  }
}

void SymmetricIndefinite::exchange(Index i, Index j) {
  if (i == j) return;
  A_.row(i).swap(A_.row(j));
  A_.col(i).swap(A_.col(j));
  std::swap(order_[i], order_[j]);
}

void SymmetricIndefinite::eliminate(Index k, Index size) {
  const Index rest = A_.rows() - k - size;
  if (rest == 0) return;
  const Matrix D = A_.block(k, k, size, size), B = A_.block(k + size, k, rest, size);
  const Matrix L = D.partialPivLu().solve(B.transpose()).transpose();
  A_.bottomRightCorner(rest, rest).noalias() -= L * B.transpose();
  A_.block(k + size, k, rest, size) = L;
  A_.block(k, k + size, size, rest).setZero();
}

Vector SymmetricIndefinite::solve(ConstVectorRef b) const {
  const Index n = A_.rows(), regular = n - zero_;
  Vector x(n);
  for (Index i = 0; i < n; ++i) x[i] = b[order_[i]];
  for (Index k = 0; k < regular; k += block_[k]) {
    const Index next = k + block_[k], rest = n - next;
    x.tail(rest) -= A_.block(next, k, rest, block_[k]) * x.segment(k, block_[k]);
  }
  for (Index k = 0; k < regular; k += block_[k]) {
    const Index m = block_[k];
    x.segment(k, m) = A_.block(k, k, m, m).partialPivLu().solve(x.segment(k, m)).eval();
  }
  x.tail(zero_).setZero();
  for (Index k = regular - 1; k >= 0; --k) {
    if (block_[k] == 0) continue;
    const Index next = k + block_[k], rest = n - next;
    x.segment(k, block_[k]) -= A_.block(next, k, rest, block_[k]).transpose() * x.tail(rest);
  }
  Vector out(n);
  for (Index i = 0; i < n; ++i) out[order_[i]] = x[i];
  return out;
}

}  // namespace saltus
