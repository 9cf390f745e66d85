#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>
#include <utility>

namespace saltus {

/// A caller's mistake: wrong sizes, signs, names, files. The text says where, what was given and
/// what was expected ("Model::add: q has size 3, system has 1 dof"). Numerical outcomes are never
/// exceptions: they are a status in a report (docs/decisions/0003-error-policy.md).
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws Error with the text that fmt makes of it.
[[noreturn]] void throw_error(fmt::string_view format, fmt::format_args args);

/// Throws Error with the formatted text.
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw_error(format, fmt::make_format_args(args...));
}

/// Throws Error with the formatted text unless `condition` holds.
template <class... Args>
void require(bool condition, fmt::format_string<Args...> format, Args&&... args) {
  if (!condition) [[unlikely]]
    throw_error(format, fmt::make_format_args(args...));
}

}  // namespace saltus

/// Our own mistake: an invariant of the library is broken. Checked in debug and sanitizer builds.
#ifdef NDEBUG
#define SALTUS_ASSERT(condition) static_cast<void>(0)
#else
#include <cassert>
#define SALTUS_ASSERT(condition) assert(condition)
#endif
