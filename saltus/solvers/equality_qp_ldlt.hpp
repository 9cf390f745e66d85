#pragma once

#include "saltus/algebra/types.hpp"

#include <vector>

namespace saltus {

/// Πᵀ K Π = L D Lᵀ of a symmetric indefinite matrix, D with 1×1 and 2×2 blocks, complete pivoting
/// of Bunch and Parlett (S:QP-06). Dense, n³/6 multiplications. [Bunch & Parlett 1971]
class SymmetricIndefinite {
 public:
  explicit SymmetricIndefinite(Matrix K);
  /// Pivots below 1e-13 of the largest entry are zero: K is singular.
  [[nodiscard]] bool singular() const { return zero_ > 0; }
  /// Eigenvalues of each sign, by Sylvester's law.
  [[nodiscard]] Index positive() const { return positive_; }
  [[nodiscard]] Index negative() const { return negative_; }
  /// x with K x = b; components along zero pivots are 0.
  [[nodiscard]] Vector solve(ConstVectorRef b) const;

 private:
  /// Exchanges rows and columns i and j.
  void exchange(Index i, Index j);
  /// Eliminates with the block of `size` pivots that starts at k.
  void eliminate(Index k, Index size);

  Matrix A_;                  // L below the blocks of D
  std::vector<Index> order_;  // row of K in place i
  std::vector<int> block_;    // size of the pivot that starts at i; 0: second row of a 2×2 one
  Index positive_ = 0, negative_ = 0, zero_ = 0;
};

}  // namespace saltus
