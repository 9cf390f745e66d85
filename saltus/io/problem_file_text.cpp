#include "saltus/io/problem_file_text.hpp"

#include "saltus/io/atomic_file.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <fstream>

namespace saltus {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// Fit for a message: short, and without control characters.
std::string shown(std::string_view word) {
  constexpr std::size_t longest = 30;
  std::string text(word.substr(0, longest));
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ' || static_cast<unsigned char>(c) > '~') c = '?';
  return word.size() > longest ? text + "..." : text;
}

/// The whole word is a number: its value; false otherwise.
bool parse(std::string_view word, double& value) {
  if (word.starts_with('+')) word.remove_prefix(1);
  if (word.starts_with('+')) return false;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (end != word.data() + word.size() || error == std::errc::invalid_argument) return false;
  // Too large becomes infinite, too small zero.
  if (error == std::errc::result_out_of_range) value = std::strtod(std::string(word).c_str(), {});
  return true;
}

}  // namespace

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  require(std::filesystem::exists(status), "cannot read '{}': there is no such file",
          path.string());
  require(!std::filesystem::is_directory(status), "cannot read '{}': it is a folder",
          path.string());
  require(std::filesystem::is_regular_file(status), "cannot read '{}': it is not a regular file",
          path.string());
  std::string text(std::filesystem::file_size(path, error), '\0');
  std::ifstream file(path, std::ios::binary);
  require(!error && file.is_open(), "cannot read '{}': it cannot be opened", path.string());
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  require(file.gcount() == static_cast<std::streamsize>(text.size()),
          "cannot read '{}': it has {} bytes, {} could be read", path.string(), text.size(),
          file.gcount());
  return text;
}

void write_text_file(const std::filesystem::path& path, std::string_view text) {
  AtomicFile target(path);
  std::ofstream file(target.temporary(), std::ios::binary);
  file.write(text.data(), static_cast<std::streamsize>(text.size()));
  file.close();
  require(file.good(), "cannot write '{}'", path.string());
  target.commit();
}

void TextScanner::skip_space() {
  while (position_ < text_.size() && is_space(text_[position_])) ++position_;
}

std::string_view TextScanner::word(std::string_view what) {
  skip_space();
  last_ = position_;
  if (position_ == text_.size()) fail_here(fmt::format("the file ends, expected {}", what));
  while (position_ < text_.size() && !is_space(text_[position_])) ++position_;
  return text_.substr(last_, position_ - last_);
}

Index TextScanner::integer(std::string_view what, Index lower, Index upper) {
  const std::string_view found = word(what);
  Index value = 0;
  const auto [end, error] = std::from_chars(found.data(), found.data() + found.size(), value);
  if (end != found.data() + found.size() || error != std::errc{} || value < lower || value > upper)
    unexpected(found, lower == upper
                          ? fmt::format("{}, which must be {}", what, lower)
                          : fmt::format("{}, an integer from {} to {}", what, lower, upper));
  return value;
}

double TextScanner::parsed(std::string_view what, bool infinite) {
  const std::string_view found = word(what);
  double value = 0;
  if (!parse(found, value)) unexpected(found, fmt::format("{}, a number", what));
  if (std::isnan(value) || (std::isinf(value) && !infinite))
    unexpected(found, fmt::format("{}, a {}number", what, infinite ? "" : "finite "));
  return value;
}

double TextScanner::number(std::string_view what) { return parsed(what, false); }
double TextScanner::extended_number(std::string_view what) { return parsed(what, true); }

Vector TextScanner::numbers(Index count, std::string_view what) {
  require_room(count, what);
  Vector values(count);
  for (double& value : values) value = parsed(what, false);
  return values;
}

Vector TextScanner::extended_numbers(Index count, std::string_view what) {
  require_room(count, what);
  Vector values(count);
  for (double& value : values) value = parsed(what, true);
  return values;
}

void TextScanner::require_room(Index count, std::string_view what) const {
  // Every word takes one byte at least, and one more stands before the next.
  if (count > (bytes_left() + 1) / 2)
    fail_here(fmt::format("expected {} ({} of them), but only {} bytes are left", what, count,
                          bytes_left()));
}

std::string_view TextScanner::rest_of_line() {
  last_ = position_;
  const std::size_t end = std::min(text_.find('\n', position_), text_.size());
  const std::string_view line = text_.substr(position_, end - position_);
  position_ = std::min(end + 1, text_.size());
  return line;
}

bool TextScanner::at_end() {
  skip_space();
  return position_ == text_.size();
}

bool TextScanner::number_follows() {
  if (at_end()) return false;
  TextScanner ahead = *this;
  double value = 0;
  return parse(ahead.word("a word"), value);
}

void TextScanner::fail_here(std::string_view message) const {
  const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<Index>(last_), '\n');
  fail("cannot read '{}': line {}: {}", file_, line, message);
}

void TextScanner::unexpected(std::string_view found, std::string_view expected) const {
  fail_here(fmt::format("found '{}', expected {}", shown(found), expected));
}

}  // namespace saltus
