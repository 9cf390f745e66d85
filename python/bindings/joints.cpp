#include "joints.hpp"

#include "model.hpp"
#include "options.hpp"
#include "saltus/model/mobility.hpp"
#include "saltus/model/penetrations.hpp"

namespace saltus::python {

namespace {

using mechanics::JointOptions;
using mechanics::RigidScene;
using mechanics::Vector3;

/// A number, or a Python function of the time, that may be called and destroyed without the GIL.
std::function<double(double)> to_time_function(const py::object& object, const std::string& where) {
  if (object.is_none()) return {};
  if (PyFloat_Check(object.ptr()) || PyLong_Check(object.ptr()))
    return [value = object.cast<double>()](double) { return value; };
  if (!PyCallable_Check(object.ptr())) wrong_type(where, "a number or a function of t", object);
  const std::shared_ptr<py::object> function(new py::object(object), [](py::object* held) {
    const py::gil_scoped_acquire gil;
    delete held;
  });
  return [function, where](double t) {
    const py::gil_scoped_acquire gil;
    const py::object value = (*function)(t);
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) {
      PyErr_Clear();
      wrong_type(where + "(t)", "a number", value);
    }
    return number;
  };
}

/// What every joint with a coordinate is given.
JointOptions to_options(const std::string& where, const std::string& name, const py::object& limits,
                        double e, const py::object& velocity, const py::object& position,
                        const py::object& max_force, const py::object& spring, double friction,
                        double tolerance, bool collide) {
  JointOptions options{
      .name = name, .friction = friction, .tolerance = tolerance, .collide = collide};
  if (!limits.is_none()) {
    const Vector range = to_vector(limits, where + ": limits");
    require(range.size() == 2, "{}: limits has {} entries, expected (lower, upper)", where,
            range.size());
    options.limits = {range[0], range[1], e};
  }
  options.motor = {to_time_function(position, where + ": position"),
                   to_time_function(velocity, where + ": velocity"),
                   max_force.is_none() ? inf : max_force.cast<double>()};
  if (!spring.is_none()) {
    const Vector given = to_vector(spring, where + ": spring");
    require(given.size() == 3, "{}: spring has {} entries, expected (stiffness, damping, rest)",
            where, given.size());
    options.spring = {given[0], given[1], given[2]};
  }
  return options;
}

constexpr const char* names_text =
    "\n\na and b are numbers of bodies, -1 the world; anchor [m] and axis are given in the world "
    "at "
    "the\nstart. Returns the number of the joint.";
constexpr const char* options_text =
    "\n\nThe coordinate is the motion of b against a, 0 at the start. limits are (lower, upper), "
    "with\nrestitution e; velocity or position (numbers or functions of t) drive it, with at most "
    "max_force\n[N or N m]; spring is (stiffness, damping, rest); friction is the largest dry "
    "friction. They are the interactions "
    "name.limits,\nname.motor, name.spring and name.friction of the model. A joint that fails by "
    "more than "
    "tolerance at the start\nis refused. The shapes of its bodies meet only if collide is True.";
constexpr const char* plain_signature = "*, name='', tolerance=1e-06, collide=False)\n--\n\n";
constexpr const char* full_signature =
    "*, name='', limits=None, e=0.0, velocity=None, position=None, max_force=None, spring=None, "
    "friction=0.0, "
    "tolerance=1e-06, collide=False)\n--\n\n";

/// A joint without coordinates: `make(scene, a, b, shaping..., options)`.
template <class... Shaping, class Make, class... Arguments>
void bind_plain(py::class_<RigidScene>& cls, const char* name, const std::string& arguments_text,
                const std::string& doc, Make make, Arguments... arguments) {
  cls.def(
      name,
      [make](RigidScene& scene, Index a, Index b, const Shaping&... shaping,
             const std::string& called, double tolerance, bool collide) {
        return make(scene, a, b, shaping...,
                    JointOptions{.name = called, .tolerance = tolerance, .collide = collide});
      },
      py::arg("a"), py::arg("b"), arguments..., py::kw_only(), py::arg("name") = "",
      py::arg("tolerance") = 1e-6, py::arg("collide") = false,
      (std::string(name) + "($self, a, b, " + arguments_text + plain_signature + doc + names_text)
          .c_str());
}

/// A joint with a coordinate.
template <class... Shaping, class Make, class... Arguments>
void bind_moving(py::class_<RigidScene>& cls, const char* name, const std::string& arguments_text,
                 const std::string& doc, Make make, Arguments... arguments) {
  cls.def(
      name,
      [make, name](RigidScene& scene, Index a, Index b, const Shaping&... shaping,
                   const std::string& called, const py::object& limits, double e,
                   const py::object& velocity, const py::object& position,
                   const py::object& max_force, const py::object& spring, double friction,
                   double tolerance, bool collide) {
        return make(scene, a, b, shaping...,
                    to_options(fmt::format("RigidScene.{}", name), called, limits, e, velocity,
                               position, max_force, spring, friction, tolerance, collide));
      },
      py::arg("a"), py::arg("b"), arguments..., py::kw_only(), py::arg("name") = "",
      py::arg("limits") = py::none(), py::arg("e") = 0.0, py::arg("velocity") = py::none(),
      py::arg("position") = py::none(), py::arg("max_force") = py::none(),
      py::arg("spring") = py::none(), py::arg("friction") = 0.0, py::arg("tolerance") = 1e-6,
      py::arg("collide") = false,
      (std::string(name) + "($self, a, b, " + arguments_text + full_signature + doc + names_text +
       options_text)
          .c_str());
}

Vector3 anchor_of(const py::object& object) { return to_vector3(object, "RigidScene: anchor"); }
Vector3 axis_of(const py::object& object) { return to_vector3(object, "RigidScene: axis"); }

void bind_plain_joints(py::class_<RigidScene>& cls) {
  bind_plain<py::object>(
      cls, "ball", "anchor, ", "Ties b to a at a point, free to turn.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const JointOptions& options) {
        return s.ball(a, b, anchor_of(anchor), options);
      },
      py::arg("anchor"));
  bind_plain<py::object>(
      cls, "fixed", "anchor, ", "Ties b to a rigidly.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor, const JointOptions& options) {
        return s.fixed(a, b, anchor_of(anchor), options);
      },
      py::arg("anchor"));
  bind_plain<py::object, py::object, double>(
      cls, "distance", "anchor_a, anchor_b, length=0.0, ",
      "Keeps a point of b at `length` [m] from a point of a; 0: as they are.",
      [](RigidScene& s, Index a, Index b, const py::object& anchor_a, const py::object& anchor_b,
         double length, const JointOptions& options) {
        return s.distance(a, b, anchor_of(anchor_a), anchor_of(anchor_b), length, options);
      },
      py::arg("anchor_a"), py::arg("anchor_b"), py::arg("length") = 0.0);
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

void bind_loose(py::class_<RigidScene>& cls) {
  cls.def(
      "spring",
      [](RigidScene& s, Index a, Index b, const py::object& anchor_a, const py::object& anchor_b,
         double stiffness, double damping, double rest, const std::string& name) {
        return s.spring(a, b, anchor_of(anchor_a), anchor_of(anchor_b), {stiffness, damping, rest},
                        name);
      },
      py::arg("a"), py::arg("b"), py::arg("anchor_a"), py::arg("anchor_b"), py::kw_only(),
      py::arg("stiffness"), py::arg("damping") = 0.0, py::arg("rest") = 0.0, py::arg("name") = "",
      "spring($self, a, b, anchor_a, anchor_b, *, stiffness, damping=0.0, rest=0.0, "
      "name='')\n--\n\n"
      "Spring and damper between a point of a and one of b; rest is its free length [m].");
  cls.def(
      "rope",
      [](RigidScene& s, Index a, Index b, const py::object& anchor_a, const py::object& anchor_b,
         double length, double e, const std::string& name) {
        return s.rope(a, b, anchor_of(anchor_a), anchor_of(anchor_b), length, e, name);
      },
      py::arg("a"), py::arg("b"), py::arg("anchor_a"), py::arg("anchor_b"), py::arg("length"),
      py::kw_only(), py::arg("e") = 0.0, py::arg("name") = "",
      "rope($self, a, b, anchor_a, anchor_b, length, *, e=0.0, name='')\n--\n\n"
      "Two points are at most `length` [m] apart; it jerks with restitution e.");
}

void bind_gears(py::class_<RigidScene>& cls) {
  cls.def("gear", &RigidScene::gear, py::arg("first"), py::arg("second"), py::arg("teeth_first"),
          py::arg("teeth_second"), py::kw_only(), py::arg("name") = "",
          "gear($self, first, second, teeth_first, teeth_second, *, name='')\n--\n\n"
          "Toothed wheels on two hinges, given by their numbers; they turn as -teeth_second :\n"
          "teeth_first, the other way round if teeth_second is negative (inner mesh).");
  cls.def("rack", &RigidScene::rack, py::arg("slider"), py::arg("hinge"), py::arg("radius"),
          py::kw_only(), py::arg("name") = "",
          "rack($self, slider, hinge, radius, *, name='')\n--\n\n"
          "A pinion of that radius [m] on a hinge drives a slider.");
}

}  // namespace

void bind_joints(py::class_<RigidScene>& cls) {
  bind_plain_joints(cls);
  bind_moving_joints(cls);
  bind_loose(cls);
  bind_gears(cls);
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
