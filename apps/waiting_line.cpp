#include "apps/waiting_line.hpp"

#include "saltus/base/stopwatch.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace saltus {

WaitingLine::WaitingLine(std::string text, std::chrono::milliseconds patience)
    : text_(std::move(text)), thread_([this, patience] { draw(patience); }) {}

WaitingLine::~WaitingLine() {
  {
    const std::scoped_lock lock(mutex_);
    done_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void WaitingLine::draw(std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds interval(500);
  const Stopwatch clock;
  std::unique_lock lock(mutex_);
  bool visible = false;
  while (!changed_.wait_for(lock, visible ? interval : patience, [this] { return done_; })) {
    fmt::print(stderr, "\r\033[K{}: {:.0f} s", text_, clock.seconds());
    std::fflush(stderr);
    visible = true;
  }
  if (visible) fmt::print(stderr, "\r\033[K");
}

}  // namespace saltus
