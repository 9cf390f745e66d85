#pragma once

#include "saltus/circuits/expression.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace saltus::circuits {

/// A word of a netlist.
struct Token {
  enum class Kind { word, expression, open, close, equals };
  Kind kind = Kind::word;
  std::string text;  ///< lower case; an expression without its braces
  Place place;       ///< of the first character (of an expression: after the brace)
};

/// A line with its continuations.
using Line = std::vector<Token>;

/// The words of a netlist: without its first line (the title), comments (`*` in front, `;` or ` $`
/// behind) and empty lines; lines that begin with `+` continue the one before. Commas are blanks.
/// Throws Error on a continuation of nothing, on braces or parentheses that do not match.
[[nodiscard]] std::vector<Line> split_netlist(std::string_view text, std::string& title);

}  // namespace saltus::circuits
