#include "apps/suggest.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace saltus {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row.back();
}

std::string unknown_name(std::string_view given, std::span<const std::string> known) {
  std::string near, all;
  for (const std::string& name : known) {
    all += (all.empty() ? "" : ", ") + name;
    const bool part = !given.empty() && name.find(given) != std::string::npos;
    if (part || edit_distance(given, name) <= std::max<std::size_t>(1, name.size() / 3))
      near += (near.empty() ? "" : " or ") + name;
  }
  if (!near.empty()) near = fmt::format("; did you mean {}?", near);
  return fmt::format("'{}' is unknown{} Known: {}", given, near.empty() ? "." : near, all);
}

}  // namespace saltus
