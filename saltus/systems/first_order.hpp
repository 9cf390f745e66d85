#pragma once

#include "saltus/algebra/state.hpp"

#include <functional>

namespace saltus {

/// First-order linear system (PL:DS-04, PL:DS-05):
///     E ẋ = A x + b(t, z) + r
/// Empty E is the identity, empty b is zero; `source(t, z, b)` replaces b when it is set.
struct FirstOrderLinear {
  static constexpr bool time_invariant = true;
  Rows A = {};
  Values b = {};
  Rows E = {};
  std::function<void(double t, VectorView z, VectorRef b)> source = {};

  [[nodiscard]] Index dimension() const { return A.rows(); }
  void rate(const StateView& x, VectorRef f) const;
  void jacobian(const StateView&, MatrixRef out) const { out = A; }
  void matrix(const StateView&, MatrixRef out) const;
  void prepare() const;  ///< throws Error on inconsistent sizes
};

/// First-order system from functions (PL:DS-03): E ẋ = f(t, x, z) + r. An empty `A` (∂f/∂x) is
/// replaced by central differences; an empty E is the identity.
struct FirstOrder {
  Index n = 0;  ///< dimension of x
  std::function<void(const StateView&, VectorRef)> f = {};
  std::function<void(const StateView&, MatrixRef)> A = {};
  Rows E = {};

  [[nodiscard]] Index dimension() const { return n; }
  void rate(const StateView& x, VectorRef out) const { f(x, out); }
  bool jacobian(const StateView& x, MatrixRef out) const { return A ? (A(x, out), true) : false; }
  void matrix(const StateView&, MatrixRef out) const;
  void prepare() const;  ///< throws Error if f is missing or the sizes disagree
};

}  // namespace saltus
