#include "saltus/mechanics/planar_scene.hpp"

#include "joint_options.hpp"
#include "model.hpp"
#include "module.hpp"
#include "saltus/systems/gyroscopic.hpp"

namespace saltus::python {

template <>
inline constexpr const char* scene_name<mechanics::PlanarScene> = "PlanarScene";

namespace {

using mechanics::JointOptions;
using mechanics::PlanarScene;
using mechanics::Vector2;

/// Two numbers; zero if None.
Vector2 to_vector2(const py::object& object, const std::string& where) {
  if (object.is_none()) return Vector2::Zero();
  const Vector v = to_vector(object, where);
  require(v.size() == 2, "{} has {} entries, expected 2", where, v.size());
  return v;
}

Vector2 anchor_of(const py::object& object) { return to_vector2(object, "PlanarScene: anchor"); }

void bind_bodies(py::class_<PlanarScene>& cls) {
  cls.def(
      "add_body",
      [](PlanarScene& scene, double mass, double inertia, const py::object& x, double angle,
         const py::object& v, double omega) {
        return scene.add(mass, inertia,
                         {.x = to_vector2(x, "PlanarScene.add_body: x"),
                          .angle = angle,
                          .v = to_vector2(v, "PlanarScene.add_body: v"),
                          .omega = omega});
      },
      py::arg("mass"), py::arg("inertia"), py::kw_only(), py::arg("x") = py::none(),
      py::arg("angle") = 0.0, py::arg("v") = py::none(), py::arg("omega") = 0.0,
      "add_body($self, mass, inertia, *, x=None, angle=0.0, v=None, omega=0.0)\n--\n\n"
      "A body of that mass [kg] and moment of inertia about its centre [kg m²]. Returns its "
      "number.");
  cls.def("bodies", &PlanarScene::bodies, "bodies($self)\n--\n\nNumber of bodies.");
  cls.def(
      "model",
      [](const PlanarScene& scene, const py::object& gravity) {
        const Vector2 g = gravity.is_none() ? Vector2(0, -9.81)
                                            : to_vector2(gravity, "PlanarScene.model: gravity");
        return PythonModel{scene.model(g)};
      },
      py::kw_only(), py::arg("gravity") = py::none(),
      "model($self, *, gravity=None)\n--\n\n"
      "A Model of the scene: one pool of PlanarBodies named 'bodies', joints and contacts. "
      "Gravity\n"
      "[m/s²] is (0, -9.81) unless it is given.");
  cls.def("__repr__", [](const PlanarScene& scene) {
    return fmt::format("<PlanarScene: {} bodies, {} joints>", scene.bodies(),
                       scene.joints().size());
  });
}

void bind_contacts(py::class_<PlanarScene>& cls) {
  cls.def(
      "on_line",
      [](PlanarScene& scene, Index body, const py::object& law, const py::object& normal,
         double offset, double radius, const py::object& point, const std::string& name) {
        const Vector2 n = normal.is_none() ? Vector2(Vector2::UnitY())
                                           : to_vector2(normal, "PlanarScene.on_line: normal");
        scene.on_line(body, {n, offset, radius, to_vector2(point, "PlanarScene.on_line: point")},
                      Converter<Law>::from(law, "PlanarScene.on_line: law"), name);
      },
      py::arg("body"), py::arg("law"), py::kw_only(), py::arg("normal") = py::none(),
      py::arg("offset") = 0.0, py::arg("radius") = 0.0, py::arg("point") = py::none(),
      py::arg("name") = "",
      "on_line($self, body, law, *, normal=None, offset=0.0, radius=0.0, point=None, "
      "name='')\n--\n\n"
      "A disk about a point of the body, or a corner (radius 0), on the half plane\n"
      "normal·x <= offset of the world; the normal is (0, 1) unless it is given.");
  cls.def(
      "disks",
      [](PlanarScene& scene, Index a, Index b, const py::object& law, double radius_a,
         double radius_b, const std::string& name) {
        scene.disks(a, b, {radius_a, radius_b}, Converter<Law>::from(law, "PlanarScene.disks: law"),
                    name);
      },
      py::arg("a"), py::arg("b"), py::arg("law"), py::kw_only(), py::arg("radius_a"),
      py::arg("radius_b"), py::arg("name") = "",
      "disks($self, a, b, law, *, radius_a, radius_b, name='')\n--\n\n"
      "Two disks about the centres of two bodies.");
}

void bind_planar_joints(py::class_<PlanarScene>& cls) {
  bind_moving<py::object>(
      cls, "revolute", "anchor, ", "b turns about a point of a.",
      [](PlanarScene& s, Index a, Index b, const py::object& anchor, const JointOptions& options) {
        return s.revolute(a, b, anchor_of(anchor), options);
      },
      py::arg("anchor"));
  bind_moving<py::object, py::object>(
      cls, "prismatic", "anchor, axis, ", "b slides along an axis of a, without turning.",
      [](PlanarScene& s, Index a, Index b, const py::object& anchor, const py::object& axis,
         const JointOptions& options) {
        return s.prismatic(a, b, anchor_of(anchor), to_vector2(axis, "PlanarScene: axis"), options);
      },
      py::arg("anchor"), py::arg("axis"));
  bind_common_joints(cls, anchor_of);
}

}  // namespace

void bind_planar_scene(py::module_& m) {
  py::class_<PlanarScene> cls(m, "PlanarScene",
                              "Bodies of the plane, joints and contacts between them.\n\n"
                              ">>> scene = saltus.PlanarScene()\n"
                              ">>> bar = scene.add_body(1.0, 0.1, x=[0.5, 0])\n"
                              ">>> scene.revolute(-1, bar, [0, 0])\n"
                              ">>> model = scene.model(gravity=[0, -9.81])");
  cls.def(py::init<>(), "__init__(self)\n--\n\n");
  bind_bodies(cls);
  bind_planar_joints(cls);
  bind_contacts(cls);
  m.def(
      "gyroscopic_term",
      [](const py::function& mass, const py::object& q, const py::object& v) {
        const auto evaluate = [&](ConstVectorRef at, MatrixRef M) {
          const Matrix given = to_matrix(mass(copy(at)), "gyroscopic_term: mass(q)");
          require(given.rows() == M.rows() && given.cols() == M.cols(),
                  "gyroscopic_term: mass(q) is {}x{}, expected {}x{}", given.rows(), given.cols(),
                  M.rows(), M.cols());
          M = given;
        };
        return copy(ConstVectorRef(gyroscopic_term(evaluate, to_vector(q, "gyroscopic_term: q"),
                                                   to_vector(v, "gyroscopic_term: v"))));
      },
      py::arg("mass"), py::arg("q"), py::arg("v"),
      "gyroscopic_term(mass, q, v)\n--\n\n"
      "N of M(q) v' + N(q, v) = F, from the function mass(q) -> matrix, by Christoffel's formula.");
}

}  // namespace saltus::python
