#pragma once

#include "saltus/io/problem_file_kind.hpp"

#include <functional>
#include <string>
#include <vector>

namespace saltus {

/// A family of complementarity problems of growing size, the same on every machine.
struct ProblemFamily {
  std::string name;                                   ///< "dense_spd", "sparse_mesh", …
  std::function<ComplementarityProblem(Index)> make;  ///< with about n unknowns
};

/// Dense (storage of one block):
///
///     dense_p           M = A Aᵀ/n + S/√n + I/10, S skew: P-matrix, not symmetric
///     dense_spd         M = A Aᵀ/n + I/10, half of z > 0
///     dense_ill         symmetric, eigenvalues from 1 to 1e-8, half of z > 0
///     dense_delassus    M = Hᵀ H of rank n/2, q = Hᵀ v
///     dense_degenerate  as dense_spd, with z_i = w_i = 0 for a third of the rows
///     dense_friction    pyramids of friction with four facets, W of rigid bodies (copositive)
///     dense_mlcp        a third of the rows are equalities
///     dense_relay       M as dense_p, −1 ≤ z ≤ 1
///
/// Sparse (scalar blocks):
///
///     sparse_beads      column of beads hit from below: tridiagonal
///     sparse_mesh       membrane over an obstacle: five-point Laplacian
///     sparse_wind       the same with a wind: not symmetric
///     sparse_delassus   chain with twice as many contacts as bodies: rank n/2
///     sparse_degenerate as sparse_mesh, with z_i = w_i = 0 for a third of the rows
///     sparse_friction   chain of blocks with friction in the plane (copositive)
///     sparse_mlcp       column of beads with the velocities as unknowns: half equalities
///     sparse_relay      chain of masses with dry friction, −1 ≤ z ≤ 1
[[nodiscard]] const std::vector<ProblemFamily>& problem_families();

}  // namespace saltus
