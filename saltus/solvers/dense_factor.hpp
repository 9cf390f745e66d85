#pragma once

#include "saltus/algebra/types.hpp"

#include <vector>

namespace saltus {

/// Factorisations of dense matrices of any size, stored by columns with stride n,
///
///     A = L Lᵀ  (Cholesky)     or     P A = L U  (partial pivoting),
///
/// by halving the matrix until 8 columns are left: all work of higher order is done by products of
/// blocks that fit the caches (S:GEN-02). The products use the widest vector instructions of the
/// processor, fused where it has them, so the last digits may differ between processors; on one
/// processor the result is always the same. Allocates nothing once it has seen the size.
class DenseFactor {
 public:
  /// Room for an n × n matrix: fill it, then factorise.
  [[nodiscard]] double* matrix(Index n);
  /// The lower triangle of the matrix becomes L. False if a pivot is not above 1e-13 times the
  /// largest diagonal entry: the matrix is not safely positive definite.
  [[nodiscard]] bool cholesky();
  /// The matrix becomes L and U. False if a pivot is below `singular` times the largest entry.
  [[nodiscard]] bool lu(double singular = 1e-13);
  /// x ← A⁻¹ x
  void solve(double* x) const;

 private:
  Index n_ = 0;
  bool symmetric_ = false;
  std::vector<double> a_, packed_;
  std::vector<Index> pivots_;
};

/// |a_ij − a_ji| ≤ 1e-12 max|a| for the n × n matrix a.
[[nodiscard]] bool symmetric_by_columns(Index n, const double* a);

}  // namespace saltus
