#include "saltus/io/atomic_file.hpp"

#include "saltus/base/error.hpp"

#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>

namespace saltus {

namespace {

std::filesystem::path temporary_name(const std::filesystem::path& path) {
  static std::atomic<unsigned> count{0};
  return path.string() + fmt::format(".part-{}-{}", getpid(), count++);
}

}  // namespace

AtomicFile::AtomicFile(std::filesystem::path path)
    : path_(std::move(path)), temporary_(temporary_name(path_)) {
  require(path_.has_filename(), "cannot write '{}': expected the name of a file", path_.string());
  std::error_code error;
  require(!std::filesystem::is_directory(path_, error), "cannot write '{}': it is a folder",
          path_.string());
  std::FILE* file = std::fopen(temporary_.c_str(), "wbx");
  require(file != nullptr, "cannot write '{}': {}", path_.string(), std::strerror(errno));
  std::fclose(file);
}

AtomicFile::~AtomicFile() {
  std::error_code ignored;
  if (!committed_) std::filesystem::remove(temporary_, ignored);
}

void AtomicFile::commit() {
  std::error_code error;
  std::filesystem::rename(temporary_, path_, error);
  require(!error, "cannot write '{}': {}", path_.string(), error.message());
  committed_ = true;
}

}  // namespace saltus
