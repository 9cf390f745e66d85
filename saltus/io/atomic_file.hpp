#pragma once

#include <filesystem>

namespace saltus {

/// A file that appears under its name only when it is complete. What is written goes to
/// temporary(), in the same folder; commit() gives it its name in one step, replacing an older
/// file. Without commit() the destructor removes it: whatever fails, a file that existed stays as
/// it was.
class AtomicFile {
 public:
  /// Creates the temporary file, empty. Throws Error if `path` cannot be written.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  [[nodiscard]] const std::filesystem::path& temporary() const { return temporary_; }
  void commit();

 private:
  std::filesystem::path path_, temporary_;
  bool committed_ = false;
};

}  // namespace saltus
