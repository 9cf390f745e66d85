#pragma once

#include "apps/bench_friction.hpp"
#include "apps/bench_friction_files.hpp"
#include "saltus/base/report.hpp"

namespace saltus {

/// What a solver made of a file: a row of results.csv.
struct BenchRow {
  std::string file, family;
  Index contacts = 0;
  std::string form;  ///< "friction", "global friction", "rolling" …
  double tolerance = 0;
  std::string solver;  ///< ours by its name, those of SICONOS as "siconos:NSGS"
  std::string status;  ///< "solved", "unsolved", "time limit", "slow", "crash", "refused"
  std::string reason;  ///< why it is not solved
  /// max(e₁, e₂) of the point returned, on the problem as given; of the one reached at the limit if
  /// that ended it (FS:FS-113)
  double error = inf;
  double self_stress = inf;
  double seconds = inf;
  long iterations = 0, factorisations = 0;

  [[nodiscard]] bool solved() const { return status == "solved"; }
  /// Infinite if there is none, or no contact.
  [[nodiscard]] double seconds_per_contact() const {
    return contacts > 0 ? seconds / static_cast<double>(contacts) : inf;
  }
};

/// What came of a file.
struct BenchedFile {
  std::string skipped = {};  ///< why it is no contact problem; else nothing
  std::vector<BenchRow> rows = {};
};

/// One line of tabs per row, and back; for the way through a pipe.
[[nodiscard]] std::string to_text(const BenchedFile& file);
[[nodiscard]] BenchedFile benched_file_from(const std::string& text);

/// "1e-8"
[[nodiscard]] std::string tolerance_text(double tolerance);

/// Text as an entry of a table with commas.
[[nodiscard]] std::string csv_entry(const std::string& text);
/// The first line of results.csv, and the one of a row.
[[nodiscard]] std::string csv_header();
[[nodiscard]] std::string csv_line(const BenchRow& row);

/// Names without "default" and "all": CoulombCascade is called "default". Throws Error on a name
/// that is no solver.
[[nodiscard]] std::vector<std::string> bench_solvers(const std::vector<std::string>& names);

/// Reads the file and runs every solver at every tolerance, the loosest first. What takes too long
/// or crashes at one tolerance is not tried at a tighter one.
[[nodiscard]] BenchedFile bench_file(const BenchRequest& request, const BenchFile& file);

}  // namespace saltus
