#include "apps/plot.hpp"

#include "apps/figure.hpp"
#include "plot_script.hpp"
#include "saltus/io/atomic_file.hpp"

#include <fmt/format.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <sstream>
#include <utility>

namespace saltus {

namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

/// A nameless file that vanishes with its handle.
File scratch_file() {
  File file(std::tmpfile());
  require(file != nullptr, "cannot create a temporary file: {}", std::strerror(errno));
  return file;
}

/// What python/saltus/plot.py reads: a line of JSON {"figure", "columns", "rows"}, then the columns
/// one after the other, each as `rows` doubles. The first column is t.
File script_input(const Trajectory& run, const Notes& notes) {
  std::vector<std::string> names{"t"};
  std::istringstream list(notes.at("figure_columns"));
  for (std::string name; std::getline(list, name);) names.push_back(name);
  std::string quoted;
  for (const std::string& name : names) quoted += (quoted.empty() ? "" : ", ") + json_text(name);
  File file = scratch_file();
  fmt::print(file.get(), R"({{"figure": {}, "columns": [{}], "rows": {}}})", notes.at("figure"),
             quoted, run.size());
  fmt::print(file.get(), "\n");
  for (const std::string& name : names) {
    const Vector column = run.column(name);
    std::fwrite(column.data(), sizeof(double), static_cast<std::size_t>(column.size()), file.get());
  }
  require(std::fflush(file.get()) == 0, "cannot write a temporary file: {}", std::strerror(errno));
  std::rewind(file.get());
  return file;
}

std::string last_line(std::FILE* file) {
  std::rewind(file);
  std::string line, last;
  for (int c = std::fgetc(file); c != EOF; c = std::fgetc(file)) {
    if (c != '\n') line += static_cast<char>(c);
    if (c == '\n' && !line.empty()) last = std::exchange(line, {});
  }
  return line.empty() ? last : line;
}

/// Runs python -I -c script argument < input. -I: the user's settings cannot interfere.
std::string run_python(const std::string& argument, std::FILE* input) {
  const char* chosen = std::getenv("SALTUS_PYTHON");
  std::string python = chosen != nullptr ? chosen : SALTUS_PYTHON_EXECUTABLE;
  std::string words[] = {python, "-I", "-c", plot_script, argument};
  char* argv[] = {words[0].data(), words[1].data(), words[2].data(),
                  words[3].data(), words[4].data(), nullptr};
  const File output = scratch_file();
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, fileno(input), STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&streams, fileno(output.get()), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, fileno(output.get()), STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, python.c_str(), &streams, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&streams);
  if (error != 0) return fmt::format("cannot start {}: {}", python, std::strerror(error));
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string reason = last_line(output.get());
  return reason.empty() ? fmt::format("{} failed", python) : reason;
}

}  // namespace

std::string draw(const std::filesystem::path& png, const Trajectory& run, Notes notes) {
  if (!notes.contains("figure")) add_notes(default_figure(run), notes);
  AtomicFile file(png);
  const File input = script_input(run, notes);
  const std::string problem = run_python(file.temporary().string(), input.get());
  if (problem.empty()) file.commit();
  return problem;
}

}  // namespace saltus
