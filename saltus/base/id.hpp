#pragma once

#include <compare>
#include <cstddef>

namespace saltus {

/// Typed index: a SystemId cannot be taken for an InteractionId.
template <class Tag>
struct Id {
  std::ptrdiff_t index = -1;
  auto operator<=>(const Id&) const = default;
};

using SystemId = Id<struct SystemTag>;
using InteractionId = Id<struct InteractionTag>;

}  // namespace saltus
