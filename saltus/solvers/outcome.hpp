#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/fields.hpp"
#include "saltus/base/report.hpp"
#include "saltus/base/stopwatch.hpp"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <variant>

namespace saltus {

/// What an algorithm believes; the residual has the last word (see judge).
struct Outcome {
  SolveStatus status = SolveStatus::not_run;
  int iterations = 0;
};

/// The stopping test of every solver: residual(problem, z) ≤ tolerance · max(1, ‖q‖∞).
[[nodiscard]] inline double threshold(double tolerance, ConstVectorRef q) {
  return tolerance * std::max(1.0, q.lpNorm<Eigen::Infinity>());
}

/// The report for `outcome`, given the residual computed by problems/: `converged` if and only if
/// the residual is below the threshold.
[[nodiscard]] inline SolveReport judge(Outcome outcome, double residual, double threshold,
                                       const Stopwatch& clock) {
  SolveReport report{outcome.status, outcome.iterations, residual, 0};
  if (residual <= threshold)
    report.status = SolveStatus::converged;
  else if (!std::isfinite(residual))
    report.status = SolveStatus::numerical_error;
  else if (outcome.status == SolveStatus::converged)
    report.status = SolveStatus::stalled;
  report.seconds = clock.seconds();
  return report;
}

/// validate(options) at the price of the comparisons: the text is only made when a field is wrong.
/// Options that are variants (a local solver, a C-function, a search) are checked with the rest.
template <Described Options>
void require_valid(const Options& options) {
  bool valid = true;
  Options::fields(options, [&]<class V>(const Field& field, const V& value) {
    if constexpr (std::is_arithmetic_v<V>)
      valid = valid && field.range.contains(static_cast<double>(value));
    else
      std::visit([](const auto& held) { require_valid(held); }, value);
  });
  if (!valid) [[unlikely]]
    validate(options);
}

}  // namespace saltus
