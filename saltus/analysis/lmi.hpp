#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/report.hpp"

#include <vector>

namespace saltus {

/// A symmetric matrix that is affine in the unknowns: S(v) = constant + Σ v_k slopes[k].
struct AffineMatrix {
  Matrix constant;
  std::vector<Matrix> slopes;
  [[nodiscard]] Matrix at(ConstVectorRef v) const;
};

/// What became of minimise_last.
struct LmiReport {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;  ///< Newton steps
  double gap = inf;    ///< the last entry of v is at most this above its minimum
};

/// Small linear matrix inequalities: minimises the last entry t of v subject to S_b(v) > 0 for all
/// blocks, from a v that is strictly feasible. Barrier method: Newton's method, with backtracking,
/// on τ t − Σ log det S_b(v), τ growing tenfold until the gap (Σ size S_b)/τ is below `tolerance`.
/// Stops earlier, converged, once t < `enough`. Dense, O(K s³ + K² s²) per step for K unknowns and
/// blocks of size s. [Boyd & Vandenberghe 2004, section 11.6]
[[nodiscard]] LmiReport minimise_last(const std::vector<AffineMatrix>& blocks, VectorRef v,
                                      double tolerance, double enough, int max_iterations);

}  // namespace saltus
