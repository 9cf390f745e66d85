#pragma once

#include "saltus/simulation/trajectory.hpp"

#include <filesystem>

namespace saltus {

/// Writes a trajectory as comma-separated text: a row of names (t, then the columns of q, v, x, y,
/// u, r), then one row per instant. Numbers are the shortest that read back to the same double.
/// Throws Error if the file cannot be written; an older file then stays as it was.
void write_csv(const std::filesystem::path& path, const Trajectory& run);

}  // namespace saltus
