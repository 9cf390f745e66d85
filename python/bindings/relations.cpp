#include "callbacks.hpp"
#include "module.hpp"
#include "options.hpp"
#include "saltus/mechanics/driven_body.hpp"
#include "saltus/mechanics/planar_contacts.hpp"
#include "saltus/mechanics/rim_contact.hpp"
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

mechanics::Vector2 to_vector2(const Values& values, const char* where) {
  require(values.size() == 2, "{} has {} entries, expected 2", where, values.size());
  return values;
}

struct DiskOnLineFields {
  static constexpr std::string_view name = "DiskOnLine";
  Values normal = {0.0, 1.0};
  double offset = 0;
  double radius = 0;
  Values point = {0.0, 0.0};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"normal", "of the line, of length one"}, s.normal);
    visit(Field{"offset", "the half plane is normal·x <= offset [m]"}, s.offset);
    visit(Field{"radius", "of the disk [m]; 0: a corner of the body"}, s.radius);
    visit(Field{"point", "centre of the disk in the frame of the body [m]"}, s.point);
  }
  [[nodiscard]] mechanics::DiskOnLine relation() const {
    return {to_vector2(normal, "DiskOnLine: normal"), offset, radius,
            to_vector2(point, "DiskOnLine: point")};
  }
  void check() const { relation().prepare(); }
};

struct DiskContactFields {
  static constexpr std::string_view name = "DiskContact";
  double radius_0 = 1;
  double radius_1 = 1;
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"radius_0", "of the disk of the first body [m]"}, s.radius_0);
    visit(Field{"radius_1", "of the second [m]"}, s.radius_1);
  }
  [[nodiscard]] mechanics::DiskContact relation() const { return {radius_0, radius_1}; }
  void check() const { relation().prepare(); }
};

struct RimOnPlaneFields {
  static constexpr std::string_view name = "RimOnPlane";
  double radius = 1;
  Values normal = {0.0, 0.0, 1.0};
  double offset = 0;
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"radius", "of the rim [m]"}, s.radius);
    visit(Field{"normal", "of the plane, of length one"}, s.normal);
    visit(Field{"offset", "the half space is normal·x <= offset [m]"}, s.offset);
  }
  [[nodiscard]] mechanics::RimOnPlane relation() const {
    require(normal.size() == 3, "RimOnPlane: normal has {} entries, expected 3", normal.size());
    return {radius, normal, offset};
  }
  void check() const { relation().prepare(); }
};

/// x and the rotation vector as a pose.
Pose to_pose(const Vector& place, const char* where) {
  require(place.size() == 6, "{} has {} entries, expected position and rotation vector", where,
          place.size());
  return pose_of(positions_of(place.head<3>(), place.tail<3>()).data());
}

struct DrivenBodyFields {
  static constexpr std::string_view name = "DrivenBody";
  py::object motion = {};
  Values frame = {0.0, 0.0, 0.0, 0.0, 0.0, 0.0};
  template <class Self, class Visitor>
  static void fields(Self& s, Visitor&& visit) {
    visit(Field{"motion", "function motion(t) -> position and rotation vector, six numbers"},
          s.motion);
    visit(Field{"frame", "what follows it: position and rotation vector in the body"}, s.frame);
  }
  [[nodiscard]] mechanics::DrivenBody relation() const {
    mechanics::DrivenBody body{.frame = to_pose(frame, "DrivenBody: frame")};
    if (const auto place = to_motion(motion, "DrivenBody.motion"))
      body.motion = [place](double t) {
        Vector six(6);
        place(t, six);
        return to_pose(six, "DrivenBody.motion");
      };
    return body;
  }
  void check() const {
    if (motion && !motion.is_none()) relation().prepare();
  }
};

/// The relation in `object` if it is one of the types listed.
template <class... Fields>
std::optional<Relation> find_relation(const py::object& object) {
  std::optional<Relation> found;
  ((py::isinstance<Bound<Fields>>(object)
        ? void(found = unwrap(object.cast<const Bound<Fields>&>()).relation())
        : void()),
   ...);
  return found;
}

void bind_mechanics_relations(py::module_& m) {
  bind_options<DiskOnLineFields>(
      m,
      "Contact of a body of the plane with a line of the world: two rows, normal and tangent, the\n"
      "tangent being the normal turned by +90 degrees.\n\n"
      ">>> model.link((bodies, 0), saltus.DiskOnLine(radius=0.5), saltus.Coulomb(mu=0.3))");
  bind_options<DiskContactFields>(
      m,
      "Contact of two disks about the centres of two bodies of the plane: two rows, the normal "
      "from\nthe second to the first.\n\n"
      ">>> model.link((bodies, 0), (bodies, 1), saltus.DiskContact(radius_0=1, radius_1=2),\n"
      "...            saltus.Coulomb(mu=0.3))");
  bind_options<RimOnPlaneFields>(
      m,
      "Contact of the rim of a thin disk with a plane of the world: three rows, normal and two\n"
      "tangents, the first along the rim. The axis of the disk is z of the body.\n\n"
      ">>> model.link((bodies, 0), saltus.RimOnPlane(radius=0.1), saltus.Coulomb(mu=0.5))");
  bind_options<DrivenBodyFields>(
      m,
      "A rigid body whose pose follows a function of time, for the law Equality: six rows. The\n"
      "multiplier over h is the force and torque of the drive.\n\n"
      ">>> saltus.DrivenBody(motion=lambda t: [0, 0, math.sin(t), 0, 0, 0])");
}

}  // namespace

Relation to_relation(const py::object& object) {
  if (py::isinstance<Bound<LinearRelationFields>>(object))
    return static_cast<LinearRelation>(unwrap(object.cast<const Bound<LinearRelationFields>&>()));
  if (py::isinstance<Bound<FirstOrderLinearRelationFields>>(object))
    return static_cast<FirstOrderLinearRelation>(
        unwrap(object.cast<const Bound<FirstOrderLinearRelationFields>&>()));
  if (const auto found = find_relation<DrivenFields, DiskOnLineFields, DiskContactFields,
                                       RimOnPlaneFields, DrivenBodyFields>(object))
    return *found;
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
  bind_mechanics_relations(m);
}

}  // namespace saltus::python
