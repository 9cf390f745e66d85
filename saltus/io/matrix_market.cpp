#include "saltus/io/matrix_market.hpp"

#include "saltus/io/problem_file_text.hpp"

#include <fmt/compile.h>

#include <iterator>
#include <limits>

namespace saltus {

namespace {

constexpr Index largest = std::numeric_limits<int>::max();

enum class Symmetry { general, symmetric, skew };

struct Header {
  bool coordinate = false;
  Symmetry symmetry = Symmetry::general;
  Index rows = 0, columns = 0;
};

/// The place of the next word among `known`; Error if it is none of them.
std::size_t choice(TextScanner& in, std::initializer_list<std::string_view> known) {
  std::string list;
  for (const std::string_view entry : known)
    list += (list.empty() ? "" : " or ") + std::string(entry);
  std::string word(in.word(list));
  for (char& c : word)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  for (std::size_t i = 0; i < known.size(); ++i)
    if (word == known.begin()[i]) return i;
  in.unexpected(word, list);
}

/// Comments may stand between the header and the sizes only.
void skip_comments(TextScanner& in) {
  while (!in.at_end()) {
    TextScanner ahead = in;
    if (!ahead.word("a line").starts_with('%')) return;
    in.rest_of_line();
  }
}

Header read_header(TextScanner& in) {
  Header header;
  choice(in, {"%%matrixmarket"});
  choice(in, {"matrix"});
  header.coordinate = choice(in, {"coordinate", "array"}) == 0;
  choice(in, {"real", "integer"});
  header.symmetry = static_cast<Symmetry>(choice(in, {"general", "symmetric", "skew-symmetric"}));
  in.rest_of_line();
  skip_comments(in);
  header.rows = in.integer("the number of rows", 1, largest);
  header.columns = in.integer("the number of columns", 1, largest);
  if (header.symmetry != Symmetry::general && header.rows != header.columns)
    in.fail_here(fmt::format("the matrix is {}x{} and symmetric, expected a square one",
                             header.rows, header.columns));
  return header;
}

BlockSparse read_array(TextScanner& in, const Header& header) {
  const Index n = header.rows, m = header.columns;
  const bool general = header.symmetry == Symmetry::general;
  const bool skew = header.symmetry == Symmetry::skew;
  in.require_room(general ? n * m : (skew ? n * (n - 1) / 2 : n * (n + 1) / 2),
                  "the values of the matrix");
  Matrix A = Matrix::Zero(n, m);
  for (Index j = 0; j < m; ++j)
    for (Index i = general ? 0 : j + (skew ? 1 : 0); i < n; ++i) {
      A(i, j) = in.number("the values of the matrix");
      if (!general) A(j, i) = skew ? -A(i, j) : A(i, j);
    }
  return BlockSparse::dense(A);
}

BlockSparse read_coordinates(TextScanner& in, const Header& header) {
  constexpr Index for_free = 1'000'000;
  const Index most = in.bytes_left() + for_free;
  if (std::max(header.rows, header.columns) > most)
    in.fail_here(fmt::format("the matrix is {}x{}, too large for a file with {} bytes left",
                             header.rows, header.columns, in.bytes_left()));
  const Index count = in.integer("the number of entries", 0, largest / 2);
  in.require_room(3 * count, "the entries");
  std::vector<Eigen::Triplet<double>> triplets;
  triplets.reserve(static_cast<std::size_t>(count));
  for (Index k = 0; k < count; ++k) {
    const Index i = in.integer("the row of an entry", 1, header.rows) - 1;
    const bool general = header.symmetry == Symmetry::general;
    const bool skew = header.symmetry == Symmetry::skew;
    const Index last = general ? header.columns : (skew ? i : i + 1);
    const Index j = in.integer("the column of an entry", 1, last) - 1;
    const double value = in.number("the value of an entry");
    triplets.emplace_back(static_cast<int>(i), static_cast<int>(j), value);
    if (!general && i != j)
      triplets.emplace_back(static_cast<int>(j), static_cast<int>(i), skew ? -value : value);
  }
  Eigen::SparseMatrix<double> A(header.rows, header.columns);
  A.setFromTriplets(triplets.begin(), triplets.end());
  BlockSparse matrix = BlockSparse::sparse(A);
  if (!matrix.all_finite()) in.fail_here("entries given twice add up to infinity");
  return matrix;
}

}  // namespace

BlockSparse parse_matrix_market(std::string_view text, const std::filesystem::path& file) {
  TextScanner in(text, file.string());
  const Header header = read_header(in);
  BlockSparse matrix = header.coordinate ? read_coordinates(in, header) : read_array(in, header);
  if (!in.at_end()) in.unexpected(in.word("the end"), "the end of the file");
  return matrix;
}

BlockSparse read_matrix_market(const std::filesystem::path& path) {
  return parse_matrix_market(read_text_file(path), path);
}

Vector read_matrix_market_vector(const std::filesystem::path& path) {
  const BlockSparse matrix = read_matrix_market(path);
  require(matrix.cols() == 1, "cannot read '{}': it is {}x{}, expected a vector (one column)",
          path.string(), matrix.rows(), matrix.cols());
  return matrix.to_dense();
}

std::string to_matrix_market(const BlockSparse& matrix) {
  std::string out;
  const auto end = std::back_inserter(out);
  const bool dense = matrix.block_rows() == 1 && matrix.block_cols() == 1 && matrix.blocks() == 1;
  fmt::format_to(end, "%%MatrixMarket matrix {} real general\n", dense ? "array" : "coordinate");
  fmt::format_to(end, "{} {}", matrix.rows(), matrix.cols());
  if (dense) {
    out += '\n';
    for (Index i = 0; i < matrix.nonzeros(); ++i)
      fmt::format_to(end, FMT_COMPILE("{}\n"), matrix.value(0)[i]);
    return out;
  }
  fmt::format_to(end, " {}\n", matrix.nonzeros());
  for (Index i = 0; i < matrix.block_rows(); ++i)
    for (Index k = matrix.row_begin(i); k < matrix.row_begin(i + 1); ++k) {
      const auto block = matrix.block(i, k);
      for (Index c = 0; c < block.cols(); ++c)
        for (Index r = 0; r < block.rows(); ++r)
          fmt::format_to(end, FMT_COMPILE("{} {} {}\n"), matrix.row_offset(i) + r + 1,
                         matrix.column_offset(matrix.column(k)) + c + 1, block(r, c));
    }
  return out;
}

void write_matrix_market(const std::filesystem::path& path, const BlockSparse& matrix) {
  write_text_file(path, to_matrix_market(matrix));
}

void write_matrix_market(const std::filesystem::path& path, ConstVectorRef vector) {
  write_matrix_market(path, BlockSparse::dense(vector));
}

}  // namespace saltus
