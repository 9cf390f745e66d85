#pragma once

#include "saltus/algebra/types.hpp"

#include <Eigen/SparseCore>

#include <span>
#include <vector>

namespace saltus {

/// Matrix of dense blocks in compressed rows: the one storage of the problem library (PL:KE-02,
/// PL:PL-08). A dense matrix is one block, a scalar sparse matrix has blocks of size 1, a contact
/// problem blocks of size 2 or 3; sizes may be mixed. The row and column partitions may differ.
///
///     block row i holds blocks k = row_begin(i) … row_begin(i+1)−1, block k sits in block column
///     column(k) (increasing within a row) and its values are stored column by column.
///
/// Storage only grows: rebuilding with the same sizes allocates nothing.
class BlockSparse {
 public:
  using Block = Eigen::Map<Matrix>;
  using ConstBlock = Eigen::Map<const Matrix>;

  BlockSparse() = default;

  /// One dense block, or (block_size > 0) a full pattern of square blocks of that size.
  [[nodiscard]] static BlockSparse dense(ConstMatrixRef A, Index block_size = 0);
  /// Blocks of `block_size` wherever A has a stored entry.
  [[nodiscard]] static BlockSparse sparse(const Eigen::SparseMatrix<double>& A,
                                          Index block_size = 1);
  /// A block wherever A has a stored entry, for given sizes of block rows and block columns.
  [[nodiscard]] static BlockSparse sparse(const Eigen::SparseMatrix<double>& A,
                                          std::span<const Index> row_sizes,
                                          std::span<const Index> column_sizes);

  /// Starts a rebuild: sizes of the block rows and columns, no blocks yet.
  void start(std::span<const Index> row_sizes, std::span<const Index> column_sizes);
  /// Appends a block to the current block row, zero-filled, and returns its number. Columns must
  /// come in increasing order.
  Index push_block(Index column);
  /// Ends the current block row.
  void end_row();

  [[nodiscard]] Index rows() const { return row_offset_.empty() ? 0 : row_offset_.back(); }
  [[nodiscard]] Index cols() const { return column_offset_.empty() ? 0 : column_offset_.back(); }
  [[nodiscard]] Index block_rows() const { return ssize(row_offset_); }
  [[nodiscard]] Index block_cols() const { return ssize(column_offset_); }
  [[nodiscard]] Index blocks() const { return static_cast<Index>(column_.size()); }
  /// Stored scalars, zeros included.
  [[nodiscard]] Index nonzeros() const { return static_cast<Index>(values_.size()); }

  [[nodiscard]] Index row_offset(Index i) const { return row_offset_[i]; }
  [[nodiscard]] Index row_size(Index i) const { return row_offset_[i + 1] - row_offset_[i]; }
  [[nodiscard]] Index column_offset(Index j) const { return column_offset_[j]; }
  [[nodiscard]] Index column_size(Index j) const {
    return column_offset_[j + 1] - column_offset_[j];
  }
  [[nodiscard]] Index row_begin(Index i) const { return row_begin_[i]; }
  [[nodiscard]] Index column(Index k) const { return column_[k]; }
  /// Number of the diagonal block of block row i, −1 if it is not stored.
  [[nodiscard]] Index diagonal(Index i) const { return diagonal_[i]; }
  /// Number of block (i, j), −1 if it is not stored.
  [[nodiscard]] Index find(Index i, Index j) const;
  /// All blocks are 1×1: block k is value(k).
  [[nodiscard]] bool scalar() const { return scalar_; }

  [[nodiscard]] const double* value(Index k) const { return values_.data() + value_begin_[k]; }
  [[nodiscard]] double* value(Index k) { return values_.data() + value_begin_[k]; }
  /// Block k of block row i.
  [[nodiscard]] Block block(Index i, Index k) {
    return {value(k), row_size(i), column_size(column_[k])};
  }
  [[nodiscard]] ConstBlock block(Index i, Index k) const {
    return {value(k), row_size(i), column_size(column_[k])};
  }

  /// y = A x
  void multiply(ConstVectorRef x, VectorRef y) const;
  /// y = Aᵀ x
  void multiply_transposed(ConstVectorRef x, VectorRef y) const;
  /// y = block row i of A, times x
  void multiply_row(Index i, ConstVectorRef x, VectorRef y) const;

  [[nodiscard]] Matrix to_dense() const;
  [[nodiscard]] Eigen::SparseMatrix<double> to_sparse() const;
  /// Writes A into `dense`, which must have the right size; allocates nothing.
  void copy_to(MatrixRef dense) const;
  /// max |a_ij| over the diagonal
  [[nodiscard]] double max_abs_diagonal() const;
  /// max |a_ij − a_ji| over block row i and the block columns from i on; W has the same row and
  /// column sizes. Blocks that are not stored are zero.
  [[nodiscard]] double row_asymmetry(Index i) const;
  /// Same pattern and |a_ij − a_ji| ≤ tolerance · max|a|.
  [[nodiscard]] bool symmetric(double tolerance = 1e-12) const;
  /// Every stored value is finite.
  [[nodiscard]] bool all_finite() const;

 private:
  [[nodiscard]] static Index ssize(const std::vector<Index>& offsets) {
    return offsets.empty() ? 0 : static_cast<Index>(offsets.size()) - 1;
  }

  std::vector<Index> row_offset_, column_offset_;  // scalar offsets of block rows and columns
  std::vector<Index> row_begin_;                   // first block of each block row
  std::vector<Index> column_, value_begin_, diagonal_;
  std::vector<double> values_;
  bool scalar_ = true;
};

}  // namespace saltus
