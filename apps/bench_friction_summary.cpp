#include "apps/bench_friction_summary.hpp"

#include "apps/bench_friction_campaign.hpp"
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
                        const std::vector<double>& reference, const std::vector<Index>& contacts) {
  SolverSummary line{.solver = solver, .files = seconds.size()};
  std::vector<double> finite, ratios, per_contact;
  for (std::size_t p = 0; p < seconds.size(); ++p) {
    if (seconds[p] < inf) finite.push_back(seconds[p]);
    if (seconds[p] < inf && contacts[p] > 0)
      per_contact.push_back(seconds[p] / static_cast<double>(contacts[p]));
    if (reference[p] < inf)
      ratios.push_back(seconds[p] == reference[p] ? 1 : seconds[p] / reference[p]);
  }
  line.solved = finite.size();
  line.median_seconds = median(finite);
  line.median_ratio = median(ratios);
  line.median_per_contact = median(per_contact);
  line.median_factorisations = line.median_limit_error = median({});
  return line;
}

/// Adds what only the rows of a solver tell.
void count_rows(SolverSummary& line, const std::vector<const BenchRow*>& rows) {
  std::vector<double> factorisations, errors;
  for (const BenchRow* row : rows) {
    if (row == nullptr) continue;
    if (row->solved() && !is_peer(row->solver))
      factorisations.push_back(static_cast<double>(row->factorisations));
    if (row->status == "time limit") errors.push_back(row->error);
  }
  line.median_factorisations = median(factorisations);
  line.at_limit = errors.size();
  line.median_limit_error = median(errors);
}

std::string share_text(const SolverSummary& line) {
  return fmt::format("{:.1f} %", line.files == 0 ? 0.0
                                                 : 100.0 * static_cast<double>(line.solved) /
                                                       static_cast<double>(line.files));
}

std::string table_text(const BenchOutcome& outcome, double tolerance) {
  const BenchTimes times = bench_times(outcome, tolerance);
  const bool against = !outcome.peer_version.empty();
  std::string text = fmt::format("{:<26}  {:>8}  {:>11}  {:>18}  {:>11}  {:>10}  {:>15}\n",
                                 "TOLERANCE " + tolerance_text(tolerance), "SOLVED", "MEDIAN TIME",
                                 against ? "OVER SICONOS' BEST" : "OVER THE BEST", "PER CONTACT",
                                 "FACTORISED", "ERROR AT LIMIT");
  for (const SolverSummary& line : summaries(times))
    text += fmt::format("{:<26}  {:>8}  {:>11}  {:>18}  {:>11}  {:>10}  {:>15}\n", line.solver,
                        share_text(line), seconds_text(line.median_seconds),
                        ratio_text(line.median_ratio), seconds_text(line.median_per_contact),
                        ratio_text(line.median_factorisations), limit_text(line));
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
    if (number(file_number, times.files, row.file) == times.contacts.size())
      times.contacts.push_back(row.contacts);
    number(solver_number, times.solvers, row.solver);
  }
  times.seconds.assign(times.solvers.size(), std::vector<double>(times.files.size(), inf));
  times.rows.assign(times.solvers.size(),
                    std::vector<const BenchRow*>(times.files.size(), nullptr));
  for (const BenchRow& row : outcome.rows) {
    if (!chosen(row)) continue;
    const std::size_t s = solver_number[row.solver], p = file_number[row.file];
    times.rows[s][p] = &row;
    if (row.solved()) times.seconds[s][p] = row.seconds;
  }
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
  for (std::size_t s = 0; s < times.solvers.size(); ++s) {
    SolverSummary line = summarise(times.solvers[s], times.seconds[s], reference, times.contacts);
    count_rows(line, times.rows[s]);
    (is_peer(times.solvers[s]) ? peers : ours).push_back(std::move(line));
  }
  if (!peers.empty()) ours.push_back(summarise(peer_best, reference, reference, times.contacts));
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
  if (!std::isfinite(seconds)) return "–";
  return seconds < 1e-5 ? fmt::format("{:.2g} us", 1e6 * seconds) : duration_text(seconds);
}

std::string limit_text(const SolverSummary& line) {
  return line.at_limit == 0 ? "–"
                            : fmt::format("{} at {:.2g}", line.at_limit, line.median_limit_error);
}

std::string html_text(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return out;
}

std::string ratio_text(double ratio) {
  return std::isfinite(ratio) ? fmt::format("{:.3g}", ratio) : "–";
}

std::string summary_text(const BenchRequest& request, const BenchOutcome& outcome) {
  std::string text;
  for (const double tolerance : request.tolerances) {
    text += '\n' + table_text(outcome, tolerance);
    text += campaign_text(request, outcome, tolerance);
    if (outcome.peer_version.empty()) continue;
    text += difference_text(outcome, tolerance) + slow_text(request, outcome, tolerance);
  }
  return text + unsolved_text(outcome);
}

}  // namespace saltus
