#include "apps/isolated_run.hpp"

#include "saltus/base/error.hpp"
#include "saltus/base/report.hpp"
#include "saltus/base/stopwatch.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <new>

namespace saltus {

namespace {

// The first byte that comes says what the rest is.
constexpr char returned = 'r', threw = 't', no_memory = 'm';

void send(int stream, char kind, const std::string& text) {
  std::string bytes = kind + text;
  std::size_t sent = 0;
  while (sent < bytes.size()) {
    const ssize_t count = write(stream, bytes.data() + sent, bytes.size() - sent);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return;
    sent += static_cast<std::size_t>(count);
  }
}

void set_limits() {
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  rlimit none{0, 0};
  setrlimit(RLIMIT_CORE, &none);
#ifndef __SANITIZE_ADDRESS__  // which reserves more addresses than there is memory
  const rlim_t memory =
      static_cast<rlim_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
  rlimit all{memory, memory};
  setrlimit(RLIMIT_AS, &all);
#endif
}

[[noreturn]] void run_and_exit(const std::function<std::string()>& action, int stream) {
  set_limits();
  try {
    send(stream, returned, action());
  } catch (const std::bad_alloc&) {
    send(stream, no_memory, "");
  } catch (const std::exception& mistake) {
    send(stream, threw, mistake.what());
  }
  _exit(0);
}

}  // namespace

IsolatedRun::IsolatedRun(const std::function<std::string()>& action) {
  int ends[2] = {-1, -1};
  require(pipe2(ends, O_CLOEXEC) == 0, "cannot create a pipe: {}", std::strerror(errno));
  process_ = fork();
  if (process_ == 0) {
    close(ends[0]);
    run_and_exit(action, ends[1]);
  }
  const int error = errno;
  close(ends[1]);
  stream_ = ends[0];
  if (process_ < 0) {
    close(stream_);
    fail("cannot start a process: {}", std::strerror(error));
  }
}

IsolatedRun::~IsolatedRun() {
  if (process_ > 0) static_cast<void>(stop());
  close(stream_);
}

bool IsolatedRun::receive() {
  char buffer[1 << 16];
  const ssize_t count = read(stream_, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR;
  received_.append(buffer, static_cast<std::size_t>(count));
  return count > 0;
}

int IsolatedRun::wait_for_end() {
  int status = 0;
  while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
  }
  process_ = 0;
  return status;
}

IsolatedResult IsolatedRun::result() {
  const int status = wait_for_end();
  if (WIFSIGNALED(status)) return {.reason = fmt::format("crash: {}", strsignal(WTERMSIG(status)))};
  if (received_.empty()) return {.reason = "crash: ended by itself"};
  const char kind = received_.front();
  received_.erase(0, 1);
  if (kind == no_memory) return {.reason = "out of memory"};
  if (kind == threw) return {.reason = std::move(received_)};
  return {.finished = true, .bytes = std::move(received_), .reason = {}};
}

IsolatedResult IsolatedRun::stop() {
  kill(process_, SIGKILL);
  static_cast<void>(wait_for_end());
  return {.reason = "time limit"};
}

double IsolatedRun::processor_seconds() const {
  clockid_t clock{};
  timespec used{};
  if (clock_getcpuclockid(process_, &clock) != 0 || clock_gettime(clock, &used) != 0) return inf;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

double processor_seconds() {
  timespec used{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

IsolatedResult run_isolated(const std::function<std::string()>& action, double seconds) {
  Stopwatch clock;
  IsolatedRun run(action);
  for (;;) {
    const double elapsed = clock.seconds();
    const double left = seconds - std::min(elapsed, run.processor_seconds());
    if (left <= 0 || elapsed > 10 * seconds + 1) return run.stop();
    pollfd waiting{run.stream(), POLLIN, 0};
    const int milliseconds = static_cast<int>(std::clamp(1e3 * left, 0.0, 1e3)) + 1;
    if (poll(&waiting, 1, milliseconds) > 0 && !run.receive()) return run.result();
  }
}

}  // namespace saltus
