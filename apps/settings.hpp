#pragma once

#include "apps/builtin_models.hpp"
#include "apps/suggest.hpp"
#include "saltus/base/fields.hpp"

#include <charconv>
#include <cmath>
#include <string>

namespace saltus {

/// Reads a number that fills the whole text. Throws Error that names `what` otherwise.
template <class Number>
[[nodiscard]] Number parse_number(const std::string& text, const std::string& what) {
  Number value{};
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  constexpr bool whole = std::is_integral_v<Number>;
  bool good = error == std::errc{} && stop == end && !text.empty();
  if constexpr (!whole) good = good && std::isfinite(value);
  require(good, "{} is '{}', expected {}", what, text, whole ? "a whole number" : "a number");
  return value;
}

/// The fields of an options struct as text.
template <Described T>
[[nodiscard]] std::vector<Parameter> parameters_of(const T& options) {
  std::vector<Parameter> list;
  T::fields(options, [&](const Field& field, const auto& value) {
    const bool any = field.range.lower == -inf && field.range.upper == inf;
    list.push_back({std::string(field.name), std::string(field.text),
                    any ? "any" : field.range.text(), fmt::format("{}", value)});
  });
  return list;
}

/// Sets fields by name and checks their ranges. Throws Error on an unknown name or a bad value.
template <Described T>
void apply(const Settings& settings, T& options) {
  for (const auto& [key, text] : settings) {
    bool found = false;
    std::vector<std::string> known;
    T::fields(options, [&, &name = key, &given = text]<class V>(const Field& field, V& value) {
      known.emplace_back(field.name);
      if (field.name != name) return;
      found = true;
      value = parse_number<V>(given, fmt::format("{}: {}", T::name, name));
    });
    require(found, "{}: parameter {}", T::name, unknown_name(key, known));
  }
  validate(options);
}

}  // namespace saltus
