#pragma once

#include "saltus/algebra/types.hpp"

namespace saltus {

/// A = P L U in place, partial pivoting; A is n×n by rows, pivots has n entries. False if a pivot
/// is below 1e-13 of the largest entry of A. Plain loops: meant for n up to a few hundred.
[[nodiscard]] bool lu_factorise(Index n, double* A, Index* pivots);
/// x ← A⁻¹ x
void lu_solve(Index n, const double* A, const Index* pivots, double* x);

}  // namespace saltus
