#pragma once

#include "saltus/algebra/state.hpp"

#include <functional>

namespace saltus {

/// A point of mass m [kg] under a constant gravity field [m/s²]; its dimension is that of
/// `gravity`:
///     m v̇ = m g + p
struct PointMass {
  static constexpr bool time_invariant = true;
  double m = 1;
  Values gravity = {0.0};

  [[nodiscard]] Index dof() const { return gravity.size(); }
  void mass(const StateView&, MatrixRef M) const { M = m * Matrix::Identity(dof(), dof()); }
  void force(const StateView&, VectorRef F) const { F = m * gravity; }
  void damping(const StateView&, MatrixRef C) const { C.setZero(); }
  void stiffness(const StateView&, MatrixRef K) const { K.setZero(); }
  /// −m g·q
  [[nodiscard]] double potential(const StateView& x) const { return -m * gravity.dot(x.q); }
  [[nodiscard]] static constexpr bool conservative() { return true; }
  /// Coordinates are those of the world, x, y, z in this order; false beyond three.
  bool rigid_motions(const StateView& x, Index body, MatrixRef G) const;
};

/// A pool of independent points of masses m_i [kg] under one gravity field [m/s²]: one system,
/// one body per point, so that 10⁵ points cost one dispatch.
struct PointMasses {
  static constexpr bool time_invariant = true;
  Values m = {1.0};
  Values gravity = {0.0};

  [[nodiscard]] Index bodies() const { return m.size(); }
  [[nodiscard]] Index dof() const { return m.size() * gravity.size(); }
  void mass(const StateView&, Index body, MatrixRef M) const {
    M.setZero();
    M.diagonal().setConstant(m[body]);
  }
  void force(const StateView&, VectorRef F) const {
    const Index d = gravity.size();
    for (Index i = 0; i < m.size(); ++i) F.segment(i * d, d) = m[i] * gravity;
  }
  void damping(const StateView&, Index, MatrixRef C) const { C.setZero(); }
  void stiffness(const StateView&, Index, MatrixRef K) const { K.setZero(); }
  [[nodiscard]] double potential(const StateView& x) const {
    const Index d = gravity.size();
    double V = 0;
    for (Index i = 0; i < m.size(); ++i) V -= m[i] * gravity.dot(x.q.segment(i * d, d));
    return V;
  }
  [[nodiscard]] static constexpr bool conservative() { return true; }
  bool rigid_motions(const StateView& x, Index body, MatrixRef G) const;  ///< as of PointMass
};

/// Linear time-invariant Lagrangian system (PL:DS-07):
///     M q̈ + C q̇ + K q = F(t, z) + p
/// Empty C, K, F are zero. F is `F`, or `load(t, z, F)` when that is set.
struct LinearLagrangian {
  static constexpr bool time_invariant = true;
  Rows M = {};
  Rows C = {};
  Rows K = {};
  Values F = {};
  std::function<void(double t, VectorView z, VectorRef F)> load = {};

  [[nodiscard]] Index dof() const { return M.rows(); }
  void mass(const StateView&, MatrixRef out) const { out = M; }
  void damping(const StateView&, MatrixRef out) const;
  void stiffness(const StateView&, MatrixRef out) const;
  void force(const StateView& x, VectorRef out) const;
  void prepare() const;  ///< throws Error on inconsistent sizes
  /// ½ q·K q − F·q, the last for a constant F
  [[nodiscard]] double potential(const StateView& x) const;
  /// No damping, no load that depends on time.
  [[nodiscard]] bool conservative() const { return C.size() == 0 && !load; }
};

/// Lagrangian system from functions (PL:DS-06):
///     M(q, z) v̇ = F(t, q, v, z) + p
/// An empty `K` (−∂F/∂q) or `C` (−∂F/∂v) is replaced by central differences.
struct Lagrangian {
  using Operator = std::function<void(const StateView&, MatrixRef)>;
  Index n = 0;  ///< degrees of freedom
  Operator M = {};
  std::function<void(const StateView&, VectorRef)> F = {};
  Operator K = {};
  Operator C = {};

  [[nodiscard]] Index dof() const { return n; }
  void mass(const StateView& x, MatrixRef out) const { M(x, out); }
  void force(const StateView& x, VectorRef out) const { F(x, out); }
  bool stiffness(const StateView& x, MatrixRef out) const { return K ? (K(x, out), true) : false; }
  bool damping(const StateView& x, MatrixRef out) const { return C ? (C(x, out), true) : false; }
  void prepare() const;  ///< throws Error if M or F is missing or n < 1
};

}  // namespace saltus
