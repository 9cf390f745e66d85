#pragma once

#include <memory>
#include <utility>
#include <vector>

namespace saltus {

/// Leaves new entries unset.
template <class T>
struct UnsetAllocator : std::allocator<T> {
  using std::allocator<T>::allocator;
  template <class U>
  struct rebind {
    using other = UnsetAllocator<U>;
  };
  template <class U>
  void construct(U* place) noexcept {
    ::new (static_cast<void*>(place)) U;
  }
  template <class U, class... Values>
  void construct(U* place, Values&&... values) {
    ::new (static_cast<void*>(place)) U(std::forward<Values>(values)...);
  }
};

/// A vector of numbers whose resize() sets nothing: they are first touched by whoever computes
/// them, so that threads that share this share the cost of new memory, too.
template <class T>
using UnsetVector = std::vector<T, UnsetAllocator<T>>;

}  // namespace saltus
