#pragma once

#include "saltus/base/fields.hpp"

#include <cstdint>
#include <utility>
#include <variant>
#include <vector>

namespace saltus {

// Order of the blocks in a sweep.

/// As they are numbered.
struct NaturalOrder {
  static constexpr std::string_view name = "NaturalOrder";
  template <class Self, class Visitor>
  static void fields(Self&, Visitor&&) {}
};
/// A random order, the same in every sweep (FS:FS-78a). The same seed gives the same order on every
/// machine.
struct ShuffledOnce {
  static constexpr std::string_view name = "ShuffledOnce";
  int seed = 1;  ///< of the random numbers
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"seed", "of the random numbers", non_negative}, s.seed);
  }
};
/// A new random order in every sweep (FS:FS-78b): good for deformable bodies, bad for rigid ones.
struct ShuffledEverySweep {
  static constexpr std::string_view name = "ShuffledEverySweep";
  int seed = 1;  ///< of the random numbers
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"seed", "of the random numbers", non_negative}, s.seed);
  }
};

using SweepOrder = std::variant<NaturalOrder, ShuffledOnce, ShuffledEverySweep>;

/// Fisher–Yates with a 64-bit congruential generator of its own (Knuth's constants), so that the
/// order does not depend on the standard library.
template <class T>
void shuffle(std::vector<T>& items, std::uint64_t& state) {
  for (std::size_t i = items.size(); i > 1; --i) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    std::swap(items[i - 1], items[(state >> 33) % i]);
  }
}

}  // namespace saltus
