#pragma once

#include "apps/bench_friction_summary.hpp"
#include "apps/performance_profile.hpp"

namespace saltus {

/// A set of problems at one precision (FS:FS-116): what the fastest of all solvers needs for each
/// of its problems, and how many nobody solves.
struct CampaignLine {
  std::string family;
  double tolerance = 0;
  std::size_t files = 0, unsolved = 0;
  Index fewest_contacts = 0, most_contacts = 0;
  Statistics seconds = {};      ///< of the fastest solver, over the problems solved
  Statistics per_contact = {};  ///< the same over the contacts of each
};
/// Every family, the loosest tolerance first; with several families also all problems together,
/// named "all".
[[nodiscard]] std::vector<CampaignLine> campaign(const BenchRequest& request,
                                                 const BenchOutcome& outcome);

/// campaign.csv, the table of the page, and the one for the terminal.
[[nodiscard]] std::string campaign_csv(const BenchRequest& request, const BenchOutcome& outcome);
[[nodiscard]] std::string campaign_html(const BenchRequest& request, const BenchOutcome& outcome,
                                        double tolerance);
[[nodiscard]] std::string campaign_text(const BenchRequest& request, const BenchOutcome& outcome,
                                        double tolerance);

}  // namespace saltus
