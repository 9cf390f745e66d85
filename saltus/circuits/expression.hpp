#pragma once

#include <functional>
#include <string>
#include <string_view>

namespace saltus::circuits {

/// Where a text stands in a netlist, from 1.
struct Place {
  int line = 0, column = 0;
};

/// Throws Error: "netlist line 4, column 7: …".
[[noreturn]] void netlist_error(Place place, const std::string& text);

/// A number with SPICE's suffixes t g meg k m u n p f, upper and lower case alike; letters
/// after it are units ("10uF", "1kOhm"). Throws Error at `place` if `text` is none.
[[nodiscard]] double parse_number(std::string_view text, Place place);
/// True if the text begins like a number.
[[nodiscard]] bool looks_like_number(std::string_view text);

/// The value of a parameter, by its name in lower case.
using Lookup = std::function<double(const std::string& name, Place place)>;

/// Evaluates + − * / ^ (also **), parentheses, numbers with suffixes, parameters, pi, and sqrt exp
/// log log10 sin cos tan atan abs min max pow floor. `place` is that of the first character.
[[nodiscard]] double evaluate(std::string_view text, Place place, const Lookup& lookup);

/// In lower case.
[[nodiscard]] std::string lower_case(std::string_view text);

}  // namespace saltus::circuits
