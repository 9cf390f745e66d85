#pragma once

#include <span>
#include <string>
#include <string_view>

namespace saltus {

/// "'diod_bridge' is unknown; did you mean diode_bridge? Known: …", for error messages.
[[nodiscard]] std::string unknown_name(std::string_view given, std::span<const std::string> known);

/// Least number of letters inserted, deleted or replaced that turns `a` into `b` (Levenshtein).
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

}  // namespace saltus
