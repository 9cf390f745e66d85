#include "saltus/io/siconos_text_matrix.hpp"

#include "saltus/io/problem_file_blocks.hpp"

#include <fmt/compile.h>

#include <charconv>
#include <iterator>
#include <limits>

namespace saltus {

namespace {

constexpr Index largest = std::numeric_limits<int>::max();

struct Size {
  Index rows, columns;
};

Size read_size(TextScanner& in, Index least_columns) {
  const Index rows = in.integer("the number of rows", 1, largest);
  return {rows, in.integer("the number of columns", least_columns, largest)};
}

BlockSparse read_dense(TextScanner& in, Size size) {
  in.integer("the number of rows again", size.rows, size.rows);
  in.integer("the number of columns again", size.columns, size.columns);
  const Vector values = in.numbers(size.rows * size.columns, "the values of the matrix");
  return BlockSparse::dense(Eigen::Map<const Matrix>(values.data(), size.rows, size.columns));
}

std::vector<Index> read_integers(TextScanner& in, Index count, std::string_view what, Index upper) {
  in.require_room(count, what);
  std::vector<Index> list(static_cast<std::size_t>(count));
  for (Index& entry : list) entry = in.integer(what, 0, upper);
  return list;
}

/// Cumulated sizes, the last one equal to `total`, as sizes.
std::vector<Index> read_sizes(TextScanner& in, Index count, std::string_view what, Index total) {
  in.require_room(count, what);
  std::vector<Index> sizes(static_cast<std::size_t>(count));
  Index last = 0;
  for (Index i = 0; i < count; ++i) {
    const Index end = in.integer(what, i + 1 == count ? total : last + 1, total);
    sizes[i] = end - last;
    last = end;
  }
  return sizes;
}

BlockSparse read_blocks(TextScanner& in, Size size) {
  const Index blocks = in.integer("the number of blocks", 0, largest);
  const Index block_rows = in.integer("the number of block rows", 1, size.rows);
  const Index block_columns = in.integer("the number of block columns", 1, size.columns);
  BlockArrays arrays;
  arrays.row_sizes = read_sizes(in, block_rows, "the cumulated row sizes", size.rows);
  arrays.column_sizes = read_sizes(in, block_columns, "the cumulated column sizes", size.columns);
  const Index pointers = in.integer("the number of row pointers", 1, block_rows + 1);
  in.integer("the number of block columns stored, equal to the number of blocks", blocks, blocks);
  arrays.row_begin = read_integers(in, pointers, "the row pointers", blocks);
  arrays.row_begin.resize(static_cast<std::size_t>(block_rows) + 1, blocks);
  arrays.columns = read_integers(in, blocks, "the block columns", block_columns - 1);
  Index needed = 0;
  try {
    needed = require_pattern(arrays, "sparse blocks");
  } catch (const Error& mistake) {
    in.fail_here(mistake.what());
  }
  in.require_room(needed, "the values of the blocks");
  arrays.values.reserve(static_cast<std::size_t>(needed));
  for (Index i = 0; i < block_rows; ++i)
    for (Index k = arrays.row_begin[i]; k < arrays.row_begin[i + 1]; ++k) {
      in.integer("the number of the block", k, k);
      const Index count = arrays.row_sizes[i] * arrays.column_sizes[arrays.columns[k]];
      for (Index v = 0; v < count; ++v) arrays.values.push_back(in.number("the values of a block"));
    }
  return to_matrix(arrays, "sparse blocks");
}

/// The number after `label` in a line; SICONOS writes it with %g.
Index labelled(TextScanner& in, std::string_view line, std::string_view label) {
  constexpr std::string_view form = "the line 'triplet: ROWS-by-COLUMNS, nzmax: N nnz: N'";
  const std::size_t at = line.find(label);
  if (at == std::string_view::npos) in.unexpected(line, form);
  line.remove_prefix(at + label.size());
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  double value = -1;
  const auto [end, error] = std::from_chars(line.data(), line.data() + line.size(), value);
  if (error != std::errc{} || !(value >= 0 && value <= static_cast<double>(largest)) ||
      value != static_cast<double>(static_cast<Index>(value)))
    in.unexpected(line, form);
  return static_cast<Index>(value);
}

void require_colon(TextScanner& in) {
  const std::string_view colon = in.word("':'");
  if (colon != ":") in.unexpected(colon, "':'");
}

using Triplets = std::vector<Eigen::Triplet<double>>;

Triplets read_triplets(TextScanner& in, Size size, Index count) {
  in.require_room(4 * count, "the triplets");
  Triplets triplets;
  triplets.reserve(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    const Index row = in.integer("the row of a triplet", 0, size.rows - 1);
    const Index column = in.integer("the column of a triplet", 0, size.columns - 1);
    require_colon(in);
    triplets.emplace_back(static_cast<int>(row), static_cast<int>(column),
                          in.number("the value of a triplet"));
  }
  return triplets;
}

void require_word(TextScanner& in, std::string_view expected) {
  const std::string_view word = in.word(expected);
  if (word != expected) in.unexpected(word, expected);
}

/// For every column "col J : locations FIRST to LAST", then "row : value" for its entries.
Triplets read_columns(TextScanner& in, Size size, Index count) {
  in.require_room(7 * size.columns + 3 * count, "the columns");
  Triplets triplets;
  triplets.reserve(static_cast<std::size_t>(count));
  for (Index j = 0; j < size.columns; ++j) {
    require_word(in, "col");
    in.integer("the number of the column", j, j);
    require_colon(in);
    require_word(in, "locations");
    const auto first = static_cast<Index>(triplets.size());
    in.integer("the first location of the column", first, first);
    require_word(in, "to");
    const Index last = in.integer("the last location of the column", first - 1, count - 1);
    for (Index k = first; k <= last; ++k) {
      const Index row = in.integer("the row of an entry", 0, size.rows - 1);
      require_colon(in);
      triplets.emplace_back(static_cast<int>(row), static_cast<int>(j),
                            in.number("the value of an entry"));
    }
  }
  if (static_cast<Index>(triplets.size()) != count)
    in.fail_here(fmt::format("the columns hold {} entries, expected {}", triplets.size(), count));
  return triplets;
}

BlockSparse read_sparse(TextScanner& in, Size size) {
  const bool by_columns =
      in.integer("the origin of a sparse matrix (1: triplets, 2: columns)", 1, 2) == 2;
  in.rest_of_line();
  std::string_view line = in.rest_of_line();
  if (line.find("-by-") == std::string_view::npos) line = in.rest_of_line();
  const bool fits = labelled(in, line, by_columns ? "" : "triplet:") == size.rows &&
                    labelled(in, line, "-by-") == size.columns;
  if (!fits)
    in.unexpected(line, fmt::format("{}-by-{} {}", size.rows, size.columns,
                                    by_columns ? "entries" : "triplets"));
  const Index count = labelled(in, line, "nnz:");
  const Triplets triplets =
      by_columns ? read_columns(in, size, count) : read_triplets(in, size, count);
  // Every row of M has its entry in q, still to come.
  in.require_room(std::max(size.rows, size.columns), "the numbers after the matrix");
  Eigen::SparseMatrix<double> M(size.rows, size.columns);
  M.setFromTriplets(triplets.begin(), triplets.end());
  return BlockSparse::sparse(M);
}

// Writing ---------------------------------------------------------------------------------------

void write_blocks(const BlockSparse& M, std::string& out) {
  const auto end = std::back_inserter(out);
  const auto list = [&](Index count, auto entry) {
    for (Index i = 0; i < count; ++i) fmt::format_to(end, "{} ", entry(i));
    out += '\n';
  };
  fmt::format_to(end, "{}\n{}\n{}\n", M.blocks(), M.block_rows(), M.block_cols());
  list(M.block_rows(), [&](Index i) { return M.row_offset(i + 1); });
  list(M.block_cols(), [&](Index j) { return M.column_offset(j + 1); });
  fmt::format_to(end, "{}\n{}\n", M.block_rows() + 1, M.blocks());
  list(M.block_rows() + 1, [&](Index i) { return M.row_begin(i); });
  list(M.blocks(), [&](Index k) { return M.column(k); });
  for (Index i = 0; i < M.block_rows(); ++i)
    for (Index k = M.row_begin(i); k < M.row_begin(i + 1); ++k) {
      fmt::format_to(end, "{}\n", k);
      write_numbers(Eigen::Map<const Vector>(M.value(k), M.block(i, k).size()), out);
    }
}

void write_triplets(const BlockSparse& M, std::string& out) {
  const auto end = std::back_inserter(out);
  fmt::format_to(end, "1\nCSparse triplets, written by Saltus\n");
  fmt::format_to(end, "triplet: {}-by-{}, nzmax: {} nnz: {}\n", M.rows(), M.cols(), M.blocks(),
                 M.blocks());
  for (Index i = 0; i < M.block_rows(); ++i)
    for (Index k = M.row_begin(i); k < M.row_begin(i + 1); ++k)
      fmt::format_to(end, "    {} {} : {}\n", i, M.column(k), *M.value(k));
}

}  // namespace

BlockSparse read_siconos_matrix(TextScanner& in) {
  const Index storage =
      in.integer("the storage of the matrix (0 dense, 1 sparse blocks, 2 sparse)", 0, 2);
  const Size size = read_size(in, storage == 2 ? 0 : 1);  // H of a problem without contact
  if (storage == 0) return read_dense(in, size);
  return storage == 1 ? read_blocks(in, size) : read_sparse(in, size);
}

void write_numbers(ConstVectorRef values, std::string& out) {
  for (Index i = 0; i < values.size(); ++i)
    fmt::format_to(std::back_inserter(out), FMT_COMPILE("{}{}"), i > 0 ? " " : "", values[i]);
  out += '\n';
}

void write_siconos_matrix(const BlockSparse& M, std::string& out) {
  const bool dense = M.block_rows() == 1 && M.block_cols() == 1 && M.blocks() == 1;
  const auto end = std::back_inserter(out);
  fmt::format_to(end, "{}\n{}\n{}\n", dense ? 0 : (M.scalar() ? 2 : 1), M.rows(), M.cols());
  if (dense) {
    fmt::format_to(end, "{} {}\n", M.rows(), M.cols());
    for (Index j = 0; j < M.cols(); ++j)
      write_numbers(Eigen::Map<const Vector>(M.value(0) + j * M.rows(), M.rows()), out);
  } else if (M.scalar()) {
    write_triplets(M, out);
  } else {
    write_blocks(M, out);
  }
}

}  // namespace saltus
