#pragma once

#include "saltus/solvers/active_set_rows.hpp"

namespace saltus {

/// Factors of a working set: V orthogonal, its first columns Z a basis of {r : h_iᵀr = 0 on W}, the
/// others, last column first, Y with [h_1 … h_k] = Y R; and T with TᵀT = ZᵀQZ, whose last diagonal
/// entry may be zero. Rows beyond those of the problem are artificial (columns of V).
class WorkingSet {
 public:
  WorkingSet(const Eigen::SparseMatrix<double>& Q, Index n);
  /// Takes in a row; false (and unchanged) if it depends on the others.
  bool add(Index row, const Vector& h);
  /// Row number `position` of W leaves.
  void drop(Index position);
  /// Factorises ZᵀQZ; directions without curvature become artificial rows, numbered from `first`.
  void start_curvature(Index first);

  [[nodiscard]] Index count() const { return static_cast<Index>(rows.size()); }
  [[nodiscard]] Index free() const { return free_; }
  /// ZᵀQZ is singular: a direction of zero curvature is free.
  [[nodiscard]] bool flat() const { return flat_; }
  [[nodiscard]] Vector reduced(const Vector& g) const { return V_.leftCols(free_).transpose() * g; }
  /// The step of the header of ActiveSet, or a flat direction of descent.
  [[nodiscard]] Vector step(const Vector& g) const;
  /// λ with Σ λ_i h_i = g at a minimum on W.
  [[nodiscard]] Vector multipliers(const Vector& g) const;

  std::vector<Index> rows;

 private:
  [[nodiscard]] Index column(Index k) const { return V_.cols() - 1 - k; }

  const Eigen::SparseMatrix<double>& Q_;
  Matrix V_, R_, T_;
  Index free_;
  double zero_ = 0;  // curvature below is rounding
  bool curved_ = false, flat_ = false;
};

}  // namespace saltus
