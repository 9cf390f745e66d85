#pragma once

#include "saltus/problems/global_block_form.hpp"

namespace saltus {

/// Linear program over cones (quadratic ones become such by one more cone, FS:FS-106f),
///
///     min cᵀx    subject to    s = B x + b ∈ K*,    K = K₀ × K₁ × …,                       (1)
///     dual: max −bᵀy    subject to    Bᵀy = c,    y ∈ K,
///
/// one cone per block of rows of B (Reals: s = 0; NonNegative: s ≥ 0).
struct ConeProgram {
  Eigen::SparseMatrix<double> B = {};
  Vector b = {}, c = {};
  std::vector<BlockSet> K = {};
  std::vector<Index> sizes = {};  ///< rows of each block
};

struct ConeAnswer {
  Vector x, y;
  double primal = inf;  ///< ‖y − P_K(y − s)‖∞
  double dual = inf;    ///< ‖Bᵀy − c‖∞
  int factorisations = 0;
};

/// Proximal method of multipliers: y ← P_K(y − ρ s(x)) with x the minimiser of
///
///     cᵀx + ‖P_K(y − ρ s(x))‖²/(2ρ) + ‖x − x_k‖²/(2ρ),
///
/// found by semismooth Newton with an Armijo search; ρ grows from 1 to 1e3. Stops where both
/// residuals are below `tolerance`, or after `max_factorisations` (an infeasible (1) makes y grow
/// without end). B is expected to be scaled: entries up to 1.
[[nodiscard]] ConeAnswer solve_cone_program(const ConeProgram& program, double tolerance = 1e-12,
                                            int max_factorisations = 300);

/// The least change of b that makes s ∈ K* possible: y = argmin ½‖y‖² with B x + b + y ∈ K* for
/// some x. That is y = P(−b), the projection on {y ∈ K, Bᵀy = 0}, so bᵀy = −‖y‖²: y = 0, or y
/// separates. It always exists and is unique. By semismooth Newton on ½‖P_K(−s(x))‖² with a
/// proximal term that goes to zero; c is not used.
[[nodiscard]] ConeAnswer least_change(const ConeProgram& program, double tolerance = 1e-13,
                                      int max_factorisations = 200);

}  // namespace saltus
