#include "mechanics_tools.hpp"

#include "options.hpp"
#include "saltus/integrators/vibro_impact.hpp"
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

template <class Choice>
Choice choose(const std::string& given, const char* argument,
              const std::vector<std::pair<std::string, Choice>>& choices) {
  std::string known;
  for (const auto& [name, choice] : choices) {
    if (given == name) return choice;
    known += (known.empty() ? "" : ", ") + name;
  }
  fail("vibro_impact: {} is '{}', expected one of {}", argument, given, known);
}

VibroImpactMotion vibro_impact(double x, double v, double end, int steps, double a, double omega,
                               double x_max, double e, const py::object& f,
                               const std::string& method, const std::string& impact_time,
                               int most_impacts) {
  VibroImpactOscillator oscillator{.a = a, .omega = omega, .x_max = x_max, .e = e};
  if (!f.is_none()) oscillator.f = [f](double t) { return py::float_(f(t)).cast<double>(); };
  const VibroImpactScheme scheme{
      .method = choose<SmoothMethod>(
          method, "method",
          {{"runge_kutta", SmoothMethod::runge_kutta}, {"newmark", SmoothMethod::newmark}}),
      .impact_time = choose<ImpactTime>(impact_time, "impact_time",
                                        {{"linear", ImpactTime::linear},
                                         {"quadratic", ImpactTime::quadratic},
                                         {"dichotomy", ImpactTime::dichotomy}}),
      .most_impacts = most_impacts};
  return integrate(oscillator, x, v, end, steps, scheme);
}

void bind_vibro_impact(py::module_& m) {
  using Motion = VibroImpactMotion;
  py::class_<Motion>(m, "VibroImpactMotion", "Motion of an oscillator with a stop.")
      .def_property_readonly(
          "t", [](const Motion& r) { return copy(ConstVectorRef(r.t)); }, "ends of the steps [s]")
      .def_property_readonly(
          "x", [](const Motion& r) { return copy(ConstVectorRef(r.x)); }, "positions [m]")
      .def_property_readonly(
          "v", [](const Motion& r) { return copy(ConstVectorRef(r.v)); }, "velocities [m/s]")
      .def_property_readonly(
          "impacts",
          [](const Motion& r) {
            const Vector times =
                Eigen::Map<const Vector>(r.impacts.data(), Index(r.impacts.size()));
            return copy(ConstVectorRef(times));
          },
          "times of the impacts [s]")
      .def("__repr__", [](const Motion& r) {
        return fmt::format("<VibroImpactMotion: {} steps, {} impacts>", r.t.size() - 1,
                           r.impacts.size());
      });
  m.def("vibro_impact", &vibro_impact, py::arg("x"), py::arg("v"), py::arg("end"), py::arg("steps"),
        py::kw_only(), py::arg("a") = 0.0, py::arg("omega") = 1.0, py::arg("x_max") = 1.0,
        py::arg("e") = 1.0, py::arg("f") = py::none(), py::arg("method") = "runge_kutta",
        py::arg("impact_time") = "dichotomy", py::arg("most_impacts") = 10,
        "vibro_impact(x, v, end, steps, *, a=0.0, omega=1.0, x_max=1.0, e=1.0, f=None, "
        "method='runge_kutta', impact_time='dichotomy', most_impacts=10)\n--\n\n"
        "x'' + 2a x' + ω² x = f(t) − λ,  0 ≤ λ ⟂ x_max − x ≥ 0,  x' → −e x' at the stop: from (x, "
        "v)\n"
        "at time 0, event by event. `method` between impacts: runge_kutta, newmark; `impact_time` "
        "by\n"
        "the line (order 2), the parabola (3) or dichotomy (4): linear, quadratic, dichotomy.\n\n"
        ">>> run = saltus.vibro_impact(-1.0, 0.0, 3.2, 200, omega=np.pi, x_max=0.5, e=0.8)\n"
        ">>> plt.plot(run.t, run.x)");
}

}  // namespace

void bind_mechanics_tools(py::module_& m) {
  using Corners = std::vector<Eigen::Vector2d>;
  bind_cohesive_zone(m);
  bind_vibro_impact(m);
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
