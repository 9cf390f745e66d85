#pragma once

#include "arrays.hpp"
#include "saltus/algebra/state.hpp"
#include "saltus/relations/relation.hpp"
#include "saltus/systems/system.hpp"

#include <memory>
#include <string>

namespace saltus::python {

/// The Python class State: owns its numbers, its arrays are views of them. What a callback gets is
/// a copy, read-only, and may be kept.
struct Snapshot {
  State value = {};
  bool writable = true;
};

/// A Python function of the state. It may be called, copied and destroyed without the GIL. The
/// State it gets is made anew only if Python has kept the last one.
class Callback {
 public:
  Callback() = default;
  /// `name` begins its error messages: "Pendulum.force".
  Callback(py::object function, std::string name);

  [[nodiscard]] explicit operator bool() const { return shared_ != nullptr; }
  [[nodiscard]] const std::string& name() const { return shared_->name; }

  /// out = f(state). A Python exception passes through C++ and back to Python as it is.
  void operator()(const StateView& x, VectorRef out) const;
  void operator()(const StateView& x, MatrixRef out) const;
  /// out = f(t, z)
  void operator()(double t, VectorView z, VectorRef out) const;
  /// out = f(z)
  void operator()(ConstVectorRef z, VectorRef out) const;
  void operator()(ConstVectorRef z, MatrixRef out) const;
  [[nodiscard]] const py::object& function() const { return shared_->function; }
  /// Lets go of the function, which must not be called any more; with the GIL held.
  void forget() const { shared_->function = py::none(); }
  /// f(state), with the GIL held.
  [[nodiscard]] py::object call(const State& state) const;
  /// The State to show for `state`, with the GIL held.
  [[nodiscard]] py::object show(const State& state) const;

 private:
  struct Shared {
    py::object function;
    std::string name;
    py::object state;  ///< shown last
  };
  template <class Any>
  [[nodiscard]] py::object show_any(const Any& state) const;

  std::shared_ptr<Shared> shared_;
};

/// The constant matrix `object`, or the callback of that name if it is callable.
class Operator {
 public:
  Operator() = default;
  /// `where` names it in messages, "Lagrangian: M"; None gives an empty operator.
  Operator(const py::object& object, const std::string& where);
  [[nodiscard]] explicit operator bool() const { return callback_ || constant_.size() > 0; }
  void operator()(const StateView& x, MatrixRef out) const;

 private:
  Callback callback_;
  Matrix constant_;
  std::string where_;
};

/// Any Python object with the methods of saltus/systems/system.hpp.
[[nodiscard]] System system_of_object(const py::object& object);
/// Any Python object with the methods of saltus/relations/relation.hpp.
[[nodiscard]] Relation relation_of_object(const py::object& object);

}  // namespace saltus::python
