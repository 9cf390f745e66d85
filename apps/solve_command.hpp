#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace saltus {

/// What `saltus solve` was asked for.
struct SolveRequest {
  std::vector<std::filesystem::path> files;
  std::string solver = "Automatic";
  double tolerance = 1e-8;             ///< residual <= tolerance max(1, |q|)
  std::optional<std::string> problem;  ///< kind of the text files
  std::filesystem::path q;             ///< vector of the one Matrix Market file
  int threads = 0;                     ///< of the default for contact; 0: all
  bool json = false;
  bool progress = false;         ///< the file at work and its seconds, if it takes long
  std::filesystem::path output;  ///< folder for the problems with their solutions; empty: none
};

/// Solves the files one by one, each with a line (or a JSON object) on the standard output stream;
/// what cannot be read is said on the standard error stream and does not stop the others. Returns
/// the exit code: 2 if a file could not be read or written, else 1 if one is not solved, else 0.
/// Throws Error on a mistake in the request itself, before anything is solved.
int solve_files(const SolveRequest& request);

}  // namespace saltus
