#pragma once

#include "saltus/solvers/mode_condensation.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace saltus {

/// Factors of the matrices
///
///     A: row i = W_i + δ_i e_i  if modes[i] is free,   e_i  otherwise,
///
/// one for each pattern of modes and each W that was asked for, all from one symbolic analysis of
/// what ModeCondensation leaves of W: sparse LU [Davis & Palamadai 2010], of small matrices the
/// inverse. The oldest are given up when there are more than capacity(): what fits into some 32 MB;
/// their memory and order of pivots are used again.
class ModeFactors {
 public:
  ModeFactors();
  ~ModeFactors();
  ModeFactors(ModeFactors&&) noexcept;
  ModeFactors& operator=(ModeFactors&&) noexcept;

  /// Rows of the next W that are functions.
  void set_hinges(const HingeRows& hinges);
  [[nodiscard]] const HingeRows& hinges() const;
  /// Takes W, blocks of one row and column. Factors of a W with another label are kept for its
  /// return: the same label > 0 promises the same values, labels > 0 the same pattern. Without a
  /// label, factors of other values are given up.
  void take(const BlockSparse& W, std::uint64_t label = 0);
  /// Makes the factors of these modes the current ones. `proximal`: with δ_i = 1e-9 max_j |W_ij|,
  /// else δ = 0. False if the matrix is numerically singular.
  [[nodiscard]] bool choose(std::span<const Mode> modes, bool proximal);
  /// x = A⁻¹ b with the current factors; callers refine.
  void solve(const double* b, double* x);
  /// The same for δ = 0 and b_i = −q_i if i is free, its bound otherwise. Also gives u = W x + q of
  /// the eliminated rows: 0 if free, up to the rounding of their own terms; of rows that are
  /// functions, their arguments instead. True if these all lie on the pieces that their modes say.
  [[nodiscard]] bool solve(const double* q, const double* lower, const double* upper, double* x,
                           double* u, double* argument);
  /// The modes of the rows that are functions, from their arguments x in the order of HingeRows.
  void set_pieces(const double* x, std::span<Mode> modes) const;
  /// δ_i of the proximal factors.
  [[nodiscard]] double delta(Index i) const { return delta_[static_cast<std::size_t>(i)]; }
  /// Rows that are no functions: those that are eliminated before a factorisation, and the others.
  [[nodiscard]] std::span<const Index> plain() const;
  [[nodiscard]] std::span<const Index> kept() const;
  /// Factorisations that are kept at most.
  [[nodiscard]] std::size_t capacity() const;
  /// Numeric factorisations since the start.
  [[nodiscard]] int factorisations() const { return factorisations_; }

 private:
  struct Impl;
  [[nodiscard]] bool same_pattern(const BlockSparse& W) const;
  [[nodiscard]] bool same_values(const BlockSparse& W) const;
  void take_pattern(const BlockSparse& W);
  void make_delta();
  void analyse(const BlockSparse& W, bool afresh);

  std::unique_ptr<Impl> impl_;
  std::vector<Index> row_begin_, column_;  // pattern of W by rows
  std::vector<double> values_;             // of W
  std::vector<double> delta_;
  bool delta_known_ = false;  // delta_ is that of values_
  std::uint64_t label_ = 0;   // of the values
  int factorisations_ = 0;
};

}  // namespace saltus
