#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/SparseCore>

#include <optional>

namespace saltus {

/// A row of M at which the LDLᵀ factorisation of (M + Mᵀ)/2 meets a pivot d ≤ 0 (or no number): M
/// is not positive definite, vᵀM v > 0 fails for some v ≠ 0. M may be unsymmetric (gyroscopic
/// terms do not matter).
struct BadPivot {
  Index row = 0;
  double pivot = 0;
};
/// Nothing if M is positive definite. A pivot counts as zero below rows · 2⁻⁵² of the diagonal
/// entry of its row, the rounding of the elimination.
[[nodiscard]] std::optional<BadPivot> bad_pivot(const Eigen::SparseMatrix<double>& M);

/// Throws Error "WHAT: M is not positive definite: the pivot of row 3 is -1, expected > 0".
void require_positive_definite(const char* what, const Eigen::SparseMatrix<double>& M);

}  // namespace saltus
