#include "module.hpp"
#include "saltus/io/trajectory_csv.hpp"
#include "saltus/io/trajectory_hdf5.hpp"

#include <pybind11/stl.h>
#include <pybind11/stl/filesystem.h>

#include <algorithm>

namespace saltus::python {

namespace {

constexpr std::array tables{std::pair{"q", &Trajectory::q}, std::pair{"v", &Trajectory::v},
                            std::pair{"x", &Trajectory::x}, std::pair{"y", &Trajectory::y},
                            std::pair{"u", &Trajectory::u}, std::pair{"r", &Trajectory::r}};

std::vector<std::string> names(const Trajectory& run) {
  std::vector<std::string> list{"t"};
  for (const auto& [letter, table] : tables)
    list.insert(list.end(), (run.*table).names.begin(), (run.*table).names.end());
  return list;
}

/// One column by its name, as a view.
py::array column(const py::object& self, const std::string& name) {
  const auto& run = self.cast<const Trajectory&>();
  if (name == "t") return view(run.t.data(), run.size(), self);
  for (const auto& [letter, member] : tables) {
    const Table& table = run.*member;
    const auto it = std::find(table.names.begin(), table.names.end(), name);
    if (it != table.names.end())
      return column_view(table.values.data() + (it - table.names.begin()), table.rows(),
                         table.columns(), self);
  }
  return copy(ConstVectorRef(run.column(name)));  // the Error that lists the known names
}

void save(const Trajectory& run, const std::filesystem::path& path, const Notes& notes) {
  const std::string ending = path.extension().string();
  if (ending == ".h5" || ending == ".hdf5")
    write_hdf5(path, run, notes);
  else if (ending == ".csv")
    write_csv(path, run);
  else
    fail("Trajectory.save: '{}' ends in '{}', expected .h5, .hdf5 or .csv", path.string(), ending);
}

}  // namespace

void bind_trajectory(py::module_& m) {
  py::class_<Trajectory, std::shared_ptr<Trajectory>> run(
      m, "Trajectory",
      "What a run recorded: one row per instant.\n\n"
      "    t  instants [s], shape (n,)\n"
      "    q  positions, shape (n, dof)             v  velocities, right limits\n"
      "    x  first-order states                    y  outputs of the interactions\n"
      "    u  relative velocities                   r  percussions over the step, or multipliers "
      "λ\n\n"
      "The arrays are read-only views of the trajectory, not copies. run['ball.q[0]'] is one "
      "column\n"
      "by its name (a view too), run.names() lists them, run.report says how the run went.");
  run.def_property_readonly(
      "t",
      [](const py::object& self) {
        const auto& s = self.cast<const Trajectory&>();
        return view(s.t.data(), s.size(), self);
      },
      "instants [s]");
  for (const auto& [letter, member] : tables)
    run.def_property_readonly(
        letter,
        [table = member](const py::object& self) {
          const auto& s = self.cast<const Trajectory&>();
          return table_view((s.*table).values.data(), s.size(), (s.*table).columns(), self);
        },
        "table with one row per instant");
  run.def_readonly("report", &Trajectory::report, "RunReport: how the run went");
  run.def("names", &names, "names($self)\n--\n\nThe names of all columns, 't' first.");
  run.def("size", &Trajectory::size, "size($self)\n--\n\nNumber of instants.");
  run.def("__len__", &Trajectory::size);
  run.def("__getitem__", &column, py::arg("name"));
  run.def("__contains__", [](const Trajectory& s, const std::string& name) {
    const auto list = names(s);
    return std::find(list.begin(), list.end(), name) != list.end();
  });
  run.def("_ipython_key_completions_", &names);
  run.def("save", &save, py::arg("path"), py::arg("notes") = Notes{},
          "save($self, path, notes={})\n--\n\n"
          "Writes the trajectory: HDF5 for .h5 (with the notes, a dict of texts), text for .csv.\n"
          "Raises Error if the file cannot be written; an older file then stays as it was.");
  run.def("__repr__", [](const Trajectory& s) {
    return fmt::format("<Trajectory: {} instants, {} columns; {}>", s.size(), names(s).size(),
                       s.report.message());
  });
  m.def(
      "load",
      [](const std::filesystem::path& path) {
        return std::make_shared<Trajectory>(read_hdf5(path));
      },
      py::arg("path"),
      "load(path)\n--\n\n"
      "Reads a Trajectory that save() wrote as HDF5, bit for bit.\n"
      "Raises Error if the file is missing, damaged, or not a trajectory.");
  m.def("read_notes", &read_notes, py::arg("path"),
        "read_notes(path)\n--\n\nThe notes that were saved with a trajectory: a dict of texts.");
}

}  // namespace saltus::python
