#pragma once

#include "saltus/io/hdf5_handle.hpp"
#include "saltus/io/hdf5_old_format.hpp"

#include <filesystem>
#include <variant>

namespace saltus::hdf5 {

/// An HDF5 file as a tree of arrays, addressed by paths "group/dataset". Files of the old format
/// are read by OldFormat, those with checksums (superblock 2 or more) by the HDF5 library behind
/// the guards of hdf5_dataset.hpp. Every mistake is an Error that begins with `what`.
class Archive {
 public:
  Archive(const std::filesystem::path& path, const std::string& what);

  [[nodiscard]] bool has(std::string_view path) const;
  /// One-dimensional, or a single value.
  [[nodiscard]] std::vector<Index> integers(std::string_view path) const;
  [[nodiscard]] std::vector<double> numbers(std::string_view path) const;
  [[nodiscard]] std::string text(std::string_view path) const;
  /// A single integer.
  [[nodiscard]] Index integer(std::string_view path) const;
  /// Size of the file.
  [[nodiscard]] Index bytes() const { return bytes_; }

 private:
  std::string what_;
  std::variant<OldFormat, Handle> file_;
  Index bytes_ = 0;
};

}  // namespace saltus::hdf5
