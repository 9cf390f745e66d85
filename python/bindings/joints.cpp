#include "joints.hpp"

#include "joint_options.hpp"
#include "model.hpp"
#include "saltus/model/mobility.hpp"
#include "saltus/model/penetrations.hpp"

namespace saltus::python {

template <>
inline constexpr const char* scene_name<mechanics::RigidScene> = "RigidScene";

namespace {

using mechanics::JointOptions;
using mechanics::RigidScene;
using mechanics::Vector3;

Vector3 anchor_of(const py::object& object) { return to_vector3(object, "RigidScene: anchor"); }
Vector3 axis_of(const py::object& object) { return to_vector3(object, "RigidScene: axis"); }

void bind_plain_joints(py::class_<RigidScene>& cls) {
  bind_plain<py::object>(
      cls, "ball", "anchor, ", "Ties b to a at a point, free to turn.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const JointOptions& options) {
        return s.ball(a, b, anchor_of(anchor), options);
      },
      py::arg("anchor"));
  bind_plain<py::object, py::object, py::object>(
      cls, "universal", "anchor, axis_a, axis_b, ",
      "Ties b to a at a point, free to turn about an axis of a and one of b, at right angles.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const py::object& axis_a,
         const py::object& axis_b, const JointOptions& options) {
        return s.universal(a, b, anchor_of(anchor), axis_of(axis_a), axis_of(axis_b), options);
      },
      py::arg("anchor"), py::arg("axis_a"), py::arg("axis_b"));
}

void bind_moving_joints(py::class_<RigidScene>& cls) {
  bind_moving<py::object, py::object>(
      cls, "hinge", "anchor, axis, ", "b turns about an axis of a.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const py::object& axis,
         const JointOptions& options) {
        return s.hinge(a, b, anchor_of(anchor), axis_of(axis), options);
      },
      py::arg("anchor"), py::arg("axis"));
  bind_moving<py::object, py::object>(
      cls, "slider", "anchor, axis, ", "b slides along an axis of a, without turning.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const py::object& axis,
         const JointOptions& options) {
        return s.slider(a, b, anchor_of(anchor), axis_of(axis), options);
      },
      py::arg("anchor"), py::arg("axis"));
  bind_moving<py::object, py::object>(
      cls, "cylindrical", "anchor, axis, ",
      "b turns about an axis of a and slides along it; the options are those of the turn.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const py::object& axis,
         const JointOptions& options) {
        return s.cylindrical(a, b, anchor_of(anchor), axis_of(axis), options);
      },
      py::arg("anchor"), py::arg("axis"));
  bind_moving<py::object, py::object, double>(
      cls, "screw", "anchor, axis, pitch, ",
      "b turns about an axis of a and advances by `pitch` [m] in each turn.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const py::object& axis,
         double pitch, const JointOptions& options) {
        return s.screw(a, b, anchor_of(anchor), axis_of(axis), pitch, options);
      },
      py::arg("anchor"), py::arg("axis"), py::arg("pitch"));
}

}  // namespace

void bind_joints(py::class_<RigidScene>& cls) {
  bind_plain_joints(cls);
  bind_moving_joints(cls);
  bind_common_joints(cls, anchor_of);
}

void bind_mobility(py::module_& m) {
  py::class_<Mobility>(m, "Mobility",
                       "What the bilateral constraints of a model leave free at its initial state.")
      .def_readonly("dof", &Mobility::dof, "velocities of the model")
      .def_readonly("rows", &Mobility::rows, "rows of the bilateral constraints")
      .def_readonly("rank", &Mobility::rank, "independent ones among them")
      .def_property_readonly("freedom", &Mobility::freedom, "motions that they allow: dof - rank")
      .def_property_readonly(
          "redundant",
          [](const Mobility& s) {
            py::dict names;
            for (const Mobility::Redundant& r : s.redundant) names[py::str(r.name)] = r.rows;
            return names;
          },
          "how many rows of which interaction depend on those before them")
      .def_property_readonly(
          "moving",
          [](const Mobility& s) {
            py::dict names;
            for (const Mobility::Moving& r : s.moving) names[py::str(r.name)] = r.velocity;
            return names;
          },
          "by how much the initial velocities violate which interaction")
      .def("__repr__", [](const Mobility& s) {
        return fmt::format("Mobility(dof={}, rows={}, rank={}, freedom={})", s.dof, s.rows, s.rank,
                           s.freedom());
      });
  m.def(
      "penetrations",
      [](const PythonModel& model, double tolerance) {
        py::dict list;
        for (const Penetration& p : penetrations(model.model, tolerance)) {
          const py::str key(p.name);
          if (!list.contains(key)) list[key] = p.depth;  // the deepest comes first
        }
        return list;
      },
      py::arg("model"), py::kw_only(), py::arg("tolerance") = 1e-9,
      "penetrations(model, *, tolerance=1e-09)\n--\n\n"
      "Contacts that are deeper than tolerance [m] at the initial state: names and depths [m], "
      "the\n"
      "deepest first.");
  m.def(
      "mobility", [](const PythonModel& model) { return mobility(model.model); }, py::arg("model"),
      "mobility(model)\n--\n\n"
      "Freedom and redundancy of the joints of a model at its initial state: an over-constrained\n"
      "mechanism moves all the same, with the least of its many multipliers.");
}

}  // namespace saltus::python
