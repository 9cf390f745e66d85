#include "saltus/base/fields.hpp"

namespace saltus {

namespace {

template <class V>
void check(std::string_view who, const Field& field, V value) {
  if (!field.range.contains(static_cast<double>(value))) [[unlikely]]
    fail("{}: {} is {}, expected {}", who, field.name, value, field.range.text());
}

template <class V>
void append(std::string& list, const Field& field, const V& value) {
  if (!list.empty()) list += ", ";
  list += fmt::format("{}={}", field.name, value);
}

}  // namespace

std::string Range::text() const {
  if (upper == inf) return fmt::format("{} {}", open ? ">" : ">=", lower);
  return fmt::format("in {}{}, {}]", open ? "(" : "[", lower, upper);
}

void check_field(std::string_view who, const Field& field, double value) {
  check(who, field, value);
}
void check_field(std::string_view who, const Field& field, long long value) {
  check(who, field, value);
}
void check_field(std::string_view who, const Field& field, bool value) { check(who, field, value); }

void append_field(std::string& list, const Field& field, double value) {
  append(list, field, value);
}
void append_field(std::string& list, const Field& field, long long value) {
  append(list, field, value);
}
void append_field(std::string& list, const Field& field, bool value) { append(list, field, value); }
void append_field(std::string& list, const Field& field, const std::string& value) {
  append(list, field, value);
}

}  // namespace saltus
