#pragma once

#include "saltus/io/trajectory_hdf5.hpp"

#include <filesystem>
#include <string>

namespace saltus {

/// Draws the figure of the notes (the default figure if there is none) as a PNG file, with Python
/// and matplotlib: the interpreter of the build, or the one named by the environment variable
/// SALTUS_PYTHON. Returns an empty text, or why there is no picture.
[[nodiscard]] std::string draw(const std::filesystem::path& png, const Trajectory& run,
                               Notes notes);

}  // namespace saltus
