#include "apps/bench_friction_campaign.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace saltus {

namespace {

constexpr const char* every_family = "all";

CampaignLine line_of(const BenchOutcome& outcome, double tolerance, const std::string& family) {
  const BenchTimes times = bench_times(outcome, tolerance, family);
  const std::vector<double> fastest = virtual_best(times.seconds);
  CampaignLine line{.family = family.empty() ? every_family : family,
                    .tolerance = tolerance,
                    .files = times.files.size()};
  if (!times.contacts.empty()) {
    const auto [least, most] = std::minmax_element(times.contacts.begin(), times.contacts.end());
    line.fewest_contacts = *least;
    line.most_contacts = *most;
  }
  std::vector<double> seconds, per_contact;
  for (std::size_t p = 0; p < fastest.size(); ++p) {
    if (!(fastest[p] < inf)) {
      ++line.unsolved;
      continue;
    }
    seconds.push_back(fastest[p]);
    if (times.contacts[p] > 0)
      per_contact.push_back(fastest[p] / static_cast<double>(times.contacts[p]));
  }
  line.seconds = statistics(seconds);
  line.per_contact = statistics(per_contact);
  return line;
}

std::vector<CampaignLine> lines_at(const BenchOutcome& outcome, double tolerance) {
  std::vector<CampaignLine> lines;
  const std::vector<std::string> families = families_of(outcome);
  for (const std::string& family : families) lines.push_back(line_of(outcome, tolerance, family));
  if (families.size() > 1) lines.push_back(line_of(outcome, tolerance, ""));
  return lines;
}

std::string contacts_text(const CampaignLine& line) {
  return line.fewest_contacts == line.most_contacts
             ? fmt::format("{}", line.most_contacts)
             : fmt::format("{} to {}", line.fewest_contacts, line.most_contacts);
}

}  // namespace

std::vector<CampaignLine> campaign(const BenchRequest& request, const BenchOutcome& outcome) {
  std::vector<CampaignLine> lines;
  for (const double tolerance : request.tolerances)
    for (CampaignLine& line : lines_at(outcome, tolerance)) lines.push_back(std::move(line));
  return lines;
}

std::string campaign_csv(const BenchRequest& request, const BenchOutcome& outcome) {
  std::string text =
      "family,tolerance,time_limit,problems,fewest_contacts,most_contacts,fastest_mean,fastest_std,"
      "fastest_per_contact_mean,fastest_per_contact_std,unsolved\n";
  for (const CampaignLine& line : campaign(request, outcome))
    text += fmt::format("{},{},{},{},{},{},{},{},{},{},{}\n", csv_entry(line.family),
                        line.tolerance, request.time_limit, line.files, line.fewest_contacts,
                        line.most_contacts, line.seconds.mean, line.seconds.deviation,
                        line.per_contact.mean, line.per_contact.deviation, line.unsolved);
  return text;
}

std::string campaign_html(const BenchRequest& request, const BenchOutcome& outcome,
                          double tolerance) {
  std::string html =
      "<table><tr><th>family<th>problems<th>contacts<th>limit<th>fastest: mean<th>std"
      "<th>per contact: mean<th>std<th>unsolved</tr>\n";
  for (const CampaignLine& line : lines_at(outcome, tolerance))
    html += fmt::format("<tr><td>{}<td>{}<td>{}<td>{} s<td>{}<td>{}<td>{}<td>{}<td>{}</tr>\n",
                        html_text(line.family), line.files, contacts_text(line), request.time_limit,
                        seconds_text(line.seconds.mean), seconds_text(line.seconds.deviation),
                        seconds_text(line.per_contact.mean),
                        seconds_text(line.per_contact.deviation), line.unsolved);
  return html + "</table>\n";
}

std::string campaign_text(const BenchRequest& request, const BenchOutcome& outcome,
                          double tolerance) {
  std::string text = fmt::format("{:<26}  {:>8}  {:>14}  {:>11}  {:>9}  {:>11}  {:>9}  {:>8}\n",
                                 fmt::format("FASTEST, {} S", request.time_limit), "PROBLEMS",
                                 "CONTACTS", "MEAN TIME", "STD", "PER CONTACT", "STD", "UNSOLVED");
  for (const CampaignLine& line : lines_at(outcome, tolerance))
    text += fmt::format("{:<26}  {:>8}  {:>14}  {:>11}  {:>9}  {:>11}  {:>9}  {:>8}\n", line.family,
                        line.files, contacts_text(line), seconds_text(line.seconds.mean),
                        seconds_text(line.seconds.deviation), seconds_text(line.per_contact.mean),
                        seconds_text(line.per_contact.deviation), line.unsolved);
  return text;
}

}  // namespace saltus
