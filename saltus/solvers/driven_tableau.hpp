#pragma once

#include "saltus/solvers/tableau.hpp"

namespace saltus {

/// A principal tableau (tableau.hpp) in which one nonbasic variable, that of pair r, has the value
/// theta ≥ 0 and all other nonbasic ones are 0: what CottleDantzig and Keller have in common.
struct DrivenTableau {
  Index n, stride;
  double* T;
  std::uint8_t* state;  ///< z_i is basic
  double largest;       ///< max |M|
  Index r = 0;
  double theta = 0;

  [[nodiscard]] double at(Index i, Index j) const { return T[i * stride + j]; }
  /// Basic variable of pair i.
  [[nodiscard]] double value(Index i) const { return at(i, n) - at(i, r) * theta; }
  void exchange(Index i) {
    pivot(T, n, stride, i, i);
    state[i] ^= 1;
  }
  /// Sets r to the most negative basic variable, theta to 0. False if none is below −zero.
  [[nodiscard]] bool most_negative(double zero) {
    theta = 0;
    double least = -zero;
    bool found = false;
    for (Index i = 0; i < n; ++i)
      if (at(i, n) < least) {
        least = at(i, n);
        r = i;
        found = true;
      }
    return found;
  }
  /// Direction of z when theta grows.
  void read_ray(Vector& ray) const {
    ray.setZero(n);
    for (Index i = 0; i < n; ++i)
      if (state[i]) ray[i] = -at(i, r);
    if (!state[r]) ray[r] = 1;
  }
};

[[nodiscard]] inline DrivenTableau make_driven_tableau(const DenseLcp& lcp, Workspace& work) {
  double* T = work.tableau.get(lcp.n * (lcp.n + 1));
  const double largest = fill_principal_tableau(lcp, T);
  work.state.assign(static_cast<std::size_t>(lcp.n), 0);
  return {lcp.n, lcp.n + 1, T, work.state.data(), largest};
}

}  // namespace saltus
