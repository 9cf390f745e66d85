#pragma once

#include "saltus/simulation/trajectory.hpp"

#include <filesystem>
#include <map>
#include <string>

namespace saltus {

/// Texts that go with a trajectory: which model, scheme, parameters made it.
using Notes = std::map<std::string, std::string>;

/// Writes a trajectory as an HDF5 file that explains itself (readable by h5py, MATLAB, h5dump):
///
///     /            attributes format = "saltus trajectory", version = 1
///     /t           instants [s]
///     /q … /r      one row per instant; attributes names (of the columns), about
///     /report      attributes: how the run ended and its figures, see RunReport
///     /notes       attributes: `notes`
///
/// Tables above 1 MB are compressed. Throws Error if the file cannot be written; an older file then
/// stays as it was.
void write_hdf5(const std::filesystem::path& path, const Trajectory& run, const Notes& notes = {});

/// Reads what write_hdf5 wrote, bit for bit. Throws Error if the file is missing, damaged, or not a
/// trajectory.
[[nodiscard]] Trajectory read_hdf5(const std::filesystem::path& path);
[[nodiscard]] Notes read_notes(const std::filesystem::path& path);

}  // namespace saltus
