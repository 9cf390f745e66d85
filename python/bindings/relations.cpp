#include "callbacks.hpp"
#include "module.hpp"
#include "options.hpp"
#include "saltus/relations/driven.hpp"
#include "saltus/relations/linear.hpp"

namespace saltus::python {

namespace {

struct LinearRelationFields : LinearRelation {
  static constexpr std::string_view name = "LinearRelation";
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"H", "one row per output, one column per dof of the systems it ties"}, s.H);
    visit(Field{"b", "constant; empty: zero"}, s.b);
    visit(Field{"F", "matrix of the parameters z; empty: zero"}, s.F);
  }
  void check() const {
    if (H.size() > 0) prepare();
  }
};

struct FirstOrderLinearRelationFields : FirstOrderLinearRelation {
  static constexpr std::string_view name = "FirstOrderLinearRelation";
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"C", "one row per output, one column per state of the systems it ties"}, s.C);
    visit(Field{"B", "one row per state, one column per multiplier"}, s.B);
    visit(Field{"D", "feedthrough; empty: zero"}, s.D);
    visit(Field{"e", "constant; empty: zero"}, s.e);
    visit(Field{"F", "matrix of the parameters z; empty: zero"}, s.F);
  }
  void check() const {
    if (C.size() > 0) prepare();
  }
};

/// A Python function of the time that fills a vector; may be called and destroyed without the GIL.
std::function<void(double, VectorRef)> to_motion(const py::object& object, const char* where) {
  if (!object || object.is_none()) return {};
  if (!PyCallable_Check(object.ptr())) wrong_type(where, "a function of t", object);
  const std::shared_ptr<py::object> function(new py::object(object), [](py::object* held) {
    const py::gil_scoped_acquire gil;
    delete held;
  });
  return [function, where](double t, VectorRef out) {
    const py::gil_scoped_acquire gil;
    fill((*function)(t), where, out);
  };
}

struct DrivenFields {
  static constexpr std::string_view name = "Driven";
  int n = 0;
  Values coordinates = {};
  Values value = {};
  py::object position = {};
  py::object velocity = {};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"n", "unknowns of the systems it ties", Range{0, 1e9}}, s.n);
    visit(Field{"coordinates", "which of them are driven"}, s.coordinates);
    visit(Field{"value", "where they stand, without a function"}, s.value);
    visit(Field{"position", "function position(t) -> array"}, s.position);
    visit(Field{"velocity", "function velocity(t) -> array; default: differences"}, s.velocity);
  }
  [[nodiscard]] Driven relation() const {
    Driven driven{.n = n, .value = value};
    for (double i : coordinates) driven.coordinates.push_back(static_cast<Index>(i));
    driven.position = to_motion(position, "Driven.position");
    driven.velocity = to_motion(velocity, "Driven.velocity");
    return driven;
  }
  void check() const {
    if (n > 0) relation().prepare();
  }
};

}  // namespace

Relation to_relation(const py::object& object) {
  if (py::isinstance<Bound<LinearRelationFields>>(object))
    return static_cast<LinearRelation>(unwrap(object.cast<const Bound<LinearRelationFields>&>()));
  if (py::isinstance<Bound<FirstOrderLinearRelationFields>>(object))
    return static_cast<FirstOrderLinearRelation>(
        unwrap(object.cast<const Bound<FirstOrderLinearRelationFields>&>()));
  if (py::isinstance<Bound<DrivenFields>>(object))
    return unwrap(object.cast<const Bound<DrivenFields>&>()).relation();
  return relation_of_object(object);
}

void bind_relations(py::module_& m) {
  bind_options<LinearRelationFields>(
      m,
      "Linear relation of second-order systems:  y = H q + F z + b,  u = H v,  p = H' r.\n\n"
      "A nonlinear relation is any object with rows(), dof(), output(state) and, if wanted,\n"
      "jacobian(state), time_derivative(state), time_invariant.\n\n"
      ">>> saltus.LinearRelation(H=[[-1.0, 1.0]], b=[-2 * radius])     # gap between two beads");
  bind_options<DrivenFields>(
      m,
      "Coordinates that follow a function of time, or stand still: boundary conditions and "
      "prescribed\nmotion, for the law Equality. The multiplier is the reaction.\n\n"
      ">>> saltus.Driven(n=3, coordinates=[0, 2], value=[0.0, 0.0])\n"
      ">>> saltus.Driven(n=1, coordinates=[0], position=lambda t: [math.sin(t)])");
  bind_options<FirstOrderLinearRelationFields>(
      m,
      "Linear relation of first-order systems:  y = C x + D λ + F z + e,  r = B λ.\n\n"
      "A nonlinear relation is any object with rows(), dimension(), output(state), input(state)\n"
      "and, if wanted, jacobian(state), feedthrough(state), time_invariant.\n\n"
      ">>> saltus.FirstOrderLinearRelation(C=[[1.0]], B=[[-1.0]])");
}

}  // namespace saltus::python
