#include "saltus/io/hdf5_handle.hpp"

#include "saltus/base/error.hpp"

#include <algorithm>
#include <utility>

namespace saltus::hdf5 {

namespace {

/// The innermost entry of HDF5's error stack: the cause, the others only tell who called whom.
herr_t innermost(unsigned, const H5E_error2_t* entry, void* text) {
  if (entry->desc != nullptr) *static_cast<std::string*>(text) = entry->desc;
  return 0;
}

std::string reason() {
  std::string text;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_DOWNWARD, &innermost, &text);
  H5Eclear2(H5E_DEFAULT);
  return text.empty() ? "HDF5 gives no reason" : text;
}

Handle string_type(std::size_t size, const std::string& what) {
  Handle type(H5Tcopy(H5T_C_S1), &H5Tclose, what);
  check(H5Tset_size(type, std::max<std::size_t>(size, 1)), what);
  check(H5Tset_strpad(type, H5T_STR_NULLPAD), what);
  check(H5Tset_cset(type, H5T_CSET_UTF8), what);
  return type;
}

/// `data` may be null if there is nothing to write.
void write(hid_t object, const char* name, hid_t file_type, hid_t memory_type, hid_t space,
           const void* data, const std::string& what) {
  Handle attribute(H5Acreate2(object, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT), &H5Aclose,
                   what);
  if (data != nullptr) check(H5Awrite(attribute, memory_type, data), what);
  attribute.finish(what);
}

Handle open_attribute(hid_t object, const char* name, const std::string& what) {
  require(H5Aexists(object, name) > 0, "{}: attribute '{}' is missing", what, name);
  return Handle(H5Aopen(object, name, H5P_DEFAULT), &H5Aclose, what);
}

void read(hid_t object, const char* name, hid_t memory_type, void* value, const std::string& what) {
  const Handle attribute = open_attribute(object, name, what);
  const Handle space(H5Aget_space(attribute), &H5Sclose, what);
  require(H5Sget_simple_extent_npoints(space) == 1, "{}: attribute '{}' is not one number", what,
          name);
  check(H5Aread(attribute, memory_type, value), fmt::format("{}: attribute '{}'", what, name));
}

/// Strings of one length, padded with zeros; `count` of them.
std::vector<std::string> split(const std::vector<char>& text, std::size_t length,
                               std::size_t count) {
  std::vector<std::string> list;
  list.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = text.data() + i * length;
    list.emplace_back(begin, std::find(begin, begin + length, '\0'));
  }
  return list;
}

}  // namespace

Silence::Silence() {
  H5Eget_auto2(H5E_DEFAULT, &print_, &data_);
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Silence::~Silence() { H5Eset_auto2(H5E_DEFAULT, print_, data_); }

Handle::Handle(hid_t id, Close close, const std::string& what) : id_(id), close_(close) {
  if (id < 0) fail("{}: {}", what, reason());
}

void Handle::finish(const std::string& what) {
  const hid_t id = std::exchange(id_, -1);
  check(close_(id), what);
}

void check(herr_t status, const std::string& what) {
  if (status < 0) fail("{}: {}", what, reason());
}

void write_attribute(hid_t object, const char* name, double value, const std::string& what) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose, what);
  write(object, name, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, space, &value, what);
}

void write_attribute(hid_t object, const char* name, long value, const std::string& what) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose, what);
  write(object, name, H5T_STD_I64LE, H5T_NATIVE_LONG, space, &value, what);
}

void write_attribute(hid_t object, const char* name, const std::string& text,
                     const std::string& what) {
  const Handle space(H5Screate(H5S_SCALAR), &H5Sclose, what);
  const Handle type = string_type(text.size(), what);
  write(object, name, type, type, space, text.c_str(), what);
}

void write_attribute(hid_t object, const char* name, const std::vector<std::string>& list,
                     const std::string& what) {
  std::size_t length = 1;
  for (const std::string& text : list) length = std::max(length, text.size());
  std::vector<char> padded(length * list.size(), '\0');
  for (std::size_t i = 0; i < list.size(); ++i)
    std::copy(list[i].begin(), list[i].end(), padded.begin() + i * length);
  const hsize_t size = list.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, what);
  const Handle type = string_type(length, what);
  write(object, name, type, type, space, list.empty() ? nullptr : padded.data(), what);
}

double read_number(hid_t object, const char* name, const std::string& what) {
  double value = 0;
  read(object, name, H5T_NATIVE_DOUBLE, &value, what);
  return value;
}

long read_integer(hid_t object, const char* name, const std::string& what) {
  long value = 0;
  read(object, name, H5T_NATIVE_LONG, &value, what);
  return value;
}

std::string read_text(hid_t object, const char* name, const std::string& what) {
  const std::vector<std::string> list = read_list(object, name, what);
  require(list.size() == 1, "{}: attribute '{}' is not one text", what, name);
  return list.front();
}

std::vector<std::string> read_list(hid_t object, const char* name, const std::string& what) {
  const Handle attribute = open_attribute(object, name, what);
  const Handle type(H5Aget_type(attribute), &H5Tclose, what);
  require(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0,
          "{}: attribute '{}' is not text of fixed length", what, name);
  const Handle space(H5Aget_space(attribute), &H5Sclose, what);
  const auto count =
      static_cast<std::size_t>(std::max<hssize_t>(0, H5Sget_simple_extent_npoints(space)));
  const std::size_t length = H5Tget_size(type);
  hsize_t bytes = 0;
  const Handle file(H5Iget_file_id(object), &H5Fclose, what);
  check(H5Fget_filesize(file, &bytes), what);
  require(length > 0 && count <= bytes / length,
          "{}: attribute '{}' claims {} texts of {} bytes, the file has {}", what, name, count,
          length, bytes);
  std::vector<char> text(length * count);
  if (count > 0) check(H5Aread(attribute, string_type(length, what), text.data()), what);
  return split(text, length, count);
}

}  // namespace saltus::hdf5
