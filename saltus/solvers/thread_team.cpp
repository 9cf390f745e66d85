#include "saltus/solvers/thread_team.hpp"

#include <algorithm>

namespace saltus {

namespace {

// Some 200 µs before a thread goes to sleep, since to wake it takes about as long: the loops of one
// iteration follow each other closely.
constexpr int spins = 16000;

}  // namespace

ThreadTeam::ThreadTeam(int threads) {
  static const int all = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int count = threads > 0 ? threads : all;
  if (count > 1) parts_ = std::vector<Part>(static_cast<std::size_t>(count));
  for (int t = 1; t < count; ++t) workers_.emplace_back([this, t] { work(t); });
}

ThreadTeam::~ThreadTeam() {
  {
    const std::lock_guard lock(mutex_);
    open_ = no_more;
  }
  start_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadTeam::run(Index count, int parts, Call call, const void* body) {
  call_ = call;
  body_ = body;
  for (int p = 0; p < size(); ++p) {
    parts_[p].next = p < parts ? p * count / parts : 0;
    parts_[p].end = p < parts ? (p + 1) * count / parts : 0;
  }
  open_ = ++loops_;
  if (asleep_ > 0) {  // who falls asleep after this looks at open_ once more
    const std::lock_guard lock(mutex_);
    start_.notify_all();
  }
  pull(0);
  open_ = none;  // who has not come in by now finds the door closed, and nobody waits for it
  for (int k = 0; inside_ > 0; ++k) k < spins ? relax() : std::this_thread::yield();
}

void ThreadTeam::pull(int thread) {
  for (int k = 0; k < size(); ++k) {
    Part& part = parts_[(thread + k) % size()];
    for (Index i = part.next.fetch_add(1); i < part.end; i = part.next.fetch_add(1))
      call_(body_, i, thread);
  }
}

void ThreadTeam::work(int thread) {
  long seen = none;
  const auto opened = [&] {
    const long loop = open_;
    return loop != none && loop != seen;
  };
  while (true) {
    for (int k = 0; k < spins && !opened(); ++k) relax();
    if (!opened()) {
      std::unique_lock lock(mutex_);
      ++asleep_;
      start_.wait(lock, opened);
      --asleep_;
    }
    ++inside_;  // first this, then the look at the door: it stays open, or run() waits
    const long loop = open_;
    if (loop > none && loop != seen) pull(thread);
    --inside_;
    if (loop == no_more) return;
    if (loop != none) seen = loop;
  }
}

}  // namespace saltus
