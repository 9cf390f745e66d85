#pragma once

#include "saltus/base/error.hpp"
#include "saltus/base/report.hpp"

#include <string>
#include <string_view>
#include <type_traits>
#include <variant>

namespace saltus {

/// Allowed values of a number in an options struct: lower ≤ x ≤ upper, or lower < x if `open`.
struct Range {
  double lower = -inf;
  double upper = inf;
  bool open = false;  ///< the lower end itself is excluded
  [[nodiscard]] bool contains(double x) const {
    return (open ? x > lower : x >= lower) && x <= upper;
  }
  [[nodiscard]] std::string text() const;
};
inline constexpr Range any_number{};
inline constexpr Range positive{0, inf, true};
inline constexpr Range non_negative{0, inf, false};
inline constexpr Range unit_interval{0, 1, false};

/// One field of an options struct: its name, what it means, what it may be.
struct Field {
  std::string_view name;
  std::string_view text;
  Range range = any_number;
};

/// An options struct lists its fields once:
///
///     struct Psor {
///       static constexpr std::string_view name = "Psor";
///       double tolerance = 1e-8;
///       template <class Self, class Visitor> static void fields(Self& s, Visitor&& visit) {
///         visit(Field{"tolerance", "relative to max(1, ‖q‖∞)", positive}, s.tolerance);
///       }
///     };
///
/// The list feeds validation, printing, files, the command line and the Python keywords.
template <class T>
concept Described = requires(T& t) {
  T::name;
  T::fields(t, [](const Field&, auto&) {});
};

/// The number of a field as one of three types, for functions that are no templates.
template <class V>
requires std::is_arithmetic_v<V>
[[nodiscard]] constexpr auto plain(V value) {
  if constexpr (std::is_same_v<V, bool> || std::is_floating_point_v<V>)
    return value;
  else
    return static_cast<long long>(value);
}

/// Throws Error unless the value of the field, one of the options `who`, is in its range.
void check_field(std::string_view who, const Field& field, double value);
void check_field(std::string_view who, const Field& field, long long value);
void check_field(std::string_view who, const Field& field, bool value);

/// Appends "name=value" to a list.
void append_field(std::string& list, const Field& field, double value);
void append_field(std::string& list, const Field& field, long long value);
void append_field(std::string& list, const Field& field, bool value);
void append_field(std::string& list, const Field& field, const std::string& value);

template <class... T>
void validate(const std::variant<T...>& options);
template <class... T>
[[nodiscard]] std::string describe(const std::variant<T...>& options);

/// Throws Error on the first field outside its range: "Psor: omega is 2.5, expected in (0, 2]".
template <Described T>
void validate(const T& options) {
  T::fields(options, [&]<class V>(const Field& field, const V& value) {
    if constexpr (std::is_arithmetic_v<V>)
      check_field(T::name, field, plain(value));
    else
      validate(value);
  });
}

template <class... T>
void validate(const std::variant<T...>& options) {
  std::visit([](const auto& o) { validate(o); }, options);
}

/// "Psor(tolerance=1e-08, max_iterations=1000)"
template <Described T>
[[nodiscard]] std::string describe(const T& options) {
  std::string list;
  T::fields(options, [&]<class V>(const Field& field, const V& value) {
    if constexpr (std::is_arithmetic_v<V>)
      append_field(list, field, plain(value));
    else
      append_field(list, field, describe(value));
  });
  return fmt::format("{}({})", T::name, list);
}

template <class... T>
[[nodiscard]] std::string describe(const std::variant<T...>& options) {
  return std::visit([](const auto& o) { return describe(o); }, options);
}

}  // namespace saltus
