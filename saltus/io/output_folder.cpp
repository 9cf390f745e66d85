#include "saltus/io/output_folder.hpp"

#include "saltus/base/error.hpp"

namespace saltus {

void make_output_folder(const std::filesystem::path& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  require(!error && std::filesystem::is_directory(folder, error),
          "cannot write into the output folder '{}': {}", folder.string(),
          error ? error.message() : "it is not a folder");
}

}  // namespace saltus
