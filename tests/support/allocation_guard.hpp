#pragma once

#include <cstddef>

namespace saltus::testing {

/// Counts heap allocations of this thread while it lives: operator new, and malloc, calloc,
/// realloc, aligned_alloc, posix_memalign (Eigen allocates through malloc). The executable must
/// contain allocation_guard.cpp. Under the address, thread or memory sanitizer, which bring their
/// own heap, nothing is counted and `active` is false.
///
///     AllocationGuard guard;
///     solve(problem, z, algorithm, work);
///     EXPECT_EQ(guard.count(), 0);
class AllocationGuard {
 public:
  AllocationGuard();
  AllocationGuard(const AllocationGuard&) = delete;
  AllocationGuard& operator=(const AllocationGuard&) = delete;
  /// Allocations since construction.
  [[nodiscard]] long count() const;
  /// Counting works in this build.
  [[nodiscard]] static bool active();

 private:
  long start_ = 0;
};

}  // namespace saltus::testing
