#include "saltus/io/fclib.hpp"

#include "module.hpp"
#include "problem_types.hpp"

#include <pybind11/stl.h>

namespace saltus::python {

namespace {

using FclibProblem = decltype(FclibFile::problem);

FclibProblem to_fclib_problem(const py::object& object) {
  std::optional<FclibProblem> found;
  const auto take = [&]<class P>(const P*) {
    if (!py::isinstance<Stored<P>>(object)) return;
    const P& problem = object.cast<const Stored<P>&>().problem;
    validate(problem);
    found = problem;
  };
  take(static_cast<const FrictionContact*>(nullptr));
  take(static_cast<const GlobalFrictionContact*>(nullptr));
  take(static_cast<const GlobalBlockForm*>(nullptr));
  take(static_cast<const BlockForm*>(nullptr));
  if (!found)
    wrong_type("FclibFile: problem",
               "FrictionContact, GlobalFrictionContact, GlobalBlockForm or BlockForm", object);
  return *found;
}

py::object problem_of(const FclibFile& file) {
  return std::visit(
      []<class P>(const P& p) -> py::object {
        return py::cast(Stored<P>{p, false});
      },
      file.problem);
}

/// One entry per row of the problem.
Index rows_of(const FclibFile& file) {
  return std::visit(
      []<class P>(const P& p) {
        if constexpr (std::is_same_v<P, FrictionContact> || std::is_same_v<P, BlockForm>)
          return p.q.size();
        else
          return p.w.size();
      },
      file.problem);
}

void bind_point(py::module_& m) {
  const auto part = [](Vector FclibPoint::*member) {
    return [member](const FclibPoint& p) { return copy(ConstVectorRef(p.*member)); };
  };
  py::class_<FclibPoint>(m, "FclibPoint",
                         "A guess or a solution in an FCLib file; what is not stored is empty.")
      .def(py::init([](const py::object& r, const py::object& u, const py::object& v,
                       const py::object& l) {
             return FclibPoint{to_vector(v, "FclibPoint: v"), to_vector(u, "FclibPoint: u"),
                               to_vector(r, "FclibPoint: r"), to_vector(l, "FclibPoint: l")};
           }),
           py::kw_only(), py::arg("r") = py::none(), py::arg("u") = py::none(),
           py::arg("v") = py::none(), py::arg("l") = py::none(),
           "__init__(self, *, r=None, u=None, v=None, l=None)\n--\n\n")
      .def_property_readonly("r", part(&FclibPoint::r), "reactions, copied")
      .def_property_readonly("u", part(&FclibPoint::u),
                             "relative velocities at the contacts, copied")
      .def_property_readonly("v", part(&FclibPoint::v), "velocities of a global problem, copied")
      .def_property_readonly("l", part(&FclibPoint::l), "multipliers of the bilateral rows, copied")
      .def("__repr__", [](const FclibPoint& p) {
        return fmt::format("<FclibPoint: r of size {}>", p.r.size());
      });
}

void bind_file(py::module_& m) {
  py::class_<FclibFile>(
      m, "FclibFile",
      "What a file of the collection FCLib holds: a FrictionContact, a GlobalFrictionContact, or\n"
      "a block form of contacts followed by bilateral rows; texts, guesses and a solution.")
      .def(py::init([](const py::object& problem, std::string title, std::string description,
                       std::string math_info, std::vector<FclibPoint> guesses,
                       std::optional<FclibPoint> solution) {
             return FclibFile{to_fclib_problem(problem), std::move(title),   std::move(description),
                              std::move(math_info),      std::move(guesses), std::move(solution)};
           }),
           py::arg("problem"), py::kw_only(), py::arg("title") = "", py::arg("description") = "",
           py::arg("math_info") = "", py::arg("guesses") = std::vector<FclibPoint>{},
           py::arg("solution") = py::none(),
           "__init__(self, problem, *, title='', description='', math_info='', guesses=[], "
           "solution=None)\n--\n\n")
      .def_property_readonly("problem", &problem_of, "the problem, copied")
      .def_readonly("title", &FclibFile::title, "of the problem")
      .def_readonly("description", &FclibFile::description, "where it comes from")
      .def_readonly("math_info", &FclibFile::math_info, "remarks on the matrices")
      .def_readonly("guesses", &FclibFile::guesses, "list of FclibPoint, copied")
      .def_readonly("solution", &FclibFile::solution,
                    "FclibPoint or None, copied; judge it with friction_errors")
      .def(
          "point",
          [](const FclibFile& file, const py::object& r) {
            return fclib_point(file, to_point(r, rows_of(file), "point: r"));
          },
          py::arg("r"),
          "point($self, r)\n--\n\nThe FclibPoint that belongs to r, one entry per row.")
      .def("__repr__",
           [](const FclibFile& file) { return fmt::format("<FclibFile: '{}'>", file.title); });
}

}  // namespace

void bind_fclib(py::module_& m) {
  bind_point(m);
  bind_file(m);
  m.def(
      "read_fclib", [](const py::object& path) { return read_fclib(to_path(path)); },
      py::arg("path"),
      "read_fclib(path)\n--\n\n"
      "The FclibFile stored at `path`. read_problem gives the problem alone.");
  m.def(
      "write_fclib",
      [](const py::object& path, const FclibFile& file) { write_fclib(to_path(path), file); },
      py::arg("path"), py::arg("file"),
      "write_fclib(path, file)\n--\n\n"
      "Writes an FclibFile in the HDF5 form that FCLib itself writes.\n\n"
      ">>> saltus.write_fclib('p.hdf5', saltus.FclibFile(problem, title='two bodies'))");
  m.def(
      "write_fclib_solution",
      [](const py::object& source, const py::object& path, const FclibPoint& solution) {
        write_fclib_solution(to_path(source), to_path(path), solution);
      },
      py::arg("source"), py::arg("path"), py::arg("solution"),
      "write_fclib_solution(source, path, solution)\n--\n\n"
      "Copies the file `source` to `path` (they may be the same) with this FclibPoint as its\n"
      "solution; everything else stays.");
}

}  // namespace saltus::python
