#include "saltus/io/problem_file_blocks.hpp"

#include <algorithm>
#include <limits>

namespace saltus {

namespace {

constexpr Index largest = std::numeric_limits<Index>::max();

Index total(const std::vector<Index>& sizes, const char* name, const std::string& what) {
  Index sum = 0;
  for (const Index size : sizes) {
    require(size >= 1 && size <= largest - sum, "{}: {} holds {}, expected sizes >= 1", what, name,
            size);
    sum += size;
  }
  return sum;
}

/// The blocks of a row in the order of their columns.
std::vector<Index> in_order(const BlockArrays& arrays, std::size_t row) {
  std::vector<Index> order;
  for (Index k = arrays.row_begin[row]; k < arrays.row_begin[row + 1]; ++k) order.push_back(k);
  std::sort(order.begin(), order.end(),
            [&](Index a, Index b) { return arrays.columns[a] < arrays.columns[b]; });
  return order;
}

void require_row(const BlockArrays& arrays, std::size_t row, const std::string& what) {
  Index last = -1;
  for (const Index k : in_order(arrays, row)) {
    const Index column = arrays.columns[k];
    require(column >= 0 && column < static_cast<Index>(arrays.column_sizes.size()),
            "{}: block {} stands in block column {}, there are {}", what, k, column,
            arrays.column_sizes.size());
    require(column != last, "{}: block row {} has block column {} twice", what, row, column);
    last = column;
  }
}

}  // namespace

Index require_pattern(const BlockArrays& arrays, const std::string& what) {
  total(arrays.row_sizes, "row_sizes", what);
  total(arrays.column_sizes, "column_sizes", what);
  const auto blocks = static_cast<Index>(arrays.columns.size());
  const std::vector<Index>& begin = arrays.row_begin;
  require(begin.size() == arrays.row_sizes.size() + 1,
          "{}: there are {} row pointers, expected {} for {} block rows", what, begin.size(),
          arrays.row_sizes.size() + 1, arrays.row_sizes.size());
  require(
      begin.front() == 0 && begin.back() == blocks && std::is_sorted(begin.begin(), begin.end()),
      "{}: the row pointers go from {} to {}, expected from 0 to {} without decreasing", what,
      begin.front(), begin.back(), blocks);
  Index needed = 0;
  for (std::size_t i = 0; i < arrays.row_sizes.size(); ++i) {
    require_row(arrays, i, what);
    for (Index k = begin[i]; k < begin[i + 1]; ++k) {
      const Index rows = arrays.row_sizes[i], columns = arrays.column_sizes[arrays.columns[k]];
      require(columns <= (largest - needed) / rows, "{}: block {} is {}x{}, which is too large",
              what, k, rows, columns);
      needed += rows * columns;
    }
  }
  return needed;
}

BlockSparse to_matrix(const BlockArrays& arrays, const std::string& what) {
  const Index needed = require_pattern(arrays, what);
  require(needed == static_cast<Index>(arrays.values.size()),
          "{}: there are {} values, the blocks need {}", what, arrays.values.size(), needed);
  std::vector<Index> first(arrays.columns.size());
  Index next = 0;
  for (std::size_t i = 0; i < arrays.row_sizes.size(); ++i)
    for (Index k = arrays.row_begin[i]; k < arrays.row_begin[i + 1]; ++k) {
      first[k] = next;
      next += arrays.row_sizes[i] * arrays.column_sizes[arrays.columns[k]];
    }
  BlockSparse matrix;
  matrix.start(arrays.row_sizes, arrays.column_sizes);
  for (std::size_t i = 0; i < arrays.row_sizes.size(); ++i) {
    for (const Index k : in_order(arrays, i)) {
      const Index size = arrays.row_sizes[i] * arrays.column_sizes[arrays.columns[k]];
      const Index target = matrix.push_block(arrays.columns[k]);
      std::copy_n(arrays.values.begin() + first[k], size, matrix.value(target));
    }
    matrix.end_row();
  }
  require(matrix.all_finite(), "{}: a value of the matrix is NaN or infinite", what);
  return matrix;
}

BlockArrays to_arrays(const BlockSparse& matrix) {
  BlockArrays arrays;
  for (Index i = 0; i < matrix.block_rows(); ++i) arrays.row_sizes.push_back(matrix.row_size(i));
  for (Index j = 0; j < matrix.block_cols(); ++j)
    arrays.column_sizes.push_back(matrix.column_size(j));
  arrays.row_begin.push_back(0);
  for (Index i = 0; i < matrix.block_rows(); ++i) {
    arrays.row_begin.push_back(matrix.row_begin(i + 1));
    for (Index k = matrix.row_begin(i); k < matrix.row_begin(i + 1); ++k) {
      arrays.columns.push_back(matrix.column(k));
      const Index size = matrix.row_size(i) * matrix.column_size(matrix.column(k));
      arrays.values.insert(arrays.values.end(), matrix.value(k), matrix.value(k) + size);
    }
  }
  return arrays;
}

}  // namespace saltus
