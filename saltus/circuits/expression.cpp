#include "saltus/circuits/expression.hpp"

#include "saltus/base/error.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <numbers>
#include <vector>

namespace saltus::circuits {

namespace {

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }

struct Suffix {
  std::string_view text;
  double factor;
};
// meg before m
constexpr std::array<Suffix, 9> suffixes{{{"meg", 1e6},
                                          {"t", 1e12},
                                          {"g", 1e9},
                                          {"k", 1e3},
                                          {"m", 1e-3},
                                          {"u", 1e-6},
                                          {"n", 1e-9},
                                          {"p", 1e-12},
                                          {"f", 1e-15}}};

/// Length of the number at the beginning of `text`, suffix and units included; 0 if there is none.
std::size_t read_number(std::string_view text, double& value) {
  const char* first = text.data();
  if (!text.empty() && (text[0] == '+' || text[0] == '-')) ++first;
  if (first == text.data() + text.size() || !(is_digit(*first) || *first == '.')) return 0;
  const auto [end, error] =
      std::from_chars(text[0] == '-' ? text.data() : first, text.data() + text.size(), value);
  if (error != std::errc()) return 0;
  std::size_t length = static_cast<std::size_t>(end - text.data());
  std::string letters;
  while (length < text.size() && is_letter(text[length])) letters += text[length++];
  letters = lower_case(letters);
  for (const Suffix& suffix : suffixes)
    if (letters.compare(0, suffix.text.size(), suffix.text) == 0) {
      // one rounding, not two: 1e-6 is not a binary number, 1e6 is
      value = suffix.factor < 1 ? value / std::round(1 / suffix.factor) : value * suffix.factor;
      break;
    }
  return length;
}

class Parser {
 public:
  Parser(std::string_view text, Place place, const Lookup& lookup)
      : text_(text), place_(place), lookup_(lookup) {}

  double run() {
    const double value = sum(0);
    skip();
    if (at_ < text_.size()) expected("an operator + - * / ^ or the end");
    return value;
  }

 private:
  [[noreturn]] void expected(const std::string& what) {
    const std::string given =
        at_ < text_.size() ? fmt::format("'{}'", text_[at_]) : std::string("the end");
    netlist_error(
        here(), fmt::format("in the expression '{}' there is {}, expected {}", text_, given, what));
  }
  [[nodiscard]] Place here() const { return {place_.line, place_.column + static_cast<int>(at_)}; }
  void skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
  }
  bool take(char c) {
    skip();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  double sum(int depth) {
    if (depth > 64) expected("fewer parentheses inside each other");
    double value = product(depth);
    for (;;) {
      if (take('+'))
        value += product(depth);
      else if (take('-'))
        value -= product(depth);
      else
        return value;
    }
  }
  bool power_sign() {
    if (take('^')) return true;
    skip();
    if (text_.substr(at_, 2) != "**") return false;
    at_ += 2;
    return true;
  }
  double product(int depth) {
    double value = power(depth);
    for (;;) {
      skip();
      if (text_.substr(at_, 2) == "**") return value;
      if (take('*')) {
        value *= power(depth);
      } else if (take('/')) {
        const double divisor = power(depth);
        if (divisor == 0) expected("a divisor that is not 0");
        value /= divisor;
      } else {
        return value;
      }
    }
  }
  double power(int depth) {
    double sign = 1;
    for (;;) {
      if (take('-'))
        sign = -sign;
      else if (!take('+'))
        break;
    }
    const double base = atom(depth);
    if (!power_sign()) return sign * base;
    if (depth > 64) expected("fewer powers inside each other");
    return sign * std::pow(base, power(depth + 1));
  }
  double atom(int depth) {
    skip();
    if (take('(')) {
      const double value = sum(depth + 1);
      if (!take(')')) expected("')'");
      return value;
    }
    double value = 0;
    if (const std::size_t length = read_number(text_.substr(at_), value); length > 0) {
      at_ += length;
      return value;
    }
    if (at_ < text_.size() && is_letter(text_[at_])) return named(depth);
    expected("a number, a parameter or '('");
  }
  double named(int depth) {
    const Place start = here();
    const std::size_t begin = at_;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) ++at_;
    const std::string name = lower_case(text_.substr(begin, at_ - begin));
    if (!take('(')) return name == "pi" ? std::numbers::pi : lookup_(name, start);
    std::vector<double> arguments{sum(depth + 1)};
    while (take(',')) arguments.push_back(sum(depth + 1));
    if (!take(')')) expected("')'");
    return call(name, arguments, start);
  }
  static double call(const std::string& name, const std::vector<double>& x, Place place) {
    struct One {
      std::string_view name;
      double (*function)(double);
    };
    static constexpr std::array<One, 11> ones{{{"sqrt", [](double a) { return std::sqrt(a); }},
                                               {"exp", [](double a) { return std::exp(a); }},
                                               {"log", [](double a) { return std::log(a); }},
                                               {"ln", [](double a) { return std::log(a); }},
                                               {"log10", [](double a) { return std::log10(a); }},
                                               {"sin", [](double a) { return std::sin(a); }},
                                               {"cos", [](double a) { return std::cos(a); }},
                                               {"tan", [](double a) { return std::tan(a); }},
                                               {"atan", [](double a) { return std::atan(a); }},
                                               {"abs", [](double a) { return std::abs(a); }},
                                               {"floor", [](double a) { return std::floor(a); }}}};
    for (const One& one : ones)
      if (one.name == name && x.size() == 1) return one.function(x[0]);
    if (x.size() == 2) {
      if (name == "min") return std::min(x[0], x[1]);
      if (name == "max") return std::max(x[0], x[1]);
      if (name == "pow") return std::pow(x[0], x[1]);
    }
    netlist_error(place, fmt::format("there is no function '{}' of {} numbers, expected sqrt exp "
                                     "log ln log10 sin cos tan atan abs floor of one or min max "
                                     "pow of two",
                                     name, x.size()));
  }

  std::string_view text_;
  Place place_;
  const Lookup& lookup_;
  std::size_t at_ = 0;
};

}  // namespace

void netlist_error(Place place, const std::string& text) {
  fail("netlist line {}, column {}: {}", place.line, place.column, text);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

bool looks_like_number(std::string_view text) {
  double value = 0;
  return read_number(text, value) > 0;
}

double parse_number(std::string_view text, Place place) {
  double value = 0;
  const std::size_t length = read_number(text, value);
  if (length == 0 || length < text.size())
    netlist_error(place, fmt::format("'{}' is no number, expected one like 4.7, 10u, 1meg or an "
                                     "expression in {{}}",
                                     text));
  return value;
}

double evaluate(std::string_view text, Place place, const Lookup& lookup) {
  const double value = Parser(text, place, lookup).run();
  if (!std::isfinite(value))
    netlist_error(place,
                  fmt::format("the expression '{}' is {}, expected a finite number", text, value));
  return value;
}

}  // namespace saltus::circuits
