#pragma once

#include "saltus/solvers/masked_factor.hpp"

namespace saltus {

/// Factorisation of W + diag(shift), the one linear system of an interior-point iteration. The
/// shift spans many magnitudes, so D (W + diag(shift)) D is factorised, D_ii = (max|W_ii| +
/// shift_i)^(−½), whose singularity can be judged by its pivots. Dense storage (a quarter of the
/// entries or more): Cholesky for a symmetric W while it is safely positive definite, else LU.
/// Sparse: MaskedFactor, so LDLᵀ for a symmetric W and KLU otherwise, ordering computed once per
/// pattern.
class ShiftedFactor {
 public:
  /// Takes the values of W.
  void load(const BlockSparse& W);
  /// Factorises W + diag(shift). False if it is numerically singular.
  [[nodiscard]] bool factorise(ConstVectorRef shift);
  /// Factorises W_FF + shift I, rows and columns outside F = {i : in_set[i] ≠ 0} replaced by the
  /// identity.
  [[nodiscard]] bool factorise(std::span<const std::uint8_t> in_set, double shift);
  /// x ← A⁻¹ x
  void solve(VectorRef x);

 private:
  void load_sparse(const BlockSparse& W);
  /// D (W + diag(shift)) D into the matrix to factorise, or its lower triangle
  void scale_dense(ConstVectorRef shift, bool lower);
  void scale_sparse(ConstVectorRef shift);

  bool dense_ = true, symmetric_ = false;
  Index n_ = 0;
  double size_ = 0;  // max |W_ii|, or 1
  Vector scale_;     // diagonal of D
  Matrix matrix_;
  DenseFactor dense_factor_;
  BlockSparse sparse_, scaled_;
  std::vector<std::uint8_t> everything_;
  MaskedFactor factor_;
};

/// The vectors of an interior-point method: pairs x, s > 0 with their directions, and the rest.
struct InteriorWorkspace {
  Vector x, s, dx, ds, rc, affine_x, affine_s;  // one entry per complementarity pair
  Vector z, dz, r, shift, best;                 // one per unknown
  std::vector<Index> row;                       // of a pair
  std::vector<double> sign, bound;              // of a pair: x = sign (z_row − bound)
  std::vector<std::uint8_t> fixed, in_set;
  ShiftedFactor factor;
};

}  // namespace saltus
