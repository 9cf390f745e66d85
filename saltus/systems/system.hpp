#pragma once

#include "saltus/algebra/state.hpp"

#include <Eigen/SparseCore>

#include <concepts>
#include <memory>
#include <utility>

namespace saltus {

enum class Order { first, second };

/// Compressed columns: the operators of coupled systems.
using SparseMatrix = Eigen::SparseMatrix<double>;

/// A coupled system gives its operators whole, as sparse matrices: a finite-element mesh, a
/// circuit. Second order: M, C = −∂F/∂v and K = −∂F/∂q; first order: A = ∂f/∂x, and E =
/// `coupled_matrix(x, E)` unless that is the identity. Values may change with the state, the
/// pattern must not; the argument comes with the pattern that the last call wrote, or empty.
template <class T>
concept CoupledSecondOrder = requires(const T& s, const StateView& x, SparseMatrix& A) {
  s.coupled_mass(x, A);
  s.coupled_damping(x, A);
  s.coupled_stiffness(x, A);
};
template <class T>
concept CoupledFirstOrder = requires(const T& s, const StateView& x, SparseMatrix& A) {
  s.coupled_jacobian(x, A);
};

/// A system with positions and velocities (PL:DS-01, PL:DS-06):
///     M(q, z) v̇ = F(t, q, v, z) + p,   q̇ = v
/// F collects every applied force: external, minus internal, minus gyroscopic.
template <class T>
concept SecondOrderSystem = requires(const T& s, const StateView& x, MatrixRef M, VectorRef F) {
  { s.dof() } -> std::convertible_to<Index>;
  s.force(x, F);
}
&&(
    requires(const T& s, const StateView& x, MatrixRef M) { s.mass(x, M); } ||
    requires(const T& s, const StateView& x, Index body, MatrixRef M) { s.mass(x, body, M); } ||
    CoupledSecondOrder<T>);

/// A system with a state of first order (PL:DS-03):
///     E ẋ = f(t, x, z) + r
template <class T>
concept FirstOrderSystem = requires(const T& s, const StateView& x, VectorRef f) {
  { s.dimension() } -> std::convertible_to<Index>;
  s.rate(x, f);
};

/// Optional members, each replaced by the obvious default when absent:
///   second order: `stiffness(x, K)` K = −∂F/∂q and `damping(x, C)` C = −∂F/∂v (default: central
///     differences); a pool of n independent bodies has `bodies()` and mass, stiffness and damping
///     per body, `mass(x, body, M)`: its operators are block diagonal, one dispatch serves them
///     all.
///     Positions that are no vector (rotations): `positions()` entries of q, equally many for each
///     body (default: dof()), `move(q, d, moved)` writes q ⊕ d for a displacement d in the space of
///     v (default: q + d), `check_positions(q)` throws Error on a q that is none. Such a system
///     gives its stiffness and damping itself.
///     `impulse(x, h, P)`: percussion over [t, t + h] of forces that the system integrates by a
///     rule of its own from x at time t, gyroscopic ones for instance (default: none).
///     `potential(x)`: energy V [J] of which −∂V/∂q is a part of F; `conservative()` = true says it
///     is all of F (default: no potential): for the balance of energy in the report of a run.
///     `rigid_motions(x, body, G)`: G, unknowns of the body × 6, holds v of the body in a unit
///     translation along each axis of the world and a unit rotation about each of them, so that
///     Gᵀ M v are its linear and angular momentum about the origin (default: none, the system is
///     left out of the balance of momentum).
///   first order: `jacobian(x, A)` A = ∂f/∂x (default: central differences), `matrix(x, E)`
///     (default: identity).
///   coupled systems of either order give sparse operators instead (CoupledSecondOrder,
///     CoupledFirstOrder); their `bodies()` are the nodes or variables that interactions name. E
///     may be singular, a descriptor system: a step needs E − hθA alone to be regular.
///   both: `time_invariant` (a member, usually static constexpr) = true promises that M, C, K (or
///     E, A) are constant and F affine in (q, v): they are then factorised once. `prepare()` is
///     called once, when the system enters a handle: the place to check its own data.
/// An operator may return bool: false says at run time that it was not given.
template <class T>
concept AnySystem = SecondOrderSystem<T> || FirstOrderSystem<T>;

/// Value handle over any system type; constant after construction.
///
/// Both orders speak one language, so that an integrator has one loop:
///     mass = M or E,   force = F or f,   damping = −∂F/∂v or −∂f/∂x,   stiffness = −∂F/∂q or 0.
class System {
 public:
  template <class T>
  requires AnySystem<T> &&(!std::same_as<std::remove_cvref_t<T>, System>)System(T system)
      : self_(std::make_shared<const Holder<T>>(std::move(system))) {}

  [[nodiscard]] Order order() const { return self_->order(); }
  /// Number of unknowns: dof, or dimension of x.
  [[nodiscard]] Index size() const { return self_->size(); }
  /// Number of diagonal blocks of the mass matrix (1 unless the system is a pool).
  [[nodiscard]] Index bodies() const { return self_->bodies(); }
  [[nodiscard]] Index body_size() const { return size() / bodies(); }
  /// Entries of q, of all bodies and of one; 0 for a first-order system.
  [[nodiscard]] Index positions() const { return self_->positions(); }
  [[nodiscard]] Index body_positions() const { return positions() / bodies(); }
  /// q is a vector like v: q ⊕ d = q + d.
  [[nodiscard]] bool flat() const { return self_->flat(); }
  [[nodiscard]] bool time_invariant() const { return self_->time_invariant(); }

  void mass(const StateView& x, Index body, MatrixRef M) const { self_->mass(x, body, M); }
  void force(const StateView& x, VectorRef F) const { self_->force(x, F); }
  void damping(const StateView& x, Index body, MatrixRef C) const { self_->damping(x, body, C); }
  void stiffness(const StateView& x, Index body, MatrixRef K) const {
    self_->stiffness(x, body, K);
  }
  /// The bodies are coupled: the operators are whole sparse matrices, there are none per body.
  [[nodiscard]] bool coupled() const { return self_->coupled(); }
  void coupled_mass(const StateView& x, SparseMatrix& M) const { self_->coupled_mass(x, M); }
  void coupled_damping(const StateView& x, SparseMatrix& C) const { self_->coupled_damping(x, C); }
  /// Empty for a first-order system.
  void coupled_stiffness(const StateView& x, SparseMatrix& K) const {
    self_->coupled_stiffness(x, K);
  }
  /// moved = q ⊕ d
  void move(VectorView q, VectorView d, VectorRef moved) const { self_->move(q, d, moved); }
  /// Throws Error on positions that are none (a quaternion of norm 0).
  void check_positions(VectorView q) const { self_->check_positions(q); }
  /// P = percussion over [t, t + h] of the forces that the system integrates itself; false: none,
  /// P is untouched.
  bool impulse(const StateView& x, double h, VectorRef P) const { return self_->impulse(x, h, P); }
  /// V(q) [J]; 0 if the system gives none.
  [[nodiscard]] double potential(const StateView& x) const { return self_->potential(x); }
  /// F = −∂V/∂q
  [[nodiscard]] bool conservative() const { return self_->conservative(); }
  /// v of a body in the six rigid motions of the world; false: the system gives none.
  bool rigid_motions(const StateView& x, Index body, MatrixRef G) const {
    return self_->rigid_motions(x, body, G);
  }

 private:
  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual Order order() const = 0;
    [[nodiscard]] virtual Index size() const = 0;
    [[nodiscard]] virtual Index bodies() const = 0;
    [[nodiscard]] virtual bool time_invariant() const = 0;
    virtual void mass(const StateView&, Index, MatrixRef) const = 0;
    virtual void force(const StateView&, VectorRef) const = 0;
    virtual void damping(const StateView&, Index, MatrixRef) const = 0;
    virtual void stiffness(const StateView&, Index, MatrixRef) const = 0;
    [[nodiscard]] virtual bool coupled() const = 0;
    virtual void coupled_mass(const StateView&, SparseMatrix&) const = 0;
    virtual void coupled_damping(const StateView&, SparseMatrix&) const = 0;
    virtual void coupled_stiffness(const StateView&, SparseMatrix&) const = 0;
    [[nodiscard]] virtual Index positions() const = 0;
    [[nodiscard]] virtual bool flat() const = 0;
    virtual void move(VectorView, VectorView, VectorRef) const = 0;
    virtual void check_positions(VectorView) const = 0;
    virtual bool impulse(const StateView&, double, VectorRef) const = 0;
    [[nodiscard]] virtual double potential(const StateView&) const = 0;
    [[nodiscard]] virtual bool conservative() const = 0;
    virtual bool rigid_motions(const StateView&, Index, MatrixRef) const = 0;
  };
  template <class T>
  struct Holder;
  explicit System(std::shared_ptr<const Interface> self) : self_(std::move(self)) {}

  std::shared_ptr<const Interface> self_;
};

/// Which part of the state a central difference perturbs.
enum class Variable { q, v, x };

/// J = −∂F/∂(variable) restricted to the rows and columns of one body, by central differences with
/// step ε^(1/3) max(1, |x_j|): relative error about 1e-10 for smooth F.
void difference_force(const System& system, const StateView& x, Index body, Variable variable,
                      MatrixRef J);

/// Throws Error: a coupled system was asked for an operator of one body, or another for one of all.
[[noreturn]] void fail_operator(bool coupled);

template <class T>
struct System::Holder final : System::Interface {
  static constexpr bool second = SecondOrderSystem<T>;
  static constexpr bool whole = second ? CoupledSecondOrder<T> : CoupledFirstOrder<T>;
  explicit Holder(T s) : system(std::move(s)) {
    if constexpr (requires { system.prepare(); }) system.prepare();
  }

  [[nodiscard]] Order order() const override { return second ? Order::second : Order::first; }
  [[nodiscard]] Index size() const override {
    if constexpr (second)
      return system.dof();
    else
      return system.dimension();
  }
  [[nodiscard]] Index bodies() const override {
    if constexpr (requires { system.bodies(); })
      return system.bodies();
    else
      return 1;
  }
  [[nodiscard]] bool time_invariant() const override {
    if constexpr (requires { system.time_invariant; })
      return system.time_invariant;
    else
      return false;
  }
  void mass(const StateView& x, Index body, MatrixRef M) const override {
    if constexpr (whole)
      fail_operator(true);
    else if constexpr (requires { system.mass(x, body, M); })
      system.mass(x, body, M);
    else if constexpr (requires { system.mass(x, M); })
      system.mass(x, M);
    else if constexpr (requires { system.matrix(x, M); })
      system.matrix(x, M);
    else
      M.setIdentity();
  }
  void force(const StateView& x, VectorRef F) const override {
    if constexpr (second)
      system.force(x, F);
    else
      system.rate(x, F);
  }
  void damping(const StateView& x, Index body, MatrixRef C) const override {
    if constexpr (whole)
      fail_operator(true);
    else if constexpr (requires { system.damping(x, body, C); })
      system.damping(x, body, C);
    else if constexpr (requires { system.damping(x, C); })
      given_or_difference([&] { return system.damping(x, C); }, x, body, Variable::v, C);
    else if constexpr (requires { system.jacobian(x, C); }) {
      given_or_difference([&] { return negated_jacobian(x, C); }, x, body, Variable::x, C);
    } else
      difference_force(handle(), x, body, second ? Variable::v : Variable::x, C);
  }
  void stiffness(const StateView& x, Index body, MatrixRef K) const override {
    if constexpr (whole)
      fail_operator(true);
    else if constexpr (!second)
      K.setZero();
    else if constexpr (requires { system.stiffness(x, body, K); })
      system.stiffness(x, body, K);
    else if constexpr (requires { system.stiffness(x, K); })
      given_or_difference([&] { return system.stiffness(x, K); }, x, body, Variable::q, K);
    else
      difference_force(handle(), x, body, Variable::q, K);
  }
  [[nodiscard]] bool coupled() const override { return whole; }
  void coupled_mass(const StateView& x, SparseMatrix& M) const override {
    if constexpr (!whole)
      fail_operator(false);
    else if constexpr (second)
      system.coupled_mass(x, M);
    else if constexpr (requires { system.coupled_matrix(x, M); })
      system.coupled_matrix(x, M);
    else {
      M.resize(size(), size());
      M.setIdentity();
    }
  }
  void coupled_damping(const StateView& x, SparseMatrix& C) const override {
    if constexpr (!whole) {
      fail_operator(false);
    } else if constexpr (second) {
      system.coupled_damping(x, C);
    } else {
      system.coupled_jacobian(x, C);
      C *= -1.0;
    }
  }
  void coupled_stiffness(const StateView& x, SparseMatrix& K) const override {
    if constexpr (!whole)
      fail_operator(false);
    else if constexpr (second)
      system.coupled_stiffness(x, K);
    else
      K.resize(size(), size());
  }
  [[nodiscard]] Index positions() const override {
    if constexpr (requires { system.positions(); })
      return system.positions();
    else
      return second ? size() : 0;
  }
  [[nodiscard]] bool flat() const override {
    return !requires(VectorView q, VectorRef moved) { system.move(q, q, moved); };
  }
  void move(VectorView q, VectorView d, VectorRef moved) const override {
    if constexpr (requires { system.move(q, d, moved); })
      system.move(q, d, moved);
    else
      moved = q + d;
  }
  void check_positions(VectorView q) const override {
    if constexpr (requires { system.check_positions(q); }) system.check_positions(q);
  }
  [[nodiscard]] double potential(const StateView& x) const override {
    if constexpr (requires { system.potential(x); })
      return system.potential(x);
    else
      return 0;
  }
  [[nodiscard]] bool conservative() const override {
    if constexpr (requires { system.conservative(); })
      return system.conservative();
    else
      return false;
  }
  bool rigid_motions(const StateView& x, Index body, MatrixRef G) const override {
    if constexpr (requires { system.rigid_motions(x, body, G); })
      return system.rigid_motions(x, body, G);
    else
      return false;
  }
  bool impulse(const StateView& x, double h, VectorRef P) const override {
    if constexpr (requires { system.impulse(x, h, P); }) {
      system.impulse(x, h, P);
      return true;
    } else {
      return false;
    }
  }
  /// C = −∂f/∂x; tells whether the system had it, if it says so at run time.
  auto negated_jacobian(const StateView& x, MatrixRef C) const {
    if constexpr (!requires { system.jacobian(x, C); }) {
      return false;  // never called; an explicit instantiation compiles it all the same
    } else if constexpr (std::same_as<decltype(system.jacobian(x, C)), bool>) {
      const bool given = system.jacobian(x, C);
      C = -C;
      return given;
    } else {
      system.jacobian(x, C);
      C = -C;
    }
  }
  /// An operator that returns false was not given: central differences replace it.
  template <class Operator>
  void given_or_difference(Operator&& evaluate, const StateView& x, Index body, Variable variable,
                           MatrixRef J) const {
    if constexpr (std::same_as<decltype(evaluate()), bool>) {
      if (!evaluate()) difference_force(handle(), x, body, variable, J);
    } else {
      evaluate();
    }
  }
  /// A handle on this very object, without ownership: it does not outlive the call.
  [[nodiscard]] System handle() const {
    return System(std::shared_ptr<const Interface>(std::shared_ptr<void>{}, this));
  }

  T system;
};

}  // namespace saltus
