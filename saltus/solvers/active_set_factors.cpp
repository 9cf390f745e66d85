#include "saltus/solvers/active_set_factors.hpp"

#include <cmath>

namespace saltus {

namespace {
constexpr double dependent = 1e-10;  // |part outside the span| / |row| of a dependent row
}  // namespace

WorkingSet::WorkingSet(const Eigen::SparseMatrix<double>& Q, Index n)
    : Q_(Q), V_(Matrix::Identity(n, n)), R_(Matrix::Zero(n, n)), T_(Matrix::Zero(n, n)), free_(n) {
  double size = 0;
  for (Index k = 0; k < Q.outerSize(); ++k)
    for (Eigen::SparseMatrix<double>::InnerIterator it(Q, k); it; ++it)
      size = std::max(size, std::abs(it.value()));
  zero_ = 1e-13 * static_cast<double>(n) * size;
}

bool WorkingSet::add(Index row, const Vector& h) {
  Vector a = V_.transpose() * h;
  if (free_ == 0 || a.head(free_).norm() <= dependent * h.norm()) return false;
  for (Index j = 0; j + 1 < free_; ++j) {
    const Rotation turn(a[j], a[j + 1]);
    turn.apply(a.segment(j, 1), a.segment(j + 1, 1));
    turn.apply(V_.col(j), V_.col(j + 1));
    if (!curved_) continue;
    turn.apply(T_.col(j).head(j + 2), T_.col(j + 1).head(j + 2));
    const Rotation back(T_(j + 1, j), T_(j, j));
    back.apply(T_.row(j + 1).segment(j, free_ - j), T_.row(j).segment(j, free_ - j));
  }
  const Index k = count();
  for (Index i = 0; i <= k; ++i) R_(i, k) = a[column(i)];
  --free_;
  T_.row(free_).setZero();
  T_.col(free_).setZero();
  flat_ = false;
  rows.push_back(row);
  return true;
}

void WorkingSet::drop(Index position) {
  const Index k = count();
  for (Index j = position; j + 1 < k; ++j) R_.col(j).head(k) = R_.col(j + 1).head(k);
  R_.col(k - 1).setZero();
  for (Index j = position; j + 1 < k; ++j) {
    const Rotation turn(R_(j + 1, j), R_(j, j));
    turn.apply(R_.row(j + 1).segment(j, k - 1 - j), R_.row(j).segment(j, k - 1 - j));
    turn.apply(V_.col(column(j + 1)), V_.col(column(j)));
  }
  R_.row(k - 1).setZero();
  rows.erase(rows.begin() + position);
  const Vector freed = V_.col(free_), curved = Q_ * freed;
  const Vector t = T_.topLeftCorner(free_, free_)
                       .triangularView<Eigen::Upper>()
                       .transpose()
                       .solve(V_.leftCols(free_).transpose() * curved);
  const double rest = freed.dot(curved) - t.squaredNorm();
  T_.col(free_).head(free_) = t;
  flat_ = !(rest > zero_);
  T_(free_, free_) = flat_ ? 0 : std::sqrt(rest);
  ++free_;
}

void WorkingSet::start_curvature(Index first) {
  Matrix S = V_.leftCols(free_).transpose() * (Q_ * V_.leftCols(free_));
  Index rank = 0;
  for (; rank < free_; ++rank) {  // Cholesky with diagonal pivoting
    Index best = rank;
    for (Index j = rank + 1; j < free_; ++j)
      if (S(j, j) > S(best, best)) best = j;
    if (!(S(best, best) > zero_)) break;
    V_.col(rank).swap(V_.col(best));
    S.col(rank).swap(S.col(best));
    S.row(rank).swap(S.row(best));
    T_.col(rank).head(rank).swap(T_.col(best).head(rank));
    const double root = std::sqrt(S(rank, rank));
    T_(rank, rank) = root;
    for (Index j = rank + 1; j < free_; ++j) T_(rank, j) = S(rank, j) / root;
    for (Index j = rank + 1; j < free_; ++j)
      for (Index i = rank + 1; i < free_; ++i) S(i, j) -= T_(rank, i) * T_(rank, j);
  }
  while (free_ > rank) {
    --free_;
    T_.col(free_).setZero();
    R_(count(), count()) = 1;
    rows.push_back(first++);
  }
  curved_ = true;
}

Vector WorkingSet::step(const Vector& g) const {
  const Vector reduced_gradient = reduced(g);
  const Index m = flat_ ? free_ - 1 : free_;
  const auto T = T_.topLeftCorner(m, m).triangularView<Eigen::Upper>();
  Vector y(free_);
  if (flat_) {
    y.head(m) = -T.solve(T_.col(m).head(m));
    y[m] = 1;
    if (y.dot(reduced_gradient) > 0) y = -y;
  } else {
    y = -T.solve(T.transpose().solve(reduced_gradient));
  }
  return V_.leftCols(free_) * y;
}

Vector WorkingSet::multipliers(const Vector& g) const {
  const Index k = count();
  Vector c(k);
  for (Index j = 0; j < k; ++j) c[j] = V_.col(column(j)).dot(g);
  return R_.topLeftCorner(k, k).triangularView<Eigen::Upper>().solve(c);
}

}  // namespace saltus
