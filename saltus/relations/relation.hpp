#pragma once

#include "saltus/algebra/state.hpp"

#include <concepts>
#include <memory>
#include <utility>

namespace saltus {

/// Relation between positions and the local frame (PL:RE-01, PL:RE-04, PL:RE-05):
///     y = h(q, t, z),   u = H v + ∂h/∂t,   p = Hᵀ r,   H = ∂h/∂q
/// q, v, z are those of the systems concerned, one after the other.
template <class T>
concept LagrangianRelation = requires(const T& r, const StateView& x, VectorRef y) {
  { r.rows() } -> std::convertible_to<Index>;
  { r.dof() } -> std::convertible_to<Index>;
  r.output(x, y);
};

/// Relation between first-order states and multipliers (PL:RE-02):
///     y = h(x, t, z) + D λ,   r = B λ,   C = ∂h/∂x
template <class T>
concept FirstOrderRelation = requires(const T& r, const StateView& x, VectorRef y, MatrixRef B) {
  { r.rows() } -> std::convertible_to<Index>;
  { r.dimension() } -> std::convertible_to<Index>;
  r.output(x, y);
  r.input(x, B);
};

/// Optional members, replaced by the obvious default when absent:
///   `jacobian(x, H)`: H = ∂h/∂q or C = ∂h/∂x (default: central differences);
///   `time_derivative(x, dy)`: ∂h/∂t of a Lagrangian relation (default: central difference);
///   `curvature(x, dH)`: what ÿ has beside H v̇, that is d/dt (H v + ∂h/∂t) at constant v (default:
///     differences of fourth order along the motion, relative error about 1e-11);
///   `feedthrough(x, D)` of a first-order relation (default: zero);
///   `time_invariant` = true promises that h = H q + c(z) is affine and that H, B, D are constant;
///   `prepare()` is called once, when the relation enters a handle.
/// An operator may return bool: false says at run time that it was not given.
template <class T>
concept AnyRelation = LagrangianRelation<T> || FirstOrderRelation<T>;

/// Value handle over any relation type; constant after construction.
class Relation {
 public:
  template <class T>
  requires AnyRelation<T> &&(!std::same_as<std::remove_cvref_t<T>, Relation>)Relation(T relation)
      : self_(std::make_shared<const Holder<T>>(std::move(relation))) {}

  /// A Lagrangian relation speaks of q and v; a first-order one of x.
  [[nodiscard]] bool lagrangian() const { return self_->lagrangian(); }
  [[nodiscard]] Index rows() const { return self_->rows(); }
  /// Unknowns of all systems concerned together.
  [[nodiscard]] Index columns() const { return self_->columns(); }
  [[nodiscard]] bool time_invariant() const { return self_->time_invariant(); }

  void output(const StateView& x, VectorRef y) const { self_->output(x, y); }
  void jacobian(const StateView& x, MatrixRef H) const { self_->jacobian(x, H); }
  /// B of a first-order relation. (Lagrangian relations use Hᵀ.)
  void input(const StateView& x, MatrixRef B) const { self_->input(x, B); }
  void feedthrough(const StateView& x, MatrixRef D) const { self_->feedthrough(x, D); }
  void time_derivative(const StateView& x, VectorRef dy) const { self_->time_derivative(x, dy); }
  /// ÿ − H v̇ of a Lagrangian relation at (t, q, v).
  void curvature(const StateView& x, VectorRef dH) const { self_->curvature(x, dH); }

 private:
  struct Interface {
    virtual ~Interface() = default;
    [[nodiscard]] virtual bool lagrangian() const = 0;
    [[nodiscard]] virtual Index rows() const = 0;
    [[nodiscard]] virtual Index columns() const = 0;
    [[nodiscard]] virtual bool time_invariant() const = 0;
    virtual void output(const StateView&, VectorRef) const = 0;
    virtual void jacobian(const StateView&, MatrixRef) const = 0;
    virtual void input(const StateView&, MatrixRef) const = 0;
    virtual void feedthrough(const StateView&, MatrixRef) const = 0;
    virtual void time_derivative(const StateView&, VectorRef) const = 0;
    virtual void curvature(const StateView&, VectorRef) const = 0;
  };
  template <class T>
  struct Holder;
  explicit Relation(std::shared_ptr<const Interface> self) : self_(std::move(self)) {}

  std::shared_ptr<const Interface> self_;
};

/// H = ∂h/∂q (or ∂h/∂x) by central differences, step ε^(1/3) max(1, |q_j|).
void difference_output(const Relation& relation, const StateView& x, MatrixRef H);
/// ∂h/∂t by a central difference, step ε^(1/3) max(1, |t|); exactly zero when h ignores t.
void difference_time(const Relation& relation, const StateView& x, VectorRef dy);
/// d/ds (H v + ∂h/∂t)(q + s v, t + s) at s = 0 by central differences of fourth order, with a step
/// of ε^(1/5) max(1, ‖q‖∞) along v; for positions that are vectors.
void difference_curvature(const Relation& relation, const StateView& x, VectorRef dH);

template <class T>
struct Relation::Holder final : Relation::Interface {
  static constexpr bool is_lagrangian = LagrangianRelation<T>;
  explicit Holder(T r) : relation(std::move(r)) {
    if constexpr (requires { relation.prepare(); }) relation.prepare();
  }

  [[nodiscard]] bool lagrangian() const override { return is_lagrangian; }
  [[nodiscard]] Index rows() const override { return relation.rows(); }
  [[nodiscard]] Index columns() const override {
    if constexpr (is_lagrangian)
      return relation.dof();
    else
      return relation.dimension();
  }
  [[nodiscard]] bool time_invariant() const override {
    if constexpr (requires { relation.time_invariant; })
      return relation.time_invariant;
    else
      return false;
  }
  void output(const StateView& x, VectorRef y) const override { relation.output(x, y); }
  void jacobian(const StateView& x, MatrixRef H) const override {
    if constexpr (requires {
                    { relation.jacobian(x, H) } -> std::same_as<bool>;
                  }) {
      if (!relation.jacobian(x, H)) difference_output(handle(), x, H);
    } else if constexpr (requires { relation.jacobian(x, H); }) {
      relation.jacobian(x, H);
    } else {
      difference_output(handle(), x, H);
    }
  }
  void input(const StateView& x, MatrixRef B) const override {
    if constexpr (!is_lagrangian) relation.input(x, B);
  }
  void feedthrough(const StateView& x, MatrixRef D) const override {
    if constexpr (requires { relation.feedthrough(x, D); })
      relation.feedthrough(x, D);
    else
      D.setZero();
  }
  void time_derivative(const StateView& x, VectorRef dy) const override {
    if constexpr (!is_lagrangian) {
      dy.setZero();
    } else if constexpr (requires {
                           { relation.time_derivative(x, dy) } -> std::same_as<bool>;
                         }) {
      if (!relation.time_derivative(x, dy)) difference_time(handle(), x, dy);
    } else if constexpr (requires { relation.time_derivative(x, dy); }) {
      relation.time_derivative(x, dy);
    } else {
      difference_time(handle(), x, dy);
    }
  }
  void curvature(const StateView& x, VectorRef dH) const override {
    if constexpr (requires { relation.curvature(x, dH); })
      relation.curvature(x, dH);
    else if (!is_lagrangian || time_invariant())
      dH.setZero();
    else
      difference_curvature(handle(), x, dH);
  }
  /// A handle on this very object, without ownership: it does not outlive the call.
  [[nodiscard]] Relation handle() const {
    return Relation(std::shared_ptr<const Interface>(std::shared_ptr<void>{}, this));
  }

  T relation;
};

}  // namespace saltus
