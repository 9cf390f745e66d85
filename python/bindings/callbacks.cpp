#include "callbacks.hpp"

namespace saltus::python {

Callback::Callback(py::object function, std::string name)
    : shared_(new Shared{std::move(function), std::move(name), {}}, [](Shared* shared) {
        const py::gil_scoped_acquire gil;
        delete shared;
      }) {}

template <class Any>
py::object Callback::show_any(const Any& state) const {
  py::object& shown = shared_->state;
  if (!shown || shown.ref_count() > 1) shown = py::cast(Snapshot{{}, false});
  State& value = shown.cast<Snapshot&>().value;
  value.t = state.t;
  value.q = state.q;
  value.v = state.v;
  value.x = state.x;
  value.z = state.z;
  return shown;
}

py::object Callback::show(const State& state) const { return show_any(state); }

py::object Callback::call(const State& state) const { return shared_->function(show_any(state)); }

void Callback::operator()(const StateView& x, VectorRef out) const {
  const py::gil_scoped_acquire gil;
  fill(shared_->function(show_any(x)), shared_->name, out);
}

void Callback::operator()(const StateView& x, MatrixRef out) const {
  const py::gil_scoped_acquire gil;
  fill(shared_->function(show_any(x)), shared_->name, out);
}

void Callback::operator()(double t, VectorView z, VectorRef out) const {
  const py::gil_scoped_acquire gil;
  fill(shared_->function(t, copy(ConstVectorRef(z))), shared_->name, out);
}

void Callback::operator()(ConstVectorRef z, VectorRef out) const {
  const py::gil_scoped_acquire gil;
  fill(shared_->function(copy(z)), shared_->name, out);
}

void Callback::operator()(ConstVectorRef z, MatrixRef out) const {
  const py::gil_scoped_acquire gil;
  fill(shared_->function(copy(z)), shared_->name, out);
}

Operator::Operator(const py::object& object, const std::string& where) : where_(where) {
  if (!object || object.is_none()) return;
  if (PyCallable_Check(object.ptr()))
    callback_ = Callback(object, where);
  else
    constant_ = to_matrix(object, where);
}

void Operator::operator()(const StateView& x, MatrixRef out) const {
  if (callback_) return callback_(x, out);
  require(constant_.rows() == out.rows() && constant_.cols() == out.cols(),
          "{}: has shape ({}, {}), expected ({}, {})", where_, constant_.rows(), constant_.cols(),
          out.rows(), out.cols());
  out = constant_;
}

namespace {

std::string type_name(const py::object& object) { return Py_TYPE(object.ptr())->tp_name; }

Callback method(const py::object& object, const char* name) {
  if (!py::hasattr(object, name)) return {};
  return {object.attr(name), fmt::format("{}.{}", type_name(object), name)};
}

Callback required_method(const py::object& object, const char* name, const char* what) {
  Callback callback = method(object, name);
  require(static_cast<bool>(callback), "{}: {} needs a method {}(state)", type_name(object), what,
          name);
  return callback;
}

/// A size, given by a method or as a plain number.
Index size_of(const py::object& object, const char* name) {
  py::object value = object.attr(name);
  if (PyCallable_Check(value.ptr())) value = value();
  const auto number = py::reinterpret_steal<py::object>(PyNumber_Index(value.ptr()));
  PyErr_Clear();
  if (!number)
    fail("{}.{}: returned {}, expected an integer", type_name(object), name, given(value));
  const auto size = number.cast<Index>();
  require(size > 0, "{}.{}: returned {}, expected at least 1", type_name(object), name, size);
  return size;
}

bool is_time_invariant(const py::object& object) {
  return py::hasattr(object, "time_invariant") && py::bool_(object.attr("time_invariant"));
}

/// false says that the method was not given.
template <class Out>
bool call_if_given(const Callback& callback, const StateView& x, Out out) {
  if (callback) callback(x, out);
  return static_cast<bool>(callback);
}

struct PythonSecondOrder {
  Index n;
  bool time_invariant;
  Callback mass_, force_, stiffness_, damping_;

  [[nodiscard]] Index dof() const { return n; }
  void mass(const StateView& x, MatrixRef M) const { mass_(x, M); }
  void force(const StateView& x, VectorRef F) const { force_(x, F); }
  bool stiffness(const StateView& x, MatrixRef K) const { return call_if_given(stiffness_, x, K); }
  bool damping(const StateView& x, MatrixRef C) const { return call_if_given(damping_, x, C); }
};

struct PythonFirstOrder {
  Index n;
  bool time_invariant;
  Callback rate_, jacobian_, matrix_;

  [[nodiscard]] Index dimension() const { return n; }
  void rate(const StateView& x, VectorRef f) const { rate_(x, f); }
  bool jacobian(const StateView& x, MatrixRef A) const { return call_if_given(jacobian_, x, A); }
  void matrix(const StateView& x, MatrixRef E) const {
    if (matrix_)
      matrix_(x, E);
    else
      E.setIdentity();
  }
};

struct PythonLagrangianRelation {
  Index m, n;
  bool time_invariant;
  Callback output_, jacobian_, time_derivative_;

  [[nodiscard]] Index rows() const { return m; }
  [[nodiscard]] Index dof() const { return n; }
  void output(const StateView& x, VectorRef y) const { output_(x, y); }
  bool jacobian(const StateView& x, MatrixRef H) const { return call_if_given(jacobian_, x, H); }
  bool time_derivative(const StateView& x, VectorRef dy) const {
    return call_if_given(time_derivative_, x, dy);
  }
};

struct PythonFirstOrderRelation {
  Index m, n;
  bool time_invariant;
  Callback output_, input_, jacobian_, feedthrough_;

  [[nodiscard]] Index rows() const { return m; }
  [[nodiscard]] Index dimension() const { return n; }
  void output(const StateView& x, VectorRef y) const { output_(x, y); }
  void input(const StateView& x, MatrixRef B) const { input_(x, B); }
  bool jacobian(const StateView& x, MatrixRef C) const { return call_if_given(jacobian_, x, C); }
  void feedthrough(const StateView& x, MatrixRef D) const {
    if (feedthrough_)
      feedthrough_(x, D);
    else
      D.setZero();
  }
};

}  // namespace

System system_of_object(const py::object& object) {
  if (py::hasattr(object, "dof"))
    return PythonSecondOrder{size_of(object, "dof"),
                             is_time_invariant(object),
                             required_method(object, "mass", "a second-order system"),
                             required_method(object, "force", "a second-order system"),
                             method(object, "stiffness"),
                             method(object, "damping")};
  if (py::hasattr(object, "dimension"))
    return PythonFirstOrder{size_of(object, "dimension"), is_time_invariant(object),
                            required_method(object, "rate", "a first-order system"),
                            method(object, "jacobian"), method(object, "matrix")};
  fail(
      "Model::add: {} is no system: it has neither dof(), mass(state), force(state) nor "
      "dimension(), rate(state)",
      given(object));
}

Relation relation_of_object(const py::object& object) {
  const bool second = py::hasattr(object, "dof");
  if (!py::hasattr(object, "rows") || !(second || py::hasattr(object, "dimension")))
    fail(
        "Model::link: {} is no relation: it has neither rows(), dof(), output(state) nor rows(), "
        "dimension(), output(state), input(state)",
        given(object));
  if (second)
    return PythonLagrangianRelation{
        size_of(object, "rows"),    size_of(object, "dof"),
        is_time_invariant(object),  required_method(object, "output", "a Lagrangian relation"),
        method(object, "jacobian"), method(object, "time_derivative")};
  return PythonFirstOrderRelation{size_of(object, "rows"),
                                  size_of(object, "dimension"),
                                  is_time_invariant(object),
                                  required_method(object, "output", "a first-order relation"),
                                  required_method(object, "input", "a first-order relation"),
                                  method(object, "jacobian"),
                                  method(object, "feedthrough")};
}

}  // namespace saltus::python
