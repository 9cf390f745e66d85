#include "joints.hpp"
#include "model.hpp"
#include "options.hpp"

#include <pybind11/numpy.h>

namespace saltus::python {

mechanics::Vector3 to_vector3(const py::object& object, const std::string& where) {
  if (object.is_none()) return mechanics::Vector3::Zero();
  const Vector v = to_vector(object, where);
  require(v.size() == 3, "{} has {} entries, expected 3", where, v.size());
  return v;
}

namespace {

using mechanics::Material;
using mechanics::RigidScene;
using mechanics::Shape;
using mechanics::Start;
using mechanics::Vector3;

std::vector<Vector3> to_points(const py::object& object, const std::string& where) {
  const Matrix rows = to_matrix(object, where);
  require(rows.cols() == 3, "{} has {} columns, expected one row of 3 numbers for each point",
          where, rows.cols());
  std::vector<Vector3> points;
  for (Index i = 0; i < rows.rows(); ++i) points.emplace_back(rows.row(i).transpose());
  return points;
}

/// What every body is given besides its shape.
struct BodyArguments {
  double density;
  py::object x, turn, v, omega;
  double mu, e;
  int kind;
};

Index add(RigidScene& scene, const char* who, const Shape& shape, const BodyArguments& given) {
  const auto where = [&](const char* what) { return fmt::format("RigidScene.{}: {}", who, what); };
  const Start start{.x = to_vector3(given.x, where("x")),
                    .turn = to_vector3(given.turn, where("turn")),
                    .v = to_vector3(given.v, where("v")),
                    .omega = to_vector3(given.omega, where("omega"))};
  return scene.add(shape, given.density, start,
                   Material{.mu = given.mu, .e = given.e, .kind = given.kind});
}

constexpr const char* body_text =
    "\n\nx is the centre of mass [m], turn a rotation vector [rad], v the velocity [m/s], omega "
    "the\n"
    "angular velocity in the frame of the body [rad/s]; density in kg/m³. Where two surfaces "
    "meet,\n"
    "μ = (μ₁ μ₂)^½ and e = max(e₁, e₂). Returns the number of the body in the pool.";

/// One method add_…: `make` turns the arguments of the shape into a Shape.
template <class... Shaping, class Make, class... Arguments>
void bind_add(py::class_<RigidScene>& cls, const char* name, const std::string& doc, Make make,
              Arguments... arguments) {
  cls.def(
      name,
      [name, make](RigidScene& scene, const Shaping&... shaping, double density,
                   const py::object& x, const py::object& turn, const py::object& v,
                   const py::object& omega, double mu, double e, int kind) {
        return add(scene, name, make(shaping...), {density, x, turn, v, omega, mu, e, kind});
      },
      arguments..., py::kw_only(), py::arg("density") = 1000.0, py::arg("x") = py::none(),
      py::arg("turn") = py::none(), py::arg("v") = py::none(), py::arg("omega") = py::none(),
      py::arg("mu") = 0.5, py::arg("e") = 0.0, py::arg("kind") = 0, (doc + body_text).c_str());
}

void bind_bodies(py::class_<RigidScene>& cls) {
  const std::string rest =
      "density=1000.0, x=None, turn=None, v=None, omega=None, mu=0.5, e=0.0, kind=0)\n--\n\n";
  bind_add<double>(
      cls, "add_sphere", "add_sphere($self, radius, *, " + rest + "A ball.",
      [](double radius) { return mechanics::Sphere{.radius = radius}; }, py::arg("radius"));
  bind_add<double, double>(
      cls, "add_capsule",
      "add_capsule($self, radius, half_length, *, " + rest +
          "All points within `radius` of a segment of the z-axis.",
      [](double radius, double half) {
        return mechanics::Capsule{.radius = radius, .half_length = half};
      },
      py::arg("radius"), py::arg("half_length"));
  bind_add<py::object>(
      cls, "add_box", "add_box($self, half, *, " + rest + "A box, given half of its three edges.",
      [](const py::object& half) {
        return mechanics::Box{.half = to_vector3(half, "RigidScene.add_box: half")};
      },
      py::arg("half"));
  bind_add<py::object>(
      cls, "add_polyhedron",
      "add_polyhedron($self, points, *, " + rest +
          "The convex hull of points, one row each; x is where its centre of mass goes.",
      [](const py::object& points) {
        return mechanics::Polyhedron(to_points(points, "RigidScene.add_polyhedron: points"));
      },
      py::arg("points"));
}

/// Three principal moments, or a 3×3 matrix.
mechanics::Matrix3 to_inertia(const py::object& object) {
  const char* where = "RigidScene.add_body: inertia";
  const auto array = py::array::ensure(object);
  if (array && array.ndim() == 1) return to_vector3(object, where).asDiagonal();
  const Matrix I = to_matrix(object, where);
  require(I.rows() == 3 && I.cols() == 3, "{} is {}x{}, expected 3 moments or a 3x3 matrix", where,
          I.rows(), I.cols());
  return I;
}

void bind_bare_body(py::class_<RigidScene>& cls) {
  cls.def(
      "add_body",
      [](RigidScene& scene, double mass, const py::object& inertia, const py::object& x,
         const py::object& turn, const py::object& v, const py::object& omega) {
        const mechanics::Matrix3 I = to_inertia(inertia);
        return scene.add(mass, I,
                         {.x = to_vector3(x, "RigidScene.add_body: x"),
                          .turn = to_vector3(turn, "RigidScene.add_body: turn"),
                          .v = to_vector3(v, "RigidScene.add_body: v"),
                          .omega = to_vector3(omega, "RigidScene.add_body: omega")});
      },
      py::arg("mass"), py::arg("inertia"), py::kw_only(), py::arg("x") = py::none(),
      py::arg("turn") = py::none(), py::arg("v") = py::none(), py::arg("omega") = py::none(),
      "add_body($self, mass, inertia, *, x=None, turn=None, v=None, omega=None)\n--\n\n"
      "A body without a shape, which touches nothing: mass [kg] and inertia [kg m²], three "
      "principal\n"
      "moments or a 3x3 matrix.");
}

/// A further shape on a body: `make(shaping...)` is the shape.
template <class... Shaping, class Make, class... Arguments>
void bind_attach(py::class_<RigidScene>& cls, const char* name, const std::string& arguments_text,
                 Make make, Arguments... arguments) {
  cls.def(
      name,
      [make](RigidScene& scene, Index body, const Shaping&... shaping, const py::object& x,
             const py::object& turn, double mu, double e, int kind) {
        const Vector q = positions_of(to_vector3(x, "RigidScene.attach: x"),
                                      to_vector3(turn, "RigidScene.attach: turn"));
        scene.attach(body, make(shaping...), {.mu = mu, .e = e, .kind = kind}, pose_of(q.data()));
      },
      py::arg("body"), arguments..., py::kw_only(), py::arg("x") = py::none(),
      py::arg("turn") = py::none(), py::arg("mu") = 0.5, py::arg("e") = 0.0, py::arg("kind") = 0,
      (std::string(name) + "($self, body, " + arguments_text +
       "*, x=None, turn=None, mu=0.5, e=0.0, kind=0)\n--\n\n"
       "One more shape on a body, at x and turned by `turn` in its frame; its mass stays as it is.")
          .c_str());
}

void bind_attached(py::class_<RigidScene>& cls) {
  bind_attach<double>(
      cls, "attach_sphere", "radius, ",
      [](double radius) { return mechanics::Sphere{.radius = radius}; }, py::arg("radius"));
  bind_attach<double, double>(
      cls, "attach_capsule", "radius, half_length, ",
      [](double radius, double half_length) {
        return mechanics::Capsule{.radius = radius, .half_length = half_length};
      },
      py::arg("radius"), py::arg("half_length"));
  bind_attach<py::object>(
      cls, "attach_box", "half, ",
      [](const py::object& half) {
        return mechanics::Box{.half = to_vector3(half, "RigidScene.attach_box: half")};
      },
      py::arg("half"));
}

void bind_world(py::class_<RigidScene>& cls) {
  cls.def(
      "fix_plane",
      [](RigidScene& scene, const py::object& normal, double offset, double mu, double e,
         int kind) {
        const Vector3 n = normal.is_none() ? Vector3::UnitZ()
                                           : to_vector3(normal, "RigidScene.fix_plane: normal");
        scene.fix(mechanics::Plane{.normal = n, .offset = offset},
                  {.mu = mu, .e = e, .kind = kind});
      },
      py::kw_only(), py::arg("normal") = py::none(), py::arg("offset") = 0.0, py::arg("mu") = 0.5,
      py::arg("e") = 0.0, py::arg("kind") = 0,
      "fix_plane($self, *, normal=None, offset=0.0, mu=0.5, e=0.0, kind=0)\n--\n\n"
      "A half space n·x ≤ offset of the world, ground (the default) or wall.");
  cls.def(
      "fix_box",
      [](RigidScene& scene, const py::object& half, const py::object& x, const py::object& turn,
         double mu, double e, int kind) {
        const Vector q = positions_of(to_vector3(x, "RigidScene.fix_box: x"),
                                      to_vector3(turn, "RigidScene.fix_box: turn"));
        scene.fix(mechanics::Box{.half = to_vector3(half, "RigidScene.fix_box: half")},
                  {.mu = mu, .e = e, .kind = kind}, pose_of(q.data()));
      },
      py::arg("half"), py::kw_only(), py::arg("x") = py::none(), py::arg("turn") = py::none(),
      py::arg("mu") = 0.5, py::arg("e") = 0.0, py::arg("kind") = 0,
      "fix_box($self, half, *, x=None, turn=None, mu=0.5, e=0.0, kind=0)\n--\n\nA box of the "
      "world.");
  cls.def(
      "law",
      [](RigidScene& scene, int kind_a, int kind_b, const py::object& law) {
        scene.law(kind_a, kind_b, Converter<Law>::from(law, "RigidScene.law: law"));
      },
      py::arg("kind_a"), py::arg("kind_b"), py::arg("law"),
      "law($self, kind_a, kind_b, law)\n--\n\n"
      "The law where surfaces of these two kinds meet, in place of Coulomb(mu, e).");
  cls.def("accelerated", &RigidScene::accelerated,
          "accelerated($self)\n--\n\n"
          "Gyroscopic torques are forces at every instant from now on: for GeneralizedAlpha.");
  cls.def("bodies", &RigidScene::bodies, "bodies($self)\n--\n\nNumber of bodies.");
  cls.def(
      "model",
      [](const RigidScene& scene, const py::object& gravity) {
        const Vector3 g = gravity.is_none() ? Vector3(0, 0, -9.81)
                                            : to_vector3(gravity, "RigidScene.model: gravity");
        return PythonModel{scene.model(g)};
      },
      py::kw_only(), py::arg("gravity") = py::none(),
      "model($self, *, gravity=None)\n--\n\n"
      "The Model: one pool 'bodies' and the contacts between its shapes; gravity in m/s², default\n"
      "(0, 0, -9.81). Body i has q[7i:7i+7] (centre, quaternion w x y z) and v[6i:6i+6].");
  cls.def("__repr__", [](const RigidScene& scene) {
    return fmt::format("<RigidScene: {} bodies>", scene.bodies());
  });
}

}  // namespace

void bind_rigid_scene(py::module_& m) {
  py::class_<RigidScene> cls(m, "RigidScene",
                             "Rigid bodies with shapes, in contact with friction.\n\n"
                             ">>> scene = saltus.RigidScene()\n"
                             ">>> scene.fix_plane(mu=0.6)\n"
                             ">>> scene.add_box([0.1, 0.1, 0.1], x=[0.0, 0.0, 0.5], mu=0.6)\n"
                             ">>> sim = saltus.Simulation(scene.model(), step=2e-3)");
  cls.def(py::init<>(), "__init__(self)\n--\n\n");
  bind_bodies(cls);
  bind_bare_body(cls);
  bind_attached(cls);
  bind_world(cls);
  bind_joints(cls);
}

}  // namespace saltus::python
