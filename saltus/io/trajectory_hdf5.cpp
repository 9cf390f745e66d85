#include "saltus/io/trajectory_hdf5.hpp"

#include "saltus/io/atomic_file.hpp"
#include "saltus/io/hdf5_dataset.hpp"

#include <algorithm>
#include <cstring>

namespace saltus {

using hdf5::Handle;

namespace {

constexpr const char* format_name = "saltus trajectory";
constexpr long format_version = 1;

struct NamedTable {
  const char* name;
  const char* about;
  Table Trajectory::*table;
};
constexpr NamedTable tables[] = {
    {"q", "positions", &Trajectory::q},
    {"v", "velocities, right limits", &Trajectory::v},
    {"x", "first-order states", &Trajectory::x},
    {"y", "outputs of the interactions", &Trajectory::y},
    {"u", "relative velocities of the Lagrangian interactions", &Trajectory::u},
    {"r", "percussions over the step, or multipliers of first-order systems", &Trajectory::r},
};

/// The entries of the account of momentum: "momentum_forces_angular_x".
template <class Balance, class Visitor>
void visit_momentum(Balance& balance, Visitor&& visit) {
  visit("momentum_known", balance.known);
  const auto parts = [&](const char* part, auto& momentum) {
    for (int axis = 0; axis < 3; ++axis) {
      const char letter = "xyz"[axis];
      visit(fmt::format("momentum_{}_linear_{}", part, letter).c_str(), momentum.linear[axis]);
      visit(fmt::format("momentum_{}_angular_{}", part, letter).c_str(), momentum.angular[axis]);
    }
  };
  parts("start", balance.start);
  parts("end", balance.end);
  parts("forces", balance.forces);
  parts("interactions", balance.interactions);
  parts("scheme", balance.scheme);
}

/// Every entry of a report, by name: the one list behind writing and reading.
template <class Report, class Visitor>
void visit_report(Report& report, Visitor&& visit) {
  visit("end", report.end);
  visit("steps", report.steps);
  visit("end_time", report.end_time);
  visit("active_steps", report.active_steps);
  visit("solver_iterations", report.solver_iterations);
  visit("factorisations", report.factorisations);
  visit("newton_iterations", report.newton_iterations);
  visit("unsolved_steps", report.unsolved_steps);
  visit("rejected_steps", report.rejected_steps);
  visit("shortest_step", report.shortest_step);
  visit("longest_step", report.longest_step);
  visit("worst_residual", report.worst_residual);
  visit("seconds", report.seconds);
  visit("seconds_free", report.times.free);
  visit("seconds_activate", report.times.activate);
  visit("seconds_assemble", report.times.assemble);
  visit("seconds_solve", report.times.solve);
  visit("seconds_update", report.times.update);
  visit("seconds_recording", report.recording_seconds);
  visit("energy_known", report.energy.known);
  visit("energy_kinetic", report.energy.kinetic);
  visit("energy_potential", report.energy.potential);
  visit("energy_start", report.energy.start);
  visit("energy_forces", report.energy.forces);
  visit("energy_drives", report.energy.drives);
  visit("energy_impact", report.energy.impact);
  visit("energy_friction", report.energy.friction);
  visit("energy_laws", report.energy.laws);
  visit("energy_scheme", report.energy.scheme);
  visit_momentum(report.momentum, visit);
  visit("last_status", report.last.status);
  visit("last_active_rows", report.last.active_rows);
  visit("last_newton_iterations", report.last.newton_iterations);
  visit("last_newton_residual", report.last.newton_residual);
  visit("last_solver_iterations", report.last.solver_iterations);
  visit("last_solve_status", report.last.solve.status);
  visit("last_solve_iterations", report.last.solve.iterations);
  visit("last_solve_residual", report.last.solve.residual);
  visit("last_solve_seconds", report.last.solve.seconds);
}

/// The enumerator called `text`; false if there is none.
template <class Enum>
bool from_name(const std::string& text, Enum& value) {
  for (int i = 0; name(static_cast<Enum>(i)) != "unknown"; ++i) {
    value = static_cast<Enum>(i);
    if (name(value) == text) return true;
  }
  return false;
}

// Writing ---------------------------------------------------------------------------------------

/// Row-wise pieces of about 256 kB, shuffled and deflated; plain storage where that cannot pay.
/// The 12.8 MB of the falling column of 1000 beads become 0.65 MB.
Handle storage(hsize_t rows, hsize_t columns, const std::string& what) {
  constexpr hsize_t worth_compressing = 1 << 20, piece = 1 << 18;
  Handle list(H5Pcreate(H5P_DATASET_CREATE), &H5Pclose, what);
  if (rows * columns * sizeof(double) < worth_compressing) return list;
  const hsize_t wide = std::min<hsize_t>(columns, piece / sizeof(double));
  const hsize_t chunk[] = {std::clamp<hsize_t>(piece / (sizeof(double) * wide), 1, rows), wide};
  hdf5::check(H5Pset_chunk(list, 2, chunk), what);
  hdf5::check(H5Pset_shuffle(list), what);
  hdf5::check(H5Pset_deflate(list, 1), what);
  return list;
}

void write_times(hid_t file, const std::vector<double>& t, const std::string& what) {
  const hsize_t size = t.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, what);
  Handle set(H5Dcreate2(file, "t", H5T_IEEE_F64LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             &H5Dclose, what);
  hdf5::check(H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, t.data()), what);
  hdf5::write_attribute(set, "about", std::string("instants [s]"), what);
  set.finish(what);
}

void write_table(hid_t file, const NamedTable& entry, const Table& table, hsize_t rows,
                 const std::string& what) {
  const hsize_t size[] = {rows, table.names.size()};
  require(table.values.size() == size[0] * size[1],
          "{}: table {} has {} values, expected {} instants x {} columns", what, entry.name,
          table.values.size(), size[0], size[1]);
  const Handle space(H5Screate_simple(2, size, nullptr), &H5Sclose, what);
  const Handle how = storage(size[0], size[1], what);
  Handle set(H5Dcreate2(file, entry.name, H5T_IEEE_F64LE, space, H5P_DEFAULT, how, H5P_DEFAULT),
             &H5Dclose, what);
  if (!table.values.empty())
    hdf5::check(
        H5Dwrite(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.values.data()), what);
  hdf5::write_attribute(set, "names", table.names, what);
  hdf5::write_attribute(set, "about", std::string(entry.about), what);
  set.finish(what);
}

Handle create_group(hid_t file, const char* name, const std::string& what) {
  return Handle(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT), &H5Gclose, what);
}

void write_report(hid_t file, const RunReport& report, const std::string& what) {
  const Handle group = create_group(file, "report", what);
  hdf5::write_attribute(group, "message", report.message(), what);
  visit_report(report, [&]<class V>(const char* key, const V& value) {
    if constexpr (std::is_enum_v<V>)
      hdf5::write_attribute(group, key, std::string(name(value)), what);
    else if constexpr (std::is_integral_v<V>)
      hdf5::write_attribute(group, key, static_cast<long>(value), what);
    else
      hdf5::write_attribute(group, key, value, what);
  });
}

void write_notes(hid_t file, const Notes& notes, const std::string& what) {
  const Handle group = create_group(file, "notes", what);
  for (const auto& [key, text] : notes) hdf5::write_attribute(group, key.c_str(), text, what);
}

// Reading ---------------------------------------------------------------------------------------

std::string reading(const std::filesystem::path& path) {
  return fmt::format("cannot read '{}'", path.string());
}

Handle open(const std::filesystem::path& path, const std::string& what) {
  return hdf5::open_file(path, format_name, format_version, what);
}

Table read_table(hid_t file, const char* name, hsize_t rows, const std::string& what) {
  const Handle set = hdf5::open_dataset(file, name, what);
  Table table;
  table.names = hdf5::read_list(set, "names", what);
  const std::vector<hsize_t> size = hdf5::extent(set, name, 2, H5T_FLOAT, what);
  require(size[0] == rows && size[1] == table.names.size(),
          "{}: {} is {} x {}, expected {} instants x {} names", what, name, size[0], size[1], rows,
          table.names.size());
  table.values.resize(size[0] * size[1]);
  if (!table.values.empty())
    hdf5::check(H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, table.values.data()),
                what);
  return table;
}

RunReport read_report(hid_t file, const std::string& what) {
  const Handle group = hdf5::open_group(file, "report", what);
  RunReport report;
  const bool momentum = H5Aexists(group, "momentum_known") > 0;  // older files have none
  visit_report(report, [&]<class V>(const char* key, V& value) {
    if (!momentum && std::string_view(key).starts_with("momentum_")) return;
    if constexpr (std::is_enum_v<V>) {
      const std::string text = hdf5::read_text(group, key, what);
      require(from_name(text, value), "{}: report has {} = '{}', which is unknown", what, key,
              text);
    } else if constexpr (std::is_integral_v<V>) {
      value = static_cast<V>(hdf5::read_integer(group, key, what));
    } else {
      value = hdf5::read_number(group, key, what);
    }
  });
  return report;
}

herr_t collect_name(hid_t, const char* name, const H5A_info_t*, void* names) {
  static_cast<std::vector<std::string>*>(names)->emplace_back(name);
  return 0;
}

}  // namespace

void write_hdf5(const std::filesystem::path& path, const Trajectory& run, const Notes& notes) {
  const hdf5::Silence silence;
  const std::string what = fmt::format("cannot write '{}'", path.string());
  AtomicFile target(path);
  // Format 1.8: older ones hold at most 64 kB of attributes, too few for ten thousand names.
  const Handle access(H5Pcreate(H5P_FILE_ACCESS), &H5Pclose, what);
  hdf5::check(H5Pset_libver_bounds(access, H5F_LIBVER_V18, H5F_LIBVER_LATEST), what);
  Handle file(H5Fcreate(target.temporary().c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, access), &H5Fclose,
              what);
  hdf5::write_attribute(file, "format", std::string(format_name), what);
  hdf5::write_attribute(file, "version", format_version, what);
  write_times(file, run.t, what);
  for (const NamedTable& entry : tables)
    write_table(file, entry, run.*entry.table, run.t.size(), what);
  write_report(file, run.report, what);
  write_notes(file, notes, what);
  file.finish(what);
  target.commit();
}

Trajectory read_hdf5(const std::filesystem::path& path) {
  const hdf5::Silence silence;
  const std::string what = reading(path);
  const Handle file = open(path, what);
  Trajectory run;
  run.t = hdf5::read_numbers(file, "t", what);
  for (const NamedTable& entry : tables)
    run.*entry.table = read_table(file, entry.name, run.t.size(), what);
  run.report = read_report(file, what);
  return run;
}

Notes read_notes(const std::filesystem::path& path) {
  const hdf5::Silence silence;
  const std::string what = reading(path);
  const Handle file = open(path, what);
  const Handle group = hdf5::open_group(file, "notes", what);
  std::vector<std::string> names;
  hdf5::check(H5Aiterate2(group, H5_INDEX_NAME, H5_ITER_INC, nullptr, &collect_name, &names), what);
  Notes notes;
  for (const std::string& name : names) notes[name] = hdf5::read_text(group, name.c_str(), what);
  return notes;
}

}  // namespace saltus
