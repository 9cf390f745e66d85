#pragma once

#include "apps/solve_command.hpp"
#include "saltus/io/problem_file.hpp"

namespace saltus {

/// What became of one file.
struct SolvedFile {
  std::filesystem::path file;
  std::string problem = {};  ///< its kind: "lcp", "global friction"
  StoredSolution solution = {};
  std::string details = {};  ///< further JSON fields, each behind a comma
};

/// Prints results as they come: an aligned table, or one JSON object per line.
class SolveOutput {
 public:
  explicit SolveOutput(const SolveRequest& request);
  void print(const SolvedFile& result);
  /// On the standard error stream; with JSON also as an object with `file` and `error`.
  void print_mistake(const std::filesystem::path& file, const std::string& message);
  /// How many are solved; nothing for JSON and for a single file.
  void print_end() const;

 private:
  void print_row(const SolvedFile& result);

  bool json_;
  bool header_printed_ = false;
  std::size_t width_, files_, solved_ = 0;
};

/// A number, or null if it is not finite.
[[nodiscard]] std::string json_number(double value);
[[nodiscard]] std::string json_object(const SolvedFile& result);

}  // namespace saltus
