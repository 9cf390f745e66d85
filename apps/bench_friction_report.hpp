#pragma once

#include "apps/bench_friction_summary.hpp"

namespace saltus {

/// Writes results.csv, campaign.csv, the pictures profile-TOLERANCE.png and
/// profile-TOLERANCE-FAMILY.png, and index.html with all tables, pictures and failures. Returns
/// nothing, or why there are no pictures.
[[nodiscard]] std::string write_bench_report(const BenchRequest& request,
                                             const BenchOutcome& outcome);

}  // namespace saltus
