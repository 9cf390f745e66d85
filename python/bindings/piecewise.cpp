#include "saltus/inclusions/piecewise.hpp"
#include "inclusion_arguments.hpp"
#include "module.hpp"
#include "options.hpp"
#include "saltus/inclusions/filippov.hpp"
#include "saltus/inclusions/reachable_set.hpp"
#include "saltus/inclusions/switched.hpp"

#include <pybind11/stl.h>

namespace saltus::python {

namespace {

/// Rows of a list of vectors of equal size.
py::array rows_of(const std::vector<Vector>& list, Index width) {
  Matrix table(static_cast<Index>(list.size()), width);
  for (std::size_t i = 0; i < list.size(); ++i) table.row(static_cast<Index>(i)) = list[i];
  return copy(ConstMatrixRef(table));
}

Vector state_of(const PiecewiseAffineSystem& system, const py::object& x, const char* where) {
  const Vector at = to_vector(x, where);
  system.check(at.size());
  return at;
}

void bind_piecewise_affine(py::module_& m) {
  bind_options<AffineCell>(
      m,
      "One cell of a piecewise affine system:  x' = A x + a  where  G x ≥ g.\n\n"
      ">>> saltus.AffineCell(A=[[-1.0]], G=[[1.0]])  # where x ≥ 0");
  py::class_<PiecewiseAffineSystem> cls(
      m, "PiecewiseAffineSystem",
      "Piecewise affine system on a list of AffineCell that cover the space.\n\n"
      "model() takes it for an ordinary differential equation, which it is if the fields agree on\n"
      "the borders: require_continuous(). Otherwise filippov_fields() spans Filippov's set.");
  cls.def(
      py::init([](const py::list& cells) {
        PiecewiseAffineSystem system;
        for (const auto& cell : cells)
          system.cells.push_back(Converter<AffineCell>::from(cell, "PiecewiseAffineSystem: cells"));
        require(!system.cells.empty(), "PiecewiseAffineSystem: no cells");
        system.check(system.cells.front().A.rows());
        return system;
      }),
      py::arg("cells"), "__init__(self, cells)\n--\n\n");
  cls.def_property_readonly(
      "cells",
      [](const PiecewiseAffineSystem& s) {
        py::list list;
        for (const AffineCell& cell : s.cells) list.append(Converter<AffineCell>::to(cell));
        return list;
      },
      "list of AffineCell, copied");
  cls.def(
      "cells_at",
      [](const PiecewiseAffineSystem& s, const py::object& x, double tolerance) {
        return s.cells_at(state_of(s, x, "PiecewiseAffineSystem.cells_at: x"), tolerance);
      },
      py::arg("x"), py::arg("tolerance") = 1e-12,
      "cells_at($self, x, tolerance=1e-12)\n--\n\nNumbers of the cells whose closure holds x.");
  cls.def(
      "rate",
      [](const PiecewiseAffineSystem& s, const py::object& x) {
        return copy(ConstVectorRef(s.rate(to_vector(x, "PiecewiseAffineSystem.rate: x"))));
      },
      py::arg("x"), "rate($self, x)\n--\n\nThe field at x, of the first cell that holds it.");
  cls.def(
      "filippov_fields",
      [](const PiecewiseAffineSystem& s, const py::object& x, bool thin, double tolerance) {
        const Vector at = state_of(s, x, "PiecewiseAffineSystem.filippov_fields: x");
        return rows_of(s.filippov_fields(at, thin, tolerance), at.size());
      },
      py::arg("x"), py::arg("with_thin_cells") = false, py::arg("tolerance") = 1e-12,
      "filippov_fields($self, x, with_thin_cells=False, tolerance=1e-12)\n--\n\n"
      "The corners of Filippov's set at x, one per row: the fields of all cells that x borders "
      "on,\nwithout those of measure zero unless asked for.");
  cls.def(
      "require_continuous",
      [](const PiecewiseAffineSystem& s, const py::object& points, double tolerance) {
        const Matrix rows = to_matrix(points, "PiecewiseAffineSystem.require_continuous: points");
        s.check(rows.cols());
        s.require_continuous(Matrix(rows.transpose()), tolerance);
      },
      py::arg("points"), py::arg("tolerance") = 1e-9,
      "require_continuous($self, points, tolerance=1e-9)\n--\n\n"
      "Error, with the cells, if fields differ at one of the points, one per row, that cells "
      "share.");
  cls.def(
      "model",
      [](const PiecewiseAffineSystem& s, const py::object& x0) {
        return PythonModel{s.model(to_vector(x0, "PiecewiseAffineSystem.model: x0"))};
      },
      py::arg("x0"), "model($self, x0)\n--\n\nThe Model of x' = rate(x) from x0.");
}

void bind_switched(py::module_& m) {
  m.def(
      "switched_system",
      [](const py::object& x0, const py::list& fields, const py::object& times,
         std::vector<Index> modes) {
        SwitchedSystem system{.x0 = to_vector(x0, "switched_system: x0"),
                              .times = to_vector(times, "switched_system: times"),
                              .modes = std::move(modes)};
        for (const auto& f : fields) {
          const auto function = py::reinterpret_borrow<py::object>(f);
          system.fields.push_back(time_field(function, "switched_system: fields"));
          require(static_cast<bool>(system.fields.back()),
                  "switched_system: field {} is None, expected a function of (t, x)",
                  system.fields.size() - 1);
        }
        return PythonModel{system.model()};
      },
      py::arg("x0"), py::arg("fields"), py::arg("times"), py::arg("modes"),
      "switched_system(x0, fields, times, modes)\n--\n\n"
      "The model of  x' = fields[σ(t)](t, x):  σ is modes[0] until times[0], then modes[1], …\n"
      "There is one mode more than times. Steps that end at the times keep the order.");
  py::class_<ImpulsiveSystem> cls(
      m, "ImpulsiveSystem",
      "Impulsive system  x' = f(t, x) + g(x) u'  with an input u that jumps by jumps[k] at "
      "times[k].\n\n"
      "A jump carries x along the flow of z' = g(z) over the length of the jump: the limit of\n"
      "smooth inputs, which x + g(x) Δu is not. rate(t) is u' between the jumps.\n\n"
      ">>> grow = saltus.ImpulsiveSystem([1.0], g=lambda x: x, times=[1.0], jumps=[1.0])\n"
      ">>> grow.solve(2.0, 0.1)  # e, not 2");
  cls.def(py::init([](const py::object& x0, const py::object& g, const py::object& f,
                      const py::object& rate, const py::object& times, const py::object& jumps) {
            ImpulsiveSystem system{.x0 = to_vector(x0, "ImpulsiveSystem: x0"),
                                   .f = time_field(f, "ImpulsiveSystem: f"),
                                   .rate = time_number(rate, "ImpulsiveSystem: rate"),
                                   .times = optional_values(times, "ImpulsiveSystem: times"),
                                   .jumps = optional_values(jumps, "ImpulsiveSystem: jumps")};
            system.g = state_vector(g, "ImpulsiveSystem: g");
            return system;
          }),
          py::arg("x0"), py::arg("g"), py::arg("f") = py::none(), py::arg("rate") = py::none(),
          py::arg("times") = py::none(), py::arg("jumps") = py::none(),
          "__init__(self, x0, g, f=None, rate=None, times=None, jumps=None)\n--\n\n");
  cls.def(
      "model", [](const ImpulsiveSystem& s) { return PythonModel{s.model()}; },
      "model($self)\n--\n\nThe Model between the jumps, from x0.");
  cls.def(
      "after_jump",
      [](const ImpulsiveSystem& s, const py::object& x, double jump, int steps) {
        return copy(ConstVectorRef(
            s.after_jump(to_vector(x, "ImpulsiveSystem.after_jump: x"), jump, steps)));
      },
      py::arg("x"), py::arg("jump"), py::arg("steps") = 100,
      "after_jump($self, x, jump, steps=100)\n--\n\nThe state that x jumps to.");
  cls.def(
      "solve",
      [](const ImpulsiveSystem& s, double end, double step) {
        return copy(ConstVectorRef(s.solve(end, step)));
      },
      py::arg("end"), py::arg("step"),
      "solve($self, end, step)\n--\n\n"
      "x(end): smooth pieces and jumps one after the other, by Runge-Kutta of order 4.");
}

void bind_reachable(py::module_& m) {
  py::class_<ReachableSet> cls(
      m, "ReachableSet",
      "Reachable sets of the linear inclusion  x' ∈ A(t) x + B(t) U  from the states x0 + X0, in\n"
      "steps of second order. U and X0 are convex sets, A and B matrices or functions of t.\n\n"
      ">>> ship = saltus.ReachableSet([[0, 1], [0, 0]], [[0], [1]], x0=[1.0, 0.0])\n"
      ">>> ship.box(1.0, 100)  # lower and upper bound of each state");
  cls.def(py::init([](const py::object& A, const py::object& B, const py::object& U,
                      const py::object& X0, const py::object& x0) {
            ReachableSet set{.x0 = optional_values(x0, "ReachableSet: x0")};
            const auto sample = [](const py::object& object, const char* where) {
              return to_matrix(PyCallable_Check(object.ptr()) != 0 ? object(0.0) : object, where);
            };
            set.n = sample(A, "ReachableSet: A").rows();
            set.m = sample(B, "ReachableSet: B").cols();
            set.A = time_matrix(A, "ReachableSet: A");
            set.B = time_matrix(B, "ReachableSet: B");
            if (!U.is_none()) set.U = to_set(U, "ReachableSet: U");
            if (!X0.is_none()) set.X0 = to_set(X0, "ReachableSet: X0");
            return set;
          }),
          py::arg("A"), py::arg("B"), py::arg("U") = py::none(), py::arg("X0") = py::none(),
          py::arg("x0") = py::none(), "__init__(self, A, B, U=None, X0=None, x0=None)\n--\n\n");
  cls.def(
      "support",
      [](const ReachableSet& s, const py::object& d, double end, int steps) -> py::object {
        const Array directions = to_array(d, "ReachableSet.support: d");
        if (directions.ndim() <= 1)
          return py::float_(s.support(to_vector(d, "ReachableSet.support: d"), end, steps));
        const Matrix rows = to_matrix(d, "ReachableSet.support: d");
        Vector found(rows.rows());
        for (Index i = 0; i < rows.rows(); ++i)
          found[i] = s.support(Vector(rows.row(i)), end, steps);
        return copy(ConstVectorRef(found));
      },
      py::arg("d"), py::arg("end"), py::arg("steps"),
      "support($self, d, end, steps)\n--\n\n"
      "sup d·x over the states that can be reached at t = end; d one direction, or one per row.");
  cls.def(
      "box",
      [](const ReachableSet& s, double end, int steps) {
        return copy(ConstMatrixRef(s.box(end, steps)));
      },
      py::arg("end"), py::arg("steps"),
      "box($self, end, steps)\n--\n\nThe smallest box around the set: rows (lower, upper).");
}

void bind_surfaces(py::module_& m) {
  py::enum_<Surface>(m, "Surface", "What a surface does to solutions that meet it.")
      .value("crossing_up", Surface::crossing_up, "into c > 0")
      .value("crossing_down", Surface::crossing_down, "into c < 0")
      .value("sliding", Surface::sliding, "both fields point to it")
      .value("repulsive", Surface::repulsive, "both fields leave it: solutions are not unique");
  m.def(
      "surface_kind", [](double above, double below) { return classify(above, below); },
      py::arg("above"), py::arg("below"),
      "surface_kind(above, below)\n--\n\n"
      "The Surface c = 0 for the rates c' of the fields above and below it.");
  m.def("sliding_share", &sliding_share, py::arg("above"), py::arg("below"),
        "sliding_share(above, below)\n--\n\n"
        "α of the field α f⁺ + (1−α) f⁻ that slides, from the rates c' of f⁺ and f⁻.");
  m.def(
      "product_shares",
      [](double s1, double s2) {
        const auto shares = product_shares(s1, s2);
        return copy(ConstVectorRef(Eigen::Map<const Vector>(shares.data(), 4)));
      },
      py::arg("s1"), py::arg("s2"),
      "product_shares(s1, s2)\n--\n\n"
      "Shares of the fields of the regions (+,−), (−,−), (−,+), (+,+) of two surfaces for\n"
      "selections s1, s2 of their signs.");
}

void bind_regions(py::module_& m) {
  py::class_<Regions>(m, "Regions",
                      "Regions of the signs of some surfaces c: row i of `signs` are those of "
                      "region i.\n\n"
                      "x lies in the region whose discriminant h_i = −Σ signs[i, j] c_j is least.")
      .def(py::init([](const py::object& signs) {
             return Regions{.signs = to_matrix(signs, "Regions: signs")};
           }),
           py::arg("signs"), "__init__(self, signs)\n--\n\n")
      .def(
          "discriminants",
          [](const Regions& r, const py::object& c) {
            return copy(ConstVectorRef(
                r.discriminants(to_point(c, r.signs.cols(), "Regions.discriminants: c"))));
          },
          py::arg("c"), "discriminants($self, c)\n--\n\nh_i for the values c of the surfaces.")
      .def(
          "region",
          [](const Regions& r, const py::object& c) {
            return r.region(to_point(c, r.signs.cols(), "Regions.region: c"));
          },
          py::arg("c"), "region($self, c)\n--\n\nThe number of the region that c lies in.");
  py::class_<ActiveRegions>(
      m, "ActiveRegions",
      "Regions that meet at a point, by the gradients of their discriminants, one per row, and\n"
      "their fields, one per column: M = normals @ fields decides how solutions go on.\n\n"
      "They are the solutions ẑ of the Lcp(lcp_matrix(α), −1), with the regions ẑ_i > 0 active.")
      .def(py::init([](const py::object& normals, const py::object& fields) {
             const Matrix n = to_matrix(normals, "ActiveRegions: normals"),
                          f = to_matrix(fields, "ActiveRegions: fields");
             require(n.cols() == f.rows() && n.rows() == f.cols() && n.rows() > 0,
                     "ActiveRegions: normals is {}×{}, fields is {}×{}, expected k×n and n×k",
                     n.rows(), n.cols(), f.rows(), f.cols());
             return ActiveRegions(n, f);
           }),
           py::arg("normals"), py::arg("fields"), "__init__(self, normals, fields)\n--\n\n")
      .def_property_readonly(
          "M", [](const ActiveRegions& a) { return copy(ConstMatrixRef(a.M)); },
          "rates of the discriminants, ∇h_i · f_j")
      .def("shift", &ActiveRegions::shift,
           "shift($self)\n--\n\nAn α for which lcp_matrix(α) has positive entries.")
      .def(
          "lcp_matrix",
          [](const ActiveRegions& a, double alpha) {
            return copy(ConstMatrixRef(a.lcp_matrix(alpha)));
          },
          py::arg("alpha"), "lcp_matrix($self, alpha)\n--\n\nM + α, entry by entry.")
      .def(
          "shares",
          [](const ActiveRegions& a, const py::object& alpha) {
            return copy(ConstVectorRef(a.shares(
                alpha.is_none() ? a.shift() : Converter<double>::from(alpha, "shares: alpha"))));
          },
          py::arg("alpha") = py::none(),
          "shares($self, alpha=None)\n--\n\n"
          "Shares of the fields in the one that slides where all these regions stay active; they\n"
          "do not depend on α. Error if they are not unique.")
      .def(
          "reduced", [](const ActiveRegions& a) { return copy(ConstMatrixRef(a.reduced())); },
          "reduced($self)\n--\n\nM with the last region taken as the zero of all others.")
      .def("regular", &ActiveRegions::regular,
           "regular($self)\n--\n\nThe shares are unique: reduced() is regular.");
}

}  // namespace

void bind_piecewise(py::module_& m) {
  bind_piecewise_affine(m);
  bind_switched(m);
  bind_reachable(m);
  bind_surfaces(m);
  bind_regions(m);
}

}  // namespace saltus::python
