#pragma once

#include "saltus/systems/first_order.hpp"

#include <functional>

namespace saltus {

/// f(t, x), written into the last argument.
using TimeField = std::function<void(double t, ConstVectorRef x, VectorRef f)>;

/// First-order relation with a constant slope and an offset that moves:
///     y = C x + e(t) + D λ,   r = B λ
struct MovingRelation {
  Rows C = {};
  Rows B = {};
  Rows D = {};  ///< empty: zero
  std::function<void(double t, VectorRef e)> e = {};
  [[nodiscard]] Index rows() const { return C.rows(); }
  [[nodiscard]] Index dimension() const { return C.cols(); }
  void output(const StateView& x, VectorRef y) const;
  void jacobian(const StateView&, MatrixRef out) const { out = C; }
  void input(const StateView&, MatrixRef out) const { out = B; }
  void feedthrough(const StateView&, MatrixRef out) const;
  void prepare() const;  ///< throws Error on inconsistent sizes
};

/// First-order relation from functions, with y and B that may depend on the state:
///     y = h(t, x) + D λ,   r = B(x) λ
struct FunctionRelation {
  Index n = 0, m = 0;  ///< sizes of x and y
  TimeField h = {};
  std::function<void(ConstVectorRef x, MatrixRef C)> slope = {};  ///< ∂h/∂x; empty: differences
  std::function<void(double t, ConstVectorRef x, MatrixRef B)> B = {};
  Rows D = {};  ///< empty: zero
  [[nodiscard]] Index rows() const { return m; }
  [[nodiscard]] Index dimension() const { return n; }
  void output(const StateView& x, VectorRef y) const { h(x.t, x.x, y); }
  bool jacobian(const StateView& x, MatrixRef C) const {
    return slope ? (slope(x.x, C), true) : false;
  }
  void input(const StateView& x, MatrixRef out) const { B(x.t, x.x, out); }
  void feedthrough(const StateView&, MatrixRef out) const;
  void prepare() const;  ///< throws Error on functions that are missing
};

/// ẋ = f(t, x) with n states; without f, ẋ = 0, which is linear and time-invariant.
[[nodiscard]] FirstOrder field_system(Index n, const TimeField& f);

}  // namespace saltus
