#pragma once

#include "saltus/algebra/types.hpp"

#include <vector>

namespace saltus {

/// A sum of hinges, the continuous piecewise-linear functions that vanish on the left,
///
///     f(x) = Σ_j slope_j max(x − break_j, 0),    break_1 < break_2 < …                       (1)
///
/// On piece k, where the first k hinges are open, f(x) = steepness[k] x − offset[k]. (PL:C-05)
struct HingeSum {
  HingeSum() = default;
  /// Throws Error unless there is a hinge, the breaks increase, and all is finite.
  HingeSum(std::vector<double> breaks, std::vector<double> slopes);

  std::vector<double> breaks, slopes;
  std::vector<double> steepness = {0}, offset = {0};  ///< of each piece

  [[nodiscard]] int pieces() const { return static_cast<int>(steepness.size()); }
  [[nodiscard]] double on_piece(int k, double x) const { return steepness[k] * x - offset[k]; }
  /// The piece that x lies on; `k` if x is outside of it by no more than `slack`.
  [[nodiscard]] int piece(double x, int k = 0, double slack = 0) const {
    while (k > 0 && x < breaks[k - 1] - slack) --k;
    while (k < static_cast<int>(breaks.size()) && x > breaks[k] + slack) ++k;
    return k;
  }
  [[nodiscard]] double operator()(double x) const { return on_piece(piece(x), x); }
};

/// Rows of a mixed complementarity problem u = W r + q that are functions, not normal cones:
///
///     r_i = f(x_i),    x_i = r_i − u_i = −(Σ_{j ≠ i} W_ij r_j + q_i),    W_ii = 1.            (2)
///
/// The n hinges of f are what they stand for: 0 ≤ λ_j ⟂ λ_j − (x_i − break_j) ≥ 0, r_i = Σ slope_j
/// λ_j, one complementarity row each.
struct HingeRows {
  struct Row {
    Index row;
    Index function;
  };
  std::vector<HingeSum> functions;
  std::vector<Row> rows;

  [[nodiscard]] const HingeSum& function(const Row& row) const { return functions[row.function]; }
};

}  // namespace saltus
