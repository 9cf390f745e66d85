#pragma once

#include "saltus/solvers/algorithm.hpp"

#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace saltus {

/// One row of `saltus solvers`. Filled from the algorithms themselves: every alternative of the
/// variants in solvers/algorithm.hpp is there, with its static members name, when and paper.
struct SolverEntry {
  std::string problem, algorithm, when, paper;
};

[[nodiscard]] std::vector<SolverEntry> solver_catalogue();

/// Upper and lower case alike.
[[nodiscard]] bool same_name(std::string_view a, std::string_view b);

/// Calls visit(T{}) for every alternative of the variant.
template <class Variant, class Visitor>
void for_each_algorithm(Visitor&& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (visit(std::variant_alternative_t<I, Variant>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<Variant>>{});
}

/// The algorithm of that name with its default options; none if the variant has no such one.
template <class Variant>
[[nodiscard]] std::optional<Variant> find_algorithm(std::string_view name) {
  std::optional<Variant> found;
  for_each_algorithm<Variant>([&]<class T>(const T& options) {
    if (same_name(name, T::name)) found = options;
  });
  return found;
}

template <class Variant>
[[nodiscard]] std::vector<std::string> algorithm_names() {
  std::vector<std::string> names;
  for_each_algorithm<Variant>([&]<class T>(const T&) { names.emplace_back(T::name); });
  return names;
}

}  // namespace saltus
