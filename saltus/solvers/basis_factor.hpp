#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/SparseCore>

#include <memory>
#include <vector>

namespace saltus {

/// Factors of a basis matrix B whose columns are exchanged one at a time, the linear algebra of
/// revised pivoting methods. A sparse LU (KLU) of an earlier B₀ and one elementary matrix per
/// exchange (product form of the inverse):
///
///     B = B₀ E₁ … E_k,    E_j = I with column p_j replaced by d_j = (B₀ E₁ … E_{j−1})⁻¹ a_j.
///
/// A solve costs the triangular solves of B₀ and the entries of d₁ … d_k; a fresh factorisation is
/// due after a number of exchanges that the caller chooses. Only the factorisation allocates.
class BasisFactor {
 public:
  BasisFactor();
  ~BasisFactor();
  BasisFactor(BasisFactor&&) noexcept;
  BasisFactor& operator=(BasisFactor&&) noexcept;

  /// Forgets all exchanges and factorises B. False if B is numerically singular.
  [[nodiscard]] bool factorise(Eigen::SparseMatrix<double>& B);
  /// x ← B⁻¹ x
  void solve(Vector& x) const;
  /// x ← B⁻ᵀ x
  void solve_transposed(Vector& x) const;
  /// Replaces column `position` of B by a, given d = B⁻¹ a.
  void exchange(Index position, const Vector& d);
  [[nodiscard]] int exchanges() const { return static_cast<int>(etas_.size()); }

 private:
  struct Klu;
  struct Eta {
    int position;
    double pivot;
    std::size_t begin, end;  // of the other entries
  };
  std::unique_ptr<Klu> klu_;
  std::vector<Eta> etas_;
  std::vector<int> row_;
  std::vector<double> value_;
};

}  // namespace saltus
