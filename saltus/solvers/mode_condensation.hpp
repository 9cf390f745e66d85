#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/algebra/hinge_sum.hpp"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace saltus {

/// Where a bounded row stands: r_i = lower_i, u_i = 0, or r_i = upper_i. The modes of a row of
/// HingeRows are its pieces, from `piece` on.
enum class Mode : std::uint8_t { lower, free, upper, piece };

[[nodiscard]] constexpr Mode mode_of_piece(int k) { return static_cast<Mode>(3 + k); }
[[nodiscard]] constexpr int piece_of(Mode mode) { return static_cast<int>(mode) - 3; }

/// The matrix A of mode following (row i = W_i + δ_i e_i if i is free, e_i otherwise) without the
/// unknowns that are eliminated cheaply, whatever the modes are. A set H of rows with a good
/// diagonal entry, few other entries, and none among themselves (the hinges of a transistor, the
/// companion resistances of inductors and capacitors) leaves, with R the other rows,
///
///     S = A_RR − Σ_{i ∈ H free} A_Ri A_iR / d_i,   d_i = W_ii + δ_i,                       (1)
///
/// whose pattern does not depend on the modes. The rows of HingeRows are always in H, with the
/// steepness of their piece in the place of 1/d_i: row i of A is e_i + steepness_i (W_i − e_i).
class ModeCondensation {
 public:
  /// Rows that are functions, from the next analyse() on.
  void set_hinges(const HingeRows& hinges) { hinges_ = hinges; }
  [[nodiscard]] const HingeRows& hinges() const { return hinges_; }
  /// Chooses H and makes the pattern of S, by columns. Rows that once were no good pivots are not
  /// chosen again unless `afresh`.
  void analyse(const BlockSparse& W, bool afresh);
  /// Takes other values of W. False if a diagonal entry of H is no good pivot any more: analyse()
  /// must choose again. What is made of values with a label > 0 is kept for their return.
  [[nodiscard]] bool take(const double* values, std::uint64_t label);
  /// Values of S. `delta`: one number per row, or null.
  void fill(const double* values, std::span<const Mode> modes, const double* delta);
  /// The right-hand side of S from that of A.
  void reduce(const double* values, std::span<const Mode> modes, const double* delta,
              const double* b, double* reduced) const;
  /// x of A from that of S.
  void expand(const double* values, std::span<const Mode> modes, const double* delta,
              const double* b, const double* reduced, double* x) const;
  /// The same with δ = 0 and b of mode following: −q_i if i is free, the bound otherwise. expand()
  /// also gives u = W x + q of the rows of H, 0 if free, and in its place the arguments of the rows
  /// of HingeRows, in their order. True if these all lie on the pieces that their modes say.
  /// What reduce() has of the rows of HingeRows is `functions`, made by reduce_functions(): it
  /// depends on the modes and on their own q only.
  void reduce(std::span<const Mode> modes, const double* q, const double* lower,
              const double* upper, const double* functions, double* reduced) const;
  void reduce_functions(std::span<const Mode> modes, const double* q, double* functions) const;
  [[nodiscard]] bool expand(std::span<const Mode> modes, const double* q, const double* lower,
                            const double* upper, const double* reduced, double* x, double* u,
                            double* argument) const;
  /// The modes of the rows of HingeRows, from their arguments x in the same order.
  void set_pieces(const double* x, std::span<Mode> modes) const;

  [[nodiscard]] int size() const { return static_cast<int>(kept_.size()); }
  /// R, and the rows of H that are not of HingeRows.
  [[nodiscard]] std::span<const Index> kept() const { return kept_; }
  [[nodiscard]] std::span<const Index> plain() const { return {eliminated_.data(), plain_}; }
  [[nodiscard]] std::vector<int>& begin() { return begin_; }
  [[nodiscard]] std::vector<int>& row() { return row_; }
  [[nodiscard]] std::vector<double>& value() { return value_; }

 private:
  struct Entry {  // of W: row and column in A, number of the value
    Index i, j, k;
  };
  struct Direct {  // value k of W (−1: none) in row i of A goes to place e of S
    Index i, k;
    int e;
    bool diagonal;
  };
  struct Fill {  // row i of A, its value number left, times value number right of a row of H
    Index i, left, right;
    int e;
  };
  struct Piece {  // f(x) = steepness x − offset, from ≤ x ≤ to
    double from, to, steepness, offset;
  };
  struct Term {  // of a row or column of H: its value, its place among the kept
    double value;
    Index place;
  };
  struct Numbers {                          // made of the values of W
    std::vector<double> diagonal, inverse;  // d and 1/d of the rows of H
    std::vector<double> product;            // of each Fill: left · right / d
    std::vector<Term> in_row, in_column;    // of each Coupling
  };
  void choose(const BlockSparse& W);
  void take_hinges(const BlockSparse& W, std::vector<char>& taken, std::vector<char>& blocked);
  void make_pattern();
  void flatten();
  /// Subtracts column e of H times the amount.
  void subtract(std::size_t e, double amount, double* reduced) const;
  [[nodiscard]] int place(Index i, Index j) const;
  /// The piece of eliminated row e.
  [[nodiscard]] const Piece& piece(std::size_t e, Mode mode) const {
    return pieces_[function_[e - plain_] + static_cast<std::size_t>(piece_of(mode))];
  }
  /// 1 / d of row number e of H
  [[nodiscard]] double inverse(const double* values, const double* delta, std::size_t e) const {
    if (delta == nullptr) return now_->inverse[e];
    return 1 / (values[diagonal_[eliminated_[e]]] + delta[eliminated_[e]]);
  }

  HingeRows hinges_;
  std::vector<std::size_t> function_;     // of each row of hinges_: where its pieces begin
  std::vector<Piece> pieces_;             // of all functions
  std::vector<Index> kept_, eliminated_;  // the latter: plain ones, then the rows of hinges_
  std::size_t plain_ = 0;
  std::vector<char> banned_;                            // rows that once were no good pivots
  std::unordered_map<std::uint64_t, Numbers> numbers_;  // by label
  const Numbers* now_ = nullptr;
  std::vector<Index> where_;     // place of a row among the kept, −1 if it is eliminated
  std::vector<Index> diagonal_;  // number of the diagonal value, −1 if there is none
  std::vector<std::vector<Entry>> rows_, columns_;  // of W, without the diagonal
  // the rows and columns of H, one after the other: place among the kept, row of A, number of the
  // value
  struct Coupling {
    int place, row, k;
  };
  std::vector<Coupling> in_row_, in_column_;
  std::vector<int> row_begin_, column_begin_;
  std::vector<Direct> direct_;
  std::vector<Fill> fill_;
  std::vector<std::size_t> fill_begin_;  // of each row of H
  std::vector<int> begin_, row_;
  std::vector<double> value_;
};

}  // namespace saltus
