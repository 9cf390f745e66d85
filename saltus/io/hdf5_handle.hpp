#pragma once

#include <hdf5.h>

#include <string>
#include <vector>

namespace saltus::hdf5 {

/// While it lives, HDF5 does not print its error stack; errors become exceptions instead.
class Silence {
 public:
  Silence();
  ~Silence();
  Silence(const Silence&) = delete;
  Silence& operator=(const Silence&) = delete;

 private:
  H5E_auto2_t print_ = nullptr;
  void* data_ = nullptr;
};

/// Owns an HDF5 identifier.
class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  /// Throws Error "`what`: …" with the reason HDF5 gives, if `id` is not valid.
  Handle(hid_t id, Close close, const std::string& what);
  ~Handle() {
    if (id_ >= 0) close_(id_);
  }
  Handle(Handle&& other) noexcept : id_(other.id_), close_(other.close_) { other.id_ = -1; }
  Handle& operator=(Handle&&) = delete;

  operator hid_t() const { return id_; }
  /// Closes now, so that an error is seen: data still in memory may not fit on the disk.
  void finish(const std::string& what);

 private:
  hid_t id_;
  Close close_;
};

/// Throws Error "`what`: …" with the reason HDF5 gives, if `status` is negative.
void check(herr_t status, const std::string& what);

// Attributes of a file, group or dataset. `what` begins the text of an Error.
void write_attribute(hid_t object, const char* name, double value, const std::string& what);
void write_attribute(hid_t object, const char* name, long value, const std::string& what);
void write_attribute(hid_t object, const char* name, const std::string& text,
                     const std::string& what);
/// One-dimensional array of strings; all are stored with the length of the longest.
void write_attribute(hid_t object, const char* name, const std::vector<std::string>& list,
                     const std::string& what);

[[nodiscard]] double read_number(hid_t object, const char* name, const std::string& what);
[[nodiscard]] long read_integer(hid_t object, const char* name, const std::string& what);
[[nodiscard]] std::string read_text(hid_t object, const char* name, const std::string& what);
[[nodiscard]] std::vector<std::string> read_list(hid_t object, const char* name,
                                                 const std::string& what);

}  // namespace saltus::hdf5
