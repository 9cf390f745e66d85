#include "elastic.hpp"

#include "callbacks.hpp"
#include "model.hpp"
#include "module.hpp"
#include "options.hpp"
#include "saltus/mechanics/elastic/node_contacts.hpp"

#include <pybind11/eigen.h>
#include <pybind11/stl.h>

namespace saltus::python {

std::vector<Index> to_indices(const py::object& object, const std::string& where) {
  std::vector<Index> list;
  if (!object || object.is_none()) return list;
  for (const py::handle entry : py::iter(object)) {
    if (!PyIndex_Check(entry.ptr())) wrong_type(where, "a list of integers", object);
    list.push_back(entry.cast<Index>());
  }
  return list;
}

namespace {

using mechanics::ElasticBody;
using mechanics::ElementKind;
using mechanics::Mesh;

ElementKind kind_of(const std::string& text) {
  for (const ElementKind kind :
       {ElementKind::bar, ElementKind::triangle, ElementKind::quad, ElementKind::brick})
    if (text == mechanics::name(kind)) return kind;
  fail("Mesh: kind is '{}', expected bar, triangle, quad or brick", text);
}

Eigen::MatrixXi to_elements(const py::object& object) {
  return to_matrix(object, "Mesh: elements").cast<int>();
}

void bind_mesh(py::module_& m) {
  py::class_<Mesh> cls(m, "Mesh",
                       "Finite elements: nodes, one per row, and the nodes of each element.\n\n"
                       "kind is bar (2 nodes, in 1 to 3 dimensions), triangle or quad (in the "
                       "plane,\ncounterclockwise) or brick (8 nodes: bottom, then top). box_mesh() "
                       "makes one of a box.");
  cls.def(
      py::init([](const std::string& kind, const py::object& nodes, const py::object& elements) {
        Mesh mesh{kind_of(kind), Matrix(to_matrix(nodes, "Mesh: nodes")), to_elements(elements)};
        mesh.check();
        return mesh;
      }),
      py::arg("kind"), py::arg("nodes"), py::arg("elements"),
      "__init__(self, kind, nodes, elements)\n--\n\n");
  cls.def_property_readonly(
      "kind", [](const Mesh& mesh) { return mechanics::name(mesh.kind); }, "of the elements");
  cls.def_property_readonly(
      "nodes", [](const Mesh& mesh) { return copy(ConstMatrixRef(mesh.nodes)); },
      "positions, copied");
  cls.def_property_readonly(
      "elements", [](const Mesh& mesh) { return mesh.elements; }, "numbers of nodes, copied");
  cls.def(
      "nodes_on",
      [](const Mesh& mesh, Index axis, double value) { return mesh.nodes_on(axis, value); },
      py::arg("axis"), py::arg("value"),
      "nodes_on($self, axis, value)\n--\n\nNumbers of the nodes with x[axis] = value.");
  cls.def("__repr__", [](const Mesh& mesh) {
    return fmt::format("<Mesh: {} nodes, {} elements {}>", mesh.node_count(), mesh.element_count(),
                       mechanics::name(mesh.kind));
  });
  m.def(
      "box_mesh",
      [](const std::string& kind, const py::object& lengths, const py::object& divisions,
         const py::object& origin) {
        return mechanics::box_mesh(kind_of(kind), to_vector(lengths, "box_mesh: lengths"),
                                   to_indices(divisions, "box_mesh: divisions"),
                                   to_vector(origin, "box_mesh: origin"));
      },
      py::arg("kind"), py::arg("lengths"), py::arg("divisions"), py::kw_only(),
      py::arg("origin") = py::none(),
      "box_mesh(kind, lengths, divisions, *, origin=None)\n--\n\n"
      "A box cut into equal elements; nodes are numbered along x, then y, then z.\n\n"
      ">>> mesh = saltus.box_mesh(\"brick\", [1.0, 1.0, 1.0], [4, 4, 4])");
}

ElasticBody make_body(const Mesh& mesh, double young, double poisson, double density,
                      double section, bool plane_stress, bool finite_strains, bool lumped,
                      double damping_mass, double damping_stiffness, const py::object& gravity,
                      const py::object& held, const py::object& motion) {
  ElasticBody body{.mesh = mesh,
                   .young = young,
                   .poisson = poisson,
                   .density = density,
                   .section = section,
                   .plane_stress = plane_stress,
                   .finite_strains = finite_strains,
                   .lumped = lumped,
                   .damping_mass = damping_mass,
                   .damping_stiffness = damping_stiffness,
                   .gravity = to_vector(gravity, "ElasticBody: gravity"),
                   .held = to_indices(held, "ElasticBody: held")};
  if (!motion.is_none()) body.motion = Callback(motion, "ElasticBody.motion");
  body.check();
  return body;
}

void bind_matrices(py::class_<ElasticBody>& cls) {
  cls.def("mass", &ElasticBody::mass, "mass($self)\n--\n\nMass of the body [kg].");
  cls.def("mass_matrix", &ElasticBody::mass_matrix,
          "mass_matrix($self)\n--\n\nConsistent or lumped, as a SciPy sparse matrix.");
  cls.def("stiffness_matrix", &ElasticBody::stiffness_matrix,
          "stiffness_matrix($self)\n--\n\nOf small strains, as a SciPy sparse matrix.");
  cls.def(
      "weight", [](const ElasticBody& body) { return copy(ConstVectorRef(body.weight())); },
      "weight($self)\n--\n\nForces of gravity at the nodes [N].");
  cls.def(
      "dofs",
      [](const ElasticBody& body, const py::object& nodes, Index axis) {
        return body.dofs(to_indices(nodes, "ElasticBody.dofs: nodes"), axis);
      },
      py::arg("nodes"), py::arg("axis") = -1,
      "dofs($self, nodes, axis=-1)\n--\n\n"
      "Degrees of freedom of nodes, all or along one axis: for `held`.");
  cls.def(
      "stresses",
      [](const ElasticBody& body, const py::object& q) {
        return copy(ConstMatrixRef(mechanics::stresses(body, to_vector(q, "stresses: q"))));
      },
      py::arg("q"),
      "stresses($self, q)\n--\n\n"
      "Stresses of small strains, the mean of each element [Pa]: one row S11 S22 S33 S12 S13 S23\n"
      "(S11 S22 S12 in the plane, S along a bar).");
}

void bind_body(py::module_& m) {
  py::class_<ElasticBody> cls(
      m, "ElasticBody",
      "An elastic body of finite elements:  M q'' + C q' + F(q) = weight + p.\n\n"
      "q are the displacements of the nodes, node after node; an interaction names a node as a\n"
      "pair (id, node). C = damping_mass M + damping_stiffness K. `held` degrees of freedom stand\n"
      "still, or move with the velocities motion(t, z).\n\n"
      "    young             modulus [Pa]\n    poisson           ratio\n"
      "    density           [kg/m³]\n    section           of a bar [m²], thickness of a plane "
      "body [m]\n    plane_stress      no stress across a plane body, else no strain\n"
      "    finite_strains    any strains and rotations, else small ones\n"
      "    lumped            mass at the nodes\n\n"
      ">>> mesh = saltus.box_mesh(\"quad\", [0.4, 0.2], [8, 4])\n"
      ">>> body = saltus.ElasticBody(mesh, young=1e7, density=2000, gravity=[0.0, -9.81])\n"
      ">>> block = model.add(body, q=np.zeros(body.dof))\n"
      ">>> saltus.link_plane(model, block, body, mesh.nodes_on(1, 0.0), [0.0, 1.0], 0.0,\n"
      "...                   saltus.Coulomb(mu=0.5))");
  cls.def(py::init(&make_body), py::arg("mesh"), py::kw_only(), py::arg("young") = 1.0,
          py::arg("poisson") = 0.0, py::arg("density") = 1.0, py::arg("section") = 1.0,
          py::arg("plane_stress") = false, py::arg("finite_strains") = false,
          py::arg("lumped") = false, py::arg("damping_mass") = 0.0,
          py::arg("damping_stiffness") = 0.0, py::arg("gravity") = py::none(),
          py::arg("held") = py::none(), py::arg("motion") = py::none(),
          "__init__(self, mesh, *, young=1.0, poisson=0.0, density=1.0, section=1.0, "
          "plane_stress=False, finite_strains=False, lumped=False, damping_mass=0.0, "
          "damping_stiffness=0.0, gravity=None, held=None, motion=None)\n--\n\n");
  cls.def_property_readonly(
      "mesh", [](const ElasticBody& body) { return body.mesh; }, "its mesh, copied");
  cls.def_property_readonly("dof", &ElasticBody::dof, "degrees of freedom");
  cls.def_readonly("held", &ElasticBody::held, "degrees of freedom that are held, copied");
  bind_matrices(cls);
  cls.def("__repr__", [](const ElasticBody& body) {
    return fmt::format("<ElasticBody: {} nodes, {} elements {}>", body.mesh.node_count(),
                       body.mesh.element_count(), mechanics::name(body.mesh.kind));
  });
}

void bind_contacts(py::module_& m) {
  m.def(
      "link_plane",
      [](PythonModel& model, SystemId system, const ElasticBody& body, const py::object& nodes,
         const py::object& normal, double offset, const py::object& law, const std::string& name) {
        return mechanics::link_plane(model.model, system, body,
                                     to_indices(nodes, "link_plane: nodes"),
                                     to_vector(normal, "link_plane: normal"), offset,
                                     Converter<Law>::from(law, "link_plane: law"), name);
      },
      py::arg("model"), py::arg("system"), py::arg("body"), py::arg("nodes"), py::arg("normal"),
      py::arg("offset"), py::arg("law"), py::kw_only(), py::arg("name") = "plane",
      "link_plane(model, system, body, nodes, normal, offset, law, *, name='plane')\n--\n\n"
      "Contacts of nodes of an elastic body with the half space normal·x <= offset: NewtonImpact\n"
      "has the normal row alone, a law of friction all. Returns the ids, one per node.");
  m.def(
      "link_sides",
      [](PythonModel& model, SystemId system, const ElasticBody& body, const py::object& nodes,
         SystemId other, const ElasticBody& other_body, const py::object& other_nodes,
         const py::object& normal, const py::object& law, const std::string& name) {
        return mechanics::link_sides(model.model, system, body,
                                     to_indices(nodes, "link_sides: nodes"), other, other_body,
                                     to_indices(other_nodes, "link_sides: other_nodes"),
                                     to_vector(normal, "link_sides: normal"),
                                     Converter<Law>::from(law, "link_sides: law"), name);
      },
      py::arg("model"), py::arg("system"), py::arg("body"), py::arg("nodes"), py::arg("other"),
      py::arg("other_body"), py::arg("other_nodes"), py::arg("normal"), py::arg("law"),
      py::kw_only(), py::arg("name") = "sides",
      "link_sides(model, system, body, nodes, other, other_body, other_nodes, normal, law, *, "
      "name='sides')\n--\n\n"
      "Contacts of nodes of one elastic body with flat sides of another, made of other_nodes, "
      "under\nsmall displacements; the normal points from the sides to the nodes.");
}

}  // namespace

std::optional<System> elastic_system(const py::object& object) {
  if (!py::isinstance<ElasticBody>(object)) return std::nullopt;
  return object.cast<const ElasticBody&>().system();
}

void bind_elastic(py::module_& m) {
  bind_mesh(m);
  bind_body(m);
  bind_contacts(m);
}

}  // namespace saltus::python
