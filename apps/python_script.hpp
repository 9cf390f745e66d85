#pragma once

#include <sys/types.h>

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace saltus {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// A nameless file that vanishes with its handle. Throws Error if there is no room for one.
[[nodiscard]] File scratch_file();
/// The last line of a file that is not empty.
[[nodiscard]] std::string last_line(std::FILE* file);

/// The interpreter: $SALTUS_PYTHON, or the one the program was built with.
[[nodiscard]] std::string python_program();

/// Descriptors for the standard streams of a process.
struct Streams {
  int in, out, error;
};
/// Starts python -I -c script arguments…; -I: the user's settings cannot interfere. Throws Error if
/// there is no such interpreter.
[[nodiscard]] pid_t start_python(const char* script, const std::vector<std::string>& arguments,
                                 const Streams& streams);

/// Runs a script to its end. Returns nothing, or why it failed: the last line that it printed.
[[nodiscard]] std::string run_python(const char* script, const std::vector<std::string>& arguments,
                                     std::FILE* input);

}  // namespace saltus
