#pragma once

#include "saltus/problems/global_block_form.hpp"

namespace saltus::testing {

/// A tower of n unit masses that can move up and down, each on some legs, under the load −1 each:
/// the legs below mass k (from 0) bear (n − k)/legs each, and q = −1 on the ground alone.
inline GlobalBlockForm tower(Index n, Index legs = 2) {
  GlobalBlockForm problem;
  problem.M.resize(n, n);
  problem.M.setIdentity();
  problem.H.resize(n, legs * n);
  for (Index leg = 0; leg < legs * n; ++leg) {
    if (leg >= legs) problem.H.insert(leg / legs - 1, leg) = -1;
    problem.H.insert(leg / legs, leg) = 1;
  }
  problem.f = -Vector::Ones(n);
  problem.w = Vector::Zero(legs * n);
  problem.K.assign(static_cast<std::size_t>(legs * n), NonNegative{});
  problem.sizes.assign(static_cast<std::size_t>(legs * n), 1);
  return problem;
}

/// On two legs.
inline Vector tower_reactions(Index n) {
  Vector r(2 * n);
  for (Index leg = 0; leg < 2 * n; ++leg) r[leg] = 0.5 * static_cast<double>(n - leg / 2);
  return r;
}

}  // namespace saltus::testing
