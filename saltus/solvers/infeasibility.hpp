#pragma once

#include "saltus/solvers/box.hpp"

namespace saltus {

/// Decides whether the box problem (1) of box.hpp has a feasible point at all, by least squares:
///
///     min ½ ‖y‖²,   y = the least change of u = W z + q that makes it feasible,   l ≤ z ≤ u. (2)
///
/// The stationarity conditions of (2) are themselves a monotone box problem,
///
///     u_y = y + W z + q,   u_z = −Wᵀy,   y in the cone of the required signs, z in its box,
///
/// always solvable, with a unique y (LCP: matrix [I M; −Mᵀ 0], vector (q, 0)). y = 0 means
/// feasible; otherwise y is the proof of (1) in problems/certificates.hpp, with qᵀy = −‖y‖² for an
/// LCP. It is checked there, and left in work.certificate if the answer is true. Solved by
/// BlockPivoting, then by Lemke, on the equilibrated problem; twice its size, its sparsity kept.
/// Any matrix. (S:LCP-26, S:QP-05)
[[nodiscard]] bool certify_infeasible(const BoxView& box, Workspace& work);

}  // namespace saltus
