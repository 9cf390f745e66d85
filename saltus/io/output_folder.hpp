#pragma once

#include <filesystem>

namespace saltus {

/// Makes the folder for results. Throws Error if it is not one that can be made.
void make_output_folder(const std::filesystem::path& folder);

}  // namespace saltus
