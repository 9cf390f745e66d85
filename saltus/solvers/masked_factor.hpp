#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/solvers/dense_factor.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace saltus {

/// Factorisation of W with the rows and columns outside a set F replaced by the identity,
///
///     A = [ W_FF + shift I   0 ]
///         [      0           I ],
///
/// the linear system of block pivoting. The pattern of the whole W is analysed once (ordering,
/// elimination tree); a change of F, of the shift or of the values costs a numeric factorisation
/// without allocation. Symmetric W with a positive diagonal: LDLᵀ after an approximate minimum
/// degree ordering [Davis 2005]. Otherwise: KLU, refactoring with the last pivot sequence while
/// that is stable. A W of at most 64 rows, or with a quarter of its entries stored, is dense: W_FF
/// alone is gathered and factorised, by Cholesky if W is symmetric and W_FF positive definite, else
/// by LU.
class MaskedFactor {
 public:
  MaskedFactor();
  ~MaskedFactor();
  MaskedFactor(MaskedFactor&&) noexcept;
  MaskedFactor& operator=(MaskedFactor&&) noexcept;

  /// Takes the pattern and symmetry of W; does nothing if the pattern is the one already analysed.
  void analyse(const BlockSparse& W);
  /// Forgets the pattern, keeps the memory.
  void forget() { block_row_begin_.clear(); }
  /// Factorises A for F = {i : in_set[i] ≠ 0}. False if A is numerically singular.
  [[nodiscard]] bool factorise(const BlockSparse& W, std::span<const std::uint8_t> in_set,
                               double shift);
  /// x ← A⁻¹ x
  void solve(double* x);
  [[nodiscard]] bool symmetric() const { return symmetric_; }

 private:
  struct Klu;

  [[nodiscard]] bool same_pattern(const BlockSparse& W) const;
  void store_pattern(const BlockSparse& W);
  void analyse_ldlt(const BlockSparse& W);
  void analyse_klu(const BlockSparse& W);
  void fill(const BlockSparse& W, std::span<const std::uint8_t> in_set, double shift);
  [[nodiscard]] bool factorise_ldlt();
  [[nodiscard]] bool factorise_dense(const BlockSparse& W, std::span<const std::uint8_t> in_set,
                                     double shift);
  void gather(const BlockSparse& W, double shift, bool lower);

  bool symmetric_ = false, dense_ = false;
  int n_ = 0;
  // block pattern analysed last
  std::vector<Index> block_offset_, block_row_begin_, block_column_;
  // A by columns: entry e sits in row_[e], its value comes from value number source_[e] of W (−1:
  // none)
  std::vector<int> column_begin_, row_;
  std::vector<Index> source_;
  std::vector<double> values_;
  std::vector<int> new_of_;           // position of row i after the ordering
  std::vector<std::uint8_t> inside_;  // the set F, in that order
  // LDLᵀ: elimination tree, columns of L, and work arrays
  std::vector<int> parent_, l_begin_, l_count_, l_row_, flag_, pattern_;
  std::vector<double> l_, d_, y_;
  std::vector<double> x_;
  std::unique_ptr<Klu> klu_;
  // dense: the rows in F, and the place of each row among them or −1
  std::vector<Index> set_, place_;
  DenseFactor dense_factor_;
};

}  // namespace saltus
