#include "mechanics_tools.hpp"

#include "options.hpp"
#include "saltus/mechanics/cohesive_zone.hpp"
#include "saltus/mechanics/collision/polygon.hpp"

namespace saltus::python {

namespace {

using mechanics::CohesiveZone;
using Zone = Bound<CohesiveZone>;

/// β, of which a mistake would grow unseen.
double adhesion_of(double beta) {
  require(beta >= 0 && beta <= 1, "CohesiveZone: beta is {}, expected 0 <= beta <= 1", beta);
  return beta;
}

void bind_cohesive_zone(py::module_& m) {
  auto cls = bind_options<CohesiveZone>(
      m,
      "Cohesive zone with adhesion β in [0, 1] that damage reduces:  R = −β² c g,\n"
      "β' = −[(w − β G + k Δβ)⁻/b]^(1/p)  with  G = c_N g² + c_T g_T²;  for b = 0 β falls so that\n"
      "β G ≤ w + k Δβ.\n\n"
      "β is a parameter z of the system that the interface pulls at:\n\n"
      ">>> zone = saltus.CohesiveZone(c_N=1e3, w=0.05)\n"
      ">>> beta = zone.adhesion(1.0, g=0.02, g_T=0.0, h=1e-3)");
  cls.def(
      "adhesion",
      [](const Zone& self, double beta, double g, double g_T, double h) {
        require(h > 0, "CohesiveZone: h is {}, expected > 0", h);
        return self.value.adhesion(adhesion_of(beta), g, g_T, h);
      },
      py::arg("beta"), py::arg("g"), py::arg("g_T"), py::arg("h"),
      "adhesion(self, beta, g, g_T, h)\n--\n\n"
      "β at the end of a step h [s] with the opening g and the slip g_T there [m].");
  cls.def(
      "adhesion_along",
      [](const Zone& self, const py::object& beta, const py::object& g, const py::object& g_T,
         double spacing, double h) {
        require(h > 0, "CohesiveZone: h is {}, expected > 0", h);
        const Vector start = to_vector(beta, "CohesiveZone: beta");
        for (const double value : start) adhesion_of(value);
        const Vector end =
            self.value.adhesion_along(start, to_vector(g, "CohesiveZone: g"),
                                      to_vector(g_T, "CohesiveZone: g_T"), spacing, h);
        return copy(ConstVectorRef(end));
      },
      py::arg("beta"), py::arg("g"), py::arg("g_T"), py::arg("spacing"), py::arg("h"),
      "adhesion_along(self, beta, g, g_T, spacing, h)\n--\n\n"
      "The same for points along an interface, `spacing` [m] apart: k weighs the gradient of β.");
  cls.def(
      "normal_force",
      [](const Zone& self, double beta, double g) {
        return self.value.normal_force(adhesion_of(beta), g);
      },
      py::arg("beta"), py::arg("g"),
      "normal_force(self, beta, g)\n--\n\nR_N [N]; 0 for a closed contact.");
  cls.def(
      "tangential_force",
      [](const Zone& self, double beta, double g_T) {
        return self.value.tangential_force(adhesion_of(beta), g_T);
      },
      py::arg("beta"), py::arg("g_T"), "tangential_force(self, beta, g_T)\n--\n\nR_T [N]");
  cls.def(
      "energy",
      [](const Zone& self, double beta, double g, double g_T) {
        return self.value.energy(adhesion_of(beta), g, g_T);
      },
      py::arg("beta"), py::arg("g"), py::arg("g_T"),
      "energy(self, beta, g, g_T)\n--\n\nEnergy held by the interface, ½ β² G [J].");
}

/// The corners of a polygon, an array of n rows of two numbers.
std::vector<Eigen::Vector2d> corners(const py::object& polygon, const char* who) {
  const Matrix rows = to_matrix(polygon, std::string(who) + ": polygon");
  require(rows.rows() >= 3 && rows.cols() == 2,
          "{}: polygon is {}x{}, expected at least 3 corners of 2 numbers", who, rows.rows(),
          rows.cols());
  std::vector<Eigen::Vector2d> list;
  for (Index i = 0; i < rows.rows(); ++i) list.emplace_back(rows(i, 0), rows(i, 1));
  return list;
}

Eigen::Vector2d point_of(const py::object& point, const char* who) {
  const Vector x = to_vector(point, std::string(who) + ": point");
  require(x.size() == 2, "{}: point has {} entries, expected 2", who, x.size());
  return x;
}

/// m.name(polygon, point)
template <class Function>
void bind_polygon(py::module_& m, const char* name, const char* doc, Function function) {
  m.def(
      name,
      [name, function](const py::object& polygon, const py::object& point) {
        return function(corners(polygon, name), point_of(point, name));
      },
      py::arg("polygon"), py::arg("point"), doc);
}

}  // namespace

void bind_mechanics_tools(py::module_& m) {
  using Corners = std::vector<Eigen::Vector2d>;
  bind_cohesive_zone(m);
  bind_polygon(m, "angle_sum",
               "angle_sum(polygon, point)\n--\n\n"
               "Sum of the signed angles under which the edges are seen from the point: ±2π "
               "inside, 0 outside.",
               [](const Corners& polygon, const Eigen::Vector2d& point) {
                 return mechanics::angle_sum(polygon, point);
               });
  bind_polygon(m, "ray_crossings",
               "ray_crossings(polygon, point)\n--\n\n"
               "Edges that the ray from the point along +x crosses: odd inside, even outside.",
               [](const Corners& polygon, const Eigen::Vector2d& point) {
                 return mechanics::ray_crossings(polygon, point);
               });
  bind_polygon(m, "polygon_contains",
               "polygon_contains(polygon, point)\n--\n\n"
               "The point lies in the polygon, convex or not, given by its corners in order.",
               [](const Corners& polygon, const Eigen::Vector2d& point) {
                 return mechanics::contains(polygon, point);
               });
}

}  // namespace saltus::python
