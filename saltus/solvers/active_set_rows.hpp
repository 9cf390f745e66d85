#pragma once

#include "saltus/problems/qp.hpp"
#include "saltus/solvers/outcome.hpp"
#include "saltus/solvers/workspace.hpp"

namespace saltus {

/// All constraints of a QP as rows h_iᵀz ≥ g_i, the first `equalities` of them with =: those of C,
/// then of A, then finite lower bounds, then finite upper ones (sign turned).
struct ConstraintRows {
  Eigen::SparseMatrix<double, Eigen::RowMajor> H;
  Vector g;
  Index equalities = 0, rows = 0;   ///< of C, of A
  std::vector<Index> lower, upper;  ///< variables of the bound rows

  [[nodiscard]] Index size() const { return g.size(); }
  /// Row i as a dense vector.
  [[nodiscard]] Vector row(Index i) const { return H.row(i).transpose(); }
  /// Rounding of h_iᵀz − g_i at z.
  [[nodiscard]] double rounding(Index i, double size_of_z) const {
    return 1e-13 * (std::abs(g[i]) + norm1[i] * std::max(1.0, size_of_z));
  }
  /// Multipliers of the rows into the point.
  void distribute(ConstVectorRef multipliers, QpPoint& point) const;
  /// Multipliers of the rows as (λ, μ, π), the layout of proves_infeasible.
  [[nodiscard]] Vector proof(ConstVectorRef multipliers) const;

  Vector norm1;  ///< ‖h_i‖₁
};

/// From a completed Qp.
[[nodiscard]] ConstraintRows constraint_rows(const Qp& qp);

/// The stopping test of the QP solvers: residual ≤ tolerance · max(1, ‖p‖∞, ‖b‖∞, ‖d‖∞).
[[nodiscard]] double qp_threshold(const Qp& qp, double tolerance);

/// Plane rotation that takes (a, b) to (0, √(a² + b²)), applied to pairs of columns or rows.
struct Rotation {
  double c = 1, s = 0;
  Rotation(double a, double b) {
    const double length = std::hypot(a, b);
    if (length > 0) {
      c = b / length;
      s = a / length;
    }
  }
  template <class X, class Y>
  void apply(X&& x, Y&& y) const {
    for (Index i = 0; i < x.size(); ++i) {
      const double first = x[i], second = y[i];
      x[i] = c * first - s * second;
      y[i] = s * first + c * second;
    }
  }
};

}  // namespace saltus
