#pragma once

#include "saltus/algebra/types.hpp"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace saltus {

/// A problem file of a benchmark.
struct BenchFile {
  std::filesystem::path path;
  /// The folder it is in, or, directly in a folder that was given, its name up to the first '-'.
  std::string family;
};

/// The files *.hdf5, *.h5 and *.dat below the folders, and the files that are given by name, sorted
/// by family and path, each once. Throws Error if a place does not exist or there is no file.
[[nodiscard]] std::vector<BenchFile> find_problem_files(
    std::span<const std::filesystem::path> places);

/// At most `count` files: as many of each family as there are (the larger ones fill the rest),
/// evenly spaced in the order of what stands behind the last '-' of their names, which is the form
/// (global, local) in many collections. The same files give the same sample.
[[nodiscard]] std::vector<BenchFile> stratified_sample(const std::vector<BenchFile>& files,
                                                       Index count);

}  // namespace saltus
