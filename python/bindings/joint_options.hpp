#pragma once

#include "options.hpp"
#include "saltus/mechanics/joint_spec.hpp"

namespace saltus::python {

// What the joints of RigidScene and of PlanarScene have in common in Python.

template <class Scene>
inline constexpr const char* scene_name = "";

/// A number, or a Python function of the time, that may be called and destroyed without the GIL.
[[nodiscard]] std::function<double(double)> to_time_function(const py::object& object,
                                                             const std::string& where);

/// What every joint with a coordinate is given.
[[nodiscard]] mechanics::JointOptions to_options(
    const std::string& where, const std::string& name, const py::object& limits, double e,
    const py::object& velocity, const py::object& position, const py::object& max_force,
    const py::object& spring, double friction, double tolerance, bool collide);

inline constexpr const char* names_text =
    "\n\na and b are numbers of bodies, -1 the world; anchor [m] and axis are given in the world "
    "at "
    "the\nstart. Returns the number of the joint.";
inline constexpr const char* options_text =
    "\n\nThe coordinate is the motion of b against a, 0 at the start. limits are (lower, upper), "
    "with\nrestitution e; velocity or position (numbers or functions of t) drive it, with at most "
    "max_force\n[N or N m]; spring is (stiffness, damping, rest); friction is the largest dry "
    "friction. They are the interactions "
    "name.limits,\nname.motor, name.spring and name.friction of the model. A joint that fails by "
    "more than "
    "tolerance at the start\nis refused. The shapes of its bodies meet only if collide is True.";
inline constexpr const char* plain_signature =
    "*, name='', tolerance=1e-06, collide=False)\n--\n\n";
inline constexpr const char* full_signature =
    "*, name='', limits=None, e=0.0, velocity=None, position=None, max_force=None, spring=None, "
    "friction=0.0, "
    "tolerance=1e-06, collide=False)\n--\n\n";

/// A joint without coordinates: `make(scene, a, b, shaping..., options)`.
template <class... Shaping, class Scene, class Make, class... Arguments>
void bind_plain(py::class_<Scene>& cls, const char* name, const std::string& arguments_text,
                const std::string& doc, Make make, Arguments... arguments) {
  cls.def(
      name,
      [make](Scene& scene, Index a, Index b, const Shaping&... shaping, const std::string& called,
             double tolerance, bool collide) {
        return make(
            scene, a, b, shaping...,
            mechanics::JointOptions{.name = called, .tolerance = tolerance, .collide = collide});
      },
      py::arg("a"), py::arg("b"), arguments..., py::kw_only(), py::arg("name") = "",
      py::arg("tolerance") = 1e-6, py::arg("collide") = false,
      (std::string(name) + "($self, a, b, " + arguments_text + plain_signature + doc + names_text)
          .c_str());
}

/// A joint with a coordinate.
template <class... Shaping, class Scene, class Make, class... Arguments>
void bind_moving(py::class_<Scene>& cls, const char* name, const std::string& arguments_text,
                 const std::string& doc, Make make, Arguments... arguments) {
  cls.def(
      name,
      [make, where = std::string(scene_name<Scene>) + "." + name](
          Scene& scene, Index a, Index b, const Shaping&... shaping, const std::string& called,
          const py::object& limits, double e, const py::object& velocity,
          const py::object& position, const py::object& max_force, const py::object& spring,
          double friction, double tolerance, bool collide) {
        return make(scene, a, b, shaping...,
                    to_options(where, called, limits, e, velocity, position, max_force, spring,
                               friction, tolerance, collide));
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

/// Toothed wheels, rack and pinion.
template <class Scene>
void bind_gears(py::class_<Scene>& cls) {
  cls.def("gear", &Scene::gear, py::arg("first"), py::arg("second"), py::arg("teeth_first"),
          py::arg("teeth_second"), py::kw_only(), py::arg("name") = "",
          "gear($self, first, second, teeth_first, teeth_second, *, name='')\n--\n\n"
          "Toothed wheels on two hinges, given by their numbers; they turn as -teeth_second :\n"
          "teeth_first, the other way round if teeth_second is negative (inner mesh).");
  cls.def("rack", &Scene::rack, py::arg("slider"), py::arg("hinge"), py::arg("radius"),
          py::kw_only(), py::arg("name") = "",
          "rack($self, slider, hinge, radius, *, name='')\n--\n\n"
          "A pinion of that radius [m] on a hinge drives a slider.");
}

/// Springs and ropes.
template <class Scene, class Anchor>
void bind_loose(py::class_<Scene>& cls, Anchor anchor_of) {
  cls.def(
      "spring",
      [anchor_of](Scene& s, Index a, Index b, const py::object& anchor_a,
                  const py::object& anchor_b, double stiffness, double damping, double rest,
                  const std::string& name) {
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
      [anchor_of](Scene& s, Index a, Index b, const py::object& anchor_a,
                  const py::object& anchor_b, double length, double e, const std::string& name) {
        return s.rope(a, b, anchor_of(anchor_a), anchor_of(anchor_b), length, e, name);
      },
      py::arg("a"), py::arg("b"), py::arg("anchor_a"), py::arg("anchor_b"), py::arg("length"),
      py::kw_only(), py::arg("e") = 0.0, py::arg("name") = "",
      "rope($self, a, b, anchor_a, anchor_b, length, *, e=0.0, name='')\n--\n\n"
      "Two points are at most `length` [m] apart; it jerks with restitution e.");
}

/// Joints, springs and ropes that space and plane both have; `anchor_of` makes a point of an
/// object.
template <class Scene, class Anchor>
void bind_common_joints(py::class_<Scene>& cls, Anchor anchor_of) {
  bind_plain<py::object>(
      cls, "fixed", "anchor, ", "Ties b to a rigidly.",
      [anchor_of](Scene& s, Index a, Index b, const py::object& anchor,
                  const mechanics::JointOptions& options) {
        return s.fixed(a, b, anchor_of(anchor), options);
      },
      py::arg("anchor"));
  bind_plain<py::object, py::object, double>(
      cls, "distance", "anchor_a, anchor_b, length=0.0, ",
      "Keeps a point of b at `length` [m] from a point of a; 0: as they are.",
      [anchor_of](Scene& s, Index a, Index b, const py::object& anchor_a,
                  const py::object& anchor_b, double length,
                  const mechanics::JointOptions& options) {
        return s.distance(a, b, anchor_of(anchor_a), anchor_of(anchor_b), length, options);
      },
      py::arg("anchor_a"), py::arg("anchor_b"), py::arg("length") = 0.0);
  bind_loose(cls, anchor_of);
  bind_gears(cls);
}

}  // namespace saltus::python
