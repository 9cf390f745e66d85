#pragma once

#include "saltus/algebra/block_sparse.hpp"
#include "saltus/io/problem_file_text.hpp"

namespace saltus {

/// Reads a matrix in one of the three storages of siconos_text.hpp.
[[nodiscard]] BlockSparse read_siconos_matrix(TextScanner& in);
/// Appends it in the storage that suits its blocks.
void write_siconos_matrix(const BlockSparse& M, std::string& out);
/// Appends numbers, one space between them, and ends the line.
void write_numbers(ConstVectorRef values, std::string& out);

}  // namespace saltus
