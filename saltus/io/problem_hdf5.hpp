#pragma once

#include "saltus/base/report.hpp"
#include "saltus/io/problem_file_kind.hpp"

#include <filesystem>
#include <string>

namespace saltus {

/// What a solver made of a problem, to be kept with it.
struct StoredSolution {
  Vector z;                 ///< the point reached
  std::string solver = {};  ///< name of the algorithm
  double tolerance = 0;     ///< it was given
  SolveReport report = {};
  Vector certificate = {};  ///< proof that there is no solution, see Workspace; empty if none
};

/// Writes a complementarity problem as an HDF5 file that explains itself (readable by h5py, MATLAB,
/// h5dump):
///
///     /             attributes format = "saltus problem", version = 1, kind = "lcp", "mlcp" or
///                   "relay", about = the problem in words
///     /M            block rows: row_sizes, column_sizes (of the blocks), row_begin (first block of
///                   each block row, and the number of blocks), columns (block column of each
///                   block), values (of one block after the other, each column by column). Sizes of
///                   1 throughout make it compressed rows, a single block a dense matrix
///     /q            constant term
///     /equalities   mlcp: rows with w = 0, increasing, counted from 0
///     /lower /upper relay: bounds of z, may be infinite
///     /solution     if there is one: z, attributes solver, tolerance, status,
///                   residual, iterations,
///                   seconds; certificate, if there is one
///
/// Nothing is compressed: no file stands for more than its bytes. Throws Error if the file cannot
/// be written; an older file then stays as it was.
void write_problem_hdf5(const std::filesystem::path& path, const ComplementarityProblem& problem,
                        const std::optional<StoredSolution>& solution = std::nullopt);

/// Read back bit for bit. Throw Error if the file is missing, damaged, not a problem, or its arrays
/// do not fit together; see hdf5_dataset.hpp for what guards against hostile files.
[[nodiscard]] ComplementarityProblem read_problem_hdf5(const std::filesystem::path& path);
/// None if the file holds the problem only.
[[nodiscard]] std::optional<StoredSolution> read_solution_hdf5(const std::filesystem::path& path);

}  // namespace saltus
