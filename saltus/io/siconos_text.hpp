#pragma once

#include "saltus/io/problem_file_kind.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace saltus {

/// Complementarity problems in the plain-text files of SICONOS. Numbers are separated by white
/// space; line breaks mean nothing except in the sparse storage.
///
///     LCP     n, matrix M, q                    (text after that is a comment)
///     relay   n, matrix M, q, lower, upper      (bounds may be inf and -inf)
///     MLCP    1 if (M, q) are stored, 1 if (A, B, C, D, a, b) are, else 0; number of equalities n,
///             number of complementarities m; begins of the blocks of rows, from 0 up to n + m; for
///             each block 1 if it is complementarity, 0 if equality; M, q; A, B, C, D, a, b
///
/// A matrix begins with its storage:
///
///     0   dense: rows, columns, rows and columns again, values column by column
///     1   sparse blocks: rows, columns, blocks, block rows, block columns, cumulated row sizes,
///         cumulated column sizes, f1, f2, f1 row pointers, f2 block columns; then for every block
///         its number and its values, column by column
///     2   sparse: rows, columns, 1; a line of free text; a line `triplet: R-by-C, nzmax: N nnz:
///         N`; N times `row column : value`, counted from 0
///         or 2 in place of 1, `R-by-C, nzmax: N nnz: N, 1-norm: X`; for every column a line
///         `col J : locations FIRST to LAST` and its entries `row : value`
///
/// Things to know: A, B, C, D are written row by row, unlike every other matrix. When M is stored,
/// it is used and the parts after q are not read; only if M is not square (an over-determined
/// file) are A, B, C, D, a, b used in its place. The triplets carry six digits when SICONOS writes
/// them (all digits when Saltus does). f1 may be less than block rows + 1: the rows that are left
/// are empty.
///
/// The kind is not written in the file. Without `kind`, it is the one as which the whole text makes
/// sense; if there are several, the one whose name stands in the name of the file or of its folder
/// ("mlcp", "relay", "lcp"); if that does not tell either, an Error asks for it.
///
/// Every mistake in a file is an Error with its line and what was expected there; nothing is
/// allocated that the bytes of the file cannot fill.
[[nodiscard]] ComplementarityProblem read_siconos_text(
    const std::filesystem::path& path, std::optional<ProblemKind> kind = std::nullopt);

/// The same for a text already in memory; `file` serves for messages and as a hint to the kind.
[[nodiscard]] ComplementarityProblem parse_siconos_text(
    std::string_view text, const std::filesystem::path& file,
    std::optional<ProblemKind> kind = std::nullopt);

/// How many bytes of the text make sense as the kind that fits best: to choose between the mistakes
/// of several readers.
[[nodiscard]] std::size_t siconos_text_understood(std::string_view text,
                                                  const std::filesystem::path& file);

/// Writes the problem, with the shortest digits that read back to the same double: one block as
/// dense storage, scalar blocks as sparse, others as sparse blocks. Equalities of an MLCP keep
/// their places. Throws Error if the file cannot be written; an older one then stays as it was.
void write_siconos_text(const std::filesystem::path& path, const ComplementarityProblem& problem);
[[nodiscard]] std::string to_siconos_text(const ComplementarityProblem& problem);

}  // namespace saltus
