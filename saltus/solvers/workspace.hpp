#pragma once

#include "saltus/problems/block_form.hpp"
#include "saltus/solvers/friction_workspace.hpp"
#include "saltus/solvers/interior_point_factor.hpp"
#include "saltus/solvers/masked_factor.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace saltus {

/// A buffer that only grows.
class Buffer {
 public:
  /// At least `size` doubles; contents are whatever the last user left.
  [[nodiscard]] double* get(Index size) {
    if (static_cast<Index>(values_.size()) < size) values_.resize(static_cast<std::size_t>(size));
    return values_.data();
  }

 private:
  std::vector<double> values_;
};

/// Every buffer and factorisation of the solvers. Pass the same one to successive solves: once it
/// has seen a problem of some size and pattern, solving another of that size and pattern allocates
/// nothing. Holds no options and no results: any workspace may serve any problem.
struct Workspace {
  Workspace();
  ~Workspace();
  Workspace(Workspace&&) noexcept;
  Workspace& operator=(Workspace&&) noexcept;
  Workspace(const Workspace&) = delete;
  Workspace& operator=(const Workspace&) = delete;

  // bounds of a friction-free problem, lower ≤ r ≤ upper
  Buffer lower, upper;

  // dense LCP made of it, and the way back
  Buffer lcp_matrix, lcp_vector, lcp_solution;
  Buffer full_matrix, free_block, free_slope, base, sign;
  std::vector<Index> free_rows, bound_rows, twice_bound_rows;

  // pivoting on a tableau
  Buffer tableau;
  std::vector<Index> basis, nonbasis, position;

  // solve on the final basis
  Buffer lu, lu_rhs;
  std::vector<Index> lu_pivots, active;

  // block pivoting
  Buffer dense_matrix, velocity, center, rhs, iterate;
  std::vector<std::uint8_t> state, in_set;
  MaskedFactor factor;

  // Newton matrix of a semismooth equation: the pattern of W with its diagonal
  BlockSparse newton_matrix;

  // Gauss–Seidel
  Buffer block_velocity, block_factor;
  std::vector<Index> block_factor_begin, block_pivots;

  // proof of the last answer `infeasible` or `unbounded`; empty if there is none
  Vector certificate;

  // best point of a cascade
  Vector best;
  // block form of a friction-contact problem
  BlockForm form;

  // contact with friction
  FrictionWorkspace friction;

  // interior points
  InteriorWorkspace interior;
};

}  // namespace saltus
