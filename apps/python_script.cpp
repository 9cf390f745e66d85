#include "apps/python_script.hpp"

#include "saltus/base/error.hpp"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace saltus {

File scratch_file() {
  File file(std::tmpfile());
  require(file != nullptr, "cannot create a temporary file: {}", std::strerror(errno));
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

std::string python_program() {
  const char* chosen = std::getenv("SALTUS_PYTHON");
  return chosen != nullptr ? chosen : SALTUS_PYTHON_EXECUTABLE;
}

pid_t start_python(const char* script, const std::vector<std::string>& arguments,
                   const Streams& streams) {
  const std::string python = python_program();
  std::vector<std::string> words{python, "-I", "-c", script};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, streams.in, STDIN_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.out, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, streams.error, STDERR_FILENO);
  pid_t child = 0;
  const int error = posix_spawnp(&child, python.c_str(), &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  require(error == 0, "cannot start {}: {}", python, std::strerror(error));
  return child;
}

std::string run_python(const char* script, const std::vector<std::string>& arguments,
                       std::FILE* input) {
  const File output = scratch_file();
  pid_t child = 0;
  try {
    const int printed = fileno(output.get());
    child = start_python(script, arguments, {fileno(input), printed, printed});
  } catch (const Error& error) {
    return error.what();
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string reason = last_line(output.get());
  return reason.empty() ? fmt::format("{} failed", python_program()) : reason;
}

}  // namespace saltus
