#pragma once

#include "saltus/solvers/mode_condensation.hpp"

#include <memory>
#include <span>
#include <vector>

namespace saltus {

/// Sparse LU factors of the matrices
///
///     A: row i = W_i + δ_i e_i  if modes[i] is free,   e_i  otherwise,
///
/// one for each pattern of modes that was asked for, all from one symbolic analysis, of what
/// ModeCondensation leaves of W
/// [Davis & Palamadai 2010]. The oldest are given up when there are more than capacity(): what
/// fits into some 160 MB.
class ModeFactors {
 public:
  ModeFactors();
  ~ModeFactors();
  ModeFactors(ModeFactors&&) noexcept;
  ModeFactors& operator=(ModeFactors&&) noexcept;

  /// Takes W, blocks of one row and column; factors of other values are given up.
  void take(const BlockSparse& W);
  /// Makes the factors of these modes the current ones. `proximal`: with δ_i = 1e-9 max_j |W_ij|,
  /// else δ = 0. False if the matrix is numerically singular.
  [[nodiscard]] bool choose(std::span<const Mode> modes, bool proximal);
  /// x = A⁻¹ b with the current factors. Of small matrices the inverse is kept and multiplied: a
  /// tenth of the time; callers refine.
  void solve(const double* b, double* x);
  /// δ_i of the proximal factors.
  [[nodiscard]] double delta(Index i) const { return delta_[static_cast<std::size_t>(i)]; }
  /// Factorisations that are kept at most.
  [[nodiscard]] std::size_t capacity() const;
  /// Numeric factorisations since the start.
  [[nodiscard]] int factorisations() const { return factorisations_; }

 private:
  struct Impl;
  [[nodiscard]] bool same_pattern(const BlockSparse& W) const;
  [[nodiscard]] bool same_values(const BlockSparse& W) const;
  void analyse(const BlockSparse& W);

  std::unique_ptr<Impl> impl_;
  std::vector<Index> row_begin_, column_;  // pattern of W by rows
  std::vector<double> values_;             // of W
  std::vector<double> delta_;
  int factorisations_ = 0;
};

}  // namespace saltus
