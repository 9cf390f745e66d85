#pragma once

#include "saltus/algebra/block_sparse.hpp"

namespace saltus {

/// Linear complementarity problem (S:LCP-01): find z with
///
///     w = M z + q,    0 ≤ z ⟂ w ≥ 0.                                                      (1)
///
/// Unique solution for every q ⇔ M is a P-matrix; M positive definite (symmetric or not) suffices.
/// M positive semi-definite: solvable whenever feasible, w need not be unique unless M is
/// symmetric.
struct Lcp {
  BlockSparse M;
  Vector q;
};

/// An Lcp whose parts live elsewhere.
struct LcpView {
  const BlockSparse& M;
  ConstVectorRef q;
  LcpView(const BlockSparse& matrix, ConstVectorRef vector) : M(matrix), q(vector) {}
  LcpView(const Lcp& problem) : M(problem.M), q(problem.q) {}
};

/// ‖min(z, M z + q)‖∞: zero exactly at solutions of (1), infinite if anything is NaN. No
/// allocation.
[[nodiscard]] double residual(LcpView problem, ConstVectorRef z);

/// Throws Error on a matrix that is not square, on sizes that do not fit, on NaN or infinity.
void validate(LcpView problem);
/// The same for an Lcp (a call with an Lcp finds this one).
inline void validate(const Lcp& problem) { validate(LcpView(problem)); }

}  // namespace saltus
