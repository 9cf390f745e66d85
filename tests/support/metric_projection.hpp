#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

#include <cmath>
#include <vector>

namespace saltus::testing {

/// Projection of w on {z : H z + b ≥ 0} in the metric M, by trying every set of active rows: for a
/// few rows only.
inline Vector project_on_cone(const Matrix& M, const Matrix& H, const Vector& b, const Vector& w) {
  const Index m = H.rows();
  const Eigen::LDLT<Matrix> factor(M);
  if ((H * w + b).minCoeff() >= 0) return w;
  for (unsigned set = 1; set < (1u << m); ++set) {
    std::vector<Index> rows;
    for (Index i = 0; i < m; ++i)
      if ((set >> i) & 1u) rows.push_back(i);
    const Matrix A = H(rows, Eigen::all);
    const Matrix X = factor.solve(A.transpose());
    const Vector multiplier = (A * X).fullPivLu().solve(-(A * w + b(rows)));
    const Vector z = w + X * multiplier;
    if (multiplier.minCoeff() >= -1e-12 && (H * z + b).minCoeff() >= -1e-12) return z;
  }
  return Vector::Constant(w.size(), NAN);
}

}  // namespace saltus::testing
