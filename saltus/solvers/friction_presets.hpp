#pragma once

#include "saltus/solvers/algorithm.hpp"

#include <optional>
#include <span>

namespace saltus {

/// The solver that the literature on friction calls by that acronym [Acary, Brémond & Huber 2018],
/// upper and lower case alike: FP-DS, NSN-AC-GP, NSGS-EXACT, PPA-NSN-AC-GP, ACLM-NSGS-FP-VI-UPK …
/// Nothing if there is none.
[[nodiscard]] std::optional<FrictionAlgorithm> friction_preset(std::string_view name);

/// All acronyms, in the order of the families.
[[nodiscard]] std::span<const std::string_view> friction_preset_names();

}  // namespace saltus
