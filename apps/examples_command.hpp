#pragma once

#include <string>

namespace saltus {

/// Table of the built-in models.
[[nodiscard]] std::string list_examples();
/// One of them with its parameters. Throws Error if it is unknown.
[[nodiscard]] std::string describe_example(const std::string& name);

}  // namespace saltus
