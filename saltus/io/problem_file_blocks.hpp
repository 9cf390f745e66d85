#pragma once

#include "saltus/algebra/block_sparse.hpp"

#include <string>

namespace saltus {

/// A block-sparse matrix as the arrays of a file: block row i holds the blocks row_begin[i] …
/// row_begin[i+1]−1, block k stands in block column columns[k]; the values of the blocks follow one
/// another, each column by column.
struct BlockArrays {
  std::vector<Index> row_sizes, column_sizes, row_begin, columns;
  std::vector<double> values;
};

/// Throws Error "`what`: …" unless the pattern makes sense: sizes ≥ 1, pointers that do not
/// decrease and end at the number of blocks, columns in range, none twice in a row. Returns the
/// number of values the pattern needs.
Index require_pattern(const BlockArrays& arrays, const std::string& what);

/// The matrix; columns within a row may come in any order. Throws Error as above, and unless there
/// are as many values as the pattern needs, all finite.
[[nodiscard]] BlockSparse to_matrix(const BlockArrays& arrays, const std::string& what);
[[nodiscard]] BlockArrays to_arrays(const BlockSparse& matrix);

}  // namespace saltus
