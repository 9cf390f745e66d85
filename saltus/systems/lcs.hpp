#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/fields.hpp"

#include <vector>

namespace saltus {

/// Linear complementarity system (F:F081, F:F082), n states and m complementary pairs:
///     ẋ = A x + B λ + a,   w = C x + D λ + b,   0 ≤ w ⟂ λ ≥ 0
/// a and b are constant inputs. Empty D, a, b are zero.
struct Lcs {
  static constexpr std::string_view name = "Lcs";
  Rows A = {};
  Rows B = {};
  Rows C = {};
  Rows D = {};
  Values a = {};
  Values b = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"A", "n × n"}, s.A);
    visit(Field{"B", "n × m, what λ does to ẋ"}, s.B);
    visit(Field{"C", "m × n, what x does to w"}, s.C);
    visit(Field{"D", "m × m, what λ does to w; empty: zero"}, s.D);
    visit(Field{"a", "n, constant input of ẋ; empty: zero"}, s.a);
    visit(Field{"b", "m, constant input of w; empty: zero"}, s.b);
  }

  [[nodiscard]] Index states() const { return A.rows(); }
  [[nodiscard]] Index pairs() const { return C.rows(); }
  /// Throws Error on sizes that do not fit, on NaN and infinity. The empty system passes.
  void check() const;
};

/// The same system with every part present: zeros in place of what is empty. Checks it first, and
/// throws Error on the empty system.
[[nodiscard]] Lcs completed(Lcs system);

/// The same system in the coordinates z = W x. Throws Error if W is singular or of the wrong size.
[[nodiscard]] Lcs transformed(const Lcs& system, ConstMatrixRef W);

/// The first `count` Markov parameters D, CB, CAB, CA²B, … (TI:TI-140), each m × m.
[[nodiscard]] std::vector<Matrix> markov_parameters(const Lcs& system, Index count);

/// Relative degree between λ and w (F:F193, F:F194, F:B13, F:C0-29, TI:TI-140): r_i is the number
/// of derivatives of w_i until λ appears,
///     w_i^(k) has no λ for k < r_i,   w^(r) = … + Δ λ,   row i of Δ = C_i A^(r_i − 1) B   (D_i at
///     0)
/// −1 if λ never appears in w_i. The vector relative degree exists if Δ is regular; it is uniform
/// if all r_i are equal. Entries below 1e-12 ‖C‖‖A‖^k‖B‖ count as zero, Δ as singular if its
/// reciprocal condition number is below 1e-12.
struct RelativeDegree {
  std::vector<Index> degrees = {};  ///< r_i; −1: w_i does not depend on λ
  Matrix decoupling = {};           ///< Δ, m × m
  bool exists = false;              ///< every r_i ≥ 0 and Δ is regular
  /// r if it exists and is the same for all outputs, −1 otherwise.
  [[nodiscard]] Index uniform() const;
  /// Σ r_i: states that are derivatives of outputs.
  [[nodiscard]] Index sum() const;
  /// The largest r_i; −1 for a system without pairs.
  [[nodiscard]] Index largest() const;
};
[[nodiscard]] RelativeDegree relative_degree(const Lcs& system);

/// Throws Error, beginning with `who`, if λ has no values at points of time, relative degree ≥ 2:
/// it is a measure or distribution then, and backward Euler diverges, as does any scheme that looks
/// for λ (TI:V-20, TI:B.7). Emts is for such systems.
void require_point_multipliers(const Lcs& system, std::string_view who);

/// Transfer function of one input and one output, H(s) = D + C (sI − A)⁻¹ B = N(s)/P(s).
struct TransferFunction {
  Vector numerator;    ///< coefficients of s⁰, s¹, …, sⁿ
  Vector denominator;  ///< monic: the last entry is 1
};
/// By the recursion of Faddeev and Le Verrier; exact for small integers, reliable for n up to 10 or
/// so. deg P − deg N is the relative degree. Throws Error unless m = 1.
[[nodiscard]] TransferFunction transfer_function(const Lcs& system);

}  // namespace saltus
