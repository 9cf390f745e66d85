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
  std::vector<std::string> files, solvers;   ///< in the order of the rows
  std::vector<std::vector<double>> seconds;  ///< [solver][file]
};
/// Of all families, or of one.
[[nodiscard]] BenchTimes bench_times(const BenchOutcome& outcome, double tolerance,
                                     const std::string& family = "");
[[nodiscard]] std::vector<std::string> families_of(const BenchOutcome& outcome);
[[nodiscard]] bool is_peer(const std::string& solver);

/// A line of the summary.
struct SolverSummary {
  std::string solver;
  std::size_t solved = 0, files = 0;
  double median_seconds = 0;  ///< of the problems it solves
  /// Median over the problems that the reference solves of the time over that of the reference:
  /// the virtual best of SICONOS, or of all solvers if SICONOS did not run. What is not solved
  /// counts as infinite.
  double median_ratio = 0;
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
[[nodiscard]] std::string ratio_text(double ratio);

/// The tables for the terminal.
[[nodiscard]] std::string summary_text(const BenchRequest& request, const BenchOutcome& outcome);

}  // namespace saltus
