#include "apps/bench_friction_report.hpp"

#include "apps/bench_friction_campaign.hpp"
#include "apps/figure.hpp"
#include "apps/performance_profile.hpp"
#include "apps/python_script.hpp"
#include "bench_scripts.hpp"
#include "saltus/base/error.hpp"
#include "saltus/io/problem_file_text.hpp"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace saltus {

namespace {

constexpr std::size_t most_curves = 12;

std::string picture_name(double tolerance, const std::string& family) {
  std::string safe;
  for (const char c : family)
    safe += std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' ? c : '_';
  return fmt::format("profile-{}{}{}.png", tolerance_text(tolerance), safe.empty() ? "" : "-",
                     safe);
}

/// Ours and the best of theirs, each as its steps [[tau, rho], …].
std::string curves_json(const BenchTimes& times) {
  const std::vector<PerformanceProfile> profiles = performance_profiles(times.seconds);
  std::vector<std::size_t> order(profiles.size());
  for (std::size_t s = 0; s < order.size(); ++s) order[s] = s;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const bool first = is_peer(times.solvers[a]), second = is_peer(times.solvers[b]);
    return first != second ? second : profiles[a].ratios.size() > profiles[b].ratios.size();
  });
  if (order.size() > most_curves) order.resize(most_curves);
  std::string curves;
  for (const std::size_t s : order) {
    std::string steps;
    for (const double tau : profiles[s].ratios)
      steps += fmt::format("{}[{}, {}]", steps.empty() ? "" : ", ", tau, profiles[s].share(tau));
    curves +=
        fmt::format(R"({}{{"label": {}, "peer": {}, "steps": [{}]}})", curves.empty() ? "" : ", ",
                    json_text(times.solvers[s]), is_peer(times.solvers[s]), steps);
  }
  return curves;
}

/// Every picture, its name first.
std::string draw_profiles(const BenchRequest& request, const BenchOutcome& outcome) {
  std::vector<std::string> families = families_of(outcome);
  families.insert(families.begin(), "");
  std::string figures;
  for (const double tolerance : request.tolerances)
    for (const std::string& family : families) {
      const BenchTimes times = bench_times(outcome, tolerance, family);
      const std::string title =
          fmt::format("{}, error ≤ {}: {} problems", family.empty() ? "All families" : family,
                      tolerance_text(tolerance), times.files.size());
      figures += fmt::format(R"({}{{"file": {}, "title": {}, "curves": [{}]}})",
                             figures.empty() ? "" : ", ",
                             json_text((request.output / picture_name(tolerance, family)).string()),
                             json_text(title), curves_json(times));
    }
  const File input = scratch_file();
  fmt::print(input.get(), "[{}]", figures);
  require(std::fflush(input.get()) == 0, "cannot write a temporary file: {}", std::strerror(errno));
  std::rewind(input.get());
  return run_python(profiles_script, {}, input.get());
}

std::string summary_table(const BenchTimes& times, const std::string& reference) {
  std::string html = fmt::format(
      "<table><tr><th>solver<th>solved<th>of<th>median time<th>median over {}<th>median time per "
      "contact<th>median of factorisations<th>ended by the limit, median error</tr>\n",
      reference);
  for (const SolverSummary& line : summaries(times))
    html += fmt::format("<tr{}><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}</tr>\n",
                        is_peer(line.solver) ? "" : " class=ours", html_text(line.solver),
                        line.solved, line.files, seconds_text(line.median_seconds),
                        ratio_text(line.median_ratio), seconds_text(line.median_per_contact),
                        ratio_text(line.median_factorisations), limit_text(line));
  return html + "</table>\n";
}

/// One line per family, for our solvers and the virtual best of theirs.
std::string family_table(const BenchOutcome& outcome, double tolerance, bool pictures) {
  std::string html =
      "<table><tr><th>family<th>solver<th>solved %<th>of<th>median time<th>median ratio</tr>\n";
  for (const std::string& family : families_of(outcome))
    for (const SolverSummary& line : summaries(bench_times(outcome, tolerance, family))) {
      if (is_peer(line.solver) && line.solver != peer_best && line.solver != "siconos:NSGS")
        continue;
      const std::string link =
          fmt::format("<a href=\"{}\">{}</a>", picture_name(tolerance, family), html_text(family));
      html +=
          fmt::format("<tr{}><td>{}<td>{}<td>{:.1f}<td>{}<td>{}<td>{}</tr>\n",
                      is_peer(line.solver) ? "" : " class=ours",
                      pictures ? link : html_text(family), html_text(line.solver),
                      100.0 * static_cast<double>(line.solved) / static_cast<double>(line.files),
                      line.files, seconds_text(line.median_seconds), ratio_text(line.median_ratio));
    }
  return html + "</table>\n";
}

/// The least error of any solver for a file at that tolerance.
double best_error(const BenchOutcome& outcome, const BenchRow& failed) {
  double best = inf;
  for (const BenchRow& row : outcome.rows)
    if (row.file == failed.file && row.tolerance == failed.tolerance && row.error < best)
      best = row.error;
  return best;
}

std::string failure_table(const BenchOutcome& outcome) {
  std::string html =
      "<table><tr><th>file<th>contacts<th>form<th>tolerance<th>solver<th>status<th>reason"
      "<th>error<th>best error of all</tr>\n";
  for (const BenchRow& row : outcome.rows)
    if (!row.solved() && !is_peer(row.solver))
      html +=
          fmt::format("<tr><td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{}<td>{:.2g}<td>{:.2g}</tr>\n",
                      html_text(row.file), row.contacts, row.form, tolerance_text(row.tolerance),
                      html_text(row.solver), row.status, html_text(row.reason), row.error,
                      best_error(outcome, row));
  return html + "</table>\n";
}

std::string skipped_list(const BenchOutcome& outcome) {
  std::string html;
  for (const BenchOutcome::Skipped& each : outcome.skipped)
    html += fmt::format("<li>{}: {}</li>\n", html_text(each.file), html_text(each.reason));
  return html.empty() ? "" : "<h2>Skipped</h2>\n<ul>\n" + html + "</ul>\n";
}

constexpr const char* page_head =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Friction benchmark"
    "</title>\n<style>body{font:15px sans-serif;margin:2em;max-width:75em}table{border-collapse:"
    "collapse;margin:1em 0}td,th{padding:.2em .7em;border-bottom:1px solid #ccc;text-align:left}"
    ".ours{font-weight:bold}img{max-width:48em}</style></head><body>\n<h1>Friction "
    "benchmark</h1>\n";

std::string index_html(const BenchRequest& request, const BenchOutcome& outcome, bool pictures) {
  const bool against = !outcome.peer_version.empty();
  const std::string reference =
      against ? "the virtual best of SICONOS " + outcome.peer_version : "the virtual best";
  std::string html =
      std::string(page_head) +
      fmt::format(
          "<p>Solved: max(e1, e2) ≤ tolerance, relative to |q|, from r = 0 within {} s, "
          "no undue self-stress. Ratios are medians over the problems that {} solves. All "
          "solves: <a href=\"results.csv\">results.csv</a>, the fastest by family: <a "
          "href=\"campaign.csv\">campaign.csv</a>.</p>\n",
          request.time_limit, html_text(reference));
  for (const double tolerance : request.tolerances) {
    html += fmt::format("<h2>Error ≤ {}</h2>\n", tolerance_text(tolerance));
    if (pictures) html += fmt::format("<img src=\"{}\">\n", picture_name(tolerance, ""));
    html += summary_table(bench_times(outcome, tolerance), html_text(reference));
    html += "<h3>By family</h3>\n" + family_table(outcome, tolerance, pictures);
    html += "<h3>The fastest solver of each problem</h3>\n" +
            campaign_html(request, outcome, tolerance);
  }
  return html + "<h2>Not solved</h2>\n" + failure_table(outcome) + skipped_list(outcome) +
         "</body></html>\n";
}

}  // namespace

std::string write_bench_report(const BenchRequest& request, const BenchOutcome& outcome) {
  std::string table = csv_header();
  for (const BenchRow& row : outcome.rows) table += csv_line(row);
  write_text_file(request.output / "results.csv", table);
  write_text_file(request.output / "campaign.csv", campaign_csv(request, outcome));
  const std::string problem =
      request.plot && !outcome.rows.empty() ? draw_profiles(request, outcome) : "";
  write_text_file(request.output / "index.html",
                  index_html(request, outcome, request.plot && problem.empty()));
  return problem;
}

}  // namespace saltus
