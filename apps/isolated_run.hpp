#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace saltus {

/// What became of a function that ran in a process of its own.
struct IsolatedResult {
  bool finished = false;   ///< it returned
  std::string bytes = {};  ///< what it returned
  /// Else "time limit", "out of memory", "crash: Segmentation fault", or the text of its exception.
  std::string reason = {};
};

/// A function in a copy of this process (fork): whatever it does, a crash, an endless loop, a lack
/// of memory, this process goes on. The copy may take as much memory as the machine has, not more;
/// it ends when this process ends. Not for programs with several threads.
class IsolatedRun {
 public:
  /// Starts `action`. Throws Error if the system has no room for another process.
  explicit IsolatedRun(const std::function<std::string()>& action);
  /// Ends it if it still runs.
  ~IsolatedRun();
  IsolatedRun(const IsolatedRun&) = delete;
  IsolatedRun& operator=(const IsolatedRun&) = delete;

  /// A descriptor that can be read when receive() will not wait.
  [[nodiscard]] int stream() const { return stream_; }
  /// Takes what has come; false when nothing more will come.
  bool receive();
  /// That it has used; infinite if that is not known.
  [[nodiscard]] double processor_seconds() const;
  /// Once receive() was false: the result.
  [[nodiscard]] IsolatedResult result();
  /// Ends the process; the reason is "time limit".
  [[nodiscard]] IsolatedResult stop();

 private:
  [[nodiscard]] int wait_for_end();

  pid_t process_ = 0;
  int stream_ = -1;
  std::string received_;
};

/// Of this process, all threads.
[[nodiscard]] double processor_seconds();

/// Runs `action` to its end, or ends it after that many seconds. Elapsed or processor time,
/// whichever is less: a machine that others use, too, shortens nobody's time; but ten times as many
/// elapsed seconds and one more end it anyhow.
[[nodiscard]] IsolatedResult run_isolated(const std::function<std::string()>& action,
                                          double seconds);

}  // namespace saltus
