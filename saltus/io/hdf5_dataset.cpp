#include "saltus/io/hdf5_dataset.hpp"

#include <algorithm>
#include <array>
#include <fstream>

namespace saltus::hdf5 {

namespace {

/// Version of the superblock; −1 if the file does not begin with the signature of HDF5.
int superblock_version(const std::filesystem::path& path) {
  constexpr std::array<char, 8> signature{'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};
  std::array<char, 9> begin{};
  std::ifstream(path, std::ios::binary).read(begin.data(), begin.size());
  const bool same = std::equal(signature.begin(), signature.end(), begin.begin());
  return same ? static_cast<unsigned char>(begin[8]) : -1;
}

void require_hard_link(hid_t parent, const char* name, const std::string& what) {
  require(has(parent, name), "{}: '{}' is missing", what, name);
  H5L_info_t link;
  check(H5Lget_info(parent, name, &link, H5P_DEFAULT), what);
  require(link.type == H5L_TYPE_HARD, "{}: '{}' is a link to somewhere else", what, name);
}

/// The bytes that the file may stand for: deflate makes 1032 out of one at best.
void require_stored(hid_t set, const char* name, hsize_t count, const std::string& what) {
  constexpr hsize_t best_ratio = 1032;
  const Handle list(H5Dget_create_plist(set), &H5Pclose, what);
  const H5D_layout_t layout = H5Pget_layout(list);
  require(layout != H5D_VIRTUAL && H5Pget_external_count(list) == 0,
          "{}: the values of '{}' stand in another file", what, name);
  const bool filtered = H5Pget_nfilters(list) > 0;
  const Handle type(H5Dget_type(set), &H5Tclose, what);
  const hsize_t stored = H5Dget_storage_size(set), each = H5Tget_size(type);
  require(count <= stored / each * (filtered ? best_ratio : 1),
          "{}: '{}' claims {} values, the file holds {} bytes of them", what, name, count, stored);
  if (layout != H5D_CHUNKED) return;
  std::array<hsize_t, H5S_MAX_RANK> chunk{};
  const int dimensions = H5Pget_chunk(list, H5S_MAX_RANK, chunk.data());
  check(dimensions, what);
  constexpr hsize_t largest_chunk = 1 << 23;  // values: 64 MB
  hsize_t size = 1;
  for (int d = 0; d < dimensions; ++d) {
    require(chunk[d] <= largest_chunk / size, "{}: '{}' is stored in pieces above 64 MB", what,
            name);
    size *= chunk[d];
  }
}

template <class T>
void write_list(hid_t parent, const char* name, std::span<const T> values, hid_t file_type,
                hid_t memory_type, const std::string& about, const std::string& what) {
  const hsize_t size = values.size();
  const Handle space(H5Screate_simple(1, &size, nullptr), &H5Sclose, what);
  Handle set(H5Dcreate2(parent, name, file_type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT),
             &H5Dclose, what);
  if (size > 0)
    check(H5Dwrite(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  write_attribute(set, "about", about, what);
  set.finish(what);
}

template <class T>
std::vector<T> read_list_of(hid_t parent, const char* name, H5T_class_t kind, hid_t memory_type,
                            const std::string& what) {
  const Handle set = open_dataset(parent, name, what);
  std::vector<T> values(extent(set, name, 1, kind, what).front());
  if (!values.empty())
    check(H5Dread(set, memory_type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()), what);
  return values;
}

}  // namespace

Handle open_file(const std::filesystem::path& path, const std::string& format, long newest,
                 const std::string& what) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  require(std::filesystem::exists(status), "{}: there is no such file", what);
  require(!std::filesystem::is_directory(status), "{}: it is a folder", what);
  const int superblock = superblock_version(path);
  require(superblock >= 0, "{}: it is not an HDF5 file, or cannot be opened", what);
  require(superblock >= 2,
          "{}: it has the HDF5 format before 1.8, without checksums; expected 1.8 or later "
          "(h5repack --low=1, h5py libver='v108')",
          what);
  Handle file(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), &H5Fclose, what);
  require(H5Aexists(file, "format") > 0 && read_text(file, "format", what) == format,
          "{}: it is an HDF5 file, but not a {}", what, format);
  const long version = read_integer(file, "version", what);
  require(version >= 1 && version <= newest,
          "{}: it has version {} of the format, this program knows versions 1 to {}", what, version,
          newest);
  return file;
}

Handle open_dataset(hid_t parent, const char* name, const std::string& what) {
  require_hard_link(parent, name, what);
  return Handle(H5Dopen2(parent, name, H5P_DEFAULT), &H5Dclose, what);
}

Handle open_group(hid_t parent, const char* name, const std::string& what) {
  require_hard_link(parent, name, what);
  return Handle(H5Gopen2(parent, name, H5P_DEFAULT), &H5Gclose, what);
}

bool has(hid_t parent, const char* name) { return H5Lexists(parent, name, H5P_DEFAULT) > 0; }

std::vector<hsize_t> extent(hid_t set, const char* name, int dimensions, H5T_class_t kind,
                            const std::string& what) {
  const Handle type(H5Dget_type(set), &H5Tclose, what);
  require(H5Tget_class(type) == kind, "{}: '{}' does not hold {}", what, name,
          kind == H5T_FLOAT ? "floating-point numbers" : "integers");
  const Handle space(H5Dget_space(set), &H5Sclose, what);
  require(H5Sget_simple_extent_ndims(space) == dimensions, "{}: '{}' does not have {} dimension{}",
          what, name, dimensions, dimensions == 1 ? "" : "s");
  std::vector<hsize_t> size(static_cast<std::size_t>(dimensions));
  check(H5Sget_simple_extent_dims(space, size.data(), nullptr), what);
  hsize_t count = 1;
  for (const hsize_t s : size) {
    constexpr hsize_t most = hsize_t{1} << 48;
    require(s <= most / std::max<hsize_t>(count, 1), "{}: '{}' claims too many values", what, name);
    count *= s;
  }
  if (count > 0) require_stored(set, name, count, what);
  return size;
}

std::vector<double> read_numbers(hid_t parent, const char* name, const std::string& what) {
  return read_list_of<double>(parent, name, H5T_FLOAT, H5T_NATIVE_DOUBLE, what);
}

std::vector<Index> read_integers(hid_t parent, const char* name, const std::string& what) {
  static_assert(sizeof(Index) == sizeof(long));
  return read_list_of<Index>(parent, name, H5T_INTEGER, H5T_NATIVE_LONG, what);
}

void write_numbers(hid_t parent, const char* name, std::span<const double> values,
                   const std::string& about, const std::string& what) {
  write_list(parent, name, values, H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, about, what);
}

void write_integers(hid_t parent, const char* name, std::span<const Index> values,
                    const std::string& about, const std::string& what) {
  write_list(parent, name, values, H5T_STD_I64LE, H5T_NATIVE_LONG, about, what);
}

}  // namespace saltus::hdf5
