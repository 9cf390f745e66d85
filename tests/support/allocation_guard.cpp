#include "allocation_guard.hpp"

#include <cerrno>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SALTUS_COUNT_ALLOCATIONS 0
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || \
    __has_feature(memory_sanitizer)
#define SALTUS_COUNT_ALLOCATIONS 0
#endif
#endif
#if !defined(SALTUS_COUNT_ALLOCATIONS) && defined(__GLIBC__)
#define SALTUS_COUNT_ALLOCATIONS 1
#elif !defined(SALTUS_COUNT_ALLOCATIONS)
#define SALTUS_COUNT_ALLOCATIONS 0
#endif

namespace {
thread_local long allocations = 0;
}

#if SALTUS_COUNT_ALLOCATIONS
// The executable's malloc family takes the place of the C library's; operator new calls malloc.
// Weak, so that a test program may bring its own.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

[[gnu::weak]] void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
[[gnu::weak]] void* calloc(std::size_t count, std::size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
[[gnu::weak]] void* realloc(void* old, std::size_t size) {
  ++allocations;
  return __libc_realloc(old, size);
}
[[gnu::weak]] void* memalign(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
[[gnu::weak]] void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
[[gnu::weak]] int posix_memalign(void** out, std::size_t alignment, std::size_t size) {
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out != nullptr ? 0 : ENOMEM;
}
}
#endif

namespace saltus::testing {

AllocationGuard::AllocationGuard() : start_(allocations) {}
long AllocationGuard::count() const { return allocations - start_; }
bool AllocationGuard::active() { return SALTUS_COUNT_ALLOCATIONS != 0; }

}  // namespace saltus::testing
