#pragma once

#include <string>

namespace saltus {

/// Table of the algorithms: problem, algorithm, when to use, paper; of one problem, or of all if it
/// is empty. Throws Error if the problem is unknown.
[[nodiscard]] std::string list_solvers(const std::string& problem);

}  // namespace saltus
