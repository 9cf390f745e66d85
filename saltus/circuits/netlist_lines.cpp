#include "saltus/circuits/netlist_lines.hpp"

#include <fmt/format.h>

namespace saltus::circuits {

namespace {

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == ','; }
bool ends_word(char c) {
  return is_blank(c) || c == '(' || c == ')' || c == '=' || c == '{' || c == '\'' || c == ';';
}

/// One physical line.
class Scanner {
 public:
  Scanner(std::string_view text, int number) : text_(text), number_(number) {}

  void scan(Line& line) {
    for (skip(); at_ < text_.size() && !comment(); skip()) line.push_back(next());
  }
  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }
  /// Skips blanks and then a `+`.
  bool take_plus() {
    skip();
    if (at_ >= text_.size() || text_[at_] != '+') return false;
    ++at_;
    return true;
  }
  [[nodiscard]] bool comment() const {
    const char c = text_[at_];
    return c == ';' || (c == '$' && (at_ == 0 || is_blank(text_[at_ - 1])));
  }
  [[nodiscard]] bool empty() {
    skip();
    return at_ >= text_.size() || text_[at_] == '*' || comment();
  }
  [[nodiscard]] Place here() const { return {number_, static_cast<int>(at_) + 1}; }

 private:
  Token next() {
    const Place place = here();
    switch (text_[at_]) {
      case '(':
        ++at_;
        return {Token::Kind::open, "(", place};
      case ')':
        ++at_;
        return {Token::Kind::close, ")", place};
      case '=':
        ++at_;
        return {Token::Kind::equals, "=", place};
      case '{':
        return expression('}');
      case '\'':
        return expression('\'');
      default:
        return word();
    }
  }
  Token expression(char end) {
    const Place brace = here();
    ++at_;
    const Place place = here();
    const std::size_t close = text_.find(end, at_);
    if (close == std::string_view::npos)
      netlist_error(brace, fmt::format("'{}' is not closed, expected '{}' in the same line",
                                       text_[at_ - 1], end));
    Token token{Token::Kind::expression, lower_case(text_.substr(at_, close - at_)), place};
    at_ = close + 1;
    return token;
  }
  Token word() {
    const Place place = here();
    const std::size_t begin = at_;
    while (at_ < text_.size() && !ends_word(text_[at_])) ++at_;
    if (at_ == begin) ++at_;
    return {Token::Kind::word, lower_case(text_.substr(begin, at_ - begin)), place};
  }

  std::string_view text_;
  int number_;
  std::size_t at_ = 0;
};

void check_parentheses(const Line& line) {
  std::vector<Place> open;
  for (const Token& token : line) {
    if (token.kind == Token::Kind::open) open.push_back(token.place);
    if (token.kind != Token::Kind::close) continue;
    if (open.empty()) netlist_error(token.place, "')' without a '(' before it");
    open.pop_back();
  }
  if (!open.empty()) netlist_error(open.back(), "'(' is not closed, expected ')'");
}

}  // namespace

std::vector<Line> split_netlist(std::string_view text, std::string& title) {
  std::vector<Line> lines;
  int number = 0;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    begin = end + 1;
    if (++number == 1) {
      title = line.substr(0, line.find_last_not_of(" \t\r") + 1);
      continue;
    }
    Scanner scanner(line, number);
    if (scanner.empty()) continue;
    const Place start = scanner.here();
    if (scanner.take_plus()) {
      if (lines.empty()) netlist_error(start, "'+' continues a line, but there is none before it");
    } else {
      lines.emplace_back();
    }
    scanner.scan(lines.back());
  }
  for (const Line& line : lines) check_parentheses(line);
  return lines;
}

}  // namespace saltus::circuits
