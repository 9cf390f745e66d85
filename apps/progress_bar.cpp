#include "apps/progress_bar.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

namespace saltus {

namespace {

constexpr double interval = 0.1;  // seconds between drawings

std::string duration(double seconds) {
  if (seconds < 60) return fmt::format("{:.1f} s", seconds);
  const long whole = static_cast<long>(seconds);
  return whole < 3600 ? fmt::format("{}:{:02}", whole / 60, whole % 60)
                      : fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

}  // namespace

void ProgressBar::update(const Observation& seen) {
  if (seen.step < next_look_) return;
  const double now = clock_.seconds();
  // As many steps as fit into a tenth of the interval at the pace so far; at most doubled.
  const double pace = static_cast<double>(seen.step) / std::max(now, 1e-9);
  next_look_ = seen.step + std::clamp(static_cast<long>(pace * interval / 10), 1L, seen.step);
  update(seen.end_time > 0 ? std::clamp(seen.state.t / seen.end_time, 0.0, 1.0) : 1);
}

void ProgressBar::update(double fraction) {
  const double now = clock_.seconds();
  if (now - drawn_ < interval) return;
  drawn_ = now;
  draw(fraction);
}

void ProgressBar::draw(double fraction) {
  constexpr int width = 30;
  const int full = static_cast<int>(fraction * width);
  std::string bar;
  for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
  const double left = fraction > 0 ? drawn_ * (1 - fraction) / fraction : 0;
  fmt::print(stderr, "\r\033[K{} {:3.0f} %  {} elapsed, {} to go", bar, 100 * fraction,
             duration(drawn_), duration(left));
  std::fflush(stderr);
  visible_ = true;
}

void ProgressBar::clear() {
  if (visible_) fmt::print(stderr, "\r\033[K");
  visible_ = false;
}

}  // namespace saltus
