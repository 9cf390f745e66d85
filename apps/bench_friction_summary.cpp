#include "apps/bench_friction_summary.hpp"

#include "apps/performance_profile.hpp"
#include "apps/summary.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace saltus {

namespace {

constexpr const char* peer_prefix = "siconos:";
constexpr const char* peer_default = "siconos:NSGS";
constexpr long slow_sweeps = 1000;

SolverSummary summarise(const std::string& solver, const std::vector<double>& seconds,
                        const std::vector<double>& reference) {
  SolverSummary line{.solver = solver, .files = seconds.size()};
  std::vector<double> finite, ratios;
  for (std::size_t p = 0; p < seconds.size(); ++p) {
    if (seconds[p] < inf) finite.push_back(seconds[p]);
    if (reference[p] < inf)
      ratios.push_back(seconds[p] == reference[p] ? 1 : seconds[p] / reference[p]);
  }
  line.solved = finite.size();
  line.median_seconds = median(finite);
  line.median_ratio = median(ratios);
  return line;
}

std::string share_text(const SolverSummary& line) {
  return fmt::format("{:.1f} %", line.files == 0 ? 0.0
                                                 : 100.0 * static_cast<double>(line.solved) /
                                                       static_cast<double>(line.files));
}

std::string table_text(const BenchOutcome& outcome, double tolerance) {
  const BenchTimes times = bench_times(outcome, tolerance);
  const bool against = !outcome.peer_version.empty();
  std::string text =
      fmt::format("{:<36}  {:>8}  {:>11}  {:>18}\n", "TOLERANCE " + tolerance_text(tolerance),
                  "SOLVED", "MEDIAN TIME", against ? "OVER SICONOS' BEST" : "OVER THE BEST");
  for (const SolverSummary& line : summaries(times))
    text += fmt::format("{:<36}  {:>8}  {:>11}  {:>18}\n", line.solver, share_text(line),
                        seconds_text(line.median_seconds), ratio_text(line.median_ratio));
  return text;
}

std::string slow_text(const BenchRequest& request, const BenchOutcome& outcome, double tolerance) {
  std::string text;
  for (const std::string& solver : request.solvers) {
    const std::vector<double> ratios = ratios_where_sweeps_are_slow(outcome, tolerance, solver);
    if (ratios.empty()) continue;
    text += fmt::format(
        "SICONOS' default needs more than {} sweeps on {} of them: {} takes {} of its time there "
        "(median; worst {})\n",
        slow_sweeps, ratios.size(), solver, ratio_text(median(ratios)),
        ratio_text(*std::max_element(ratios.begin(), ratios.end())));
  }
  return text;
}

/// Problems that none of ours, or none of theirs, solves.
std::string difference_text(const BenchOutcome& outcome, double tolerance) {
  const BenchTimes times = bench_times(outcome, tolerance);
  std::size_t only_ours = 0, only_theirs = 0, nobody = 0;
  for (std::size_t p = 0; p < times.files.size(); ++p) {
    bool ours = false, theirs = false;
    for (std::size_t s = 0; s < times.solvers.size(); ++s)
      if (times.seconds[s][p] < inf) (is_peer(times.solvers[s]) ? theirs : ours) = true;
    only_ours += ours && !theirs;
    only_theirs += theirs && !ours;
    nobody += !ours && !theirs;
  }
  return fmt::format("Solved by Saltus only: {}, by SICONOS only: {}, by nobody: {}\n", only_ours,
                     only_theirs, nobody);
}

std::string unsolved_text(const BenchOutcome& outcome) {
  constexpr std::size_t most = 12;
  std::size_t count = 0;
  std::string text;
  for (const BenchRow& row : outcome.rows) {
    if (row.solved() || is_peer(row.solver)) continue;
    if (++count <= most)
      text += fmt::format("  {}  {}  {}: {}\n", row.file, row.solver, tolerance_text(row.tolerance),
                          row.reason);
  }
  if (count > most) text += fmt::format("  and {} more, see index.html\n", count - most);
  return count == 0 ? "" : "\nNot solved\n" + text;
}

}  // namespace

bool is_peer(const std::string& solver) { return solver.starts_with(peer_prefix); }

BenchTimes bench_times(const BenchOutcome& outcome, double tolerance, const std::string& family) {
  BenchTimes times;
  std::map<std::string, std::size_t> file_number, solver_number;
  const auto number = [](std::map<std::string, std::size_t>& numbers,
                         std::vector<std::string>& names, const std::string& name) {
    const auto [place, fresh] = numbers.emplace(name, names.size());
    if (fresh) names.push_back(name);
    return place->second;
  };
  const auto chosen = [&](const BenchRow& row) {
    return row.tolerance == tolerance && (family.empty() || row.family == family);
  };
  for (const BenchRow& row : outcome.rows) {
    if (!chosen(row)) continue;
    number(file_number, times.files, row.file);
    number(solver_number, times.solvers, row.solver);
  }
  times.seconds.assign(times.solvers.size(), std::vector<double>(times.files.size(), inf));
  for (const BenchRow& row : outcome.rows)
    if (chosen(row) && row.solved())
      times.seconds[solver_number[row.solver]][file_number[row.file]] = row.seconds;
  return times;
}

std::vector<std::string> families_of(const BenchOutcome& outcome) {
  std::vector<std::string> families;
  for (const BenchRow& row : outcome.rows)
    if (std::find(families.begin(), families.end(), row.family) == families.end())
      families.push_back(row.family);
  return families;
}

std::vector<SolverSummary> summaries(const BenchTimes& times) {
  std::vector<std::vector<double>> theirs;
  for (std::size_t s = 0; s < times.solvers.size(); ++s)
    if (is_peer(times.solvers[s])) theirs.push_back(times.seconds[s]);
  const std::vector<double> reference = virtual_best(theirs.empty() ? times.seconds : theirs);
  std::vector<SolverSummary> ours, peers;
  for (std::size_t s = 0; s < times.solvers.size(); ++s)
    (is_peer(times.solvers[s]) ? peers : ours)
        .push_back(summarise(times.solvers[s], times.seconds[s], reference));
  if (!peers.empty()) ours.push_back(summarise(peer_best, reference, reference));
  std::stable_sort(peers.begin(), peers.end(), [](const SolverSummary& a, const SolverSummary& b) {
    return a.solved > b.solved;
  });
  ours.insert(ours.end(), peers.begin(), peers.end());
  return ours;
}

std::vector<double> ratios_where_sweeps_are_slow(const BenchOutcome& outcome, double tolerance,
                                                 const std::string& solver) {
  std::map<std::string, double> own;
  for (const BenchRow& row : outcome.rows)
    if (row.tolerance == tolerance && row.solver == solver && row.solved())
      own[row.file] = row.seconds;
  std::vector<double> ratios;
  for (const BenchRow& row : outcome.rows) {
    const bool slow = row.tolerance == tolerance && row.solver == peer_default && row.solved() &&
                      row.iterations > slow_sweeps;
    if (slow) ratios.push_back(own.contains(row.file) ? own[row.file] / row.seconds : inf);
  }
  return ratios;
}

std::string seconds_text(double seconds) {
  return std::isfinite(seconds) ? duration_text(seconds) : "–";
}

std::string ratio_text(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.3g}", ratio) : "–";
}

std::string summary_text(const BenchRequest& request, const BenchOutcome& outcome) {
  std::string text;
  for (const double tolerance : request.tolerances) {
    text += '\n' + table_text(outcome, tolerance);
    if (outcome.peer_version.empty()) continue;
    text += difference_text(outcome, tolerance) + slow_text(request, outcome, tolerance);
  }
  return text + unsolved_text(outcome);
}

}  // namespace saltus
