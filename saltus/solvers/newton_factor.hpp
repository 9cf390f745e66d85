#pragma once

#include "saltus/algebra/block_sparse.hpp"

#include <Eigen/LU>

#include <memory>
#include <vector>

namespace saltus {

/// LU factorisation of a general block-sparse matrix with an estimate of its condition: each row is
/// divided by its largest entry, so that a small reciprocal condition number means dependent rows
/// and not different units. Up to 96 rows, or a quarter of the entries stored and up to 2000 rows:
/// dense with partial pivoting. Otherwise KLU, the ordering computed once per pattern.
class NewtonFactor {
 public:
  NewtonFactor();
  ~NewtonFactor();
  NewtonFactor(NewtonFactor&&) noexcept;
  NewtonFactor& operator=(NewtonFactor&&) noexcept;

  /// False if the matrix is numerically singular, reciprocal condition number below 1e-14.
  [[nodiscard]] bool factorise(const BlockSparse& A);
  /// x ← A⁻¹ x; false if the result is not finite.
  [[nodiscard]] bool solve(VectorRef x);
  /// Reciprocal condition number of the row-scaled matrix: estimate in the 1-norm (dense), or ratio
  /// of the extreme pivots (sparse).
  [[nodiscard]] double reciprocal_condition() const { return reciprocal_; }

 private:
  struct Klu;

  [[nodiscard]] bool scale_rows(const BlockSparse& A);
  [[nodiscard]] bool factorise_dense(const BlockSparse& A);
  [[nodiscard]] bool factorise_sparse(const BlockSparse& A);
  /// Fills the compressed rows; true if the pattern is the one of the last call.
  bool fill(const BlockSparse& A);

  bool dense_ = true;
  double reciprocal_ = 0;
  Vector scale_;
  Matrix matrix_;
  Eigen::PartialPivLU<Matrix> lu_;
  std::vector<int> begin_, column_, last_begin_, last_column_;
  std::vector<double> values_;
  std::unique_ptr<Klu> klu_;
};

}  // namespace saltus
