#pragma once

#include "saltus/algebra/types.hpp"
#include "saltus/base/report.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <vector>

namespace saltus {

/// Threads that share the work of a loop whose passes do not touch each other's results: what they
/// compute does not depend on how many there are ([docs/decisions/0004]). One thread: a plain loop.
class ThreadTeam {
 public:
  /// `threads` in all, the caller included; 0: as many as the machine has.
  explicit ThreadTeam(int threads = 1);
  ~ThreadTeam();
  ThreadTeam(const ThreadTeam&) = delete;
  ThreadTeam& operator=(const ThreadTeam&) = delete;

  /// A moment's rest of a thread that waits for another.
  static void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }

  [[nodiscard]] int size() const { return static_cast<int>(workers_.size()) + 1; }

  /// body(i, thread) for i in 0…count−1, each once, begun in this order, and 0 ≤ thread < size().
  template <class Body>
  void for_each(Index count, const Body& body) {
    share_out(count, 1, body);
  }

  /// body(i) for i in 0…count−1. Loops of as many passes give each thread the same ones, unless
  /// another has ended earlier, so that what they need is in its cache. So do those that follow.
  template <class Body>
  void for_parts(Index count, const Body& body) {
    share_out(count, size(), [&](Index i, int) { body(i); });
  }

  /// body(k) or body(k, thread) for k in 0…count−1, in pieces of 256.
  template <class Body>
  void for_range(Index count, const Body& body) {
    share_out((count + piece - 1) / piece, size(), [&](Index i, int thread) {
      for (Index k = i * piece, end = std::min(count, k + piece); k < end; ++k)
        if constexpr (std::is_invocable_v<Body, Index, int>)
          body(k, thread);
        else
          body(k);
    });
  }

  /// body(first, length) on slices of 0…count−1: vectors, entry by entry.
  template <class Body>
  void for_slices(Index count, const Body& body) {
    share_out((count + slice - 1) / slice, size(),
              [&](Index i, int) { body(i * slice, std::min(slice, count - i * slice)); });
  }

  /// The sum of term(k), added up by pieces: the same whatever the number of threads.
  template <class Term>
  [[nodiscard]] double sum(Index count, const Term& term) {
    return reduce(count, 0.0, term, [](double a, double b) { return a + b; });
  }
  template <class Term>
  [[nodiscard]] double minimum(Index count, const Term& term) {
    return reduce(count, inf, term, [](double a, double b) { return std::min(a, b); });
  }

 private:
  static constexpr Index piece = 256, slice = 2048;

  /// In `parts` of consecutive passes: a thread begins with its own and then helps the others.
  template <class Body>
  void share_out(Index count, int parts, const Body& body) {
    if (workers_.empty() || count < 2) {
      for (Index i = 0; i < count; ++i) body(i, 0);
      return;
    }
    run(
        count, parts, [](const void* b, Index i, int t) { (*static_cast<const Body*>(b))(i, t); },
        &body);
  }

  template <class Term, class Join>
  [[nodiscard]] double reduce(Index count, double start, const Term& term, const Join& join) {
    const Index pieces = (count + piece - 1) / piece;
    partial_.assign(static_cast<std::size_t>(pieces), start);
    share_out(pieces, size(), [&](Index i, int) {
      double value = start;
      for (Index k = i * piece, end = std::min(count, k + piece); k < end; ++k)
        value = join(value, term(k));
      partial_[i] = value;
    });
    double value = start;
    for (const double p : partial_) value = join(value, p);
    return value;
  }

  using Call = void (*)(const void*, Index, int);
  void run(Index count, int parts, Call call, const void* body);
  void work(int thread);
  void pull(int thread);

  std::vector<std::thread> workers_;
  std::mutex mutex_;
  std::condition_variable start_;
  static constexpr long none = 0, no_more = -1;
  std::atomic<long> open_{none};  // the loop that workers may join
  long loops_ = 0;
  struct alignas(64) Part {  // a cache line each
    std::atomic<Index> next{0};
    Index end = 0;
  };
  std::vector<Part> parts_;
  std::atomic<int> inside_{0}, asleep_{0};  // workers
  Call call_ = nullptr;
  const void* body_ = nullptr;
  std::vector<double> partial_;
};

}  // namespace saltus
