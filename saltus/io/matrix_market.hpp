#pragma once

#include "saltus/algebra/block_sparse.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace saltus {

/// Matrix Market files: the line `%%MatrixMarket matrix FORM FIELD SYMMETRY`, comments that begin
/// with %, then
///
///     FORM coordinate   rows columns entries, then `row column value`, counted from 1; entries
///                       given twice add up
///     FORM array        rows columns, then the values column by column
///
/// FIELD real or integer; SYMMETRY general, symmetric or skew-symmetric (of which the lower
/// triangle is stored; without the diagonal if skew). Coordinate files become scalar blocks, arrays
/// one dense block. Mistakes are an Error with the line and what was expected. A coordinate file
/// may claim as many rows as it has bytes, and a million more: nobody allocates for what is not
/// there.
[[nodiscard]] BlockSparse read_matrix_market(const std::filesystem::path& path);
[[nodiscard]] BlockSparse parse_matrix_market(std::string_view text,
                                              const std::filesystem::path& file);
/// A matrix of one column as a vector.
[[nodiscard]] Vector read_matrix_market_vector(const std::filesystem::path& path);

/// Writes one block as an array, other matrices as coordinates; digits that read back to the same
/// double.
void write_matrix_market(const std::filesystem::path& path, const BlockSparse& matrix);
void write_matrix_market(const std::filesystem::path& path, ConstVectorRef vector);
[[nodiscard]] std::string to_matrix_market(const BlockSparse& matrix);

}  // namespace saltus
