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
  [[nodiscard]] std::string text() const {
    if (upper == inf) return fmt::format("{} {}", open ? ">" : ">=", lower);
    return fmt::format("in {}{}, {}]", open ? "(" : "[", lower, upper);
  }
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

template <class... T>
void validate(const std::variant<T...>& options);
template <class... T>
[[nodiscard]] std::string describe(const std::variant<T...>& options);

/// Throws Error on the first field outside its range: "Psor: omega is 2.5, expected in (0, 2]".
template <Described T>
void validate(const T& options) {
  T::fields(options, [&]<class V>(const Field& field, const V& value) {
    if constexpr (std::is_arithmetic_v<V>) {
      require(field.range.contains(static_cast<double>(value)), "{}: {} is {}, expected {}",
              T::name, field.name, value, field.range.text());
    } else {
      validate(value);
    }
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
    if (!list.empty()) list += ", ";
    if constexpr (std::is_arithmetic_v<V>)
      list += fmt::format("{}={}", field.name, value);
    else
      list += fmt::format("{}={}", field.name, describe(value));
  });
  return fmt::format("{}({})", T::name, list);
}

template <class... T>
[[nodiscard]] std::string describe(const std::variant<T...>& options) {
  return std::visit([](const auto& o) { return describe(o); }, options);
}

}  // namespace saltus
