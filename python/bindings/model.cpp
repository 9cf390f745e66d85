#include "model.hpp"

#include "callbacks.hpp"
#include "module.hpp"
#include "options.hpp"

#include <pybind11/operators.h>
#include <pybind11/stl.h>

namespace saltus::python {

namespace {

template <class T>
void bind_id(py::module_& m, const char* name, const char* doc) {
  py::class_<T>(m, name, doc)
      .def_property_readonly(
          "index", [](const T& id) { return id.index; }, "position in the model")
      .def(py::self == py::self)
      .def("__hash__", [](const T& id) { return std::hash<std::ptrdiff_t>{}(id.index); })
      .def("__repr__", [name](const T& id) { return fmt::format("{}({})", name, id.index); });
}

/// An id, or a pair (id, body).
std::optional<Endpoint> endpoint_of(py::handle object) {
  if (py::isinstance<SystemId>(object)) return Endpoint(object.cast<SystemId>());
  if (!py::isinstance<py::tuple>(object) || py::len(object) != 2) return std::nullopt;
  const auto pair = py::reinterpret_borrow<py::tuple>(object);
  if (!py::isinstance<SystemId>(pair[0]) || !PyIndex_Check(pair[1].ptr())) return std::nullopt;
  return Endpoint(pair[0].cast<SystemId>(), pair[1].cast<Index>());
}

Endpoints endpoints_of(const py::object& object) {
  if (const auto one = endpoint_of(object)) return *one;
  std::vector<Endpoint> list;
  if (py::isinstance<py::sequence>(object) && !py::isinstance<py::str>(object)) {
    for (py::handle entry : object) {
      const auto end = endpoint_of(entry);
      if (!end) wrong_type("Model.link: system", "an id or a pair (id, body)", entry);
      list.push_back(*end);
    }
    return Endpoints(std::move(list));
  }
  wrong_type("Model.link: systems", "an id, a pair (id, body), or a list of these", object);
}

SystemId add(PythonModel& self, const py::object& system, const py::object& q, const py::object& v,
             const py::object& x, const py::object& z, const std::string& name) {
  return self.model.add(to_system(system),
                        {.q = to_vector(q, "Model.add: q"),
                         .v = to_vector(v, "Model.add: v"),
                         .x = to_vector(x, "Model.add: x"),
                         .z = to_vector(z, "Model.add: z")},
                        name);
}

InteractionId link(PythonModel& self, const py::object& systems, const py::object& relation,
                   const py::object& law, const std::string& name) {
  return self.model.link(endpoints_of(systems), to_relation(relation),
                         Converter<Law>::from(law, "Model.link: law"), name);
}

void bind_entries(py::module_& m) {
  py::class_<SystemEntry>(m, "SystemEntry", "A system in a model, and where its variables stand.")
      .def_readonly("name", &SystemEntry::name, "name of the system")
      .def_readonly("offset", &SystemEntry::offset, "first variable in v, or in x")
      .def_readonly("q_offset", &SystemEntry::q_offset, "first position in q")
      .def_readonly("z_offset", &SystemEntry::z_offset, "first parameter in z")
      .def_readonly("z_size", &SystemEntry::z_size, "number of parameters z")
      .def_property_readonly(
          "size", [](const SystemEntry& entry) { return entry.system.size(); },
          "number of unknowns: dof, or dimension of x")
      .def_property_readonly(
          "bodies", [](const SystemEntry& entry) { return entry.system.bodies(); },
          "number of bodies")
      .def_property_readonly(
          "order",
          [](const SystemEntry& entry) { return entry.system.order() == Order::second ? 2 : 1; },
          "order of the system: 1 or 2")
      .def("__repr__", [](const SystemEntry& entry) {
        return fmt::format("SystemEntry(name='{}', size={}, order={})", entry.name,
                           entry.system.size(), entry.system.order() == Order::second ? 2 : 1);
      });
  py::class_<Interaction>(m, "Interaction", "Who is tied to whom, by which relation and law.")
      .def_readonly("name", &Interaction::name, "name of the interaction")
      .def_property_readonly(
          "law", [](const Interaction& tie) { return Converter<Law>::to(tie.law); }, "its law")
      .def_property_readonly(
          "rows", [](const Interaction& tie) { return tie.relation.rows(); },
          "rows of its relation")
      .def_property_readonly(
          "endpoints",
          [](const Interaction& tie) {
            py::list list;
            for (const Endpoint& end : tie.endpoints)
              list.append(py::make_tuple(end.system, end.body));
            return list;
          },
          "pairs (id, body), in the order of the columns of the relation")
      .def("__repr__", [](const Interaction& tie) {
        return fmt::format("Interaction(name='{}', rows={}, law={})", tie.name, tie.relation.rows(),
                           py::repr(Converter<Law>::to(tie.law)).cast<std::string>());
      });
}

}  // namespace

void bind_model(py::module_& m) {
  bind_id<SystemId>(m, "SystemId", "Names a system of a model: what Model.add returns.");
  bind_id<InteractionId>(m, "InteractionId",
                         "Names an interaction of a model: what Model.link returns.");
  bind_entries(m);
  py::class_<PythonModel> model(
      m, "Model",
      "Systems tied by interactions: what is simulated, ignorant of how.\n\n"
      ">>> model = saltus.Model()\n"
      ">>> ball = model.add(saltus.PointMass(m=1.0, gravity=[-9.81]), q=[1.0], v=[0.0])\n"
      ">>> model.link(ball, saltus.LinearRelation(H=[[1.0]]), saltus.NewtonImpact(e=0.9))");
  model.def(py::init<>(), "__init__(self)\n--\n\n");
  model.def(
      "add", &add, py::arg("system"), py::kw_only(), py::arg("q") = py::none(),
      py::arg("v") = py::none(), py::arg("x") = py::none(), py::arg("z") = py::none(),
      py::arg("name") = "",
      "add($self, system, *, q=None, v=None, x=None, z=None, name='')\n--\n\n"
      "Adds a system with its initial state and returns its SystemId.\n\n"
      "`system` is one of the library or any object with the methods dof(), mass(state),\n"
      "force(state) or dimension(), rate(state). A second-order system starts at q and v\n"
      "(default 0), a first-order one at x. z are discrete parameters, constant but for\n"
      "Simulation.set_parameters. The name makes the columns of the trajectory: 'ball.q[0]'.\n"
      "Raises Error on sizes that disagree, values that are not finite, and a mass matrix that\n"
      "is not symmetric positive definite.");
  model.def(
      "link", &link, py::arg("systems"), py::arg("relation"), py::arg("law"), py::kw_only(),
      py::arg("name") = "",
      "link($self, systems, relation, law, *, name='')\n--\n\n"
      "Ties systems by a relation under a law and returns the InteractionId.\n\n"
      "`systems` is an id, a pair (id, body) for one body of a pool, or a list of these in the\n"
      "order of the columns of the relation.");
  model.def(
      "dof", [](const PythonModel& s) { return s.model.dof(); },
      "dof($self)\n--\n\nDegrees of freedom of the second-order systems: the size of v.");
  model.def(
      "positions", [](const PythonModel& s) { return s.model.positions(); },
      "positions($self)\n--\n\nThe size of q: that of v, but 7 instead of 6 for a rigid body in "
      "space.");
  model.def(
      "first_order_size", [](const PythonModel& s) { return s.model.first_order_size(); },
      "first_order_size($self)\n--\n\nThe size of x.");
  model.def(
      "rows", [](const PythonModel& s) { return s.model.rows(); },
      "rows($self)\n--\n\nRows of all interactions: the size of y, u and r.");
  model.def(
      "row_offset",
      [](const PythonModel& s, InteractionId id) {
        static_cast<void>(s.model[id]);
        return s.model.row_offset(id);
      },
      py::arg("id"), "row_offset($self, id)\n--\n\nThe first row of an interaction in y, u and r.");
  model.def(
      "initial_state", [](const PythonModel& s) { return Snapshot{s.model.initial_state()}; },
      "initial_state($self)\n--\n\nThe State in which a simulation starts.");
  model.def(
      "systems",
      [](const PythonModel& s) {
        return std::vector<SystemEntry>(s.model.systems().begin(), s.model.systems().end());
      },
      "systems($self)\n--\n\nThe systems, in the order in which they were added.");
  model.def(
      "interactions",
      [](const PythonModel& s) {
        return std::vector<Interaction>(s.model.interactions().begin(),
                                        s.model.interactions().end());
      },
      "interactions($self)\n--\n\nThe interactions, in the order in which they were made.");
  model.def("__getitem__", [](const PythonModel& s, SystemId id) { return s.model[id]; });
  model.def("__getitem__", [](const PythonModel& s, InteractionId id) { return s.model[id]; });
  model.def("__repr__", [](const PythonModel& s) {
    return fmt::format(
        "<Model: {} systems, {} dof, {} first-order states, {} interactions, {} rows>",
        s.model.systems().size(), s.model.dof(), s.model.first_order_size(),
        s.model.interactions().size(), s.model.rows());
  });
}

}  // namespace saltus::python
