#pragma once

#include "saltus/algebra/state.hpp"

namespace saltus {

/// Linear Lagrangian relation (PL:RE-07):
///     y = H q + F z + b,   u = H v,   p = Hᵀ r
/// Empty b, F are zero.
struct LinearRelation {
  static constexpr bool time_invariant = true;
  Rows H = {};
  Values b = {};
  Rows F = {};

  [[nodiscard]] Index rows() const { return H.rows(); }
  [[nodiscard]] Index dof() const { return H.cols(); }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView&, MatrixRef out) const { out = H; }
  void time_derivative(const StateView&, VectorRef dy) const { dy.setZero(); }
  void prepare() const;  ///< throws Error on inconsistent sizes
};

/// Linear first-order relation (PL:RE-03):
///     y = C x + D λ + F z + e,   r = B λ
/// Empty D, F, e are zero.
struct FirstOrderLinearRelation {
  static constexpr bool time_invariant = true;
  Rows C = {};
  Rows B = {};
  Rows D = {};
  Values e = {};
  Rows F = {};

  [[nodiscard]] Index rows() const { return C.rows(); }
  [[nodiscard]] Index dimension() const { return C.cols(); }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView&, MatrixRef out) const { out = C; }
  void input(const StateView&, MatrixRef out) const { out = B; }
  void feedthrough(const StateView&, MatrixRef out) const;
  void prepare() const;  ///< throws Error on inconsistent sizes
};

}  // namespace saltus
