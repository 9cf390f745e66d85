#pragma once

#include "apps/bench_friction_solve.hpp"

namespace saltus {

/// Everything a run of the benchmark found.
struct BenchOutcome {
  std::vector<BenchRow> rows = {};
  struct Skipped {
    std::string file, reason;
  };
  std::vector<Skipped> skipped = {};
  std::string peer_version = {};  ///< of SICONOS; empty if it did not run
};

/// Times of the solvers at one tolerance, infinite where a problem is not solved.
struct BenchTimes {
  std::vector<std::string> files, solvers;         ///< in the order of the rows
  std::vector<std::vector<double>> seconds;        ///< [solver][file]
  std::vector<Index> contacts;                     ///< of the files
  std::vector<std::vector<const BenchRow*>> rows;  ///< [solver][file], null where there is none
};
/// Of all families, or of one; refers to the rows of `outcome`.
[[nodiscard]] BenchTimes bench_times(const BenchOutcome& outcome, double tolerance,
                                     const std::string& family = "");
[[nodiscard]] std::vector<std::string> families_of(const BenchOutcome& outcome);
[[nodiscard]] bool is_peer(const std::string& solver);

/// A line of the summary; medians are NaN where there is nothing to count (FS:FS-113).
struct SolverSummary {
  std::string solver;
  std::size_t solved = 0, files = 0;
  double median_seconds = 0;  ///< of the problems it solves
  /// Median over the problems that the reference solves of the time over that of the reference:
  /// the virtual best of SICONOS, or of all solvers if SICONOS did not run. What is not solved
  /// counts as infinite.
  double median_ratio = 0;
  double median_per_contact = 0;     ///< seconds per contact of the problems it solves
  double median_factorisations = 0;  ///< of the problems it solves; NaN for those of SICONOS
  std::size_t at_limit = 0;          ///< problems that the time limit ended
  double median_limit_error = 0;     ///< of the points reached there
};
inline constexpr const char* peer_best = "siconos: virtual best";
/// Ours first, then the virtual best of SICONOS, then its solvers, the best first.
[[nodiscard]] std::vector<SolverSummary> summaries(const BenchTimes& times);

/// Where SICONOS' default, Gauss–Seidel, solves the problem with more than 1000 sweeps: our times
/// over its own; infinite where we fail.
[[nodiscard]] std::vector<double> ratios_where_sweeps_are_slow(const BenchOutcome& outcome,
                                                               double tolerance,
                                                               const std::string& solver);

/// "1.4 ms", "–" if not finite.
[[nodiscard]] std::string seconds_text(double seconds);
/// "3 at 2.4e-07": how many the limit ended, and their error in the median; "–" if none.
[[nodiscard]] std::string limit_text(const SolverSummary& line);
/// Text as HTML shows it.
[[nodiscard]] std::string html_text(const std::string& text);
[[nodiscard]] std::string ratio_text(double ratio);

/// The tables for the terminal.
[[nodiscard]] std::string summary_text(const BenchRequest& request, const BenchOutcome& outcome);

}  // namespace saltus
