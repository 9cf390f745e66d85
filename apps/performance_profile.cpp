#include "apps/performance_profile.hpp"

#include "saltus/base/error.hpp"
#include "saltus/base/report.hpp"

#include <algorithm>
#include <cmath>

namespace saltus {

double PerformanceProfile::share(double tau) const {
  const auto end = std::upper_bound(ratios.begin(), ratios.end(), tau);
  return problems == 0 ? 0
                       : static_cast<double>(end - ratios.begin()) / static_cast<double>(problems);
}

std::vector<double> virtual_best(const std::vector<std::vector<double>>& times) {
  std::vector<double> best(times.empty() ? 0 : times.front().size(), inf);
  for (std::size_t s = 0; s < times.size(); ++s) {
    require(times[s].size() == best.size(), "solver {} has {} times, the first one {}", s,
            times[s].size(), best.size());
    for (std::size_t p = 0; p < best.size(); ++p) {
      require(times[s][p] >= 0, "the time of solver {} for problem {} is {}, expected one >= 0", s,
              p, times[s][p]);
      best[p] = std::min(best[p], times[s][p]);
    }
  }
  return best;
}

std::vector<PerformanceProfile> performance_profiles(
    const std::vector<std::vector<double>>& times) {
  const std::vector<double> best = virtual_best(times);
  std::vector<PerformanceProfile> profiles;
  for (const std::vector<double>& own : times) {
    PerformanceProfile profile{.problems = best.size()};
    for (std::size_t p = 0; p < best.size(); ++p)
      if (own[p] < inf) profile.ratios.push_back(own[p] == best[p] ? 1 : own[p] / best[p]);
    std::sort(profile.ratios.begin(), profile.ratios.end());
    profiles.push_back(std::move(profile));
  }
  return profiles;
}

double median(std::vector<double> values) {
  if (values.empty()) return std::numeric_limits<double>::quiet_NaN();
  std::sort(values.begin(), values.end());
  const std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Statistics statistics(const std::vector<double>& values) {
  Statistics result;
  const auto count = static_cast<double>(values.size());
  if (values.empty()) return result;
  double sum = 0, squares = 0;
  for (const double value : values) sum += value;
  result.mean = sum / count;
  for (const double value : values) squares += (value - result.mean) * (value - result.mean);
  if (values.size() > 1) result.deviation = std::sqrt(squares / (count - 1));
  return result;
}

}  // namespace saltus
