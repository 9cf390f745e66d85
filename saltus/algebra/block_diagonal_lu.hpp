#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/LU>

#include <span>
#include <vector>

namespace saltus {

/// LU factors of a block-diagonal matrix, block by block. Blocks of size 1 are kept as reciprocals.
/// Factorising again with the same sizes allocates nothing.
class BlockDiagonalLu {
 public:
  /// Sets the sizes of the blocks.
  void resize(std::span<const Index> sizes);

  /// Factorises block b from its values (column by column); false if it is singular to working
  /// precision or not finite.
  [[nodiscard]] bool factorize(Index b, const double* values);

  /// x = A_b⁻¹ rhs, for `columns` right-hand sides stored column by column; x ≠ rhs.
  void solve(Index b, const double* rhs, Index columns, double* x) const;

 private:
  struct Slot {
    double reciprocal = 0;
    Index size = 1;
    Index factor = -1;  // index in factors_, for sizes above 1
  };
  std::vector<Slot> slots_;
  std::vector<Eigen::PartialPivLU<Matrix>> factors_;
};

}  // namespace saltus
