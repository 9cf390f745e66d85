#pragma once

#include "saltus/problems/global_block_form.hpp"

namespace saltus::testing {

/// A tower of n unit masses that can move up and down, each on two legs, under the load −1 each:
/// the legs below mass k (from 0) bear (n − k)/2 each, and q = −1 on the ground alone.
inline GlobalBlockForm tower(Index n) {
  GlobalBlockForm problem;
  problem.M.resize(n, n);
  problem.M.setIdentity();
  problem.H.resize(n, 2 * n);
  for (Index leg = 0; leg < 2 * n; ++leg) {
    if (leg >= 2) problem.H.insert(leg / 2 - 1, leg) = -1;
    problem.H.insert(leg / 2, leg) = 1;
  }
  problem.f = -Vector::Ones(n);
  problem.w = Vector::Zero(2 * n);
  problem.K.assign(static_cast<std::size_t>(2 * n), NonNegative{});
  problem.sizes.assign(static_cast<std::size_t>(2 * n), 1);
  return problem;
}

inline Vector tower_reactions(Index n) {
  Vector r(2 * n);
  for (Index leg = 0; leg < 2 * n; ++leg) r[leg] = 0.5 * static_cast<double>(n - leg / 2);
  return r;
}

}  // namespace saltus::testing
