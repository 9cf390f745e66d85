#include "callbacks.hpp"
#include "module.hpp"
#include "options.hpp"
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

}  // namespace

Relation to_relation(const py::object& object) {
  if (py::isinstance<Bound<LinearRelationFields>>(object))
    return static_cast<LinearRelation>(unwrap(object.cast<const Bound<LinearRelationFields>&>()));
  if (py::isinstance<Bound<FirstOrderLinearRelationFields>>(object))
    return static_cast<FirstOrderLinearRelation>(
        unwrap(object.cast<const Bound<FirstOrderLinearRelationFields>&>()));
  return relation_of_object(object);
}

void bind_relations(py::module_& m) {
  bind_options<LinearRelationFields>(
      m,
      "Linear relation of second-order systems:  y = H q + F z + b,  u = H v,  p = H' r.\n\n"
      "A nonlinear relation is any object with rows(), dof(), output(state) and, if wanted,\n"
      "jacobian(state), time_derivative(state), time_invariant.\n\n"
      ">>> saltus.LinearRelation(H=[[-1.0, 1.0]], b=[-2 * radius])     # gap between two beads");
  bind_options<FirstOrderLinearRelationFields>(
      m,
      "Linear relation of first-order systems:  y = C x + D λ + F z + e,  r = B λ.\n\n"
      "A nonlinear relation is any object with rows(), dimension(), output(state), input(state)\n"
      "and, if wanted, jacobian(state), feedthrough(state), time_invariant.\n\n"
      ">>> saltus.FirstOrderLinearRelation(C=[[1.0]], B=[[-1.0]])");
}

}  // namespace saltus::python
