#pragma once

#include "saltus/simulation/run_report.hpp"

#include <string>

namespace saltus {

/// What a run cost, as a few lines of text: steps, iterations, residual, where the time went.
[[nodiscard]] std::string summary(const RunReport& report);

/// "1.4 ms", "312 µs", "2.31 s".
[[nodiscard]] std::string duration_text(double seconds);

}  // namespace saltus
