#pragma once

#include "saltus/algebra/types.hpp"

#include <limits>
#include <vector>

namespace saltus {

/// The performance profile of a solver s among others (FS:FS-112): with t_ps the time for problem
/// p, infinite if s does not solve it,
///
///     ρ_s(τ) = card{p : t_ps ≤ τ min_s' t_ps'}/n_p,
///
/// the share of the problems that s solves within τ times the time of the fastest. ρ_s(1) is the
/// share on which it is the fastest, ρ_s(∞) the share that it solves. [Dolan & Moré 2002]
struct PerformanceProfile {
  std::vector<double> ratios = {};  ///< t_ps/min t_ps' of the problems that s solves, increasing
  std::size_t problems = 0;

  [[nodiscard]] double share(double tau) const;
};

/// times[s][p], one profile per solver. Throws Error if a solver has another number of problems
/// than the first, or a time is negative or NaN.
[[nodiscard]] std::vector<PerformanceProfile> performance_profiles(
    const std::vector<std::vector<double>>& times);

/// The least time of any solver for each problem: the virtual best.
[[nodiscard]] std::vector<double> virtual_best(const std::vector<std::vector<double>>& times);

/// The one in the middle, or the mean of the two; values may be infinite. NaN if there is none.
[[nodiscard]] double median(std::vector<double> values);

/// Mean and standard deviation of a sample, divided by n − 1; NaN where there are too few values.
struct Statistics {
  double mean = std::numeric_limits<double>::quiet_NaN();
  double deviation = std::numeric_limits<double>::quiet_NaN();
};
[[nodiscard]] Statistics statistics(const std::vector<double>& values);

}  // namespace saltus
