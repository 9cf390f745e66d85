#pragma once

#include "saltus/algebra/types.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace saltus {

/// The whole file. Throws Error if there is none, or it is not a regular file.
[[nodiscard]] std::string read_text_file(const std::filesystem::path& path);
/// Replaces the file by `text` in one step (AtomicFile).
void write_text_file(const std::filesystem::path& path, std::string_view text);

/// Words and numbers of a text, separated by white space. What does not fit throws
///
///     cannot read 'FILE': line 7: found 'abc', expected the number of rows, an integer >= 1
///
/// Counts are checked against the bytes that are left before anything is allocated.
class TextScanner {
 public:
  /// The text must outlive the scanner.
  TextScanner(std::string_view text, std::string file) : text_(text), file_(std::move(file)) {}

  Index integer(std::string_view what, Index lower, Index upper);
  /// A finite number.
  [[nodiscard]] double number(std::string_view what);
  /// A number or ±inf.
  [[nodiscard]] double extended_number(std::string_view what);
  [[nodiscard]] Vector numbers(Index count, std::string_view what);
  [[nodiscard]] Vector extended_numbers(Index count, std::string_view what);
  [[nodiscard]] std::string_view word(std::string_view what);

  /// Throws Error unless `count` words may still follow.
  void require_room(Index count, std::string_view what) const;
  [[nodiscard]] Index bytes_left() const { return static_cast<Index>(text_.size() - position_); }

  /// What is left of this line, and goes to the next one.
  std::string_view rest_of_line();
  [[nodiscard]] bool at_end();
  [[nodiscard]] bool number_follows();
  /// How far the text was understood.
  [[nodiscard]] std::size_t position() const { return position_; }

  /// Throws Error "cannot read 'FILE': line N: …" for the last word.
  [[noreturn]] void fail_here(std::string_view message) const;
  /// The same with "found 'WORD', expected …".
  [[noreturn]] void unexpected(std::string_view found, std::string_view expected) const;

 private:
  void skip_space();
  [[nodiscard]] double parsed(std::string_view what, bool infinite);

  std::string_view text_;
  std::string file_;
  std::size_t position_ = 0, last_ = 0;  // next character, begin of the last word
};

}  // namespace saltus
