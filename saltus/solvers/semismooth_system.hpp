#pragma once

#include "saltus/solvers/box.hpp"

namespace saltus {

/// The matrix H = diag(a) W + diag(b) of a Newton method on complementarity functions, its products
/// and its linear systems. a and b belong to the caller.
class SemismoothSystem {
 public:
  SemismoothSystem(const BlockSparse& W, const double* a, const double* b, Workspace& work);

  /// d = −H⁻¹ phi; false if H is numerically singular. n ≤ 64: dense LU of H. Larger: rows with
  /// |a_i| max|W_jj| ≤ 10⁻⁶ |b_i| are replaced by b_i d_i = −phi_i, a relative error of that size
  /// in a row, and W + diag(b/a) is factorised on the others, which keeps the symmetry of W.
  [[nodiscard]] bool solve(const double* phi, double* d);
  /// y = H x
  void multiply(const double* x, double* y) const;
  /// y = Hᵀ x
  void multiply_transposed(const double* x, double* y);
  /// d ≈ −(HᵀH + nu I)⁻¹ Hᵀ phi by conjugate gradients.
  void levenberg_marquardt(const double* phi, double nu, double* d);

 private:
  [[nodiscard]] bool solve_dense(const double* phi, double* d);
  [[nodiscard]] bool solve_sparse(const double* phi, double* d);
  void copy_pattern();

  const BlockSparse& W_;
  const double *a_, *b_;
  Workspace& work_;
  Index n_;
  double scale_;  // max |W_ii|, or 1
};

}  // namespace saltus
