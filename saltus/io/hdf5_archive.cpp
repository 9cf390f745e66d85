#include "saltus/io/hdf5_archive.hpp"

#include "saltus/io/hdf5_dataset.hpp"
#include "saltus/io/problem_file_text.hpp"

namespace saltus::hdf5 {

namespace {

std::variant<OldFormat, Handle> open(const std::filesystem::path& path, const std::string& what) {
  std::string bytes = read_text_file(path);
  constexpr std::size_t version = 8;  // its place in the superblock
  require(bytes.starts_with("\x89HDF\r\n\x1a\n") && bytes.size() > version,
          "{}: it is not an HDF5 file", what);
  if (static_cast<unsigned char>(bytes[version]) <= 1) return OldFormat(std::move(bytes), what);
  return Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose, what);
}

/// Calls use(group, name) for the last name of the path.
template <class Use>
auto in_group(hid_t file, std::string_view path, const std::string& what, Use&& use) {
  const std::size_t slash = path.find('/');
  const std::string name(path.substr(0, slash));
  if (slash == std::string_view::npos) return use(file, name);
  const Handle group = open_group(file, name.c_str(), what);
  return in_group(group, path.substr(slash + 1), what, use);
}

bool exists(hid_t file, std::string_view path, const std::string& what) {
  const std::size_t slash = path.find('/');
  const std::string name(path.substr(0, slash));
  if (!has(file, name.c_str())) return false;
  if (slash == std::string_view::npos) return true;
  const Handle object(H5Oopen(file, name.c_str(), H5P_DEFAULT), &H5Oclose, what);
  if (H5Iget_type(object) != H5I_GROUP) return false;
  return exists(open_group(file, name.c_str(), what), path.substr(slash + 1), what);
}

std::string read_string(hid_t group, const std::string& name, const std::string& what) {
  const Handle set = open_dataset(group, name.c_str(), what);
  const Handle type(H5Dget_type(set), &H5Tclose, what);
  const Handle space(H5Dget_space(set), &H5Sclose, what);
  require(H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 &&
              H5Sget_simple_extent_npoints(space) == 1,
          "{}: '{}' does not hold one text of fixed length", what, name);
  const std::size_t size = H5Tget_size(type);
  require(size <= H5Dget_storage_size(set), "{}: '{}' claims {} bytes that are not stored", what,
          name, size);
  std::string text(size, '\0');
  check(H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, text.data()), what);
  return text.substr(0, text.find('\0'));
}

}  // namespace

Archive::Archive(const std::filesystem::path& path, const std::string& what)
    : what_(what),
      file_(open(path, what)),
      bytes_(static_cast<Index>(std::filesystem::file_size(path))) {}

bool Archive::has(std::string_view path) const {
  if (const auto* old = std::get_if<OldFormat>(&file_)) return old->has(path);
  return exists(std::get<Handle>(file_), path, what_);
}

std::vector<Index> Archive::integers(std::string_view path) const {
  if (const auto* old = std::get_if<OldFormat>(&file_)) return old->integers(path);
  return in_group(std::get<Handle>(file_), path, what_, [&](hid_t group, const std::string& name) {
    return read_integers(group, name.c_str(), what_);
  });
}

std::vector<double> Archive::numbers(std::string_view path) const {
  if (const auto* old = std::get_if<OldFormat>(&file_)) return old->numbers(path);
  return in_group(std::get<Handle>(file_), path, what_, [&](hid_t group, const std::string& name) {
    return read_numbers(group, name.c_str(), what_);
  });
}

std::string Archive::text(std::string_view path) const {
  if (const auto* old = std::get_if<OldFormat>(&file_)) return old->text(path);
  return in_group(std::get<Handle>(file_), path, what_, [&](hid_t group, const std::string& name) {
    return read_string(group, name, what_);
  });
}

Index Archive::integer(std::string_view path) const {
  const std::vector<Index> list = integers(path);
  require(list.size() == 1, "{}: '{}' holds {} integers, expected one", what_, path, list.size());
  return list.front();
}

}  // namespace saltus::hdf5
