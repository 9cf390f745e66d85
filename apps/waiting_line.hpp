#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <string>
#include <thread>

namespace saltus {

/// While it lives, and once that has taken longer than `patience`: a line on the standard error
/// stream, the text and the seconds passed, drawn anew as they pass. For work that does not tell
/// how much of it is left. The end removes the line.
class WaitingLine {
 public:
  explicit WaitingLine(std::string text,
                       std::chrono::milliseconds patience = std::chrono::milliseconds(1000));
  ~WaitingLine();
  WaitingLine(const WaitingLine&) = delete;
  WaitingLine& operator=(const WaitingLine&) = delete;

 private:
  void draw(std::chrono::milliseconds patience);

  std::string text_;
  std::mutex mutex_;
  std::condition_variable changed_;
  bool done_ = false;
  std::thread thread_;
};

}  // namespace saltus
