#pragma once

#include "saltus/algebra/dual.hpp"
#include "saltus/algebra/state.hpp"

#include <utility>

namespace saltus {

/// Positions or velocities, and the mass matrix, of a system written for any number type.
template <class S, int n>
using Coordinates = Eigen::Matrix<S, n, 1>;
template <class S, int n>
using Inertia = Eigen::Matrix<S, n, n>;

/// A Lagrangian system whose parts are written once, for any number type S, and differentiated
/// exactly (PL:DS-06, F:F107, F:C0-14):
///     M(q) v̇ + N(q, v) = F(t, q, v) − ∂V/∂q + p
/// T has `static constexpr int n`, the degrees of freedom, and of these templates on S, with
/// `Coordinates<S, n>` for vectors, `mass` and at least one of the others:
///     void mass(const Coordinates<S, n>& q, Inertia<S, n>& M) const;
///     S potential(const Coordinates<S, n>& q) const;
///     void force(const S& t, const Coordinates<S, n>& q, const Coordinates<S, n>& v,
///                Coordinates<S, n>& F) const;
/// Functions of the standard library must be called unqualified after `using std::sin`. N follows
/// from M by Christoffel's formula, the stiffness K = −∂/∂q and the damping C = −∂/∂v of the whole
/// right-hand side by second derivatives: Newton's method converges quadratically. A potential
/// without force is told to the balance of energy.
template <class T>
struct AutodiffLagrangian {
  static constexpr int n = T::n;
  T system = {};

  [[nodiscard]] static constexpr Index dof() { return n; }
  void mass(const StateView& x, MatrixRef M) const {
    Inertia<double, n> value;
    value.setZero();
    system.mass(Coordinates<double, n>(x.q), value);
    M = value;
  }
  void force(const StateView& x, VectorRef F) const {
    F = total<double>(x.t, Coordinates<double, n>(x.q), Coordinates<double, n>(x.v));
  }
  void stiffness(const StateView& x, MatrixRef K) const { differentiate(x, true, K); }
  void damping(const StateView& x, MatrixRef C) const { differentiate(x, false, C); }
  [[nodiscard]] double potential(const StateView& x) const {
    if constexpr (has_potential)
      return system.potential(Coordinates<double, n>(x.q));
    else
      return 0;
  }
  [[nodiscard]] static constexpr bool conservative() { return has_potential && !has_force; }

 private:
  static constexpr bool has_potential = requires(const T& s, const Coordinates<double, n>& q) {
    s.potential(q);
  };
  static constexpr bool has_force =
      requires(const T& s, const Coordinates<double, n>& q, Coordinates<double, n>& F) {
    s.force(0.0, q, q, F);
  };
  static_assert(has_potential || has_force,
                "AutodiffLagrangian: T has neither potential(q) nor force(t, q, v, F)");

  /// F − ∂V/∂q − N
  template <class S>
  [[nodiscard]] Coordinates<S, n> total(double t, const Coordinates<S, n>& q,
                                        const Coordinates<S, n>& v) const {
    Coordinates<S, n> F = Coordinates<S, n>::Zero();
    if constexpr (has_force) system.force(S(t), q, v, F);
    const Inertia<S, n> along_v = derivative_of_mass(q, v);
    for (int i = 0; i < n; ++i) {
      const Coordinates<S, n> unit = Coordinates<S, n>::Unit(i);
      if constexpr (has_potential) F[i] -= system.potential(shifted(q, unit)).slope;
      const Inertia<S, n> along_i = derivative_of_mass(q, unit);
      for (int k = 0; k < n; ++k) {
        F[i] -= along_v(i, k) * v[k];  // N = Ṁ v − ½ ∂(v·Mv)/∂q
        for (int l = 0; l < n; ++l) F[i] += S(0.5) * v[k] * along_i(k, l) * v[l];
      }
    }
    return F;
  }
  /// q + ε d
  template <class S>
  [[nodiscard]] static Coordinates<Dual<S>, n> shifted(const Coordinates<S, n>& q,
                                                       const Coordinates<S, n>& d) {
    Coordinates<Dual<S>, n> moved;
    for (int i = 0; i < n; ++i) moved[i] = Dual<S>(q[i], d[i]);
    return moved;
  }
  template <class S>
  [[nodiscard]] Inertia<S, n> derivative_of_mass(const Coordinates<S, n>& q,
                                                 const Coordinates<S, n>& d) const {
    Inertia<Dual<S>, n> M;
    M.setZero();
    system.mass(shifted(q, d), M);
    Inertia<S, n> slope;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) slope(i, j) = M(i, j).slope;
    return slope;
  }
  /// J = −∂total/∂q or −∂total/∂v
  void differentiate(const StateView& x, bool by_position, MatrixRef J) const {
    using D = Dual<double>;
    for (int j = 0; j < n; ++j) {
      Coordinates<double, n> unit = Coordinates<double, n>::Unit(j), none;
      none.setZero();
      const auto q = shifted<double>(x.q, by_position ? unit : none);
      const auto v = shifted<double>(x.v, by_position ? none : unit);
      const Coordinates<D, n> F = total<D>(x.t, q, v);
      for (int i = 0; i < n; ++i) J(i, j) = -F[i].slope;
    }
  }
};

}  // namespace saltus
