#pragma once

#include "saltus/inclusions/moving_relation.hpp"
#include "saltus/model/model.hpp"
#include "saltus/systems/lcs.hpp"

namespace saltus {

/// One cell of a piecewise affine system: ẋ = A x + a where G x ≥ g.
struct AffineCell {
  static constexpr std::string_view name = "AffineCell";
  Rows A = {};
  Values a = {};  ///< empty: 0
  Rows G = {};    ///< no rows: everywhere
  Values g = {};  ///< empty: 0
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"A", "n × n"}, s.A);
    visit(Field{"a", "n, constant part of the field; empty: zero"}, s.a);
    visit(Field{"G", "k × n, normals of the sides; no rows: everywhere"}, s.G);
    visit(Field{"g", "k, G x ≥ g; empty: zero"}, s.g);
  }
  /// Throws Error on sizes that do not fit. The empty cell passes.
  void check() const;
  /// G x − g ≥ −tolerance
  [[nodiscard]] bool contains(ConstVectorRef x, double tolerance = 0) const;
  [[nodiscard]] Vector rate(ConstVectorRef x) const;
  /// Two of its inequalities are opposite, G_i x ≥ g_i and ≤: a set of measure zero.
  [[nodiscard]] bool thin() const;
};

/// Piecewise affine system (F:F091, F:F092, F:F094) on cells that cover the space.
struct PiecewiseAffineSystem {
  std::vector<AffineCell> cells;

  /// Throws Error unless there are cells and all have n states.
  void check(Index n) const;
  /// The cells whose closure holds x.
  [[nodiscard]] std::vector<Index> cells_at(ConstVectorRef x, double tolerance = 1e-12) const;
  /// Corners of Filippov's set at x: the fields of all cells that x borders on (F:F051, F:B11),
  /// those of measure zero left out, or `with_thin_cells` kept (F:F052).
  [[nodiscard]] std::vector<Vector> filippov_fields(ConstVectorRef x, bool with_thin_cells = false,
                                                    double tolerance = 1e-12) const;
  /// At every common point of two cells the fields agree, as sampled by `points` (each column one
  /// point): an ordinary differential equation. Error names the cells otherwise.
  void require_continuous(ConstMatrixRef points, double tolerance = 1e-9) const;
  /// The field of the first cell that holds x; of the one violated least if rounding leaves none.
  [[nodiscard]] Vector rate(ConstVectorRef x) const;
  /// The ordinary differential equation of a continuous system, ẋ = rate(x).
  [[nodiscard]] Model model(const Values& x0) const;
};

/// The modes of a complementarity system with a P-matrix D (F:B12, F:F196, F:F198): one cell per
/// index set α of positive λ,
///     ẋ = [A − B_α D_αα⁻¹ C_α] x + …,   λ_α = −D_αα⁻¹(C_α x + b_α) ≥ 0,   w outside α ≥ 0.
/// 2^m cells: m ≤ 12. Throws Error unless all principal minors of D are positive.
[[nodiscard]] PiecewiseAffineSystem to_piecewise(const Lcs& system);

/// ẋ of a complementarity system with one pair, D = 0 and CB > 0 (relative degree 1) at x with Cx +
/// b ≥ 0 (F:B12, F:F198): the free field if (w, ẇ) is lexicographically ≥ 0 (F:F019), else its
/// projection on ẇ = 0. |w| ≤ tolerance counts as 0.
[[nodiscard]] Vector lexicographic_rate(const Lcs& system, ConstVectorRef x,
                                        double tolerance = 1e-12);

}  // namespace saltus
