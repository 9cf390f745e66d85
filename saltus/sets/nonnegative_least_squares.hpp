#pragma once

#include "saltus/algebra/types.hpp"

namespace saltus {

/// Minimiser of ‖x − G c‖ over c ≥ 0.
struct NonnegativeFit {
  Vector coefficients;  ///< c; positive entries belong to linearly independent columns of G
  Vector residual;      ///< r = x − G c
  int iterations = 0;   ///< columns tried
};

/// Nonnegative least squares by the active-set method of Lawson and Hanson:
///     min ‖x − G c‖,  c ≥ 0     ⇔     w = Gᵀ(x − G c) ≤ 0,  c ≥ 0,  c·w = 0.
/// A passive set P of columns carries c > 0. The column with the largest w_j/‖g_j‖ enters, the
/// unconstrained problem on P is solved by QR with column pivoting, and columns whose coefficient
/// would turn negative leave one after the other on the segment towards it.
///
/// Stops when w_j ≤ 16 n ε ‖x‖ ‖g_j‖ for all j (n rows, ε machine precision): below that, w is the
/// rounding of G c. Rounding could also make a column enter and leave for ever; so a column is
/// accepted only if it strictly reduces ‖x − G c‖, otherwise the previous c is restored and the
/// column refused until another one succeeds. The norm then decreases along a finite number of
/// passive sets: the method ends, on any data. Redundant and repeated columns are harmless (w = 0
/// once their span is passive), zero columns never enter, and columns that are dependent up to
/// rounding get the coefficient 0 from the pivoted QR and leave again.
///
/// Costs O(n m) per iteration for m columns plus a QR of the passive ones; usually about n
/// iterations. [Lawson & Hanson 1974, chapter 23]
[[nodiscard]] NonnegativeFit nonnegative_least_squares(ConstMatrixRef G, ConstVectorRef x);

}  // namespace saltus
